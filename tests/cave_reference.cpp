#include "cave_reference.h"

#include <algorithm>
#include <deque>

namespace scree::testing {
namespace {

constexpr int sky = 1 << 30;

int number_of_fluid(const std::vector<Material>& materials) {
  for (std::size_t m = 0; m < materials.size(); ++m)
    if (materials[m].fluid) return static_cast<int>(m) + 1;
  return -1;
}

struct Gap {
  std::size_t cell;
  int low, high, water;
  int level() const { return low + water; }
  bool full() const { return level() == high; }
  bool pressed() const { return high - level() <= (high - low) / 4; }
};

bool meet(const Gap& a, const Gap& b) {
  if (a.high == sky && b.high == sky) return false;
  return std::max(a.low, b.low) < std::min(a.high, b.high);
}
int moves(int difference) { return difference < 8 ? difference / 2 : difference / 4; }

class Naive {
 public:
  Naive(const LayerShape& shape, int fluid, Wet& wet) : shape_(shape), fluid_(fluid), wet_(wet) {}

  void run(std::uint64_t step) {
    for (int turn = 0; turn < 4; ++turn)
      for (const bool south : {false, true})
        for (const int begin : {0, 1, 2}) each_pair(south, begin);
    if (step % 4 == 0) join();
  }

 private:
  std::vector<Gap> gaps(std::size_t cell) const {
    std::vector<Gap> all;
    int level = 0;
    bool within = false;
    for (const Layer& layer : wet_.stacks[cell]) {
      const bool gap = layer.material == 0 || layer.material == fluid_;
      if (gap && !within) all.push_back({cell, level, level, 0});
      if (gap) all.back().high += layer.quanta;
      if (layer.material == fluid_) all.back().water += layer.quanta;
      within = gap;
      level += layer.quanta;
    }
    all.push_back({cell, level, sky, wet_.water[cell]});
    return all;
  }

  void fill(const std::vector<Gap>& all) {
    const std::size_t cell = all.back().cell;
    Stack next;
    int level = 0;
    for (const Layer& layer : wet_.stacks[cell]) {
      const bool gap = layer.material == 0 || layer.material == fluid_;
      if (!gap) next.push_back(layer);
      for (const Gap& g : all)
        if (gap && g.low == level) {
          if (g.water > 0) next.push_back({fluid_, g.water});
          if (!g.full()) next.push_back({0, g.high - g.level()});
        }
      level += layer.quanta;
    }
    wet_.stacks[cell] = next;
    wet_.water[cell] = all.back().water;
  }

  // The cell beside, or this one where there is none.
  std::size_t beside(std::size_t cell, int dx, int dy) const {
    const int w = shape_.width, h = shape_.height;
    int x = static_cast<int>(cell) % w + dx, y = static_cast<int>(cell) / w + dy;
    if (shape_.wrap_x) x = (x + w) % w;
    if (shape_.wrap_y) y = (y + h) % h;
    if (x < 0 || y < 0 || x >= w || y >= h) return cell;
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(w) + static_cast<std::size_t>(x);
  }

  void each_pair(bool south, int begin) {
    const int size = south ? shape_.height : shape_.width;
    for (std::size_t cell = 0; cell < wet_.stacks.size(); ++cell) {
      const int at = south ? static_cast<int>(cell) / shape_.width : static_cast<int>(cell) % size;
      const int set = at == size - 1 && size % 2 == 1 ? 2 : at % 2;
      const std::size_t other = beside(cell, south ? 0 : 1, south ? 1 : 0);
      if (set == begin && other != cell && !(size == 2 && other < cell)) pair(cell, other);
    }
  }

  void pair(std::size_t a, std::size_t b) {
    std::vector<Gap> ours = gaps(a), theirs = gaps(b);
    for (Gap& one : ours)
      for (Gap& two : theirs) {
        if (!meet(one, two)) continue;
        Gap &from = one.level() > two.level() ? one : two, &to = &from == &one ? two : one;
        const int apart = from.level() - to.level();
        const int amount =
            std::min({one.high == sky || two.high == sky ? moves(apart) : apart / 2,
                      from.level() - std::max(one.low, two.low), to.high - to.level()});
        if (amount <= 0) continue;
        from.water -= amount;
        to.water += amount;
      }
    fill(ours);
    fill(theirs);
  }

  void join() {
    std::vector<std::vector<Gap>> all;
    for (std::size_t cell = 0; cell < wet_.stacks.size(); ++cell) all.push_back(gaps(cell));
    const std::vector<std::vector<Gap>> start = all;
    std::vector<std::vector<bool>> seen;
    for (const auto& column : all) seen.emplace_back(column.size());
    for (std::size_t cell = 0; cell < all.size(); ++cell)
      for (std::size_t k = 0; k < all[cell].size(); ++k)
        if (!seen[cell][k] && start[cell][k].water > 0) even(start, seen, cell, k, all);
    for (const auto& column : all) fill(column);
  }

  struct Place {
    std::size_t cell, gap;
    friend bool operator<(const Place& a, const Place& b) {
      return a.cell != b.cell ? a.cell < b.cell : a.gap < b.gap;
    }
  };

  void even(const std::vector<std::vector<Gap>>& start, std::vector<std::vector<bool>>& seen,
            std::size_t cell, std::size_t gap, std::vector<std::vector<Gap>>& after) const {
    std::vector<Place> body;
    std::deque<Place> open{{cell, gap}};
    seen[cell][gap] = true;
    while (!open.empty()) {
      const Place at = open.front();
      open.pop_front();
      body.push_back(at);
      each_joined(start, at, [&](const Place& next) {
        if (seen[next.cell][next.gap]) return;
        seen[next.cell][next.gap] = true;
        open.push_back(next);
      });
    }
    std::sort(body.begin(), body.end());
    const Place *high = nullptr, *low = nullptr;
    const auto at = [&](const Place& p) -> const Gap& { return start[p.cell][p.gap]; };
    for (const Place& p : body) {
      if (at(p).full()) continue;
      if (high == nullptr || at(p).level() > at(*high).level()) high = &p;
      if (low == nullptr || at(p).level() < at(*low).level()) low = &p;
    }
    if (high == nullptr) return;
    int sill = at(*high).low, down = 1, up = 1;
    each_joined(start, *high, [&](const Place& next) {
      sill = std::max(sill, at(next).low);
      down = at(next).pressed() ? sky : std::max(down, at(*high).level() - at(next).level());
    });
    each_joined(start, *low, [&](const Place& next) {
      up = at(next).pressed() ? sky : std::max(up, at(next).level() - at(*low).level());
    });
    const int amount = std::min({moves(at(*high).level() - at(*low).level()), down, up,
                                 at(*high).level() - sill, at(*low).high - at(*low).level()});
    after[high->cell][high->gap].water -= amount;
    after[low->cell][low->gap].water += amount;
  }

  template <class Visit>
  void each_joined(const std::vector<std::vector<Gap>>& all, const Place& of, Visit&& visit) const {
    const Gap& own = all[of.cell][of.gap];
    for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      const std::size_t other = beside(of.cell, dx, dy);
      if (other == of.cell) continue;
      for (std::size_t k = 0; k < all[other].size(); ++k) {
        const Gap& there = all[other][k];
        if (meet(own, there) && std::min(own.level(), there.level()) > std::max(own.low, there.low))
          visit(Place{other, k});
      }
    }
  }

  const LayerShape& shape_;
  int fluid_;
  Wet& wet_;
};

Stack joined(const Stack& stack) {
  Stack next;
  for (const Layer& layer : stack) {
    if (layer.quanta == 0) continue;
    if (!next.empty() && next.back().material == layer.material)
      next.back().quanta += layer.quanta;
    else
      next.push_back(layer);
  }
  return next;
}

}  // namespace

Wet tidied_naively(const std::vector<Material>& materials, Wet before) {
  const int fluid = number_of_fluid(materials);
  const auto loose = [&](const Layer& l) {
    return l.material > 0 && l.material != fluid &&
           materials[static_cast<std::size_t>(l.material) - 1].loose;
  };
  for (std::size_t cell = 0; cell < before.stacks.size(); ++cell) {
    Stack& stack = before.stacks[cell];
    // Neighbours change places until none is out of order: air below water, water below what is
    // loose.
    for (bool again = true; again;) {
      again = false;
      for (std::size_t k = 0; k + 1 < stack.size(); ++k) {
        const Layer lower = stack[k], upper = stack[k + 1];
        if ((lower.material == 0 && upper.material == fluid) ||
            (lower.material == fluid && loose(upper))) {
          std::swap(stack[k], stack[k + 1]);
          again = true;
        }
      }
      stack = joined(stack);
    }
    while (!stack.empty() && (stack.back().material == 0 || stack.back().material == fluid)) {
      if (stack.back().material == fluid) before.water[cell] += stack.back().quanta;
      stack.pop_back();
    }
  }
  return before;
}

Wet levelled_naively(const LayerShape& shape, const std::vector<Material>& materials, Wet before,
                     std::uint64_t step) {
  Naive(shape, number_of_fluid(materials), before).run(step);
  return before;
}

}  // namespace scree::testing
