#include "process/heights/sheet.h"

#include <algorithm>

#include "process/core/registry.h"
#include "process/heights/flow_step.h"

namespace scree {
namespace {

constexpr std::uint32_t sheet_salt = 0x5ee70105U;

constexpr FieldSpec source_field{.name = "sheet.source",
                                 .unit = "m/s",
                                 .help = "All water that arrives: rain, its shape and its map",
                                 .scratch = true};

}  // namespace

RainShape SheetErosion::rain_shape() const {
  return {parameters_.rain, parameters_.rain_shape, parameters_.rain_x, parameters_.rain_y,
          parameters_.rain_radius};
}

std::vector<FieldSpec> SheetErosion::fields(const std::set<std::string>& maps) const {
  std::vector<FieldSpec> needed;
  if (!rain_is_uniform(rain_shape(), {}, maps.contains("rain"))) needed.push_back(source_field);
  if (track) needed.insert(needed.end(), {flow_field, wear_field, deposit_field});
  return needed;
}

void SheetErosion::prepare(Heightfield& terrain) {
  Process::prepare(terrain);
  if (uses_source(terrain)) write_source(terrain, source_field.name, rain_shape(), {});
}

bool SheetErosion::uses_source(const Heightfield& terrain) const {
  return terrain.has(source_field.name) && !rain_is_uniform(rain_shape(), {}, terrain.has("rain"));
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
  if (uses_source(terrain)) {
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
  run_flow_step(terrain, flow_numbers(terrain, context), FLOW_SHEET, source_field.name);
}

SCREE_PROCESS(sheet) {
  ProcessKind kind = kind_of<SheetErosion, SheetParameters>("sheet");
  kind.title = "Sheet erosion";
  kind.help = "a fast model without momentum; a window that scrolls over an endless landscape";
  kind.order = 20;
  kind.fields = {source_field};
  return kind;
}

}  // namespace scree
