// What the tests of this folder share.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "device/device.h"
#include "io/file/io_test.h"
#include "run/runner.h"
#include "terrain/layers/layers.h"

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

// The number of a material by its name, or -1.
inline int material(const Layers& layers, const std::string& name) {
  for (std::size_t m = 0; m < layers.materials().size(); ++m)
    if (layers.materials()[m].name == name) return static_cast<int>(m) + 1;
  return -1;
}

// Of a run into a folder.
inline RunOptions options_in(const std::filesystem::path& folder,
                             const device::DevicePtr& device = cpu()) {
  RunOptions options;
  options.out = folder;
  options.opened = device;
  return options;
}
inline RunOptions options_for(const io::testing::TemporaryFolder& folder,
                              const device::DevicePtr& device = cpu()) {
  return options_in(folder.path() / "out", device);
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
