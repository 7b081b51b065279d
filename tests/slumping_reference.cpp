#include "slumping_reference.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace scree::testing {
namespace {

struct Slab {
  int x, y;
  std::size_t first, end;  // layers
  long long low, high;     // heights
  long long distance;      // -1: none
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
          slabs_.push_back({x, y, k, k, height, height, k == 0 ? 0 : -1});
        slabs_.back().end = k + 1;
        slabs_.back().high = height + s[k].quanta;
      }
      height += s[k].quanta;
    }
  }

  bool beside(const Slab& a, const Slab& b, long long& step) const {
    int dx = std::abs(a.x - b.x), dy = std::abs(a.y - b.y);
    const bool over_x = shape_.wrap_x && dx == shape_.width - 1;
    const bool over_y = shape_.wrap_y && dy == shape_.height - 1;
    if (over_x) dx = std::min(dx, 1);
    if (over_y) dy = std::min(dy, 1);
    if (dx > 1 || dy > 1 || dx + dy == 0) return false;
    step = dx == 1 && dy == 1 ? numbers_.step_d : dx == 1 ? numbers_.step_x : numbers_.step_y;
    return std::min(a.high, b.high) > std::max(a.low, b.low);
  }

  void measure() {
    using Reached = std::pair<long long, std::size_t>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
    for (std::size_t i = 0; i < slabs_.size(); ++i)
      if (slabs_[i].distance == 0) next.emplace(0, i);
    while (!next.empty()) {
      const auto [distance, i] = next.top();
      next.pop();
      if (slabs_[i].distance != distance) continue;
      for (std::size_t j = 0; j < slabs_.size(); ++j) {
        long long step = 0;
        if (!beside(slabs_[i], slabs_[j], step)) continue;
        if (slabs_[j].distance >= 0 && slabs_[j].distance <= distance + step) continue;
        slabs_[j].distance = distance + step;
        next.emplace(distance + step, j);
      }
    }
  }

  bool stands(const Slab& slab, std::size_t from) const {
    if (slab.distance < 0) return false;
    if (slab.first == 0) return true;
    const float reach =
        static_cast<float>(std::max(slab.distance - numbers_.face, 0LL)) * numbers_.metres;
    float weight = 0, strength = 0;
    for (std::size_t k = slab.end; k-- > from;) {
      const Layer& layer = stack(slab.x, slab.y)[k];
      const SlumpMaterial& m = table_[static_cast<std::size_t>(layer.material)];
      const auto thickness = static_cast<float>(layer.quanta);
      weight += m.density * thickness;
      strength += m.cohesion * thickness * thickness;
    }
    return numbers_.load * weight * (reach * reach) <= strength;
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
};

}  // namespace

std::vector<Stack> slumped_naively(const LayerShape& shape, const std::vector<Stack>& before,
                                   const std::vector<SlumpMaterial>& table, const Slump& numbers) {
  return Naive(shape, before, table, numbers).run();
}

}  // namespace scree::testing
