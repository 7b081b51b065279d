#include "terrain/voxels/layer_voxels.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace scree {
namespace {

// A column under way: what lies in the voxel that is being filled.
class Column {
 public:
  explicit Column(int height) : height_(height) {}

  // From the bottom up: places in voxels above the box's floor.
  template <class Store>
  void add(std::uint32_t material, double from, double to, const Store& store) {
    const double top = height_;
    outside_ += std::max(0.0, std::min(to, 0.0) - from) + std::max(0.0, to - std::max(from, top));
    const double end = std::min(to, top);
    for (double at = std::max(from, 0.0); at < end;) {
      const double floor = std::floor(at), upto = std::min(end, floor + 1);
      if (static_cast<int>(floor) != z_) flush(store);
      z_ = static_cast<int>(floor);
      note(material, upto - at);
      at = upto;
    }
  }
  // Rounded so that the whole column is right, not each voxel by itself.
  template <class Store>
  void flush(const Store& store) {
    if (parts_.empty()) return;
    const auto most =
        std::max_element(parts_.begin(), parts_.end(),
                         [](const Part& a, const Part& b) { return a.share < b.share; });
    for (const Part& part : parts_) sum_ += part.share;
    const long long amount =
        std::min<long long>(std::llround(sum_ * VOXEL_FULL) - given_, VOXEL_FULL);
    given_ += amount;
    if (amount > 0) store(z_, voxel_word(static_cast<std::uint32_t>(amount), most->material));
    parts_.clear();
  }
  double outside() const { return outside_; }
  long long given() const { return given_; }

 private:
  struct Part {
    std::uint32_t material;
    double share;
  };
  void note(std::uint32_t material, double share) {
    for (Part& part : parts_)
      if (part.material == material) {
        part.share += share;
        return;
      }
    parts_.push_back({material, share});
  }

  std::vector<Part> parts_;
  int height_, z_ = -1;
  double sum_ = 0, outside_ = 0;
  long long given_ = 0;
};

void check_numbers(const Layers& layers, const std::vector<std::uint32_t>& numbers) {
  if (numbers.size() != layers.materials().size())
    throw UsageError(
        text(numbers.size(), " numbers for ", layers.materials().size(), " materials of layers"));
  for (const std::uint32_t number : numbers)
    if (number >= VOXEL_MATERIALS)
      throw UsageError(
          text("material ", number, " of voxels: expected at most ", VOXEL_MATERIALS - 1));
}

}  // namespace

std::vector<VoxelMaterial> voxel_materials(const Layers& layers) {
  std::vector<VoxelMaterial> materials;
  for (const Material& m : layers.materials())
    materials.push_back({m.name, 0, 0, m.loose, m.colour});
  return materials;
}

LayerVoxels voxels_from_layers(const Layers& layers, const VoxelShape& shape,
                               const std::vector<std::uint32_t>& numbers, double lift) {
  check_numbers(layers, numbers);
  const LayerShape& from = layers.shape();
  const std::vector<Stack> stacks = layers.stacks();
  const std::size_t slice = static_cast<std::size_t>(shape.nx) * static_cast<std::size_t>(shape.ny);
  LayerVoxels result;
  result.words.resize(shape.count());
  for (int y = 0; y < shape.ny; ++y)
    for (int x = 0; x < shape.nx; ++x) {
      // Rows of layers run from north to south.
      const auto cell_x = static_cast<int>((2LL * x + 1) * from.width / (2LL * shape.nx));
      const auto cell_y =
          from.height - 1 - static_cast<int>((2LL * y + 1) * from.height / (2LL * shape.ny));
      const Stack& stack =
          stacks[static_cast<std::size_t>(cell_y) * static_cast<std::size_t>(from.width) +
                 static_cast<std::size_t>(cell_x)];
      const std::size_t first = static_cast<std::size_t>(y) * static_cast<std::size_t>(shape.nx) +
                                static_cast<std::size_t>(x);
      const auto store = [&](int z, std::uint32_t word) {
        result.words[static_cast<std::size_t>(z) * slice + first] = word;
      };
      const auto place = [&](long long quanta) {
        return (from.datum + static_cast<double>(quanta) * from.quantum + lift - shape.origin[2]) /
               shape.cell;
      };
      Column column(shape.nz);
      long long bottom = 0;
      for (const Layer& layer : stack) {
        const std::uint32_t number =
            layer.material > 0 ? numbers[static_cast<std::size_t>(layer.material) - 1] : 0;
        if (number > 0) column.add(number, place(bottom), place(bottom + layer.quanta), store);
        bottom += layer.quanta;
      }
      column.flush(store);
      result.amount += column.given();
      result.outside += column.outside();
    }
  return result;
}

}  // namespace scree
