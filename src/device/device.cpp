#include "device/device.h"

#include <charconv>

#include "base/error.h"
#include "device/cpu/cpu_device.h"
#include "device/opencl/opencl_device.h"

namespace scree::device {
namespace {

// Calls are done as they come: the read can wait until it is wanted.
class ReadOnDemand : public PendingRead {
 public:
  ReadOnDemand(Device& device, BufferPtr from) : device_(device), from_(std::move(from)) {}
  void wait(void* to, std::size_t bytes) override { device_.read(*from_, 0, to, bytes); }

 private:
  Device& device_;
  BufferPtr from_;
};

int opencl_index(const std::string& selector) {
  const std::string digits = selector.size() > 7 ? selector.substr(7) : "0";
  int index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc{} || end != digits.data() + digits.size())
    throw UsageError(text("device '", selector, "': expected opencl or opencl:N"));
  return index;
}

// The first GPU; without one, the first device there is.
int default_opencl_index() {
  const std::vector<DeviceInfo> devices = list_opencl();
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (devices[i].is_gpu) return static_cast<int>(i);
  return 0;
}

DevicePtr open_best(const DeviceOptions& options) {
  const std::vector<DeviceInfo> devices = list_opencl();
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (devices[i].is_gpu && devices[i].exact) return open_opencl(static_cast<int>(i), false);
  return open_cpu(options.threads, options.isa);
}

}  // namespace

PendingReadPtr Device::read_later(const BufferPtr& from) {
  return std::make_unique<ReadOnDemand>(*this, from);
}

DevicePtr open_device(const DeviceOptions& options) {
  if (options.threads < 0 || options.threads > 4096)
    throw UsageError(text("threads: expected 0 (all cores) to 4096, got ", options.threads));
  if (options.selector.empty() || options.selector == "auto") return open_best(options);
  if (options.selector == "cpu") return open_cpu(options.threads, options.isa);
  if (options.selector == "opencl") return open_opencl(default_opencl_index(), options.inexact);
  if (options.selector.starts_with("opencl:"))
    return open_opencl(opencl_index(options.selector), options.inexact);
  throw UsageError(
      text("unknown device '", options.selector, "', expected auto, cpu, opencl or opencl:N"));
}

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> devices{describe_cpu()};
  for (DeviceInfo& info : list_opencl()) devices.push_back(std::move(info));
  return devices;
}

}  // namespace scree::device
