// What the tests of this folder share.
#pragma once

#include "device/device.h"

namespace scree::testing {

inline device::DevicePtr open_selected(const std::string& selector) {
  device::DeviceOptions options;
  options.selector = selector;
  options.threads = 1;
  return device::open_device(options);
}

// The CPU, opened once.
inline const device::DevicePtr& cpu() {
  static const device::DevicePtr device = open_selected("cpu");
  return device;
}

}  // namespace scree::testing
