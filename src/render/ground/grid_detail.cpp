#include "render/ground/grid_detail.h"

#include <algorithm>
#include <limits>

#include "base/progress.h"

namespace scree::render {
namespace {

constexpr double pixels_a_step = 1.5;

Vec3 corner(Vec3 low, Vec3 high, int n) {
  return {(n & 1) != 0 ? high.x : low.x, (n & 2) != 0 ? high.y : low.y,
          (n & 4) != 0 ? high.z : low.z};
}

// Not one corner on the inner side of some edge of the window: nothing of the box is seen.
bool outside(Vec3 low, Vec3 high, const View& view, const Vec4& part) {
  const double left = static_cast<double>(part.x - part.z) * view.tan_x,
               right = static_cast<double>(part.x + part.z) * view.tan_x,
               bottom = static_cast<double>(part.y - part.w) * view.tan_y,
               top = static_cast<double>(part.y + part.w) * view.tan_y;
  int beyond[5] = {};
  for (int n = 0; n < 8; ++n) {
    const Vec3 away = corner(low, high, n) - view.eye;
    const double x = dot(away, view.right), y = dot(away, view.up), d = dot(away, view.forward);
    beyond[0] += x < left * d ? 1 : 0;
    beyond[1] += x > right * d ? 1 : 0;
    beyond[2] += y < bottom * d ? 1 : 0;
    beyond[3] += y > top * d ? 1 : 0;
    beyond[4] += d <= 0 ? 1 : 0;
  }
  return std::any_of(std::begin(beyond), std::end(beyond), [](int n) { return n == 8; });
}

}  // namespace

GridDetail::GridDetail(const GroundMaps& maps)
    : across_((maps.width - 2) / block_cells + 1),
      down_((maps.height - 2) / block_cells + 1),
      cell_(static_cast<double>(std::max(maps.dx, maps.dy))) {
  const auto dx = static_cast<double>(maps.dx), dy = static_cast<double>(maps.dy);
  const double west = -0.5 * dx * (maps.width - 1), north = 0.5 * dy * (maps.height - 1);
  for (int by = 0; by < down_; ++by) {
    stop_if_cancelled();
    for (int bx = 0; bx < across_; ++bx) {
      const int x1 = std::min(maps.width - 1, (bx + 1) * block_cells),
                y1 = std::min(maps.height - 1, (by + 1) * block_cells);
      float low = std::numeric_limits<float>::infinity(), high = -low;
      for (int y = by * block_cells; y <= y1; ++y) {
        const float* row =
            &maps.surface[static_cast<std::size_t>(y) * static_cast<std::size_t>(maps.width)];
        const auto [a, b] = std::minmax_element(row + bx * block_cells, row + x1 + 1);
        low = std::min(low, *a);
        high = std::max(high, *b);
      }
      boxes_.push_back(
          {{west + dx * bx * block_cells, north - dy * y1, static_cast<double>(low)},
           {west + dx * x1, north - dy * by * block_cells, static_cast<double>(high)}});
    }
  }
}

int GridDetail::level_of(const Box& box, const View& view, double width) const {
  double nearest = std::numeric_limits<double>::infinity();
  for (int n = 0; n < 8; ++n)
    nearest = std::min(nearest, dot(corner(box.low, box.high, n) - view.eye, view.forward));
  if (!(nearest > 0)) return 0;
  const double pixel = nearest * 2 * view.tan_x / width;
  int level = 0;
  while (level + 1 < block_levels && cell_ * (2 << level) <= pixels_a_step * pixel) ++level;
  return level;
}

std::vector<int> GridDetail::levels(const View& view, double width) const {
  std::vector<int> levels;
  for (const Box& box : boxes_) levels.push_back(level_of(box, view, width));
  return levels;
}

std::array<std::vector<BlockInstance>, block_levels> GridDetail::blocks(const View& view, int width,
                                                                        int height,
                                                                        const Window& window,
                                                                        double pixels) const {
  const std::vector<int> level = levels(view, width / pixels);
  const Vec4 part = part_of(width, height, window);
  std::array<std::vector<BlockInstance>, block_levels> result;
  for (int y = 0; y < down_; ++y)
    for (int x = 0; x < across_; ++x) {
      const std::size_t i = index(x, y);
      if (outside(boxes_[i].low, boxes_[i].high, view, part)) continue;
      const auto step = [&](int bx, int by) {
        const bool there = bx >= 0 && by >= 0 && bx < across_ && by < down_;
        return 1 << (there ? level[index(bx, by)] : 0);
      };
      result[static_cast<std::size_t>(level[i])].push_back(
          {x * block_cells,
           y * block_cells,
           1 << level[i],
           {step(x - 1, y), step(x + 1, y), step(x, y - 1), step(x, y + 1)}});
    }
  return result;
}

std::vector<BorderPiece> GridDetail::border(const View& view, int width, double pixels) const {
  const std::vector<int> level = levels(view, width / pixels);
  std::vector<BorderPiece> pieces;
  const auto add = [&](int side, int first, std::size_t block) {
    pieces.push_back({side, first * block_cells, 1 << level[block], block_cells >> level[block]});
  };
  for (int x = 0; x < across_; ++x) {
    add(0, x, index(x, 0));
    add(2, x, index(x, down_ - 1));
  }
  for (int y = 0; y < down_; ++y) {
    add(1, y, index(across_ - 1, y));
    add(3, y, index(0, y));
  }
  return pieces;
}

}  // namespace scree::render
