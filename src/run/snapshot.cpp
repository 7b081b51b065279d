#include "run/snapshot.h"

#include <limits>

#include "base/error.h"
#include "base/suggest.h"

namespace scree {

std::span<const std::int32_t> FieldView::quanta() const {
  const auto* counts = std::get_if<std::vector<std::int32_t>>(&data_->values);
  return counts != nullptr ? std::span<const std::int32_t>(*counts)
                           : std::span<const std::int32_t>();
}

std::span<const float> FieldView::numbers() const {
  const auto* numbers = std::get_if<std::vector<float>>(&data_->values);
  return numbers != nullptr ? std::span<const float>(*numbers) : std::span<const float>();
}

std::vector<double> FieldView::values() const {
  std::vector<double> values;
  values.reserve(data_->box.cells());
  for (const std::int32_t count : quanta()) values.push_back(count * scale() + offset());
  for (const float number : numbers())
    values.push_back(static_cast<double>(number) * scale() + offset());
  for (std::size_t i = 0; i < data_->missing.size(); ++i)
    if (data_->missing[i] != 0) values[i] = std::numeric_limits<double>::quiet_NaN();
  return values;
}

Snapshot::Snapshot(std::uint64_t step, double time, std::vector<FieldData> fields)
    : step_(step),
      time_(time),
      fields_(std::make_shared<const std::vector<FieldData>>(std::move(fields))) {}

FieldView Snapshot::view(const std::string& field) const {
  std::vector<std::string> known;
  for (const FieldData& data : *fields_) {
    if (data.info.id == field) return FieldView(std::shared_ptr<const FieldData>(fields_, &data));
    known.push_back(data.info.id);
  }
  throw UsageError(text("field '", field, "' is not in this snapshot", did_you_mean(field, known)));
}

}  // namespace scree
