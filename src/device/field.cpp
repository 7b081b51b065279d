#include "device/field.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "base/error.h"

namespace scree::device {
namespace {

constexpr std::size_t cell_bytes = 4;
constexpr double most_cells = 2147483647.0;  // kernels count them in an int

template <class T>
constexpr FieldType type_of = std::is_same_v<T, float> ? FieldType::float32 : FieldType::int32;

std::size_t row_offset(const Grid& grid, int row) {
  return static_cast<std::size_t>(row + SCREE_HALO) * static_cast<std::size_t>(grid.stride);
}

std::size_t count_of(const Range& cells) {
  return static_cast<std::size_t>(cells.x1 - cells.x0) *
         static_cast<std::size_t>(cells.y1 - cells.y0);
}

Range interior(const Grid& grid) { return {0, 0, grid.width, grid.height}; }

// Where a rectangle of cells lies in a field's buffer.
Rows rows_of(const Grid& grid, const Range& cells) {
  if (cells.x0 < 0 || cells.y0 < 0 || cells.x1 < cells.x0 || cells.y1 < cells.y0 ||
      cells.x1 > grid.width || cells.y1 > grid.height)
    throw Error(text("cells ", cells.x0, ",", cells.y0, " to ", cells.x1, ",", cells.y1,
                     " of a field of ", grid.width, "x", grid.height));
  return {static_cast<std::size_t>(cell_index(grid, cells.x0, cells.y0)) * cell_bytes,
          static_cast<std::size_t>(grid.stride) * cell_bytes,
          static_cast<std::size_t>(cells.x1 - cells.x0) * cell_bytes,
          static_cast<std::size_t>(cells.y1 - cells.y0)};
}

}  // namespace

// Whole strips of 64 cells where there are any.
std::string smaller_size(int width, int height, double share) {
  const auto side = [share](int cells) {
    const int fitting = static_cast<int>(cells * std::sqrt(share) * 0.999);
    return std::max(fitting >= 64 ? fitting / 64 * 64 : fitting, 1);
  };
  return text("a smaller size, such as ", side(width), "x", side(height));
}

Grid make_grid(int width, int height, double dx, double dy) {
  if (width < 1 || height < 1)
    throw UsageError(text("size ", width, "x", height, ": expected at least 1x1"));
  Grid grid{};
  grid.width = width;
  grid.height = height;
  // A vector may read a little past the halo; rows stay on cache lines.
  grid.stride = (SCREE_PAD + width + SCREE_HALO + 1 + 15) / 16 * 16;
  grid.dx = static_cast<float>(dx);
  grid.dy = static_cast<float>(dy);
  const double cells = (static_cast<double>(height) + 2 * SCREE_HALO + SCREE_SLACK) * grid.stride;
  if (cells > most_cells)
    throw UsageError(text("size ", width, "x", height,
                          ": a field holds at most 2^31 cells: choose ",
                          smaller_size(width, height, most_cells / cells)));
  return grid;
}

std::size_t cells_allocated(const Grid& grid) {
  return row_offset(grid, grid.height + SCREE_HALO + SCREE_SLACK) + 64;
}

Field::Field(Device& device, const Grid& grid, std::string name, FieldType type,
             bool double_buffered)
    : name_(std::move(name)),
      type_(type),
      front_(device.allocate(cells_allocated(grid) * cell_bytes)) {
  back_ = double_buffered ? device.allocate(cells_allocated(grid) * cell_bytes) : front_;
}

std::size_t Field::bytes() const { return front_->bytes() * (double_buffered() ? 2 : 1); }

template <class T>
void Field::check_type() const {
  if (type_ != type_of<T>) throw Error(text("field '", name_, "' has another type"));
}

template <class T>
std::vector<T> Field::download(Device& device, const Grid& grid) const {
  return download<T>(device, grid, interior(grid));
}

template <class T>
std::vector<T> Field::download(Device& device, const Grid& grid, const Range& cells) const {
  check_type<T>();
  const Rows rows = rows_of(grid, cells);
  std::vector<T> values(count_of(cells));
  device.read_rows(*front_, rows, values.data());
  return values;
}

template <class T>
void Field::upload(Device& device, const Grid& grid, const std::vector<T>& values) {
  check_type<T>();
  const Range all = interior(grid);
  check_count(all, values.size());
  device.write_rows(*front_, rows_of(grid, all), values.data());
}

template <class T>
void Field::write(Device& device, const Grid& grid, const Range& cells,
                  const std::vector<T>& values) {
  check_type<T>();
  const Rows rows = rows_of(grid, cells);
  check_count(cells, values.size());
  device.write_rows(*front_, rows, values.data());
  if (double_buffered()) device.write_rows(*back_, rows, values.data());
}

void Field::check_count(const Range& cells, std::size_t count) const {
  if (count != count_of(cells))
    throw Error(text("field '", name_, "': expected ", cells.x1 - cells.x0, "x",
                     cells.y1 - cells.y0, " values, got ", count));
}

void Field::clear(Device& device) {
  const std::vector<unsigned char> zeros(front_->bytes());
  device.write(*front_, 0, zeros.data(), zeros.size());
  if (double_buffered()) device.write(*back_, 0, zeros.data(), zeros.size());
}

void Field::fill(Device& device, const Grid& grid, float value) {
  upload(device, grid,
         std::vector<float>(
             static_cast<std::size_t>(grid.width) * static_cast<std::size_t>(grid.height), value));
}
void Field::fill(Device& device, const Grid& grid, std::int32_t value) {
  upload(device, grid,
         std::vector<std::int32_t>(
             static_cast<std::size_t>(grid.width) * static_cast<std::size_t>(grid.height), value));
}

template std::vector<float> Field::download(Device&, const Grid&) const;
template std::vector<std::int32_t> Field::download(Device&, const Grid&) const;
template std::vector<float> Field::download(Device&, const Grid&, const Range&) const;
template std::vector<std::int32_t> Field::download(Device&, const Grid&, const Range&) const;
template void Field::upload(Device&, const Grid&, const std::vector<float>&);
template void Field::upload(Device&, const Grid&, const std::vector<std::int32_t>&);
template void Field::write(Device&, const Grid&, const Range&, const std::vector<float>&);
template void Field::write(Device&, const Grid&, const Range&, const std::vector<std::int32_t>&);

}  // namespace scree::device
