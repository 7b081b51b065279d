#include "process/layers/melt.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/angle.h"
#include "base/error.h"
#include "process/core/registry.h"
#include "process/core/state.h"
#include "process/layers/layer_materials.h"

namespace scree {
namespace {

constexpr std::uint32_t melt_salt = 0x6d31c0deU;
constexpr device::Kernel melt_kernel{"melt", "kernel/layers/melt.h"};

// The number of the material that ice becomes, 0 where there is none.
int water_of(const Layers& terrain) { return fluid_among(terrain.materials()); }

// The series of base/angle.h is for angles up to half a turn.
double sine(double degrees) { return sine_of_degrees(std::fmod(degrees + 540, 360) - 180); }

}  // namespace

Melting::Melting(MeltParameters parameters) : parameters_(std::move(parameters)) {
  if (!(parameters_.sun_elevation > 0 && parameters_.sun_elevation <= 90))
    throw UsageError(text("sun_elevation = ", parameters_.sun_elevation,
                          ": expected more than 0 and up to 90 degrees"));
}

std::vector<MeltMaterial> Melting::table(const Layers& terrain) {
  std::vector<MeltMaterial> table(LAYER_MATERIALS);
  const int water = water_of(terrain);
  std::uint32_t melting = 0;
  for (std::size_t i = 0; i < terrain.materials().size(); ++i) {
    const Material& m = terrain.materials()[i];
    MeltMaterial& entry = table[i + 1];
    entry.fluid = m.fluid ? 1 : 0;
    if (m.fluid || water == 0) continue;
    entry.melting = static_cast<float>(m.melting);
    if (m.melting > 0) entry.place = melting++;
    entry.water = static_cast<float>(
        m.density / terrain.materials()[static_cast<std::size_t>(water) - 1].density);
  }
  return table;
}

void Melting::prepare(Layers& terrain) {
  if (water_of(terrain) == 0)
    throw UsageError("melt: expected a fluid material, as \"water\", for the ice to melt into");
  const auto& all = terrain.materials();
  const auto melting = std::count_if(all.begin(), all.end(),
                                     [](const Material& m) { return m.melting > 0 && !m.fluid; });
  if (melting == 0) throw UsageError("melt: expected a material that melts, as \"ice\"");
  const std::vector<MeltMaterial> entries = table(terrain);
  device_ = terrain.device_ptr();
  device::Device& device = *device_;
  table_ = device.allocate(entries.size() * sizeof entries[0]);
  device.write(*table_, 0, entries.data(), entries.size() * sizeof entries[0]);
  needed_ = device.allocate(sizeof(std::uint32_t));
  tops_before_ = device.allocate(terrain.tops_front()->bytes());
  melted_ = device.allocate(static_cast<std::size_t>(melting) * terrain.shape().cells() *
                            sizeof(std::uint32_t));
  gained_ = device.allocate(terrain.shape().cells() * sizeof(std::uint32_t));
}

Melt Melting::numbers(const Layers& terrain, const StepContext& context) const {
  const LayerShape& s = terrain.shape();
  const double flat = 1 / tangent_of_degrees(parameters_.sun_elevation);
  Melt p{};
  p.step_seed = step_seed(context, melt_salt);
  p.water = static_cast<std::uint32_t>(water_of(terrain));
  p.rate = static_cast<float>(std::min(parameters_.rate * context.dt / s.quantum, 1e8));
  p.altitude = static_cast<float>((parameters_.altitude - s.datum) / s.quantum);
  p.lapse = static_cast<float>(parameters_.lapse * s.quantum);
  p.aspect = static_cast<float>(parameters_.aspect);
  p.slope_x = static_cast<float>(s.quantum / (2 * s.dx));
  p.slope_y = static_cast<float>(s.quantum / (2 * s.dy));
  // Azimuths count from north, which is towards smaller y.
  p.sun_x = static_cast<float>(sine(parameters_.sun_azimuth) * flat);
  p.sun_y = static_cast<float>(-sine(parameters_.sun_azimuth + 90) * flat);
  p.sun_z = 1;
  return p;
}

void Melting::run(Layers& terrain, const StepContext& context) {
  device::Device& device = terrain.device();
  const std::size_t bytes = terrain.tops_front()->bytes();
  device.copy_rows(*terrain.tops_front(), 0, bytes, *tops_before_, 0, bytes, bytes, 1);
  Melt p = numbers(terrain, context);
  for (const bool counts : {true, false}) {
    p.counts = counts ? 1 : 0;
    std::uint32_t needed = 0;
    if (counts) device.write(*needed_, 0, &needed, sizeof needed);
    device::Arguments a;
    a.add(terrain.grid()).add(p).add(table_).add(tops_before_);
    a.add(terrain.front()).add(terrain.tops_front()).add(melted_).add(gained_).add(needed_);
    device.run(melt_kernel, Range{0, 0, terrain.shape().width, terrain.shape().height}, a);
    if (!counts) break;
    device.read(*needed_, 0, &needed, sizeof needed);
    terrain.grow(static_cast<int>(needed));
  }
}

std::vector<std::uint32_t> Melting::counted(const Layers& terrain,
                                            const device::Buffer& counts) const {
  std::vector<std::uint32_t> all(counts.bytes() / sizeof(std::uint32_t));
  terrain.device().read(counts, 0, all.data(), counts.bytes());
  return all;
}

void Melting::visit(StateVisitor& visitor) {
  visitor.buffer("gained", StateType::uint32, *device_, *gained_);
  visitor.buffer("melted", StateType::uint32, *device_, *melted_);
}

std::vector<FieldSpec> Melting::fields() const {
  return {{.name = "melted", .unit = "m", .help = "Ice that has melted, added up"}};
}

std::vector<float> Melting::values(const Layers& terrain, const std::string& /*field*/) const {
  std::vector<float> metres(terrain.shape().cells());
  const std::vector<std::uint32_t> all = counted(terrain, *melted_);
  for (std::size_t i = 0; i < all.size(); ++i)
    metres[i % metres.size()] += static_cast<float>(all[i] * terrain.shape().quantum);
  return metres;
}

// Whatever melts leaves as ice and enters as water; the difference is what its volume shrinks by.
std::map<std::string, LayerBooking> Melting::booked(const Layers& terrain) const {
  const auto& materials = terrain.materials();
  const std::vector<std::uint32_t> gained = counted(terrain, *gained_),
                                   melted = counted(terrain, *melted_);
  const std::size_t cells = terrain.shape().cells();
  std::map<std::string, LayerBooking> all;
  const long long water = std::accumulate(gained.begin(), gained.end(), 0LL);
  all[materials[static_cast<std::size_t>(water_of(terrain)) - 1].name] = {
      .entered = water, .in = {{"melted", water}}};
  std::size_t place = 0;
  for (const Material& m : materials) {
    if (!(m.melting > 0) || m.fluid) continue;
    const auto first = melted.begin() + static_cast<std::ptrdiff_t>(place++ * cells);
    const long long ice = std::accumulate(first, first + static_cast<std::ptrdiff_t>(cells), 0LL);
    all[m.name] = {.left = ice, .out = {{"melted", ice}}};
  }
  return all;
}

SCREE_PROCESS(melt) {
  ProcessKind kind = kind_of<Melting, MeltParameters>("melt");
  kind.title = "Melt";
  kind.help = "ice on layers melts by altitude and aspect into water that runs";
  kind.order = 5;
  return kind;
}

}  // namespace scree
