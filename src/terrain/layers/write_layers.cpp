// Rectangles of columns to and from the outside.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/error.h"
#include "base/suggest.h"
#include "terrain/layers/layers.h"

namespace scree {
namespace {

long long height_of(const Stack& stack) {
  long long quanta = 0;
  for (const Layer& layer : stack) quanta += layer.quanta;
  return quanta;
}

// What is left of a stack that is dug down to a height.
Stack dug(Stack stack, long long height) {
  long long goes = height_of(stack) - height;
  while (goes > 0 && !stack.empty()) {
    const auto less = static_cast<int>(std::min<long long>(goes, stack.back().quanta));
    stack.back().quanta -= less;
    goes -= less;
    if (stack.back().quanta == 0) stack.pop_back();
  }
  return stack;
}

// The quanta of a stack that are of this material; 0 is of voids.
std::int32_t quanta_of(const Stack& stack, int material) {
  std::int32_t quanta = 0;
  for (const Layer& layer : stack) quanta += layer.material == material ? layer.quanta : 0;
  return quanta;
}

}  // namespace

std::size_t Layers::cell_of(const Box& box, std::size_t column) const {
  const auto width = static_cast<std::size_t>(box.width);
  return this->box().index(box.x + static_cast<int>(column % width),
                           box.y + static_cast<int>(column / width));
}

device::Rows Layers::rows_of(const Box& box, int plane, std::size_t element) const {
  const std::size_t cell = this->box().index(box.x, box.y);
  return {(static_cast<std::size_t>(plane) * shape_.cells() + cell) * element,
          static_cast<std::size_t>(shape_.width) * element,
          static_cast<std::size_t>(box.width) * element, static_cast<std::size_t>(box.height)};
}

Layers::Columns Layers::read_columns(const Box& box) const {
  Columns found;
  found.tops.resize(box.cells());
  device_->read_rows(*tops_front_, rows_of(box, 0, sizeof(LayerTop)), found.tops.data());
  for (const LayerTop& top : found.tops) found.planes = std::max(found.planes, top_count(top));
  found.words.resize(box.cells() * static_cast<std::size_t>(found.planes));
  for (int k = 0; k < found.planes; ++k)
    device_->read_rows(*front_, rows_of(box, k, sizeof(std::uint32_t)),
                       found.words.data() + static_cast<std::size_t>(k) * box.cells());
  return found;
}

std::vector<Stack> Layers::stacks_of(const Columns& columns) const {
  std::vector<Stack> stacks(columns.tops.size());
  for (std::size_t i = 0; i < columns.words.size(); ++i)
    if (columns.words[i] != 0)
      stacks[i % stacks.size()].push_back(
          {static_cast<int>(layer_material(columns.words[i])), layer_thickness(columns.words[i])});
  return stacks;
}

std::vector<Stack> Layers::stacks(const Box& box) const {
  check_box(this->box(), box);
  return stacks_of(read_columns(box));
}

Receipt Layers::write_stacks(const Box& box, const std::vector<Stack>& stacks) {
  check_edit(this->box(), box, stacks.size());
  const Columns before = read_columns(box);
  return change_stacks(box, stacks_of(before), stacks, before.planes);
}

Receipt Layers::write_tops(const Box& box, const std::vector<double>& metres,
                           const std::string& material) {
  check_edit(this->box(), box, metres.size());
  const int named = material.empty() ? 0 : material_named(material);
  const Columns columns = read_columns(box);
  const std::vector<Stack> before = stacks_of(columns);
  std::vector<Stack> after = before;
  const auto refuse = [&](std::size_t column, const auto&... words) {
    const std::size_t cell = cell_of(box, column), width = static_cast<std::size_t>(shape_.width);
    throw UsageError(text("column ", cell % width, ", row ", cell / width, ": ", words...));
  };
  for (std::size_t i = 0; i < metres.size(); ++i) {
    if (!std::isfinite(metres[i])) refuse(i, metres[i], ": expected metres");
    const double wanted = std::floor((metres[i] - shape_.datum) / shape_.quantum + 0.5);
    const long long is = height_of(before[i]);
    if (wanted == static_cast<double>(is)) continue;
    if (!(wanted >= 0 && wanted <= LAYER_THICKEST))
      refuse(i, metres[i], " m: expected ", shape_.datum, " m, where all stacks begin, to ",
             shape_.datum + LAYER_THICKEST * shape_.quantum, " m with a quantum of ",
             shape_.quantum, " m");
    const auto height = static_cast<long long>(wanted);
    if (height < is) {
      after[i] = dug(before[i], height);
      continue;
    }
    if (before[i].empty() && named == 0)
      refuse(i, "nothing lies there: expected the name of a material to pile up");
    after[i].push_back(
        {named > 0 ? named : before[i].back().material, static_cast<int>(height - is)});
  }
  return change_stacks(box, before, after, columns.planes);
}

int Layers::material_named(const std::string& name) const {
  std::vector<std::string> names;
  for (const Material& material : materials_) names.push_back(material.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw UsageError(
        text("no material '", name, "' lies in this terrain", did_you_mean(name, names)));
  return static_cast<int>(found - names.begin()) + 1;
}

// `planes`: as many as hold something there now. A stack that stays is never refused.
Receipt Layers::change_stacks(const Box& box, const std::vector<Stack>& before,
                              const std::vector<Stack>& after, int planes) {
  Receipt receipt;
  receipt.box = box;
  std::vector<std::vector<std::uint32_t>> columns(after.size());
  std::vector<long long> moved(edited_.size(), 0);
  for (std::size_t i = 0; i < after.size(); ++i) {
    const bool stays = before[i] == after[i];
    const std::size_t cell = cell_of(box, i);
    if (stays) {  // word for word, though two of them might be one
      for (const Layer& layer : before[i])
        columns[i].push_back(layer_word(static_cast<std::uint32_t>(layer.material), layer.quanta));
      continue;
    }
    try {
      columns[i] = stack_words(after[i], materials_.size());
    } catch (const UsageError& error) {
      throw UsageError(text("cell ", cell, ": ", error.what()));
    }
    check_column(columns[i], cell, shape_);
    ++receipt.changed;
    for (const Layer& layer : before[i])
      moved[static_cast<std::size_t>(layer.material)] -= layer.quanta;
    for (const std::uint32_t word : columns[i])
      moved[layer_material(word)] += layer_thickness(word);
  }
  if (receipt.changed > 0) put_columns(box, columns, planes);
  for (std::size_t m = 1; m < moved.size(); ++m) {
    edited_[m] += moved[m];
    if (moved[m] != 0) receipt.edited[materials_[m - 1].name] += moved[m];
  }
  return receipt;
}

// The back keeps what a step has left there, and its tops say of that how much is not 0: nothing
// that is put into the front makes them wrong.
void Layers::put_columns(const Box& box, const std::vector<std::vector<std::uint32_t>>& columns,
                         int planes) {
  for (const auto& column : columns) planes = std::max(planes, static_cast<int>(column.size()));
  grow(planes);
  std::vector<std::uint32_t> plane(columns.size());
  for (int k = 0; k < planes; ++k) {
    const auto at = static_cast<std::size_t>(k);
    std::transform(columns.begin(), columns.end(), plane.begin(),
                   [at](const auto& column) { return at < column.size() ? column[at] : 0U; });
    device_->write_rows(*front_, rows_of(box, k, sizeof plane[0]), plane.data());
  }
  std::vector<LayerTop> tops(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto count = static_cast<int>(columns[i].size());
    tops[i] = top_of(columns[i].data(), count);
    hear_of(columns[i].data(), count);
    usual_layers_ = std::max(usual_layers_, count);
  }
  device_->write_rows(*tops_front_, rows_of(box, 0, sizeof tops[0]), tops.data());
}

Fields Layers::fields() const {
  using device::FieldType;
  const double q = shape_.quantum;
  const auto metres = [&](const std::string& id, const std::string& name, double offset,
                          bool writable, const std::string& help) {
    return FieldInfo{id, name, FieldType::int32, "m", q, q, offset, box(), writable, help};
  };
  const auto number = [&](const std::string& id, const std::string& help) {
    return FieldInfo{id, id, FieldType::int32, "1", 1, 1, 0, box(), false, help};
  };
  Fields all{metres("bed", "bed", shape_.datum, true, "Height of the top surface")};
  for (const Material& m : materials_)
    all.push_back(metres("thickness." + m.name, "thickness of " + m.name, 0, false,
                         "How much of it lies in a column, in all its layers"));
  all.push_back(metres("voids", "voids", 0, false, "How much of a column is void"));
  all.push_back(number("layers", "How many layers a column has, voids among them"));
  all.push_back(number("material", "Number of the topmost material"));
  return all;
}

std::vector<std::int32_t> Layers::counts(const std::string& field, const Box& box) const {
  field_of(fields(), field);
  constexpr std::string_view thickness = "thickness.";
  const int material = field == "voids" ? 0
                       : field.starts_with(thickness)
                           ? material_named(field.substr(thickness.size()))
                           : -1;
  std::vector<std::int32_t> counts;
  for (const Stack& stack : stacks(box)) {
    if (material >= 0)
      counts.push_back(quanta_of(stack, material));
    else if (field == "layers")
      counts.push_back(static_cast<std::int32_t>(stack.size()));
    else if (field == "material")
      counts.push_back(stack.empty() ? 0 : stack.back().material);
    else
      counts.push_back(static_cast<std::int32_t>(height_of(stack)));
  }
  return counts;
}

}  // namespace scree
