// What the tests of this folder share.
#pragma once

#include <string>
#include <string_view>

#include "base/progress.h"
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

// Ctrl-C as soon as so many steps are done: outputs of that step are not yet written.
class StopAfter : public Progress {
 public:
  explicit StopAfter(long long steps) : steps_(steps) {}
  void update(long long done, long long /*total*/, std::string_view /*what*/) override {
    if (done >= steps_) token.cancel();
  }
  CancelToken token;

 private:
  long long steps_;
};

}  // namespace scree::testing
