// Fields of a world as they were at one moment. A snapshot is in host memory: it stays what it was
// while its world steps on, outlives it, and may be read by any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "terrain/core/fields.h"

namespace scree {

// The numbers of a field as they are kept, of a box of it, x fastest.
struct FieldData {
  FieldInfo info;
  Box box;
  std::variant<std::vector<std::int32_t>, std::vector<float>> values;
  std::vector<std::uint8_t> missing;  // 1 where a cell has no data; none: all have
};

// One field of a snapshot, to be read where it lies.
class FieldView {
 public:
  explicit FieldView(std::shared_ptr<const FieldData> data) : data_(std::move(data)) {}
  const FieldInfo& info() const { return data_->info; }
  const Box& box() const { return data_->box; }
  // Whole counts; none of a field of other numbers.
  std::span<const std::int32_t> quanta() const;
  // Other numbers; none of a field of whole counts.
  std::span<const float> numbers() const;
  // A number as it is kept is value * scale + offset in the field's unit.
  double scale() const { return data_->info.scale; }
  double offset() const { return data_->info.offset; }
  // In that unit, by copy; cells without data are NaN.
  std::vector<double> values() const;

 private:
  std::shared_ptr<const FieldData> data_;
};

class Snapshot {
 public:
  Snapshot(std::uint64_t step, double time, std::vector<FieldData> fields);

  std::uint64_t step() const { return step_; }
  double time() const { return time_; }
  // UsageError with the nearest name where it was not asked for.
  FieldView view(const std::string& field) const;

 private:
  std::uint64_t step_;
  double time_;
  std::shared_ptr<const std::vector<FieldData>> fields_;
};

}  // namespace scree
