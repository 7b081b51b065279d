#include "render/ground/holes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/progress.h"

namespace scree::render {
namespace {

// Two sweeps over the cells, each of which asks those that it has passed (after Borgefors 1986).
class Sweeps {
 public:
  Sweeps(const Solid& solid, double dx, double dy)
      : width_(solid.width),
        height_(solid.height),
        dx_(static_cast<float>(dx)),
        dy_(static_cast<float>(dy)),
        slant_(std::hypot(dx_, dy_)) {
    nearest.cell.resize(solid.cells.size());
    nearest.metres.resize(solid.cells.size());
    for (std::size_t i = 0; i < solid.cells.size(); ++i) {
      nearest.cell[i] = static_cast<std::uint32_t>(i);
      nearest.metres[i] = solid.cells[i] != 0 ? 0 : std::numeric_limits<float>::infinity();
    }
  }

  void sweep(int sense) {
    for (int j = 0; j < height_; ++j) {
      stop_if_cancelled();
      const int y = sense > 0 ? j : height_ - 1 - j;
      for (int i = 0; i < width_; ++i) {
        const int x = sense > 0 ? i : width_ - 1 - i;
        ask(x, y, x - sense, y, dx_);
        ask(x, y, x, y - sense, dy_);
        ask(x, y, x - sense, y - sense, slant_);
        ask(x, y, x + sense, y - sense, slant_);
      }
    }
  }

  Nearest nearest;

 private:
  void ask(int x, int y, int other_x, int other_y, float apart) {
    if (other_x < 0 || other_y < 0 || other_x >= width_ || other_y >= height_) return;
    const std::size_t own = index(x, y), other = index(other_x, other_y);
    if (!(nearest.metres[other] + apart < nearest.metres[own])) return;
    nearest.metres[own] = nearest.metres[other] + apart;
    nearest.cell[own] = nearest.cell[other];
  }
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }

  int width_, height_;
  float dx_, dy_, slant_;
};

// The square between four cells: those at its corners, from the north-west on clockwise.
struct Square {
  std::array<bool, 4> corners{};
  int count = 0;

  Square(const Solid& solid, int x, int y) {
    // None lies beyond the border.
    if (x < 0 || y < 0 || x + 1 >= solid.width || y + 1 >= solid.height) return;
    corners = {solid.at(x, y), solid.at(x + 1, y), solid.at(x + 1, y + 1), solid.at(x, y + 1)};
    for (const bool there : corners) count += there ? 1 : 0;
  }
  bool reaches(std::size_t a, std::size_t b) const {
    return count >= 3 && corners[a] && corners[b];
  }
};

}  // namespace

Nearest nearest_solid(const Solid& solid, double dx, double dy) {
  Sweeps sweeps(solid, dx, dy);
  sweeps.sweep(1);
  sweeps.sweep(-1);
  return std::move(sweeps.nearest);
}

std::vector<std::uint8_t> solid_shares(const Solid& solid) {
  constexpr std::array<int, 7> weights{1, 3, 5, 7, 5, 3, 1};
  const auto weighed = [&](const auto& at) {
    int sum = 0;
    for (int n = -3; n <= 3; ++n) sum += weights[static_cast<std::size_t>(n + 3)] * at(n);
    return sum;
  };
  const auto width = static_cast<std::size_t>(solid.width);
  std::vector<int> across(solid.cells.size());
  std::vector<std::uint8_t> shares;
  for (int y = 0; y < solid.height; ++y)
    for (int x = 0; x < solid.width; ++x)
      across[width * static_cast<std::size_t>(y) + static_cast<std::size_t>(x)] = weighed(
          [&](int n) { return solid.at(std::clamp(x + n, 0, solid.width - 1), y) ? 1 : 0; });
  for (int y = 0; y < solid.height; ++y) {
    stop_if_cancelled();
    for (int x = 0; x < solid.width; ++x) {
      const int sum = weighed([&](int n) {
        return across[width * static_cast<std::size_t>(std::clamp(y + n, 0, solid.height - 1)) +
                      static_cast<std::size_t>(x)];
      });
      shares.push_back(solid.at(x, y) ? 255 : 0);
      shares.push_back(static_cast<std::uint8_t>(sum * 255 / (25 * 25)));
    }
  }
  return shares;
}

std::vector<RimPiece> rim_of(const Solid& solid) {
  std::vector<RimPiece> rim;
  const auto add = [&](int x0, int y0, int x1, int y1) {
    rim.push_back({static_cast<float>(x0), static_cast<float>(y0), static_cast<float>(x1),
                   static_cast<float>(y1)});
  };
  for (int y = -1; y < solid.height; ++y) {
    stop_if_cancelled();
    for (int x = -1; x < solid.width; ++x) {
      const Square here(solid, x, y), east(solid, x + 1, y), south(solid, x, y + 1);
      // Its eastern and its southern side, where ground lies on one side of them alone.
      if (here.reaches(1, 2) != east.reaches(0, 3)) add(x + 1, y, x + 1, y + 1);
      if (here.reaches(3, 2) != south.reaches(0, 1)) add(x, y + 1, x + 1, y + 1);
      if (here.count != 3) continue;
      // Half a square ends at its diagonal, which may bend in the middle.
      const auto middle_x = static_cast<float>(x) + 0.5f, middle_y = static_cast<float>(y) + 0.5f;
      const bool falling = !here.corners[1] || !here.corners[3];  // from the north-west
      const auto west = static_cast<float>(x), north = static_cast<float>(falling ? y : y + 1);
      rim.push_back({west, north, middle_x, middle_y});
      rim.push_back({middle_x, middle_y, west + 1, static_cast<float>(falling ? y + 1 : y)});
    }
  }
  return rim;
}

}  // namespace scree::render
