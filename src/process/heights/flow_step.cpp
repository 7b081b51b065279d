#include "process/heights/flow_step.h"

#include "kernel/heights/flow_ledger.h"
#include "terrain/heights/flow_lanes.h"

namespace scree {
namespace {

// Steps without options, those that only track masks and those on layers are compiled without the
// tests for the others; on OpenCL also those at whose borders nothing is booked, and those of few
// lanes.
struct FlowVariant {
  const char* name;
  const char* defines[2][2];  // nothing booked, something booked; many lanes, few
};
#define SCREE_FLOW_LANES(defines) \
  { defines, defines " -D FLOW_LANES=32" }
#define SCREE_FLOW_VARIANT(name, defines)                                                          \
  {                                                                                                \
    name, {                                                                                        \
      SCREE_FLOW_LANES(defines " -D FLOW_BOOKED=0"), SCREE_FLOW_LANES(defines " -D FLOW_BOOKED=1") \
    }                                                                                              \
  }
#define SCREE_FLOW_VARIANTS(name, kind)                                                        \
  {                                                                                            \
    SCREE_FLOW_VARIANT(name, "-D FLOW_KIND=" kind " -D FLOW_KNOWN=-1"),                        \
        SCREE_FLOW_VARIANT(name "_plain", "-D FLOW_KIND=" kind " -D FLOW_KNOWN=0"),            \
        SCREE_FLOW_VARIANT(name "_masks", "-D FLOW_KIND=" kind " -D FLOW_KNOWN=OPTION_TRACK"), \
        SCREE_FLOW_VARIANT(name "_layers",                                                     \
                           "-D FLOW_KIND=" kind " -D FLOW_KNOWN=OPTIONS_ON_LAYERS")            \
  }

int variant_for(int options) {
  if (options == 0) return 1;
  if (options == OPTION_TRACK) return 2;
  return options == OPTIONS_ON_LAYERS ? 3 : 0;
}

device::Kernel flow_kernel(int kind, const Flow& numbers, int lanes) {
  static constexpr FlowVariant variants[][4] = {
      SCREE_FLOW_VARIANTS("flow_4", "0"),         SCREE_FLOW_VARIANTS("flow_8", "1"),
      SCREE_FLOW_VARIANTS("flow_4_erosion", "2"), SCREE_FLOW_VARIANTS("flow_8_erosion", "3"),
      SCREE_FLOW_VARIANTS("flow_sheet", "4"),
  };
  static_assert(FLOW_EIGHT == 1 && FLOW_EROSION == 2 && FLOW_SHEET == 4);
  static_assert(few_flow_lanes == 32);
  // Of a strip's six rows of lead-in, half the passes are left out. A strip's sums of rain fit 32
  // bits: 120 rows of SCREE_MOST_OUT.
  constexpr int tallest = 15, lead = 3;
  static_assert(static_cast<double>(SCREE_MOST_OUT) * tallest * FLOW_TILE_Y < 4294967296.0);
  const FlowVariant& v = variants[kind][variant_for(numbers.options)];
  return {v.name,
          "kernel/heights/flow.cl",
          lanes - 2 * FLOW_HALO,
          FLOW_TILE_Y,
          lanes,
          1,
          tallest,
          lead,
          "flow_step",
          v.defines[numbers.booked_sides != 0 ? 1 : 0][lanes == few_flow_lanes ? 1 : 0]};
}
#undef SCREE_FLOW_VARIANTS
#undef SCREE_FLOW_VARIANT
#undef SCREE_FLOW_LANES

}  // namespace

void run_flow_step(Heightfield& terrain, const Flow& numbers, int kind, const char* source) {
  const bool pipes = (kind & FLOW_SHEET) == 0, eight = (kind & FLOW_EIGHT) != 0;
  const bool carries = (kind & (FLOW_EROSION | FLOW_SHEET)) != 0;
  std::vector<device::Field*> state{&terrain.field("bed"), &terrain.field("water")};
  if (carries) state.push_back(&terrain.field("sediment"));
  // A step without fluxes leaves those of the terrain as they are.
  if (pipes) state.insert(state.end(), {&terrain.field("flux.x"), &terrain.field("flux.y")});
  if (eight) state.insert(state.end(), {&terrain.field("flux.se"), &terrain.field("flux.sw")});
  device::Arguments a;
  a.add(terrain.grid()).add(numbers);
  const auto add_state = [&](bool before) {
    std::size_t next = 0;
    for (const bool used : {true, true, carries, pipes, pipes, eight, eight}) {
      if (used)
        a.add(before ? state[next]->front() : state[next]->back()), ++next;
      else
        a.add_unused(state[0]->front());
    }
  };
  add_state(true);
  add_state(false);
  const auto add_option = [&](int option, const char* name) {
    if (numbers.options & option)
      a.add(terrain.field(name).front());
    else
      a.add_unused(state[0]->front());
  };
  add_option(OPTION_SOURCE_MAP, source);
  add_option(OPTION_ERODIBILITY, "erodibility");
  add_option(OPTION_LOOSENESS, "looseness");
  add_option(OPTION_FLOOR, "floor");
  add_option(OPTION_SINK, "sink");
  for (const char* mask : {"flow", "wear", "deposit"}) add_option(OPTION_TRACK, mask);
  a.add(terrain.ledger());
  terrain.device().run(flow_kernel(kind, numbers, flow_lanes(terrain.device().info())),
                       Range{0, 0, terrain.grid().width, terrain.grid().height}, a);
  for (device::Field* f : state) f->swap();
}

}  // namespace scree
