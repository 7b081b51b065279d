#include "process/heights/water.h"

#include <algorithm>
#include <cmath>

#include "kernel/heights/flow_ledger.h"
#include "kernel/heights/wetness.h"
#include "process/core/registry.h"
#include "process/heights/flow_step.h"
#include "process/layers/layer_water.h"

namespace scree {
namespace {

constexpr std::uint32_t water_salt = 0x57a7e201U;

constexpr FieldSpec source_field{
    .name = "source",
    .unit = "m/s",
    .help = "All water that arrives: rain, its shape, its map and springs",
    .scratch = true};
constexpr FieldSpec diagonal_fields[] = {
    {.name = "flux.se",
     .double_buffered = true,
     .unit = "m3/s",
     .help = "Water to the south-eastern neighbour, with 8 neighbours"},
    {.name = "flux.sw",
     .double_buffered = true,
     .unit = "m3/s",
     .help = "Water to the south-western neighbour, with 8 neighbours"}};

constexpr device::Kernel wetness_kernel{"wetness", "kernel/heights/wetness.h"};

// Film from which soil counts as covered (Muck 2012, listing 5.5).
constexpr double wetting_film = 1e-4;

// Share of the stability limit that a step uses.
constexpr double courant = 0.7;
// Water shallower than this does not lengthen the step: films are fast for their depth.
constexpr double least_depth_for_dt = 0.25;

}  // namespace

Water::Water(WaterParameters water, std::vector<SpringParameters> springs,
             std::optional<HydraulicParameters> erosion)
    : water_(std::move(water)), springs_(std::move(springs)), erosion_(std::move(erosion)) {}

bool Water::semi_lagrangian() const {
  return erosion_ && (erosion_->transport == "euler" || erosion_->transport == "maccormack");
}

RainShape Water::rain_shape() const {
  return {water_.rain, water_.rain_shape, water_.rain_x, water_.rain_y, water_.rain_radius};
}

int Water::phases() const { return semi_lagrangian() ? 3 : 1; }

std::vector<FieldSpec> Water::fields(const std::set<std::string>& maps) const {
  std::vector<FieldSpec> needed;
  if (eight()) needed.insert(needed.end(), std::begin(diagonal_fields), std::end(diagonal_fields));
  if (!rain_is_uniform(rain_shape(), springs_, maps.contains("rain")))
    needed.push_back(source_field);
  if (track) needed.insert(needed.end(), {flow_field, wear_field, deposit_field});
  if (erosion_) add_erosion_fields(*erosion_, needed);
  return needed;
}

void Water::prepare(Heightfield& terrain) {
  Process::prepare(terrain);
  if (uses_source(terrain)) write_source(terrain, source_field.name, rain_shape(), springs_);
  // What another water has left on edges that this one does not have.
  if (eight()) return;
  for (const FieldSpec& field : diagonal_fields)
    if (terrain.has(field.name)) terrain.field(field.name).clear(terrain.device());
}

// The field may be there and not in use, where rain became uniform.
bool Water::uses_source(const Heightfield& terrain) const {
  return terrain.has(source_field.name) &&
         !rain_is_uniform(rain_shape(), springs_, terrain.has("rain"));
}

// Width over length of the edges: equal on the axes for four neighbours; for eight the isotropic
// nine-point weights (2/3 and 1/6 on squares), kept exact for oblong cells.
struct Conductance {
  double x, y, d;
};
static Conductance conductance(double dx, double dy, bool eight) {
  if (!eight) return {dy / dx, dx / dy, 0};
  const double d = dx * dy / (3 * (dx * dx + dy * dy));
  return {dy / dx - 2 * d, dx / dy - 2 * d, d};
}

Flow Water::flow_numbers(const Heightfield& terrain, const StepContext& context) const {
  Flow f{};
  const double q = terrain.quantum().metres(), dt = context.dt;
  const double dx = static_cast<double>(terrain.grid().dx),
               dy = static_cast<double>(terrain.grid().dy);
  const Conductance c = conductance(dx, dy, eight());
  const double push = dt * water_.gravity * q / (dx * dy);
  f.step_seed = step_seed(context, water_salt);
  f.booked_sides = terrain.booked_sides();
  f.reserve = eight() ? 8.0F : 4.0F;
  f.dt = static_cast<float>(dt);
  f.quantum = static_cast<float>(q);
  f.accelerate_x = static_cast<float>(push * c.x);
  f.accelerate_y = static_cast<float>(push * c.y);
  f.accelerate_d = static_cast<float>(push * c.d);
  f.half_friction = static_cast<float>(dt * water_.friction / (2 * q));
  f.half_dx = static_cast<float>(dx / 2);
  f.half_dy = static_cast<float>(dy / 2);
  f.keep = static_cast<float>(1 - water_.dampening);
  if (uses_source(terrain)) {
    f.options |= OPTION_SOURCE_MAP;
    f.source_scale = static_cast<float>(dt / q);
  } else {
    f.rain = std::min(static_cast<float>(water_.rain * dt / q), SCREE_MOST_OUT);
  }
  if (water_.drop_rain > 0) {
    f.options |= OPTION_DROPS;
    f.drop_chance = static_cast<float>(std::min(water_.drop_rate * dt, 1.0));
    // Where there is more than one drop a step, they fall together.
    f.drop_amount = static_cast<float>(water_.drop_rain * std::max(water_.drop_rate * dt, 1.0) / q);
    f.drops_per_dx = static_cast<float>(dx / water_.drop_size);
    f.drops_per_dy = static_cast<float>(dy / water_.drop_size);
  }
  f.evaporate = static_cast<float>(water_.evaporation * dt / (1 + water_.evaporation * dt));
  f.evaporate_depth = static_cast<float>(std::min(water_.evaporation_depth * dt / q, 1e8));
  if (terrain.has("floor")) f.options |= OPTION_FLOOR;
  if (terrain.has("sink")) f.options |= OPTION_SINK;
  if (track) f.options |= OPTION_TRACK;
  if (erosion_) add_erosion(f, *erosion_, terrain, dt);
  return f;
}

void Water::run(Heightfield& terrain, const StepContext& context, int phase) {
  if (phase == 0) {
    const int kind = (eight() ? FLOW_EIGHT : 0) | (erosion_ ? FLOW_EROSION : 0);
    run_flow_step(terrain, flow_numbers(terrain, context), kind, source_field.name);
    if (terrain.has("wetness")) update_wetness(terrain, context.dt);
    return;
  }
  const Flow numbers = flow_numbers(terrain, context);
  if (phase == 1)
    advect_ahead(terrain, numbers, eight());
  else
    advect_finish(terrain, numbers, erosion_->transport == "maccormack");
}

std::vector<std::string> Water::halo_fields(const Heightfield& /*terrain*/, int phase) const {
  if (phase == 2) return {"advect.ahead"};
  return {};
}

void Water::update_wetness(Heightfield& terrain, double dt) {
  Wetness numbers{};
  numbers.film = std::max(1, static_cast<int>(wetting_film / terrain.quantum().metres()));
  numbers.soak = static_cast<float>(dt / (dt + water_.wetting_time));
  numbers.dry = static_cast<float>(dt / (dt + water_.drying_time));
  device::Arguments a;
  a.add(terrain.grid())
      .add(numbers)
      .add(terrain.field("water").front())
      .add(terrain.field("wetness").front());
  terrain.device().run(wetness_kernel, Range{0, 0, terrain.grid().width, terrain.grid().height}, a);
}

// Gravity waves on a grid stepped flux first, then level: dt sqrt(g d) sqrt(1/dx^2 + 1/dy^2) < 1.
double Water::stable_dt(const Heightfield& terrain, double deepest) const {
  const double dx = static_cast<double>(terrain.grid().dx),
               dy = static_cast<double>(terrain.grid().dy);
  const double depth = std::max(deepest, least_depth_for_dt);
  return courant / std::sqrt(water_.gravity * depth * (1 / (dx * dx) + 1 / (dy * dy)));
}

// Erosion is done by the step of the water, which runs for it even where the scene has no [water].
static AnyProcessPtr make_water(const ProcessSet& set) {
  if (!set.on("water") && !set.on("hydraulic")) return nullptr;
  WaterParameters dry;
  dry.rain = 0;
  std::optional<HydraulicParameters> erosion;
  if (set.on("hydraulic")) erosion = set["hydraulic"].as<HydraulicParameters>();
  if (!set.on("water"))
    return std::make_unique<Water>(dry, std::vector<SpringParameters>{}, erosion);
  return std::make_unique<Water>(set["water"].as<WaterParameters>(),
                                 set["water"].list<SpringParameters>("spring"), erosion);
}

SCREE_PROCESS(water) {
  ProcessKind kind{.name = "water",
                   .title = "Water",
                   .help =
                       "rain, showers and springs; pipe model with four or eight neighbours, "
                       "friction, evaporation",
                   .order = 10,
                   .takes_every = false,
                   .parameters = AnyParameters(WaterParameters{})};
  kind.lists.emplace("spring", SpringParameters{});
  kind.fields = {diagonal_fields[0], diagonal_fields[1], source_field};
  kind.make["heightfield"] = make_water;
  kind.make["layers"] = make_layer_water;
  return kind;
}

}  // namespace scree
