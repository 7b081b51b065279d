// Rectangles of a heightfield to and from the outside, in SI units.
#include <cmath>
#include <limits>

#include "base/error.h"
#include "terrain/heights/heightfield.h"

namespace scree {

using device::Field;
using device::FieldType;

namespace {

Range cells_of(const Box& box) { return {box.x, box.y, box.x + box.width, box.y + box.height}; }

// Which cell of a write is refused, and what it was to become.
class Refusal {
 public:
  Refusal(const std::string& name, const Box& box, int column, int row)
      : name_(name), box_(box), column_(column), row_(row) {}

  template <class... Words>
  [[noreturn]] void operator()(std::size_t i, const Words&... words) const {
    const auto width = static_cast<std::size_t>(box_.width);
    throw UsageError(text("field '", name_, "', cell ",
                          column_ + box_.x + static_cast<int>(i % width), ",",
                          row_ + box_.y + static_cast<int>(i / width), ": ", words...));
  }

 private:
  const std::string& name_;
  const Box& box_;
  int column_, row_;
};

}  // namespace

std::vector<double> Heightfield::values(const std::string& name, const Box& box) const {
  const Field& f = field(name);
  const FieldUnits u = units(name);
  const std::vector<std::int32_t> bed = raw("bed", box);
  std::vector<double> out(bed.size());
  const auto convert = [&](const auto& from) {
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = bed[i] == SCREE_WALL ? std::numeric_limits<double>::quiet_NaN()
                                    : static_cast<double>(from[i]) * u.scale + u.offset;
  };
  if (f.type() == FieldType::int32)
    convert(f.download<std::int32_t>(*device_, grid_, cells_of(box)));
  else
    convert(f.download<float>(*device_, grid_, cells_of(box)));
  return out;
}

std::vector<std::int32_t> Heightfield::raw(const std::string& name, const Box& box) const {
  check_box(this->box(), box);
  return field(name).download<std::int32_t>(*device_, grid_, cells_of(box));
}

std::vector<float> Heightfield::numbers(const std::string& name, const Box& box) const {
  check_box(this->box(), box);
  return field(name).download<float>(*device_, grid_, cells_of(box));
}

Receipt Heightfield::write(const std::string& name, const Box& box,
                           const std::vector<double>& values) {
  const PlannedWrite planned = plan_write(name, box, values);
  carry_out(planned);
  return planned.receipt;
}

Heightfield::PlannedWrite Heightfield::plan_write(const std::string& name, const Box& box,
                                                  const std::vector<double>& values, int column,
                                                  int row) const {
  const bool counts = field(name).type() == FieldType::int32;
  if (declared_.at(name).scratch)
    throw UsageError(text("field '", name, "': follows from other settings and cannot be written"));
  check_edit(this->box(), box, values.size());
  PlannedWrite write;
  write.name = name;
  write.cells = cells_of(box);
  write.receipt.box = box;
  if (counts)
    plan_counts(write, values, column, row);
  else
    plan_numbers(write, values, column, row);
  const bool solid = name == "bed" || name == "sediment";
  if (solid) write.receipt.edited["solids"] = write.moved.solids;
  if (name == "water") write.receipt.edited["water"] = write.moved.water;
  return write;
}

// Bed and water together stay where water still flows; a cell whose count stays is never refused.
void Heightfield::plan_counts(PlannedWrite& write, const std::vector<double>& values, int column,
                              int row) const {
  const Box& box = write.receipt.box;
  const Refusal refuse(write.name, box, column, row);
  const FieldUnits u = units(write.name);
  const bool is_bed = write.name == "bed", is_water = write.name == "water";
  const std::vector<std::int32_t> bed = raw("bed", box), before = raw(write.name, box);
  const std::vector<std::int32_t> water = is_bed ? raw("water", box) : std::vector<std::int32_t>();
  const bool above_datum = declared_.at(write.name).above_datum;
  const char* room = is_bed || is_water ? "; [terrain] room gives more" : "";
  write.counts = before;
  long long moved = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (bed[i] == SCREE_WALL && !std::isnan(values[i]))
      refuse(i, values[i], " ", u.unit, " where there is nodata: expected nan, which leaves it");
    if (bed[i] == SCREE_WALL) continue;
    if (!std::isfinite(values[i])) refuse(i, values[i], ": expected a number of ", u.unit);
    const double least = above_datum ? -SCREE_LEVEL_LIMIT : 0;
    const double most = is_bed                     ? SCREE_LEVEL_LIMIT - water[i]
                        : is_water                 ? SCREE_LEVEL_LIMIT - bed[i]
                        : write.name == "sediment" ? SCREE_SEDIMENT_LIMIT
                        : above_datum              ? SCREE_LEVEL_LIMIT
                                                   : std::numeric_limits<std::int32_t>::max();
    const double count = std::floor((values[i] - u.offset) / u.scale + 0.5);
    if (count == before[i]) continue;
    if (count < least || count > most)
      refuse(i, values[i], " ", u.unit, ": expected ", least * u.scale + u.offset, " to ",
             most * u.scale + u.offset, " ", u.unit, " with a quantum of 2^-", quantum_.k, " m",
             room);
    write.counts[i] = static_cast<std::int32_t>(count);
    moved += static_cast<long long>(write.counts[i]) - before[i];
    ++write.receipt.changed;
  }
  if (is_bed || write.name == "sediment") write.moved.solids = moved;
  if (is_water) write.moved.water = moved;
}

void Heightfield::plan_numbers(PlannedWrite& write, const std::vector<double>& values, int column,
                               int row) const {
  const Box& box = write.receipt.box;
  const Refusal refuse(write.name, box, column, row);
  const FieldUnits u = units(write.name);
  const std::vector<std::int32_t> bed = raw("bed", box);
  write.numbers = field(write.name).download<float>(*device_, grid_, write.cells);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (bed[i] == SCREE_WALL && !std::isnan(values[i]))
      refuse(i, values[i], " ", u.unit, " where there is nodata: expected nan, which leaves it");
    if (bed[i] == SCREE_WALL) continue;
    const double number = (values[i] - u.offset) / u.scale;
    constexpr double most = std::numeric_limits<float>::max();
    if (!(std::abs(number) <= most))
      refuse(i, values[i], ": expected a number of ", u.unit, " between ", -most * u.scale, " and ",
             most * u.scale);
    if (static_cast<float>(number) == write.numbers[i]) continue;
    write.numbers[i] = static_cast<float>(number);
    ++write.receipt.changed;
  }
}

void Heightfield::carry_out(const PlannedWrite& write) {
  if (write.receipt.changed == 0) return;
  Field& f = field(write.name);
  if (f.type() == FieldType::int32)
    f.write(*device_, grid_, write.cells, write.counts);
  else
    f.write(*device_, grid_, write.cells, write.numbers);
  edited_ += write.moved;
  if (f.double_buffered()) touch();  // the halos of others are filled whenever they are read
}

}  // namespace scree
