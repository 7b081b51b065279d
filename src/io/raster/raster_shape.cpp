// Parts of a raster, and other sizes of it.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "io/raster/raster.h"

namespace scree::io {
namespace {

Raster like(const Raster& raster, int width, int height) {
  Raster out;
  out.width = width;
  out.height = height;
  out.has_nodata = raster.has_nodata;
  out.nodata = raster.nodata;
  out.geo = raster.geo;
  out.heights_known = raster.heights_known;
  out.sample_min = raster.sample_min;
  out.sample_max = raster.sample_max;
  out.dx = raster.dx;
  out.dy = raster.dy;
  out.values.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  return out;
}

// Where one axis of the new grid lies in the old one: index = start + step * new index.
struct Axis {
  double start = 0;
  double step = 1;

  Axis(int from, int to, Registration registration) {
    if (registration == Registration::cells) {
      step = static_cast<double>(from) / to;
      start = step / 2 - 0.5;
    } else if (to > 1 && from > 1) {
      step = static_cast<double>(from - 1) / (to - 1);
    } else {
      // One node has no extent to keep: the new cells lie about the middle of the old ones.
      start = (from - 1) / 2.0;
      step = 0;
    }
  }

  // Spacing of the new cells in old ones.
  double spacing() const { return step > 0 ? step : 1; }
};

struct Sample {
  int index = 0;
  int next = 0;
  double weight = 0;  // of next
};

Sample sample_at(const Axis& axis, int i, int count) {
  const double at = std::clamp(axis.start + axis.step * i, 0.0, static_cast<double>(count - 1));
  Sample sample;
  sample.index = static_cast<int>(at);
  sample.next = std::min(sample.index + 1, count - 1);
  sample.weight = at - sample.index;
  return sample;
}

float blend(const Raster& raster, const Sample& x, const Sample& y) {
  const float* upper = &raster.values[static_cast<std::size_t>(y.index) * raster.width];
  const float* lower = &raster.values[static_cast<std::size_t>(y.next) * raster.width];
  const double top =
      x.weight == 0 ? upper[x.index] : upper[x.index] * (1 - x.weight) + upper[x.next] * x.weight;
  const double bottom =
      x.weight == 0 ? lower[x.index] : lower[x.index] * (1 - x.weight) + lower[x.next] * x.weight;
  const double value = y.weight == 0 ? top : top * (1 - y.weight) + bottom * y.weight;
  if (!std::isnan(value)) return static_cast<float>(value);
  return (y.weight < 0.5 ? upper : lower)[x.weight < 0.5 ? x.index : x.next];
}

// Moves the origin by old cells and scales the cells; holds for rotated transforms too.
void move_transform(std::array<double, 6>& t, double columns, double rows, double scale_x,
                    double scale_y) {
  t[0] += t[1] * columns + t[2] * rows;
  t[3] += t[4] * columns + t[5] * rows;
  t[1] *= scale_x;
  t[4] *= scale_x;
  t[2] *= scale_y;
  t[5] *= scale_y;
}

}  // namespace

Raster crop(const Raster& raster, int column, int row, int width, int height) {
  if (width < 1 || height < 1 || column < 0 || row < 0 || column >= raster.width ||
      row >= raster.height)
    throw UsageError(text("a part of ", width, " x ", height, " cells at ", column, ", ", row,
                          " does not lie in a raster of ", raster.width, " x ", raster.height));
  Raster out = like(raster, width, height);
  for (int r = 0; r < height; ++r) {
    const std::size_t from =
        static_cast<std::size_t>(std::min(row + r, raster.height - 1)) * raster.width;
    for (int c = 0; c < width; ++c)
      out.values[static_cast<std::size_t>(r) * width + c] =
          raster.values[from + std::min(column + c, raster.width - 1)];
  }
  if (out.geo.present) move_transform(out.geo.transform, column, row, 1, 1);
  return out;
}

Raster resample(const Raster& raster, int width, int height, Registration registration) {
  if (width < 1 || height < 1 || raster.width < 1 || raster.height < 1)
    throw UsageError(text("cannot resample ", raster.width, " x ", raster.height, " cells to ",
                          width, " x ", height));
  Raster out = like(raster, width, height);
  const Axis across(raster.width, width, registration);
  const Axis down(raster.height, height, registration);
  std::vector<Sample> columns;
  for (int column = 0; column < width; ++column)
    columns.push_back(sample_at(across, column, raster.width));
  float* cell = out.values.data();
  for (int row = 0; row < height; ++row) {
    const Sample y = sample_at(down, row, raster.height);
    for (const Sample& x : columns) *cell++ = blend(raster, x, y);
  }
  const double scale_x = across.spacing();
  const double scale_y = down.spacing();
  out.dx *= scale_x;
  out.dy *= scale_y;
  // Cell centres stay on the points they were taken from; cell borders follow from that.
  if (out.geo.present)
    move_transform(out.geo.transform, across.start + 0.5 - scale_x / 2,
                   down.start + 0.5 - scale_y / 2, scale_x, scale_y);
  return out;
}

}  // namespace scree::io
