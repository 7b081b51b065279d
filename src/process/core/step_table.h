// A table on a device that depends on the length of a step: written when that changes.
#pragma once

#include <vector>

#include "device/device.h"

namespace scree {

template <class Entry>
class StepTable {
 public:
  // `make(seconds)` gives the entries of a step that stands for so long, always as many.
  template <class Make>
  void set(device::Device& device, double seconds, Make make) {
    if (buffer_ && seconds == seconds_) return;
    const std::vector<Entry> entries = make(seconds);
    const std::size_t bytes = entries.size() * sizeof(Entry);
    if (!buffer_) buffer_ = device.allocate(bytes);
    device.write(*buffer_, 0, entries.data(), bytes);
    seconds_ = seconds;
  }
  const device::BufferPtr& buffer() const { return buffer_; }

 private:
  device::BufferPtr buffer_;
  double seconds_ = 0;
};

}  // namespace scree
