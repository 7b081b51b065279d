// How the flow step is cut into work, and which variant of it runs: shared by the processes that
// run it.
#pragma once

#include "device/device.h"
#include "kernel/flow_ledger.h"

namespace scree {

// Steps without options, and those that only track masks, are compiled without the tests for the
// others.
struct FlowVariant {
  const char* name;
  const char* defines;
};
#define SCREE_FLOW_VARIANTS(name, kind)                                 \
  {                                                                     \
    {name, "-D FLOW_KIND=" kind " -D FLOW_KNOWN=-1"},                   \
        {name "_plain", "-D FLOW_KIND=" kind " -D FLOW_KNOWN=0"}, {     \
      name "_masks", "-D FLOW_KIND=" kind " -D FLOW_KNOWN=OPTION_TRACK" \
    }                                                                   \
  }

inline device::Kernel flow_kernel(int kind, int options) {
  static constexpr FlowVariant variants[][3] = {
      SCREE_FLOW_VARIANTS("flow_4", "0"),         SCREE_FLOW_VARIANTS("flow_8", "1"),
      SCREE_FLOW_VARIANTS("flow_4_erosion", "2"), SCREE_FLOW_VARIANTS("flow_8_erosion", "3"),
      SCREE_FLOW_VARIANTS("flow_sheet", "4"),
  };
  static_assert(FLOW_EIGHT == 1 && FLOW_EROSION == 2 && FLOW_SHEET == 4);
  constexpr int halo = 2, tallest = 16, lead = 6;
  const FlowVariant& v = variants[kind][options == 0 ? 1 : options == OPTION_TRACK ? 2 : 0];
  return {v.name, "kernel/flow.cl", FLOW_TILE_X, FLOW_TILE_Y, FLOW_TILE_X + 2 * halo,
          1,      tallest,          lead,        "flow_step", v.defines};
}
#undef SCREE_FLOW_VARIANTS

}  // namespace scree
