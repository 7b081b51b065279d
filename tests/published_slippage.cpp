#include "published_slippage.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <list>
#include <map>

namespace scree::testing {
namespace {

// Of one material, from a height to a height in quanta.
struct Solid {
  int material;
  long long bottom, top;
};
using Column = std::list<Solid>;  // from the bottom up

constexpr long long open_sky = std::numeric_limits<long long>::max();

// Where something can lie: the height of a top with air above it, and how far the air reaches. The
// ground under all layers is one, too.
struct Surface {
  long long height, ceiling;
};

Column column_of(const Stack& stack) {
  Column column;
  long long height = 0;
  for (const Layer& layer : stack) {
    if (layer.material != 0) column.push_back({layer.material, height, height + layer.quanta});
    height += layer.quanta;
  }
  return column;
}

Stack stack_of(const Column& column) {
  Stack stack;
  long long height = 0;
  const auto add = [&](int material, long long quanta) {
    if (quanta == 0) return;
    if (!stack.empty() && stack.back().material == material)
      stack.back().quanta += static_cast<int>(quanta);
    else
      stack.push_back({material, static_cast<int>(quanta)});
  };
  for (const Solid& solid : column) {
    if (solid.top == solid.bottom) continue;
    add(0, solid.bottom - height);
    add(solid.material, solid.top - solid.bottom);
    height = solid.top;
  }
  return stack;
}

std::vector<Surface> surfaces_of(const Column& column) {
  std::vector<Surface> surfaces;
  long long height = 0;
  for (const Solid& solid : column) {
    if (solid.bottom > height) surfaces.push_back({height, solid.bottom});
    height = solid.top;
  }
  surfaces.push_back({height, open_sky});
  return surfaces;
}

class Published {
 public:
  Published(const LayerShape& shape, const std::vector<Stack>& before, const PublishedRules& rules)
      : shape_(shape), rules_(rules) {
    for (const Stack& stack : before) old_.push_back(column_of(stack));
    now_ = old_;
  }

  // "Decision in every point how much of the material will be moved and doing this" (§7).
  std::vector<Stack> step() {
    arrivals_.resize(old_.size());
    for (int y = 0; y < shape_.height; ++y)
      for (int x = 0; x < shape_.width; ++x) {
        for (const Surface& surface : surfaces_of(old_[at(x, y)])) erode(x, y, surface);
        crumble(at(x, y));
      }
    std::vector<Stack> after;
    for (std::size_t cell = 0; cell < now_.size(); ++cell) {
      for (const auto& [height, kinds] : arrivals_[cell]) deposit(now_[cell], height, kinds);
      after.push_back(stack_of(now_[cell]));
    }
    return after;
  }

 private:
  struct Lower {
    int dx, dy;
    std::size_t cell;
    long long height;   // of the surface that it goes to
    double difference;  // quanta
    double drop;        // quanta that the talus angle allows
  };

  std::size_t at(int x, int y) const { return static_cast<std::size_t>(y * shape_.width + x); }

  // The set A of §3: neighbours that lie lower by more than the talus angle. Of a column beside,
  // the surface that counts is the one whose air is open to this height (the publication leaves
  // open which).
  std::vector<Lower> lower_than(int x, int y, long long height, double tangent) const {
    std::vector<Lower> lower;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const int nx = x + dx, ny = y + dy;
        if ((dx == 0 && dy == 0) || nx < 0 || ny < 0 || nx >= shape_.width || ny >= shape_.height)
          continue;
        const double distance = std::hypot(dx * shape_.dx, dy * shape_.dy) / shape_.quantum;
        for (const Surface& beside : surfaces_of(old_[at(nx, ny)])) {
          const auto difference = static_cast<double>(height - beside.height);
          if (difference > 0 && height < beside.ceiling && difference / distance > tangent)
            lower.push_back({dx, dy, at(nx, ny), beside.height, difference, tangent * distance});
        }
      }
    return lower;
  }

  // §3: half of the largest difference, shared out by differences; §5: as many layers as it needs.
  void erode(int x, int y, const Surface& surface) {
    const Column& column = old_[at(x, y)];
    const auto under = std::find_if(column.begin(), column.end(),
                                    [&](const Solid& s) { return s.top == surface.height; });
    if (under == column.end()) return;
    const PublishedMaterial& material = rules_.materials[static_cast<std::size_t>(under->material)];
    std::vector<Lower> lower = lower_than(x, y, surface.height, material.tangent);
    double largest = 0, sum = 0;
    for (Lower& one : lower) {
      if (rules_.beyond_talus) one.difference -= one.drop;
      largest = std::max(largest, one.difference), sum += one.difference;
    }
    for (const Lower& one : lower) {
      const double amount = material.speed * largest / 2 * one.difference / sum;
      const PublishedChance chance = rules_.chance(x, y, one.dx, one.dy);
      move(at(x, y), surface.height,
           std::llrint(static_cast<float>(amount) * chance.moves + chance.added), one);
    }
  }

  // Takes it from the top of what is left below a surface, layer after layer.
  void move(std::size_t from, long long height, long long amount, const Lower& to) {
    Column& column = now_[from];
    const Column& before = old_[from];
    auto is = before.end();
    for (auto s = before.begin(); s != before.end(); ++s)
      if (s->top == height) is = s;
    for (auto left = std::next(column.begin(), std::distance(before.begin(), is));; --left, --is) {
      const long long taken = std::min(amount, left->top - left->bottom);
      left->top -= taken;
      amount -= taken;
      const int dust = rules_.materials[static_cast<std::size_t>(is->material)].dust;
      if (taken > 0) arrivals_[to.cell][to.height][dust] += taken;
      const bool more = amount > 0 && is != before.begin() && std::prev(is)->top == is->bottom;
      if (!more) return;
    }
  }

  // §5: "the falling of material from the ceiling of the caves".
  void crumble(std::size_t cell) {
    long long height = 0;
    auto left = now_[cell].begin();
    for (const Solid& solid : old_[cell]) {
      if (solid.bottom > height) {
        const PublishedMaterial& m = rules_.materials[static_cast<std::size_t>(solid.material)];
        const long long falls = std::min<long long>(m.crumbles, left->top - left->bottom);
        left->bottom += falls;
        if (falls > 0) arrivals_[cell][height][m.dust] += falls;
      }
      height = solid.top;
      ++left;
    }
  }

  // On what is left under that surface: its own kind first, then by number.
  void deposit(Column& column, long long height, std::map<int, long long> kinds) const {
    auto above = std::find_if(column.begin(), column.end(),
                              [&](const Solid& s) { return s.bottom >= height; });
    long long level = 0;
    for (auto below = above; below != column.begin();) {
      --below;
      if (below->top == below->bottom) continue;
      level = below->top;
      const auto own = kinds.find(below->material);
      if (own == kinds.end()) break;
      below->top = level += own->second;
      kinds.erase(own);
      break;
    }
    for (const auto& [material, amount] : kinds) {
      column.insert(above, {material, level, level + amount});
      level += amount;
    }
  }

  const LayerShape& shape_;
  const PublishedRules& rules_;
  std::vector<Column> old_, now_;
  // By cell, by the height of the surface before the step, by what it is.
  std::vector<std::map<long long, std::map<int, long long>>> arrivals_;
};

}  // namespace

std::vector<Stack> slipped_as_published(const LayerShape& shape, const std::vector<Stack>& before,
                                        const PublishedRules& rules) {
  return Published(shape, before, rules).step();
}

}  // namespace scree::testing
