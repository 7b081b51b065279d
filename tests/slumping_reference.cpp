#include "slumping_reference.h"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

namespace scree::testing {
namespace {

// The nearest support, so many cells away.
struct Site {
  bool known;
  int dx, dy;
};

struct Slab {
  int x, y;
  std::size_t first, end;  // layers
  long long low, high;     // heights
  long long path;          // -1: none
  Site site;
};

class Naive {
 public:
  Naive(const LayerShape& shape, const std::vector<Stack>& before,
        const std::vector<SlumpMaterial>& table, const Slump& numbers)
      : shape_(shape), before_(before), table_(table), numbers_(numbers) {}

  std::vector<Stack> run() {
    for (int y = 0; y < shape_.height; ++y)
      for (int x = 0; x < shape_.width; ++x) add_slabs(x, y);
    measure();
    std::vector<Stack> after;
    for (int y = 0; y < shape_.height; ++y)
      for (int x = 0; x < shape_.width; ++x) after.push_back(rebuilt(x, y));
    return after;
  }

 private:
  const Stack& stack(int x, int y) const {
    return before_[static_cast<std::size_t>(y) * static_cast<std::size_t>(shape_.width) +
                   static_cast<std::size_t>(x)];
  }
  bool gap(const Layer& layer) const {
    return layer.material == 0 || table_[static_cast<std::size_t>(layer.material)].gap != 0;
  }

  void add_slabs(int x, int y) {
    const Stack& s = stack(x, y);
    long long height = 0;
    for (std::size_t k = 0; k < s.size(); ++k) {
      if (!gap(s[k])) {
        if (k == 0 || gap(s[k - 1]))
          slabs_.push_back({x, y, k, k, height, height, k == 0 ? 0 : -1, {}});
        slabs_.back().end = k + 1;
        slabs_.back().high = height + s[k].quanta;
      }
      height += s[k].quanta;
    }
  }

  struct Touch {
    std::size_t slab;
    int dx, dy;  // from there to here
  };

  std::vector<Touch> touched_by(const Slab& a) const {
    std::vector<Touch> all;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        int x = a.x - dx, y = a.y - dy;
        if (shape_.wrap_x) x = (x + shape_.width) % shape_.width;
        if (shape_.wrap_y) y = (y + shape_.height) % shape_.height;
        for (std::size_t j = 0; (dx != 0 || dy != 0) && j < slabs_.size(); ++j) {
          const Slab& b = slabs_[j];
          if (b.x == x && b.y == y && std::min(a.high, b.high) > std::max(a.low, b.low))
            all.push_back({j, dx, dy});
        }
      }
    return all;
  }

  void measure() {
    touches_.clear();
    for (const Slab& slab : slabs_) touches_.push_back(touched_by(slab));
    measure_paths();
    while (measure_sites()) {
    }
  }

  // From the nearest outwards.
  void measure_paths() {
    using Reached = std::pair<long long, std::size_t>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
    for (std::size_t i = 0; i < slabs_.size(); ++i)
      if (slabs_[i].first == 0) next.emplace(0, i);
    while (!next.empty()) {
      const auto [path, i] = next.top();
      next.pop();
      if (slabs_[i].path != path) continue;
      for (const Touch& touch : touches_[i]) {
        const long long half = touch.dx != 0 && touch.dy != 0 ? numbers_.half_d
                               : touch.dx != 0                ? numbers_.half_x
                                                              : numbers_.half_y;
        Slab& slab = slabs_[touch.slab];
        const long long longer = path + (slabs_[i].first == 0 ? half : 2 * half);
        if (slab.path >= 0 && slab.path <= longer) continue;
        slab.path = longer;
        next.emplace(longer, touch.slab);
      }
    }
  }

  // All slabs hear at once what those they touch knew before. True where one heard of a nearer
  // site.
  bool measure_sites() {
    const std::vector<Slab> before = slabs_;
    bool news = false;
    for (std::size_t i = 0; i < slabs_.size(); ++i)
      for (const Touch& touch : touches_[i]) {
        const Slab& other = before[touch.slab];
        const bool ground = other.first == 0;
        if (slabs_[i].first == 0 || (!ground && !other.site.known)) continue;
        const Site told{true, touch.dx + (ground ? 0 : other.site.dx),
                        touch.dy + (ground ? 0 : other.site.dy)};
        if (!nearer(told, slabs_[i].site)) continue;
        slabs_[i].site = told;
        news = true;
      }
    return news;
  }

  float square(const Site& site) const {
    const float x = numbers_.face_x * static_cast<float>(std::max(2 * std::abs(site.dx) - 1, 0));
    const float y = numbers_.face_y * static_cast<float>(std::max(2 * std::abs(site.dy) - 1, 0));
    return x * x + y * y;
  }
  bool nearer(const Site& a, const Site& b) const {
    if (!b.known) return true;
    return std::tuple(square(a), a.dx, a.dy) < std::tuple(square(b), b.dx, b.dy);
  }

  bool stands(const Slab& slab, std::size_t from) const {
    if (slab.path < 0) return false;
    if (slab.first == 0) return true;
    const float path = static_cast<float>(slab.path) * numbers_.metres;
    const float reach = std::max(path * path, square(slab.site));
    float weight = 0, strength = 0;
    for (std::size_t k = slab.end; k-- > from;) {
      const Layer& layer = stack(slab.x, slab.y)[k];
      const SlumpMaterial& m = table_[static_cast<std::size_t>(layer.material)];
      const auto thickness = static_cast<float>(layer.quanta);
      weight += m.density * thickness;
      strength += m.cohesion * thickness * thickness;
    }
    return numbers_.load * weight * reach <= strength;
  }

  Stack rebuilt(int x, int y) const {
    const Stack& old = stack(x, y);
    std::vector<bool> fallen(old.size(), false);
    for (const Slab& slab : slabs_) {
      if (slab.x != x || slab.y != y) continue;
      std::size_t from = slab.first;
      while (from < slab.end && !stands(slab, from)) fallen[from++] = true;
    }
    if (std::find(fallen.begin(), fallen.end(), true) == fallen.end()) return old;
    // From one layer that stands to the next: what fell between them, fluids, air.
    Stack next;
    for (std::size_t k = 0; k < old.size();) {
      std::size_t end = k;
      while (end < old.size() && (gap(old[end]) || fallen[end])) ++end;
      for (std::size_t n = k; n < end; ++n)
        if (fallen[n])
          put(next, static_cast<int>(table_[static_cast<std::size_t>(old[n].material)].dust),
              old[n].quanta);
      for (std::size_t n = k; n < end; ++n)
        if (gap(old[n]) && old[n].material != 0) put(next, old[n].material, old[n].quanta);
      for (std::size_t n = k; n < end; ++n)
        if (old[n].material == 0) put(next, 0, old[n].quanta);
      if (end < old.size()) put(next, old[end].material, old[end].quanta);
      k = end + 1;
    }
    while (!next.empty() && next.back().material == 0) next.pop_back();
    return next;
  }

  static void put(Stack& stack, int material, int quanta) {
    if (!stack.empty() && stack.back().material == material)
      stack.back().quanta += quanta;
    else
      stack.push_back({material, quanta});
  }

  const LayerShape& shape_;
  const std::vector<Stack>& before_;
  const std::vector<SlumpMaterial>& table_;
  const Slump& numbers_;
  std::vector<Slab> slabs_;
  std::vector<std::vector<Touch>> touches_;
};

}  // namespace

std::vector<Stack> slumped_naively(const LayerShape& shape, const std::vector<Stack>& before,
                                   const std::vector<SlumpMaterial>& table, const Slump& numbers) {
  return Naive(shape, before, table, numbers).run();
}

}  // namespace scree::testing
