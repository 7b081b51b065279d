#include "process/sheet.h"

#include <algorithm>

#include "process/flow_step.h"

namespace scree {
namespace {

constexpr std::uint32_t sheet_salt = 0x5ee70105U;

}  // namespace

RainShape SheetErosion::rain_shape() const {
  return {parameters_.rain, parameters_.rain_shape, parameters_.rain_x, parameters_.rain_y,
          parameters_.rain_radius};
}

void SheetErosion::prepare(Heightfield& terrain) {
  if (!rain_is_uniform(rain_shape(), {}, terrain))
    write_source(terrain, "sheet.source", rain_shape(), {});
  if (track) {
    terrain.ensure("flow", device::FieldType::float32, false);
    terrain.ensure("wear", device::FieldType::int32, false);
    terrain.ensure("deposit", device::FieldType::int32, false);
  }
}

Flow SheetErosion::flow_numbers(const Heightfield& terrain, const StepContext& context) const {
  Flow f{};
  const double q = terrain.quantum().metres(), step = parameters_.step;
  const double dx = static_cast<double>(terrain.grid().dx),
               dy = static_cast<double>(terrain.grid().dy);
  f.step_seed = step_seed(context, sheet_salt);
  f.booked_sides = terrain.booked_sides();
  f.reserve = 4;
  f.dt = 1;  // fluxes are quanta a step
  f.quantum = static_cast<float>(q);
  f.half_dx = static_cast<float>(dx / 2);
  f.half_dy = static_cast<float>(dy / 2);
  f.keep = 1;
  f.share = static_cast<float>(parameters_.damping);
  f.abrasion = static_cast<float>(parameters_.abrasion);
  f.solubility = static_cast<float>(parameters_.solubility);
  f.deep = static_cast<float>(parameters_.deep_water / q);
  f.evaporate_depth = static_cast<float>(std::min(parameters_.evaporation * step / q, 1e8));
  if (terrain.has("sheet.source")) {
    f.options |= OPTION_SOURCE_MAP;
    f.source_scale = static_cast<float>(step / q);
  } else {
    f.rain = std::min(static_cast<float>(parameters_.rain * step / q), SCREE_MOST_OUT);
  }
  f.limit = static_cast<float>(parameters_.limiter);
  f.slack = static_cast<float>(std::min(parameters_.limiter_slack * std::min(dx, dy) / q, 1e8));
  if (terrain.has("floor")) f.options |= OPTION_FLOOR;
  if (terrain.has("sink")) f.options |= OPTION_SINK;
  if (track) f.options |= OPTION_TRACK;
  return f;
}

void SheetErosion::run(Heightfield& terrain, const StepContext& context, int /*phase*/) {
  run_flow_step(terrain, flow_numbers(terrain, context), FLOW_SHEET, "sheet.source");
}

}  // namespace scree
