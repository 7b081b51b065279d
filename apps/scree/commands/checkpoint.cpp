#include "commands/checkpoint.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/hash.h"
#include "commands/fields.h"
#include "device/field.h"
#include "process/core/registry.h"
#include "run/checkpoints.h"

namespace scree::cli {
namespace {

bool counts_quanta(const std::string& field) {
  for (const char* name : {"bed", "water", "sediment", "floor"})
    if (field == name) return true;
  const FieldSpec* spec = field_spec(field);
  return spec != nullptr && spec->type == device::FieldType::int32 &&
         spec->unit == std::string("m");
}

}  // namespace

Checkpoint::Checkpoint(io::CheckpointReader file) : file_(std::move(file)) {
  if (!file_.has("width"))
    throw Error(
        text(file_.path().string(), ": expected a checkpoint of heights, found one of voxels"));
  width_ = static_cast<int>(file_.integer("width"));
  height_ = static_cast<int>(file_.integer("height"));
}

std::uint64_t Checkpoint::step() const { return static_cast<std::uint64_t>(file_.integer("step")); }
double Checkpoint::time() const { return file_.real("time"); }
double Checkpoint::dt() const { return file_.real("dt"); }
double Checkpoint::quantum() const {
  return std::ldexp(1.0, -static_cast<int>(file_.integer("quantum.k")));
}

Raster Checkpoint::frame() const { return read_frame(file_); }

std::vector<std::string> Checkpoint::fields() const {
  std::vector<std::string> names;
  for (const std::string& name : field_names())
    if (has(name)) names.push_back(name);
  return names;
}

// A checkpoint keeps whole buffers, halo and padding included.
std::vector<std::uint32_t> Checkpoint::buffer(const std::string& field) const {
  const Grid grid = device::make_grid(width_, height_, 1, 1);
  std::vector<std::uint32_t> whole(device::cells_allocated(grid));
  file_.read("field." + field, whole.data(), whole.size() * sizeof whole[0]);
  return whole;
}

std::vector<std::uint32_t> Checkpoint::bits(const std::string& field) const {
  const Grid grid = device::make_grid(width_, height_, 1, 1);
  const std::vector<std::uint32_t> buffer = this->buffer(field);
  std::vector<std::uint32_t> inner;
  inner.reserve(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
  for (int y = 0; y < height_; ++y) {
    const auto row = static_cast<std::ptrdiff_t>(y + SCREE_HALO) * grid.stride + SCREE_PAD;
    inner.insert(inner.end(), buffer.begin() + row, buffer.begin() + row + width_);
  }
  return inner;
}

// As Heightfield::units() has it. Fluxes are kept in quanta on a cell.
double Checkpoint::scale_of(const std::string& field) const {
  if (counts_quanta(field)) return quantum();
  if (!field.starts_with("flux.")) return 1;
  const Raster cells = frame();
  return quantum() * (static_cast<double>(static_cast<float>(cells.dx)) *
                      static_cast<double>(static_cast<float>(cells.dy)));
}

std::vector<float> Checkpoint::values(const std::string& field) const {
  const std::vector<std::uint32_t> raw = bits(field), bed = bits("bed");
  const double scale = scale_of(field);
  const double offset = field == "bed" || field == "floor" ? file_.real("quantum.datum") : 0;
  std::vector<float> values(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const auto count = std::bit_cast<std::int32_t>(raw[i]);
    if (std::bit_cast<std::int32_t>(bed[i]) == SCREE_WALL)
      values[i] = std::numeric_limits<float>::quiet_NaN();
    else if (field == "sink")
      values[i] = count != 0 ? 1.0F : 0.0F;
    else if (counts_quanta(field))
      values[i] = static_cast<float>(count * scale + offset);
    else if (field_type(field) == device::FieldType::int32)
      values[i] = static_cast<float>(count);
    else
      values[i] = static_cast<float>(static_cast<double>(std::bit_cast<float>(raw[i])) * scale);
  }
  return values;
}

WaterVelocity Checkpoint::velocity() const {
  const Raster cells = frame();
  const Grid grid = device::make_grid(width_, height_, static_cast<float>(cells.dx),
                                      static_cast<float>(cells.dy));
  const auto flux = [&](const char* name) {
    std::vector<float> values;
    if (!has(name)) return values;
    for (const std::uint32_t word : buffer(name)) values.push_back(std::bit_cast<float>(word));
    return values;
  };
  std::vector<std::int32_t> water;
  for (const std::uint32_t word : bits("water")) water.push_back(std::bit_cast<std::int32_t>(word));
  return water_velocity(grid, {flux("flux.x"), flux("flux.y"), flux("flux.se"), flux("flux.sw")},
                        water);
}

std::string Checkpoint::hash(const std::string& field) const {
  const std::vector<std::uint32_t> raw = bits(field);
  return hash_text(hash_bytes(raw.data(), raw.size() * sizeof raw[0]));
}

}  // namespace scree::cli
