#include "process/sheet.h"

#include <algorithm>

#include "process/flow_launch.h"

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
    f.rain = static_cast<float>(parameters_.rain * step / q);
  }
  f.limit = static_cast<float>(parameters_.limiter);
  f.slack = static_cast<float>(std::min(parameters_.limiter_slack * std::min(dx, dy) / q, 1e8));
  if (terrain.has("floor")) f.options |= OPTION_FLOOR;
  if (terrain.has("sink")) f.options |= OPTION_SINK;
  if (track) f.options |= OPTION_TRACK;
  return f;
}

void SheetErosion::run(Heightfield& terrain, const StepContext& context, int /*phase*/) {
  device::Field &bed = terrain.field("bed"), &water = terrain.field("water"),
                &sediment = terrain.field("sediment");
  const auto or_bed = [&](const char* name) {
    return terrain.has(name) ? terrain.field(name).front() : bed.front();
  };
  // The sheet has no fluxes: the terrain's stay as they are, so nothing is passed to be written.
  const auto& unused = bed.front();
  const Flow numbers = flow_numbers(terrain, context);
  device::Arguments a;
  a.add(terrain.grid()).add(numbers);
  a.add(bed.front())
      .add(water.front())
      .add(sediment.front())
      .add(unused)
      .add(unused)
      .add(unused)
      .add(unused);
  a.add(bed.back())
      .add(water.back())
      .add(sediment.back())
      .add(unused)
      .add(unused)
      .add(unused)
      .add(unused);
  a.add(or_bed("sheet.source")).add(unused).add(unused).add(or_bed("floor")).add(or_bed("sink"));
  a.add(or_bed("flow")).add(or_bed("wear")).add(or_bed("deposit")).add(terrain.ledger());
  terrain.device().run(flow_kernel(FLOW_SHEET, numbers.options),
                       Range{0, 0, terrain.grid().width, terrain.grid().height}, a);
  for (device::Field* f : {&bed, &water, &sediment}) f->swap();
}

}  // namespace scree
