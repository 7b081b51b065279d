#include "published_slippage.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace scree::testing {
namespace {

// Of one material, from a height to a height in quanta.
struct Solid {
  int material;
  long long bottom, top;
};
using Column = std::vector<Solid>;  // from the bottom up

constexpr long long open_sky = std::numeric_limits<long long>::max();

// Where something can lie: the height of a top with air above it, how far the air reaches, and how
// many solids of the column lie below. The ground under all of them is one, too.
struct Surface {
  long long height, ceiling;
  std::size_t below;
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

// From the top down.
std::vector<Surface> surfaces_of(const Column& column) {
  std::vector<Surface> surfaces;
  long long ceiling = open_sky;
  for (std::size_t n = column.size(); n > 0; --n) {
    const long long top = column[n - 1].top;
    if (top < ceiling) surfaces.push_back({top, ceiling, n});
    ceiling = column[n - 1].bottom;
  }
  if (ceiling > 0) surfaces.push_back({0, ceiling, 0});
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
      // From the top down, so that what lies below is still where it was in the list.
      for (const Surface& surface : surfaces_of(old_[cell])) deposit(cell, surface);
      after.push_back(stack_of(now_[cell]));
    }
    return after;
  }

 private:
  struct Lower {
    int dx, dy;
    std::size_t cell;
    Surface surface;  // that it goes to
    long long difference;
  };

  std::size_t at(int x, int y) const { return static_cast<std::size_t>(y * shape_.width + x); }
  const PublishedMaterial& kind(int material) const {
    return rules_.materials[static_cast<std::size_t>(material)];
  }

  // The set A of §3: neighbours that lie lower by more than the talus angle. Of a column beside,
  // the surface that counts is the one whose air is open to this height.
  std::vector<Lower> lower_than(int x, int y, long long height, double tangent) const {
    static constexpr int sides[8][2] = {{1, 0}, {-1, 0},  {0, 1},  {0, -1},
                                        {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
    std::vector<Lower> lower;
    for (const auto& [dx, dy] : sides) {
      const int nx = x + dx, ny = y + dy;
      if (nx < 0 || ny < 0 || nx >= shape_.width || ny >= shape_.height) continue;
      const auto drop =
          static_cast<float>(tangent / shape_.quantum * std::hypot(dx * shape_.dx, dy * shape_.dy));
      for (const Surface& beside : surfaces_of(old_[at(nx, ny)])) {
        const long long difference = height - beside.height;
        if (difference > 0 && height<beside.ceiling&& static_cast<float>(difference)> drop)
          lower.push_back({dx, dy, at(nx, ny), beside, difference});
      }
    }
    return lower;
  }

  // §3: half of the largest difference, shared out by differences; §5: as many layers as it needs.
  void erode(int x, int y, const Surface& surface) {
    if (surface.below == 0) return;
    const PublishedMaterial& material = kind(old_[at(x, y)][surface.below - 1].material);
    const std::vector<Lower> lower = lower_than(x, y, surface.height, material.tangent);
    long long largest = 0, sum = 0;
    for (const Lower& one : lower)
      largest = std::max(largest, one.difference), sum += one.difference;
    for (const Lower& one : lower) {
      const float all = static_cast<float>(material.strength / 2) * static_cast<float>(largest);
      const float amount = all * static_cast<float>(one.difference) / static_cast<float>(sum);
      const PublishedChance chance = rules_.chance(x, y, one.dx, one.dy);
      move(at(x, y), surface.below, std::llrint(amount * chance.moves + chance.added), one);
    }
  }

  // Takes it from the top of what is left below a surface, layer after layer.
  void move(std::size_t from, std::size_t below, long long amount, const Lower& to) {
    const Surface& gap = to.surface;
    long long& room =
        room_
            .try_emplace({from, to.cell, gap.height},
                         gap.ceiling == open_sky ? open_sky : (gap.ceiling - gap.height) / 8)
            .first->second;
    amount = std::min(amount, room);
    for (std::size_t n = below; n > 0 && amount > 0; --n) {
      Solid& left = now_[from][n - 1];
      const long long taken = std::min(amount, left.top - left.bottom);
      left.top -= taken;
      amount -= taken;
      room -= taken;
      arrivals_[to.cell][gap.height][kind(left.material).dust] += taken;
      if (n == 1 || old_[from][n - 2].top != old_[from][n - 1].bottom) return;
    }
  }

  // §5: "the falling of material from the ceiling of the caves".
  void crumble(std::size_t cell) {
    long long height = 0;
    for (std::size_t n = 0; n < old_[cell].size(); ++n) {
      Solid& left = now_[cell][n];
      if (old_[cell][n].bottom > height) {
        const long long falls =
            std::min<long long>(kind(left.material).crumbles, left.top - left.bottom);
        left.bottom += falls;
        arrivals_[cell][height][kind(left.material).dust] += falls;
      }
      height = old_[cell][n].top;
    }
  }

  // On what is left of the solids under that surface, down to the next air or the ground.
  void deposit(std::size_t cell, const Surface& surface) {
    std::size_t lowest = surface.below;
    while (lowest > 0 &&
           (lowest == surface.below || old_[cell][lowest - 1].top == old_[cell][lowest].bottom))
      --lowest;
    Column& column = now_[cell];
    long long level = surface.below == 0 ? 0 : column[lowest].bottom;
    Stack left;
    for (std::size_t n = lowest; n < surface.below; ++n)
      if (column[n].top > column[n].bottom)
        left.push_back({column[n].material, static_cast<int>(column[n].top - column[n].bottom)});
    std::map<int, long long> kinds = arrivals_[cell][surface.height];
    if (!left.empty()) {
      left.back().quanta += static_cast<int>(kinds[left.back().material]);
      kinds.erase(left.back().material);
    }
    for (const auto& [material, amount] : kinds)
      if (amount > 0) lay_down(left, material, static_cast<int>(amount));
    const auto first = column.begin() + static_cast<std::ptrdiff_t>(lowest);
    auto place = column.erase(first, column.begin() + static_cast<std::ptrdiff_t>(surface.below));
    for (const Layer& layer : left) {
      place = column.insert(place, {layer.material, level, level + layer.quanta}) + 1;
      level += layer.quanta;
    }
  }

  // It joins its own kind, if that lies near enough below loose ones.
  void lay_down(Stack& stack, int material, int amount) const {
    long long depth = 0;
    for (auto layer = stack.rbegin(); layer != stack.rend() && depth <= rules_.mixing; ++layer) {
      if (layer->material == material) {
        layer->quanta += amount;
        return;
      }
      if (!kind(layer->material).loose) break;
      depth += layer->quanta;
    }
    stack.push_back({material, amount});
  }

  const LayerShape& shape_;
  const PublishedRules& rules_;
  std::vector<Column> old_, now_;
  // By cell, by the height of the surface before the step, by what it is.
  std::vector<std::map<long long, std::map<int, long long>>> arrivals_;
  // What one column may yet bring to a gap of another: an eighth of it.
  std::map<std::tuple<std::size_t, std::size_t, long long>, long long> room_;
};

}  // namespace

std::vector<Stack> slipped_as_published(const LayerShape& shape, const std::vector<Stack>& before,
                                        const PublishedRules& rules) {
  return Published(shape, before, rules).step();
}

}  // namespace scree::testing
