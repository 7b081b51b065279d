// Boxes of voxels to and from the outside.
#include <cmath>

#include "base/error.h"
#include "terrain/voxels/voxels.h"

namespace scree {
namespace {

constexpr device::Kernel bits_kernel{"voxel_bits", "kernel/voxels/voxel.h"};
constexpr std::size_t most_written = 256;  // boxes to be remembered
constexpr std::uint32_t no_air = (1U << VOXEL_AIR_SHIFT) - 1;

// A voxel that stays rock keeps its count of air.
std::uint32_t changed_word(std::uint32_t before, std::uint32_t asked) {
  const std::uint32_t air = voxel_amount(before) > 0 && asked != 0 ? voxel_air(before) : 0;
  return with_air(asked, air);
}

// A number that is asked for, as a count of quanta; UsageError where it is none that may be.
std::uint32_t count_of(const FieldInfo& field, double value, double most) {
  const double count = std::round(value / field.quantum);
  if (!(count >= 0 && count <= most))
    throw UsageError(
        text("field '", field.id, "': ", value, ": expected 0 to ", most * field.quantum));
  return static_cast<std::uint32_t>(count);
}

}  // namespace

device::Rows Voxels::rows_of(const Box& box, int z) const {
  constexpr std::size_t word = sizeof(std::uint32_t);
  return {all().index(box.x, box.y, z) * word, static_cast<std::size_t>(shape_.nx) * word,
          static_cast<std::size_t>(box.width) * word, static_cast<std::size_t>(box.height)};
}

std::vector<std::uint32_t> Voxels::words(const Box& box) const {
  check_box(all(), box);
  std::vector<std::uint32_t> words(box.cells());
  if (box.empty()) return words;
  for (int z = box.z; z < box.z + box.depth; ++z)
    device_->read_rows(*words_, rows_of(box, z), words.data() + box.index(box.x, box.y, z));
  return words;
}

Receipt Voxels::write_words(const Box& box, const std::vector<std::uint32_t>& asked) {
  check_edit(all(), box, asked.size());
  std::vector<std::uint32_t> words = this->words(box);
  Receipt receipt;
  receipt.box = box;
  VoxelEdits moved;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint32_t before = words[i] & no_air, now = asked[i] & no_air;
    if (now == before) continue;
    const std::uint32_t amount = voxel_amount(now), material = voxel_material(now);
    if (amount == 0 ? now != 0 : material == 0 || material > materials_.size()) {
      const auto at = static_cast<int>(i);
      throw UsageError(
          text("voxel ", box.x + at % box.width, ",", box.y + at / box.width % box.height, ",",
               box.z + at / box.width / box.height, ": an amount of ", amount, " of material ",
               material, ": expected 0 of 0 or some of 1 to ", materials_.size()));
    }
    words[i] = changed_word(words[i], now);
    moved.voxels += (amount > 0 ? 1 : 0) - (voxel_amount(before) > 0 ? 1 : 0);
    moved.amount += static_cast<long long>(amount) - voxel_amount(before);
    ++receipt.changed;
  }
  receipt.edited = {{"voxels", moved.voxels}, {"amount", moved.amount}};
  if (receipt.changed == 0) return receipt;
  for (int z = box.z; z < box.z + box.depth; ++z)
    device_->write_rows(*words_, rows_of(box, z), words.data() + box.index(box.x, box.y, z));
  update_bits(box);
  edited_.voxels += moved.voxels;
  edited_.amount += moved.amount;
  written_.emplace_back(++revision_, box);
  if (written_.size() > most_written) {
    known_since_ = written_.front().first;
    written_.pop_front();
  }
  return receipt;
}

Receipt Voxels::write(const std::string& field, const Box& box, const std::vector<double>& values) {
  const Fields known = fields();
  const FieldInfo& info = field_of(known, field);
  check_edit(all(), box, values.size());
  const bool amounts = info.id == "amount";
  const auto most = static_cast<double>(amounts ? VOXEL_FULL : materials_.size());
  std::vector<std::uint32_t> words = this->words(box);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint32_t count = count_of(info, values[i], most);
    const std::uint32_t amount = voxel_amount(words[i]), material = voxel_material(words[i]);
    if (count == 0)
      words[i] = 0;
    else if (amounts)
      words[i] = voxel_word(count, material > 0 ? material : 1);
    else
      words[i] = voxel_word(amount > 0 ? amount : VOXEL_FULL, count);
  }
  return write_words(box, words);
}

// Those in the words of 32 that the box has a part of.
void Voxels::update_bits(const Box& box) {
  const int rows = box_.slice / box_.row;
  device::Arguments a;
  a.add(box_).add(words_).add(bits_);
  for (int z = box.z; z < box.z + box.depth; ++z) {
    const int first = (z + BRICK_Z) * rows + BRICK_Y + box.y;
    device_->run(bits_kernel,
                 Range{box.x / 32 + 1, first, (box.x + box.width - 1) / 32 + 2, first + box.height},
                 a);
  }
}

std::optional<std::vector<Box>> Voxels::changed_since(std::uint64_t revision) const {
  if (revision < known_since_ || revision > revision_) return {};
  std::vector<Box> boxes;
  for (const auto& [made, box] : written_)
    if (made > revision) boxes.push_back(box);
  return boxes;
}

Fields Voxels::fields() const {
  using device::FieldType;
  constexpr double whole = VOXEL_FULL;
  return {{"amount", "amount", FieldType::int32, "1", 1 / whole, 1 / whole, 0, all(), true,
           "How much of a voxel there is: 1 where it is whole, 0 in air"},
          {"material", "material", FieldType::int32, "1", 1, 1, 0, all(), true,
           "Number of what it is made of; 0 is air"}};
}

}  // namespace scree
