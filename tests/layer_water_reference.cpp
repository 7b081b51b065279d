#include "layer_water_reference.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace scree::testing {
namespace {

struct Transfer {
  std::size_t from;
  long long to;  // -1: out of the world
  int kind;
  int amount;
};

class Naive {
 public:
  Naive(const LayerShape& shape, const Laden& before, const std::vector<int>& water,
        const Heightfield& surface, const std::vector<LoadMaterial>& table, const Flow& flow,
        const Load& numbers)
      : shape_(shape),
        before_(before),
        water_(water),
        surface_(surface),
        table_(table),
        flow_(flow),
        numbers_(numbers) {
    for (const char* name : {"flux.x", "flux.y", "flux.se", "flux.sw"}) {
      std::vector<float>& all = flux_[name];
      all.resize(device::cells_allocated(surface.grid()));
      if (surface.has(name))
        surface.device().read(*surface.field(name).front(), 0, all.data(), all.size() * 4);
    }
  }

  Laden run() {
    for (int y = 0; y < shape_.height; ++y)
      for (int x = 0; x < shape_.width; ++x) send(x, y);
    Laden after = before_;
    const std::vector<int> now = surface_.raw("sediment");
    for (const Transfer& t : transfers_) {
      after.loads[static_cast<std::size_t>(t.kind)][t.from] -= t.amount;
      if (t.to >= 0)
        after.loads[static_cast<std::size_t>(t.kind)][static_cast<std::size_t>(t.to)] += t.amount;
    }
    for (std::size_t cell = 0; cell < after.stacks.size(); ++cell) {
      int total = 0;
      for (const auto& kind : after.loads) total += kind[cell];
      if (now[cell] > total) dig(after, cell, now[cell] - total);
      if (now[cell] < total) settle(after, cell, total - now[cell]);
    }
    return after;
  }

 private:
  struct Side {
    int dx, dy;
    const char* flux;
    int owner_x, owner_y;  // from the cell
    float sign;
    std::uint32_t draw;
  };

  void send(int x, int y) {
    static constexpr Side sides[] = {
        {1, 0, "flux.x", 0, 0, 1, SCREE_DRAW_A},     {-1, 0, "flux.x", -1, 0, -1, SCREE_DRAW_A},
        {0, 1, "flux.y", 0, 0, 1, SCREE_DRAW_B},     {0, -1, "flux.y", 0, -1, -1, SCREE_DRAW_B},
        {1, 1, "flux.se", 0, 0, 1, SCREE_DRAW_F},    {-1, -1, "flux.se", -1, -1, -1, SCREE_DRAW_F},
        {1, -1, "flux.sw", 1, -1, -1, SCREE_DRAW_G}, {-1, 1, "flux.sw", 0, 0, 1, SCREE_DRAW_G}};
    const Grid& g = surface_.grid();
    const std::size_t cell = index(x, y);
    int all = 0;
    for (const auto& kind : before_.loads) all += kind[cell];
    const float load = concentration(flow_, water_[cell], all);
    const float chance = rounding(hash_at(g, numbers_.step_seed, x, y), SCREE_DRAW_A);
    std::vector<int> sent(before_.loads.size(), 0);  // of each kind, over the sides so far
    int gone = 0;
    for (const Side& side : sides) {
      const float flux = flux_.at(side.flux)[static_cast<std::size_t>(
                             cell_index(g, x + side.owner_x, y + side.owner_y))] *
                         side.sign;
      if (!(flux > 0)) continue;
      const float edge =
          rounding(hash_at(g, flow_.step_seed, x + side.owner_x, y + side.owner_y), side.draw);
      const int amount =
          std::abs(static_cast<int>(std::nearbyint(flux * side.sign * flow_.dt * load + edge)));
      gone += amount;
      // What has left so far, of all kinds from this one on; and there is of them.
      int gone_of_rest = gone, rest = all, of_this_edge = amount;
      for (std::size_t kind = 0; kind + 1 < sent.size(); ++kind) {
        const int there = before_.loads[kind][cell];
        const auto ideal = static_cast<int>(std::nearbyint(
            static_cast<float>(gone_of_rest) *
                (static_cast<float>(there) * (1.0F / static_cast<float>(std::max(rest, 1)))) +
            chance));
        const int least = std::max(sent[kind], gone_of_rest - (rest - there));
        const int most = std::min(sent[kind] + of_this_edge, there);
        const int share = std::clamp(ideal, least, most);
        add(cell, x + side.dx, y + side.dy, kind, share - sent[kind]);
        of_this_edge -= share - sent[kind];
        sent[kind] = share;
        gone_of_rest -= share;
        rest -= there;
      }
      add(cell, x + side.dx, y + side.dy, sent.size() - 1, of_this_edge);
    }
  }

  void add(std::size_t from, int x, int y, std::size_t kind, int amount) {
    long long to = -1;
    if (shape_.wrap_x) x = (x + shape_.width) % shape_.width;
    if (shape_.wrap_y) y = (y + shape_.height) % shape_.height;
    if (x >= 0 && y >= 0 && x < shape_.width && y < shape_.height)
      to = static_cast<long long>(index(x, y));
    if (amount > 0) transfers_.push_back({from, to, static_cast<int>(kind), amount});
  }

  void dig(Laden& after, std::size_t cell, int amount) const {
    Stack& stack = after.stacks[cell];
    for (; amount > 0; --amount) {
      const auto top = static_cast<std::size_t>(stack.back().material);
      ++after.loads[table_[top].load][cell];
      if (--stack.back().quanta == 0) stack.pop_back();
    }
    while (!stack.empty() && stack.back().material == 0) stack.pop_back();
  }

  void settle(Laden& after, std::size_t cell, int amount) const {
    const Grid& g = surface_.grid();
    const auto x = static_cast<int>(cell % static_cast<std::size_t>(shape_.width));
    const auto y = static_cast<int>(cell / static_cast<std::size_t>(shape_.width));
    const float chance = rounding(hash_at(g, numbers_.step_seed, x, y), SCREE_DRAW_B);
    const auto coarse = static_cast<std::size_t>(numbers_.coarse);
    for (const auto& [first, end] :
         {std::pair<std::size_t, std::size_t>{0, coarse},
          std::pair<std::size_t, std::size_t>{coarse, after.loads.size()}}) {
      int there = 0;
      for (std::size_t kind = first; kind < end; ++kind) there += after.loads[kind][cell];
      int settles = std::min(amount, there);
      amount -= settles;
      for (std::size_t kind = first; kind < end; ++kind) {
        int& load = after.loads[kind][cell];
        const auto ideal = static_cast<int>(std::nearbyint(
            static_cast<float>(settles) *
                (static_cast<float>(load) * (1.0F / static_cast<float>(std::max(there, 1)))) +
            chance));
        const int laid = std::clamp(ideal, settles - (there - load), std::min(load, settles));
        there -= load;
        load -= laid;
        settles -= laid;
        lay(after.stacks[cell], static_cast<int>(numbers_.material[kind]), laid);
      }
    }
  }

  void lay(Stack& stack, int material, int amount) const {
    if (amount == 0) return;
    int depth = 0;
    for (auto layer = stack.rbegin(); layer != stack.rend() && depth <= numbers_.mixing; ++layer) {
      if (layer->material == material) {
        layer->quanta += amount;
        return;
      }
      if (layer->material == 0 || !table_[static_cast<std::size_t>(layer->material)].loose) break;
      depth += layer->quanta;
    }
    stack.push_back({material, amount});
  }

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(shape_.width) +
           static_cast<std::size_t>(x);
  }

  const LayerShape& shape_;
  const Laden& before_;
  const std::vector<int>& water_;
  const Heightfield& surface_;
  const std::vector<LoadMaterial>& table_;
  const Flow& flow_;
  const Load& numbers_;
  std::map<std::string, std::vector<float>> flux_;
  std::vector<Transfer> transfers_;
};

}  // namespace

Laden eroded_naively(const LayerShape& shape, const Laden& before, const std::vector<int>& water,
                     const Heightfield& surface, const std::vector<LoadMaterial>& table,
                     const Flow& flow, const Load& numbers) {
  return Naive(shape, before, water, surface, table, flow, numbers).run();
}

}  // namespace scree::testing
