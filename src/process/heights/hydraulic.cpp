#include "process/heights/hydraulic.h"

#include <algorithm>

#include "base/angle.h"
#include "kernel/heights/advect.h"
#include "kernel/heights/flow_ledger.h"
#include "process/core/registry.h"

namespace scree {
namespace {

constexpr device::Kernel velocity_kernel{"advect_velocity", "kernel/heights/advect.h"};
constexpr device::Kernel forward_kernel{"advect_forward", "kernel/heights/advect.h"};
constexpr device::Kernel finish_kernel{"advect_finish", "kernel/heights/advect.h"};

// Critical Shields number times the submerged specific gravity of quartz (Shields 1936).
constexpr double shields_depth_per_grain = 0.047 * 1.65;

constexpr FieldSpec looseness_field{
    .name = "looseness", .start = 1, .help = "Factor on erodibility that fresh deposits change"};
constexpr FieldSpec advect_fields[] = {
    {.name = "advect.x", .help = "Cells that water moves east in a step", .scratch = true},
    {.name = "advect.y", .help = "Cells that water moves south in a step", .scratch = true},
    {.name = "advect.ahead", .help = "Sediment moved on by a step", .scratch = true}};

// A rate as a share a step that no dt can overshoot.
float share(double rate, double dt) { return static_cast<float>(rate * dt / (1 + rate * dt)); }

Range interior(const Heightfield& terrain) {
  return {0, 0, terrain.grid().width, terrain.grid().height};
}

}  // namespace

void add_erosion_fields(const HydraulicParameters& e, std::vector<FieldSpec>& needed) {
  if (e.loosening != 0) needed.push_back(looseness_field);
  if (e.transport == "euler" || e.transport == "maccormack")
    needed.insert(needed.end(), std::begin(advect_fields), std::end(advect_fields));
}

void add_erosion(Flow& flow, const HydraulicParameters& e, const Heightfield& terrain, double dt) {
  const double q = terrain.quantum().metres();
  const Grid& g = terrain.grid();
  const double dx = static_cast<double>(g.dx), dy = static_cast<double>(g.dy);
  flow.slope_x = static_cast<float>(q / (2 * dx));
  flow.slope_y = static_cast<float>(q / (2 * dy));
  const double least = sine_of_degrees(e.min_tilt);
  flow.least_sine2 = static_cast<float>(least * least);
  flow.capacity = static_cast<float>(e.capacity * e.time_acceleration);
  if (e.capacity_form == "speed") {
    flow.options |= OPTION_SPEED_CAPACITY;
    flow.capacity = static_cast<float>(e.capacity * e.time_acceleration / q);
    flow.ramp = static_cast<float>(q / e.ramp_depth);
  }
  flow.load_limit = static_cast<float>(e.load_limit * e.time_acceleration);
  flow.load_most =
      static_cast<float>(std::min(e.load_depth / q, static_cast<double>(SCREE_SEDIMENT_LIMIT)));
  flow.erode = share(e.dissolve, dt);
  flow.deposit = share(e.deposit, dt);
  flow.limit = static_cast<float>(std::min(e.limiter, e.limiter_rate * dt));
  flow.slack = static_cast<float>(std::min(e.limiter_slack * std::min(dx, dy) / q, 1e8));
  if (e.soil_to_water) flow.options |= OPTION_SOIL_TO_WATER;
  if (e.constants == "material") {
    flow.options |= OPTION_SHIELDS;
    flow.shields = static_cast<float>(shields_depth_per_grain * e.grain_size / q);
  }
  if (e.loosening != 0) {
    flow.options |= OPTION_LOOSENESS;
    flow.loosen = static_cast<float>(e.loosening * q);
    flow.recover = static_cast<float>(e.recovery * dt);
    flow.looseness_low = static_cast<float>(e.firmest);
    flow.looseness_high = static_cast<float>(e.loosest);
    flow.dry = static_cast<float>(1e-4 / q);
  }
  if (terrain.has("erodibility")) flow.options |= OPTION_ERODIBILITY;
  if (e.transport != "flux") flow.options |= OPTION_NO_TRANSPORT;
}

void advect_ahead(Heightfield& terrain, const Flow& flow, bool eight) {
  device::Device& device = terrain.device();
  const Grid& g = terrain.grid();
  Advect numbers{};
  numbers.eight = eight ? 1 : 0;
  // flow_sum * half the cell's length is a discharge; over depth a speed; over the length, cells.
  numbers.cells_x = 0.5F * flow.dt;
  numbers.cells_y = 0.5F * flow.dt;
  const auto& east = terrain.field("flux.x").front();
  const auto& south = terrain.field("flux.y").front();
  device::Arguments velocity;
  velocity.add(g).add(numbers).add(terrain.field("water").front()).add(east).add(south);
  velocity.add(eight ? terrain.field("flux.se").front() : east);
  velocity.add(eight ? terrain.field("flux.sw").front() : south);
  velocity.add(terrain.field("advect.x").front()).add(terrain.field("advect.y").front());
  device.run(velocity_kernel, interior(terrain), velocity);
  device::Arguments forward;
  forward.add(g).add(terrain.field("advect.x").front()).add(terrain.field("advect.y").front());
  forward.add(terrain.field("sediment").front()).add(terrain.field("advect.ahead").front());
  device.run(forward_kernel, interior(terrain), forward);
}

void advect_finish(Heightfield& terrain, const Flow& flow, bool correct) {
  const long long before = terrain.sum("sediment");
  AdvectEnd end{};
  end.step_seed = flow.step_seed;
  end.correct = correct ? 1 : 0;
  device::Field& sediment = terrain.field("sediment");
  device::Arguments arguments;
  arguments.add(terrain.grid()).add(end);
  arguments.add(terrain.field("advect.x").front()).add(terrain.field("advect.y").front());
  arguments.add(terrain.field("bed").front()).add(sediment.front());
  arguments.add(terrain.field("advect.ahead").front()).add(sediment.back());
  terrain.device().run(finish_kernel, interior(terrain), arguments);
  sediment.swap();
  auto booked = terrain.booked();
  booked[LEDGER_ADVECTED] += terrain.sum("sediment") - before;
  terrain.set_booked(booked);
}

// The step of the water does its work (process/heights/water.cpp).
SCREE_PROCESS(hydraulic) {
  ProcessKind kind{.name = "hydraulic",
                   .title = "Hydraulic erosion",
                   .help =
                       "capacity, wear and deposit; conserving transport; erodibility, grain "
                       "size, time acceleration",
                   .order = 11,
                   .takes_every = false,
                   .parameters = AnyParameters(HydraulicParameters{})};
  kind.fields = {looseness_field, advect_fields[0], advect_fields[1], advect_fields[2]};
  kind.make["layers"] = [](const ProcessSet&) -> AnyProcessPtr { return nullptr; };
  return kind;
}

}  // namespace scree
