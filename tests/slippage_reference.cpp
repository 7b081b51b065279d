#include "slippage_reference.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

namespace scree::testing {
namespace {

// A surface and the air above it: the layer it lies on (-1: the ground) and two heights.
struct Gap {
  int layer;
  long long floor, ceiling;
};

constexpr long long sky = 1LL << 40;

std::vector<Gap> gaps_of(const Stack& stack) {
  std::vector<Gap> gaps;
  long long height = 0;
  for (int k = -1; k < static_cast<int>(stack.size()); ++k) {
    const auto at = static_cast<std::size_t>(k);
    if (k >= 0) height += stack[at].quanta;
    if (k >= 0 && stack[at].material == 0) continue;
    const auto next = static_cast<std::size_t>(k + 1);
    if (next == stack.size())
      gaps.push_back({k, height, sky});
    else if (stack[next].material == 0)
      gaps.push_back({k, height, height + stack[next].quanta});
  }
  return gaps;
}

struct Transfer {
  std::size_t from, to;
  int layer;     // of the giver
  int from_gap;  // of the giver, by its layer
  int to_gap;    // of the taker, by its layer
  int amount;
};

class Naive {
 public:
  Naive(const LayerShape& shape, const std::vector<Stack>& before,
        const std::vector<LayerMaterial>& table, const Slip& numbers)
      : shape_(shape), before_(before), table_(table), numbers_(numbers) {}

  std::vector<Stack> run() {
    for (int y = 0; y < shape_.height; ++y)
      for (int x = 0; x < shape_.width; ++x)
        for (int side = 0; side < 8; ++side) add_transfers(x, y, side);
    std::vector<Stack> after;
    for (std::size_t cell = 0; cell < before_.size(); ++cell) after.push_back(rebuilt(cell));
    return after;
  }

 private:
  std::optional<std::size_t> beside(int x, int y, int side) const {
    static constexpr int dx[] = {1, -1, 0, 0, 1, -1, 1, -1}, dy[] = {0, 0, 1, -1, 1, -1, -1, 1};
    int nx = x + dx[side], ny = y + dy[side];
    if (shape_.wrap_x) nx = (nx + shape_.width) % shape_.width;
    if (shape_.wrap_y) ny = (ny + shape_.height) % shape_.height;
    if (nx < 0 || ny < 0 || nx >= shape_.width || ny >= shape_.height) return std::nullopt;
    return static_cast<std::size_t>(ny) * static_cast<std::size_t>(shape_.width) +
           static_cast<std::size_t>(nx);
  }

  // The lowest floor of a column whose air reaches above a height, the top from the sky; beyond an
  // edge of the world, of the column at the edge.
  int ground_of(int x, int y, long long above) const {
    x = shape_.wrap_x ? (x + shape_.width) % shape_.width : std::clamp(x, 0, shape_.width - 1);
    y = shape_.wrap_y ? (y + shape_.height) % shape_.height : std::clamp(y, 0, shape_.height - 1);
    for (const Gap& gap :
         gaps_of(before_[static_cast<std::size_t>(y) * static_cast<std::size_t>(shape_.width) +
                         static_cast<std::size_t>(x)]))
      if (gap.ceiling > above) return static_cast<int>(gap.floor);
    return 0;
  }

  float along(int side, int fall) const {
    const Slopes& s = numbers_.slopes;
    return (side < 2 ? s.along_x : side < 4 ? s.along_y : s.along_d) * static_cast<float>(fall);
  }

  // The square of the slope across an edge. On both sides of it there is a difference; the lesser
  // counts if both lead the same way.
  float across(int x, int y, int side, long long above) const {
    const auto height_of = [&](int cx, int cy) { return ground_of(cx, cy, above); };
    const auto limited = [](auto a, auto b) {
      if (a > 0 && b > 0) return std::min(a, b);
      return a < 0 && b < 0 ? std::max(a, b) : decltype(a){};
    };
    static constexpr int dx[] = {1, -1, 0, 0, 1, -1, 1, -1}, dy[] = {0, 0, 1, -1, 1, -1, -1, 1};
    const int nx = x + dx[side], ny = y + dy[side];
    const Slopes& s = numbers_.slopes;
    float slope = 0;
    if (side < 4) {
      const int ax = side < 2 ? 0 : 1, ay = 1 - ax;  // across
      const auto at = [&](int cx, int cy) {
        const int middle = height_of(cx, cy);
        return limited(height_of(cx + ax, cy + ay) - middle, middle - height_of(cx - ax, cy - ay));
      };
      slope = (side < 2 ? s.across_x : s.across_y) * static_cast<float>(at(x, y) + at(nx, ny));
    } else {
      const int ends = height_of(x, y) + height_of(nx, ny);
      const float turned = s.turn * static_cast<float>(height_of(nx, ny) - height_of(x, y));
      slope = limited(turned + s.across_d * static_cast<float>(2 * height_of(nx, y) - ends),
                      turned + s.across_d * static_cast<float>(ends - 2 * height_of(x, ny)));
    }
    return slope * slope;
  }

  void add_transfers(int x, int y, int side) {
    const auto cell = static_cast<std::size_t>(y) * static_cast<std::size_t>(shape_.width) +
                      static_cast<std::size_t>(x);
    const auto other = beside(x, y, side);
    if (!other) return;
    const std::uint32_t cell_bits = cell_hash(numbers_.step_seed, x, y);
    const std::uint32_t edge_bits =
        mix_bits(cell_bits + static_cast<std::uint32_t>(side) * 0x27d4eb2fU);
    const float chance = scattered(numbers_.scatter, mix_bits(edge_bits));
    std::vector<Gap> own = gaps_of(before_[cell]);
    std::reverse(own.begin(), own.end());
    std::map<int, long long> room;
    for (const Gap& gap : gaps_of(before_[*other]))
      room[gap.layer] = gap.ceiling == sky ? sky : (gap.ceiling - gap.floor) / 8;
    for (const Gap& from : own)
      for (const Gap& to : gaps_of(before_[*other])) {
        if (!(to.floor < from.floor && from.floor < to.ceiling)) continue;
        int taken = 0;
        long long level = from.floor;
        for (int k = from.layer; k >= 0; --k) {
          const Layer& layer = before_[cell][static_cast<std::size_t>(k)];
          if (layer.material == 0) break;
          const LayerMaterial& m = table_[static_cast<std::size_t>(layer.material)];
          const float drop = side >= 4 ? m.drop_d : side < 2 ? m.drop_x : m.drop_y;
          const float share = side >= 4 ? m.share_d : side < 2 ? m.share_x : m.share_y;
          // By the steepest slope of the ground: from the top of a column to open ground, of tops,
          // else of what is open at that height.
          const float fall = along(side, static_cast<int>(from.floor - to.floor));
          const bool openly = from.ceiling == sky && to.ceiling == sky;
          const float aside = across(x, y, side, openly ? sky - 1 : from.floor);
          const float slope = fall * fall + aside;
          const int top = before_[cell][static_cast<std::size_t>(from.layer)].material;
          if (!(slope > table_[static_cast<std::size_t>(top)].steepest)) break;
          const float stands = aside > 0 ? fall * (1 / std::sqrt(slope)) : 1;
          const float excess = static_cast<float>(level - to.floor) - stands * drop;
          if (excess <= 0) break;
          const int wanted = static_cast<int>(std::nearbyint(share * excess * chance +
                                                             rounding(edge_bits, SCREE_DRAW_B))) -
                             taken;
          int most = layer.quanta / 8;
          if (layer.quanta < 8) most = static_cast<int>(cell_bits >> 29) == side ? layer.quanta : 0;
          const auto amount = static_cast<int>(
              std::max<long long>(std::min<long long>({wanted, most, room[to.layer]}), 0));
          if (amount > 0) transfers_.push_back({cell, *other, k, from.layer, to.layer, amount});
          taken += amount;
          room[to.layer] -= amount;
          if (wanted <= most) break;
          level -= layer.quanta;
        }
      }
  }

  Stack rebuilt(std::size_t cell) const {
    const Stack& old = before_[cell];
    const auto x = static_cast<int>(cell % static_cast<std::size_t>(shape_.width));
    const auto y = static_cast<int>(cell / static_cast<std::size_t>(shape_.width));
    const std::uint32_t bits = cell_hash(numbers_.step_seed ^ 0x5bd1e995U, x, y);
    std::map<int, int> gone;                     // from each layer
    std::map<int, std::map<int, int>> arrivals;  // at each gap, by material
    std::map<int, int> lower;                    // how far each gap's floor sinks
    for (const Transfer& t : transfers_) {
      if (t.from == cell) gone[t.layer] += t.amount, lower[t.from_gap] += t.amount;
      if (t.to != cell) continue;
      const Layer& layer = before_[t.from][static_cast<std::size_t>(t.layer)];
      arrivals[t.to_gap][static_cast<int>(table_[static_cast<std::size_t>(layer.material)].dust)] +=
          t.amount;
    }
    std::map<int, int> falls;
    for (int k = 1; k < static_cast<int>(old.size()); ++k) {
      const Layer& layer = old[static_cast<std::size_t>(k)];
      if (old[static_cast<std::size_t>(k) - 1].material != 0) continue;
      const LayerMaterial& m = table_[static_cast<std::size_t>(layer.material)];
      const int fall = std::min(
          static_cast<int>(std::nearbyint(
              m.ceiling + rounding(mix_bits(bits + static_cast<std::uint32_t>(k)), SCREE_DRAW_A))),
          layer.quanta - gone[k]);
      gone[k] += fall;
      falls[k - 2] = fall;
      if (fall > 0) arrivals[k - 2][static_cast<int>(m.dust)] += fall;
    }
    Stack next;
    for (int k = -1; k < static_cast<int>(old.size()); ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (k >= 0 && old[at].material != 0) put(next, old[at].material, old[at].quanta - gone[k]);
      const bool solid = k < 0 || old[at].material != 0;
      const bool last = k + 1 == static_cast<int>(old.size());
      if (!solid || !(last || old[at + 1].material == 0)) continue;
      int arrived = 0;
      for (const auto& [material, amount] : arrivals[k]) arrived += amount;
      settle(next, arrivals[k]);
      if (!last) put(next, 0, old[at + 1].quanta + lower[k] + falls[k] - arrived);
    }
    while (!next.empty() && next.back().material == 0) next.pop_back();
    return next;
  }

  static void put(Stack& stack, int material, int quanta) {
    if (quanta <= 0) return;
    if (stack.size() == LAYERS_MOST && stack.back().material != material) {
      if (!make_room(stack) && !crowd(stack) && !give_way(stack, material, quanta)) return;
    }
    if (!stack.empty() && stack.back().material == material)
      stack.back().quanta += quanta;
    else
      stack.push_back({material, quanta});
  }

  // The topmost layer that has its like below it, with no void between, goes down to it.
  static bool make_room(Stack& stack) {
    for (auto upper = stack.end(); upper-- != stack.begin();) {
      if (upper->material == 0) continue;
      for (auto lower = upper; lower != stack.begin();) {
        --lower;
        if (lower->material == 0) break;
        if (lower->material != upper->material) continue;
        lower->quanta += upper->quanta;
        stack.erase(upper);
        return true;
      }
    }
    return false;
  }

  // Takes a layer out, and makes one of those below and above it where they are alike.
  static void take_out(Stack& stack, std::size_t at) {
    stack.erase(stack.begin() + static_cast<std::ptrdiff_t>(at));
    if (at == 0 || at == stack.size() || stack[at - 1].material != stack[at].material) return;
    stack[at - 1].quanta += stack[at].quanta;
    stack.erase(stack.begin() + static_cast<std::ptrdiff_t>(at));
  }

  // Every pair of a kind: a solid would go down to the lower one, a void up to the upper one. The
  // thinnest goes; of equal ones that whose upper layer is lowest, then whose lower layer is.
  static bool crowd(Stack& stack) {
    struct Move {
      int thickness;
      std::size_t upper, lower;
      bool operator<(const Move& o) const {
        return std::tie(thickness, upper, lower) < std::tie(o.thickness, o.upper, o.lower);
      }
    };
    std::vector<Move> moves;
    for (std::size_t upper = 0; upper < stack.size(); ++upper)
      for (std::size_t lower = 0; lower < upper; ++lower)
        if (stack[upper].material == stack[lower].material)
          moves.push_back({stack[stack[upper].material == 0 ? lower : upper].quanta, upper, lower});
    if (moves.empty()) return false;
    const Move move = *std::min_element(moves.begin(), moves.end());
    const bool air = stack[move.upper].material == 0;
    stack[air ? move.upper : move.lower].quanta += move.thickness;
    take_out(stack, air ? move.lower : move.upper);
    return true;
  }

  // No two layers are of a kind. A solid joins its like; else a void closes, or goes up to the one
  // that is to be put. False where nothing is left to be put.
  static bool give_way(Stack& stack, int material, int& quanta) {
    const auto of = [&](int wanted) {
      return std::find_if(stack.begin(), stack.end(),
                          [&](const Layer& layer) { return layer.material == wanted; });
    };
    const auto air = of(0);
    if (material == 0 && air == stack.end()) return false;
    if (material != 0 && of(material) != stack.end()) {
      of(material)->quanta += quanta;
      return false;
    }
    if (air == stack.end()) return true;
    if (material == 0) quanta += air->quanta;
    take_out(stack, static_cast<std::size_t>(air - stack.begin()));
    return true;
  }

  void settle(Stack& stack, std::map<int, int> arrivals) const {
    if (!stack.empty() && stack.back().material != 0) {
      const int first = stack.back().material;
      put(stack, first, arrivals[first]);
      arrivals.erase(first);
    }
    for (const auto& [material, amount] : arrivals) {
      if (amount == 0) continue;
      const bool full = stack.size() >= LAYERS_MOST;
      int depth = 0;
      bool placed = false;
      for (auto layer = stack.rbegin(); layer != stack.rend() && (full || depth <= numbers_.mixing);
           ++layer) {
        if (layer->material == material) {
          layer->quanta += amount;
          placed = true;
          break;
        }
        const bool loose = table_[static_cast<std::size_t>(layer->material)].loose != 0;
        if (layer->material == 0 || !(full || loose)) break;
        depth += layer->quanta;
      }
      if (!placed) put(stack, material, amount);
    }
  }

  const LayerShape& shape_;
  const std::vector<Stack>& before_;
  const std::vector<LayerMaterial>& table_;
  const Slip& numbers_;
  std::vector<Transfer> transfers_;
};

}  // namespace

std::vector<Stack> slipped_naively(const LayerShape& shape, const std::vector<Stack>& before,
                                   const std::vector<LayerMaterial>& table, const Slip& numbers) {
  return Naive(shape, before, table, numbers).run();
}

}  // namespace scree::testing
