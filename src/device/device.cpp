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

void check_rows(const Buffer& buffer, const Rows& rows) {
  if (rows.count > 1 && rows.pitch < rows.bytes)
    throw Error(text("rows of ", rows.bytes, " bytes every ", rows.pitch, ": they overlap"));
  if (rows.end() > buffer.bytes())
    throw Error(text("rows that end at byte ", rows.end(), " of a buffer: expected at most ",
                     buffer.bytes()));
}

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

void Device::refuse_caller() const {
  throw Error(text("device ", info().selector,
                   ": called from a thread that does not own it: expected the one that opened it, "
                   "or that took it over"));
}

BufferPtr Device::allocate(std::size_t bytes) {
  check_owner();
  return do_allocate(bytes);
}

void Device::write(Buffer& to, std::size_t offset, const void* from, std::size_t bytes) {
  write_rows(to, Rows::stretch(offset, bytes), from);
}

void Device::read(const Buffer& from, std::size_t offset, void* to, std::size_t bytes) {
  read_rows(from, Rows::stretch(offset, bytes), to);
}

void Device::write_rows(Buffer& to, const Rows& rows, const void* from) {
  check_owner();
  check_rows(to, rows);
  if (!rows.empty()) do_write(to, rows, from);
}

void Device::read_rows(const Buffer& from, const Rows& rows, void* to) {
  check_owner();
  check_rows(from, rows);
  if (!rows.empty()) do_read(from, rows, to);
}

PendingReadPtr Device::read_later(const BufferPtr& from) {
  check_owner();
  return do_read_later(from);
}

PendingReadPtr Device::do_read_later(const BufferPtr& from) {
  return std::make_unique<ReadOnDemand>(*this, from);
}

MappingPtr Device::map(const BufferPtr& from) {
  check_owner();
  return do_map(from);
}

void Device::copy(const Buffer& from, std::size_t from_offset, Buffer& to, std::size_t to_offset,
                  std::size_t bytes) {
  copy_rows(from, from_offset, bytes, to, to_offset, bytes, bytes, 1);
}

void Device::copy_rows(const Buffer& from, std::size_t from_offset, std::size_t from_pitch,
                       Buffer& to, std::size_t to_offset, std::size_t to_pitch,
                       std::size_t row_bytes, std::size_t rows) {
  check_owner();
  const Rows source{from_offset, from_pitch, row_bytes, rows};
  const Rows target{to_offset, to_pitch, row_bytes, rows};
  check_rows(from, source);
  check_rows(to, target);
  if (!source.empty()) do_copy(from, source, to, target);
}

void Device::run(const Kernel& kernel, const Range& range, const Arguments& arguments) {
  check_owner();
  do_run(kernel, range, arguments);
}

void Device::finish() {
  check_owner();
  do_finish();
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
