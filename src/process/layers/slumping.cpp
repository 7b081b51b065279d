#include "process/layers/slumping.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/angle.h"
#include "base/error.h"
#include "process/core/registry.h"
#include "process/core/state.h"
#include "process/layers/layer_materials.h"

namespace scree {
namespace {

constexpr device::Kernel spread_kernel{"slump_spread", "kernel/layers/slump.h"};
constexpr device::Kernel fall_kernel{"slump_fall", "kernel/layers/slump.h"};

// Paths are counted in parts of half of the shorter side of a cell: fine enough for its diagonal,
// and coarse enough for 32768 cells.
constexpr double parts_of_half = 512;
// Passes between two looks whether there is anything new.
constexpr int passes = 8;

// How many times longer than the straight line a way along sides and diagonals of cells can be. The
// worst is halfway between a diagonal and the shorter side.
double longest_detour(double dx, double dy) {
  const double cosine = std::min(dx, dy) / length_of(dx, dy);
  return std::sqrt(2 / (1 + cosine));
}

Range all_of(const Layers& terrain) {
  return {0, 0, terrain.shape().width, terrain.shape().height};
}

}  // namespace

std::vector<SlumpMaterial> Slumping::table(const Layers& terrain) {
  std::vector<SlumpMaterial> table(LAYER_MATERIALS);
  for (std::size_t i = 0; i < terrain.materials().size(); ++i) {
    const Material& m = terrain.materials()[i];
    SlumpMaterial& entry = table[i + 1];
    entry.density = static_cast<float>(m.density);
    entry.cohesion = static_cast<float>(m.cohesion);
    entry.dust = static_cast<std::uint32_t>(dust_of(terrain.materials(), i));
    entry.gap = m.fluid ? 1 : 0;
  }
  return table;
}

double Slumping::span(const Material& material, double thickness,
                      const SlumpingParameters& parameters) {
  return std::sqrt(material.cohesion * thickness /
                   (3 * parameters.gravity * parameters.safety * material.density));
}

Slumping::Slumping(SlumpingParameters parameters) : parameters_(std::move(parameters)) {
  if (!(parameters_.gravity > 0) || !std::isfinite(parameters_.gravity))
    throw UsageError(text("gravity = ", parameters_.gravity, ": expected more than 0 m/s2"));
  if (!(parameters_.safety > 0) || !std::isfinite(parameters_.safety))
    throw UsageError(text("safety = ", parameters_.safety, ": expected more than 0"));
}

void Slumping::prepare(Layers& terrain) {
  const std::vector<SlumpMaterial> entries = table(terrain);
  device::Device& device = terrain.device();
  table_ = device.allocate(entries.size() * sizeof entries[0]);
  device.write(*table_, 0, entries.data(), entries.size() * sizeof entries[0]);
  word_ = device.allocate(sizeof(std::uint32_t));
}

Slump Slumping::numbers(const Layers& terrain) const {
  const LayerShape& s = terrain.shape();
  const double unit = std::min(s.dx, s.dy) / 2 / parts_of_half;
  const double diagonal = length_of(s.dx, s.dy), detour = longest_detour(s.dx, s.dy);
  const auto count = [&](double metres) {
    return static_cast<int>(std::min(std::floor(metres / unit / detour), 1e6));
  };
  Slump p{};
  p.half_x = count(s.dx / 2);
  p.half_y = count(s.dy / 2);
  p.half_d = count(diagonal / 2);
  p.metres = static_cast<float>(unit);
  p.face_x = static_cast<float>(s.dx / 2);
  p.face_y = static_cast<float>(s.dy / 2);
  p.load = static_cast<float>(3 * parameters_.gravity * parameters_.safety / s.quantum);
  p.fluids = fluid_among(terrain.materials()) > 0 ? 1 : 0;
  return p;
}

// True where a pass has brought anything new.
bool Slumping::spread(const Layers& terrain, bool first) {
  device::Device& device = terrain.device();
  std::uint32_t changed = 0;
  device.write(*word_, 0, &changed, sizeof changed);
  Slump p = numbers(terrain);
  for (int pass = 0; pass < (first ? 1 : passes); ++pass) {
    p.first = first ? 1 : 0;
    device::Arguments a;
    a.add(terrain.grid()).add(p).add(table_).add(terrain.front()).add(terrain.tops_front());
    a.add(before_).add(after_).add(word_);
    device.run(spread_kernel, all_of(terrain), a);
    std::swap(before_, after_);
  }
  device.read(*word_, 0, &changed, sizeof changed);
  return changed != 0;
}

void Slumping::run(Layers& terrain, const StepContext& /*context*/) {
  device::Device& device = terrain.device();
  // At most every second layer is a gap with a slab upon it.
  const std::size_t bytes = terrain.shape().cells() * sizeof(SlumpReach) *
                            static_cast<std::size_t>(terrain.grid().planes / 2);
  if (!before_ || before_->bytes() < bytes) {
    before_ = device.allocate(bytes);
    after_ = device.allocate(bytes);
  }
  if (!spread(terrain, true)) return;
  while (spread(terrain, false)) {
  }
  std::uint32_t fallen = 0;
  device.write(*word_, 0, &fallen, sizeof fallen);
  device::Arguments a;
  a.add(terrain.grid()).add(numbers(terrain)).add(table_).add(before_);
  a.add(terrain.front()).add(terrain.tops_front()).add(word_);
  device.run(fall_kernel, all_of(terrain), a);
  device.read(*word_, 0, &fallen, sizeof fallen);
  fallen_ += fallen;
}

void Slumping::visit(StateVisitor& visitor) {
  visitor.array<long long>(
      "fallen", 1, [&] { return std::vector<long long>{fallen_}; },
      [&](const std::vector<long long>& kept) { fallen_ = kept[0]; });
}

SCREE_PROCESS(slumping) {
  ProcessKind kind = kind_of<Slumping, SlumpingParameters>("slumping");
  kind.title = "Slumping";
  kind.help = "roofs that span too far fall into the caves below them";
  kind.order = 45;
  return kind;
}

}  // namespace scree
