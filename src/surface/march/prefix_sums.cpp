#include "surface/march/prefix_sums.h"

#include "kernel/common/scan.h"

namespace scree::surface {
namespace {

constexpr device::Kernel sums_kernel{"scan_sums", "kernel/common/scan.h"};
constexpr device::Kernel apply_kernel{"scan_apply", "kernel/common/scan.h"};

}  // namespace

void need(device::Device& device, device::BufferPtr& buffer, std::size_t bytes) {
  if (buffer && buffer->bytes() >= bytes) return;
  // What grows once grows again.
  const std::size_t room = buffer ? bytes + bytes / 4 : bytes;
  buffer.reset();  // before the new one, so that both need not fit
  buffer = device.allocate(room);
}

std::uint32_t PrefixSums::run(const device::BufferPtr& values, int count) {
  const std::uint32_t zero = 0;
  const std::size_t end = static_cast<std::size_t>(count) * sizeof zero;
  device_->write(*values, end, &zero, sizeof zero);
  run(values, count + 1, 0);
  std::uint32_t sum = 0;
  device_->read(*values, end, &sum, sizeof sum);
  return sum;
}

void PrefixSums::run(const device::BufferPtr& values, int count, std::size_t level) {
  const int pieces = (count + SCAN_PIECE - 1) / SCAN_PIECE;
  if (sums_.size() <= level) sums_.resize(level + 1);
  need(*device_, sums_[level], static_cast<std::size_t>(pieces) * sizeof(std::uint32_t));
  if (pieces == 1) {
    const std::uint32_t zero = 0;
    device_->write(*sums_[level], 0, &zero, sizeof zero);
  } else {
    device::Arguments sums;
    sums.add(count).add(values).add(sums_[level]);
    device_->run(sums_kernel, Range{0, 0, pieces, 1}, sums);
    const device::BufferPtr before = sums_[level];
    run(before, pieces, level + 1);
  }
  device::Arguments apply;
  apply.add(count).add(sums_[level]).add(values);
  device_->run(apply_kernel, Range{0, 0, pieces, 1}, apply);
}

}  // namespace scree::surface
