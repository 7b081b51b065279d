// How wide the work-groups of the flow step are (kernel/heights/flow.cl), and so the tiles that it
// books by.
#pragma once

#include "device/device.h"
#include "kernel/heights/flow_ledger.h"

namespace scree {

constexpr int few_flow_lanes = 32;

// OpenCL on a CPU keeps all that a lane knows in memory from one barrier to the next: that of few
// lanes fits the cache, and few are idle on a narrow terrain.
inline int flow_lanes(const device::DeviceInfo& info) {
  const bool opencl_on_cpu = info.selector.starts_with("opencl") && !info.is_gpu;
  return opencl_on_cpu ? few_flow_lanes : FLOW_LANES;
}

inline int flow_tile_width(const device::DeviceInfo& info) {
  return flow_lanes(info) - 2 * FLOW_HALO;
}

}  // namespace scree
