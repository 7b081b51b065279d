// Prefix sums of counts in a device's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/device.h"

namespace scree::surface {

// Grows a buffer that is kept from one extraction to the next. What it held is lost.
void need(device::Device& device, device::BufferPtr& buffer, std::size_t bytes);

class PrefixSums {
 public:
  explicit PrefixSums(device::DevicePtr device) : device_(std::move(device)) {}
  // Each of `count` numbers becomes the sum of those before it, and one after them, for which there
  // must be room, the sum of all, which is returned.
  std::uint32_t run(const device::BufferPtr& values, int count);

 private:
  void run(const device::BufferPtr& values, int count, std::size_t level);

  device::DevicePtr device_;
  std::vector<device::BufferPtr> sums_;
};

}  // namespace scree::surface
