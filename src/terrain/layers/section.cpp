#include "terrain/layers/section.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace scree {
namespace {

std::vector<SectionPart> parts_of(const LayerShape& shape, const Stack& stack) {
  std::vector<SectionPart> parts;
  long long bottom = 0;
  for (const Layer& layer : stack) {
    const long long top = bottom + layer.quanta;
    parts.push_back({layer.material, shape.datum + static_cast<double>(bottom) * shape.quantum,
                     shape.datum + static_cast<double>(top) * shape.quantum});
    bottom = top;
  }
  return parts;
}

}  // namespace

int LayerSection::material_at(double along, double height) const {
  if (columns.empty() || !(along >= 0 && along <= length)) return 0;
  const auto count = static_cast<double>(columns.size());
  const auto i = static_cast<std::size_t>(std::min(along / length * count, count - 1));
  for (const SectionPart& part : columns[i].parts)
    if (height >= part.bottom && height < part.top) return part.material;
  return 0;
}

LayerSection sample_section(const LayerShape& shape, const std::vector<Stack>& stacks,
                            double from_x, double from_y, double to_x, double to_y, int count) {
  LayerSection section;
  section.length = std::hypot(to_x - from_x, to_y - from_y);
  if (!(section.length > 0) || !std::isfinite(section.length))
    throw UsageError(text("a section of ", section.length, " m: expected two places apart"));
  if (count <= 0)
    count =
        std::max(1, static_cast<int>(std::lround(std::max(std::abs(to_x - from_x) / shape.dx,
                                                          std::abs(to_y - from_y) / shape.dy))));
  section.bottom = section.top = shape.datum;
  for (int i = 0; i < count; ++i) {
    const double t = (i + 0.5) / count;
    SectionColumn column{
        t * section.length, from_x + t * (to_x - from_x), from_y + t * (to_y - from_y), {}};
    const double x = std::floor(column.x / shape.dx), y = std::floor(column.y / shape.dy);
    if (x >= 0 && x < shape.width && y >= 0 && y < shape.height) {
      const auto row = static_cast<std::size_t>(shape.height - 1 - static_cast<int>(y));
      column.parts = parts_of(
          shape, stacks[row * static_cast<std::size_t>(shape.width) + static_cast<std::size_t>(x)]);
    }
    if (!column.parts.empty()) section.top = std::max(section.top, column.parts.back().top);
    section.columns.push_back(std::move(column));
  }
  return section;
}

LayerSection sample_section(const Layers& layers, double from_x, double from_y, double to_x,
                            double to_y, int count) {
  return sample_section(layers.shape(), layers.stacks(), from_x, from_y, to_x, to_y, count);
}

}  // namespace scree
