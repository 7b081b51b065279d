#include "process/heights/thermal.h"

#include <algorithm>
#include <cmath>

#include "base/angle.h"
#include "base/error.h"
#include "base/log.h"
#include "process/core/registry.h"
#include "process/heights/nine_point.h"

namespace scree {
namespace {

constexpr std::uint32_t thermal_salt = 0x7a1c5003U;
constexpr device::Kernel thermal_kernel{
    "thermal", "kernel/heights/thermal.cl", THERMAL_TILE_X, THERMAL_TILE_Y, 32, 8};

// Wetness at which slopes stand steepest: damp, not soaked.
constexpr double damp_wetness = 0.3;

}  // namespace

std::vector<FieldSpec> ThermalWeathering::fields(const std::set<std::string>& /*maps*/) const {
  std::vector<FieldSpec> needed;
  if (parameters_.wetness_influence > 0) needed.push_back(wetness_field);
  if (track) needed.insert(needed.end(), {wear_field, deposit_field});
  return needed;
}

Thermal ThermalWeathering::thermal_numbers(const Heightfield& terrain,
                                           const StepContext& context) const {
  Thermal t{};
  const double q = terrain.quantum().metres();
  const double dx = static_cast<double>(terrain.grid().dx),
               dy = static_cast<double>(terrain.grid().dy);
  const double diagonal = std::sqrt(dx * dx + dy * dy);
  t.step_seed = step_seed(context, thermal_salt);
  t.border_sides = terrain.booked_sides();
  const NinePointWeights w = nine_point_weights(dx, dy);
  const double strength = std::min(parameters_.rate * context.dt * every, w.most());
  t.share_x = static_cast<float>(strength * w.x);
  t.share_y = static_cast<float>(strength * w.y);
  t.share_d = static_cast<float>(strength * w.d);
  const double slope = tangent_of_degrees(parameters_.talus) / q;
  t.drop_x = static_cast<float>(slope * dx);
  t.drop_y = static_cast<float>(slope * dy);
  t.drop_d = static_cast<float>(slope * diagonal);
  t.damp_at = static_cast<float>(damp_wetness);
  const double dry = tangent_of_degrees(parameters_.talus);
  t.damp_factor = static_cast<float>(tangent_of_degrees(parameters_.damp_talus) / dry);
  t.soaked_factor = static_cast<float>(tangent_of_degrees(parameters_.soaked_talus) / dry);
  t.wet_influence = static_cast<float>(parameters_.wetness_influence);
  t.strength_influence = static_cast<float>(parameters_.strength_influence);
  if (parameters_.wetness_influence > 0) t.options |= THERMAL_WETNESS;
  if (terrain.has("strength")) t.options |= THERMAL_STRENGTH;
  if (terrain.has("floor")) t.options |= THERMAL_FLOOR;
  if (terrain.has("sink")) t.options |= THERMAL_SINK;
  if (track) t.options |= THERMAL_TRACK;
  return t;
}

std::vector<std::string> ThermalWeathering::halo_fields(const Heightfield& terrain,
                                                        int /*phase*/) const {
  std::vector<std::string> names;
  if (parameters_.wetness_influence > 0) names.emplace_back("wetness");
  // Both ends of an edge that leads around the world, or to the next tile, must see the same.
  for (const char* map : {"strength", "floor", "sink"})
    if (terrain.has(map)) names.emplace_back(map);
  return names;
}

void ThermalWeathering::tell_of_limit(const Heightfield& terrain, double seconds) {
  const double most = nine_point_weights(static_cast<double>(terrain.grid().dx),
                                         static_cast<double>(terrain.grid().dy))
                          .most();
  // The first steps of a dry world are long, and soon shorter: only what lasts is worth a word.
  if (++runs_ != 256 || parameters_.rate * seconds <= most) return;
  log(LogLevel::info,
      text("thermal: rate = ", parameters_.rate, " m2/s is more than a step of ", seconds,
           " s takes on cells of this size: slopes creep at ", most / seconds, " m2/s"));
}

void ThermalWeathering::run(Heightfield& terrain, const StepContext& context, int /*phase*/) {
  device::Field& bed = terrain.field("bed");
  tell_of_limit(terrain, context.dt * every);
  const Thermal numbers = thermal_numbers(terrain, context);
  const auto or_bed = [&](const char* name) {
    return terrain.has(name) ? terrain.field(name).front() : bed.front();
  };
  device::Arguments a;
  a.add(terrain.grid()).add(numbers).add(bed.front()).add(bed.back());
  a.add(or_bed("wetness"))
      .add(or_bed("strength"))
      .add(or_bed("floor"))
      .add(or_bed("sink"))
      .add(or_bed("wear"))
      .add(or_bed("deposit"));
  terrain.device().run(thermal_kernel, Range{0, 0, terrain.grid().width, terrain.grid().height}, a);
  bed.swap();
}

SCREE_PROCESS(thermal) {
  ProcessKind kind = kind_of<ThermalWeathering, ThermalParameters>("thermal");
  kind.title = "Thermal weathering";
  kind.help = "slopes slide to their talus angle; wetness and strength";
  kind.order = 30;
  return kind;
}

}  // namespace scree
