// Where fields live and kernels run. Algorithms name a kernel, a range and arguments; they never
// name a backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernel/common/compat.h"

namespace scree::device {

// Memory on a device. Destroyed with its last owner.
class Buffer {
 public:
  virtual ~Buffer() = default;
  std::size_t bytes() const { return bytes_; }

 protected:
  explicit Buffer(std::size_t bytes) : bytes_(bytes) {}

 private:
  std::size_t bytes_;
};
using BufferPtr = std::shared_ptr<Buffer>;

// A kernel as its source names it. `program` is the file under src/kernel that holds its OpenCL
// entry point. A tiled kernel is scheduled by work-groups that each cover a tile, or a column of up
// to `tallest` of them; on a CPU the tile's height is the least number of rows a thread takes.
struct Kernel {
  const char* name;
  const char* program;
  int tile_x = 0;
  int tile_y = 0;
  int group_x = 32;
  int group_y = 8;
  int tallest = 1;
  int lead = 0;                  // rows that a column costs beyond its own
  const char* entry = nullptr;   // what OpenCL calls it, where that is not its name
  const char* defines = "";      // what OpenCL compiles it with
  const Kernel* next = nullptr;  // what OpenCL runs after it, with the same arguments
};

// The values a kernel is called with, in the order of its declaration (after the range).
class Arguments {
 public:
  struct Value {
    Buffer* buffer = nullptr;
    bool unused = false;
    std::vector<unsigned char> bytes;
  };

  template <class T>
  Arguments& add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    Value entry;
    entry.bytes.resize(sizeof value);
    std::memcpy(entry.bytes.data(), &value, sizeof value);
    values_.push_back(std::move(entry));
    return *this;
  }
  Arguments& add(const BufferPtr& buffer) {
    values_.push_back(Value{buffer.get(), false, {}});
    return *this;
  }
  // A pointer that the kernel will not follow; any buffer may stand in for it.
  Arguments& add_unused(const BufferPtr& stand_in) {
    values_.push_back(Value{stand_in.get(), true, {}});
    return *this;
  }
  const std::vector<Value>& values() const { return values_; }

 private:
  std::vector<Value> values_;
};

struct DeviceInfo {
  std::string selector;  // what --device takes: "cpu", "opencl:0"
  std::string name;
  std::string detail;  // instruction set and threads, or platform and driver
  std::size_t memory_bytes = 0;
  bool exact = true;  // rounds correctly and keeps denormals
  bool is_gpu = false;
};

// Where rows lie in a buffer, all in bytes: the first begins at `offset`, each further one `pitch`
// after the one before it.
struct Rows {
  std::size_t offset = 0, pitch = 0, bytes = 0, count = 0;

  // A stretch of a buffer is one row.
  static Rows stretch(std::size_t offset, std::size_t bytes) { return {offset, bytes, bytes, 1}; }
  bool empty() const { return bytes == 0 || count == 0; }
  std::size_t end() const { return empty() ? offset : offset + (count - 1) * pitch + bytes; }
  std::size_t all_bytes() const { return bytes * count; }
};

// A read that does not wait for calls that come after it.
class PendingRead {
 public:
  virtual ~PendingRead() = default;
  virtual void wait(void* to, std::size_t bytes) = 0;
};
using PendingReadPtr = std::unique_ptr<PendingRead>;

// A buffer's bytes to be read where they lie, as the calls before it have left them. While it
// lasts, the buffer stays and nothing may write to it.
class Mapping {
 public:
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  virtual ~Mapping() = default;
  const void* data() const { return data_; }
  std::size_t bytes() const { return from_->bytes(); }

 protected:
  Mapping(BufferPtr from, const void* data) : from_(std::move(from)), data_(data) {}
  const Buffer& buffer() const { return *from_; }

 private:
  BufferPtr from_;
  const void* data_;
};
using MappingPtr = std::unique_ptr<const Mapping>;

// One thread owns a device, at first the one that opened it: calls of any other are refused.
class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;  // for any thread

  // The calling thread owns it from now on. No call of the owner before may still be under way.
  void take_over() { owner_ = std::this_thread::get_id(); }

  // Zeroed memory. Throws Error with the size when there is not enough.
  BufferPtr allocate(std::size_t bytes);
  void write(Buffer& to, std::size_t offset, const void* from, std::size_t bytes);
  void read(const Buffer& from, std::size_t offset, void* to, std::size_t bytes);
  // The same of rows of a buffer. On the host they follow each other without a gap.
  void write_rows(Buffer& to, const Rows& rows, const void* from);
  void read_rows(const Buffer& from, const Rows& rows, void* to);
  // What the buffer holds after the calls so far; it must stay as it is until it has been read.
  PendingReadPtr read_later(const BufferPtr& from);
  // Without a copy where the device shares its memory with the host.
  MappingPtr map(const BufferPtr& from);
  // A stretch of a buffer to another place, on the device. The two may not overlap.
  void copy(const Buffer& from, std::size_t from_offset, Buffer& to, std::size_t to_offset,
            std::size_t bytes);
  // A rectangle of rows between two buffers of this device; offsets and pitches in bytes.
  void copy_rows(const Buffer& from, std::size_t from_offset, std::size_t from_pitch, Buffer& to,
                 std::size_t to_offset, std::size_t to_pitch, std::size_t row_bytes,
                 std::size_t rows);

  // Calls run in order. A call may return before it is done; read() and finish() wait.
  void run(const Kernel& kernel, const Range& range, const Arguments& arguments);
  void finish();

 protected:
  // What a backend does; rows are within their buffers, and there are some.
  virtual BufferPtr do_allocate(std::size_t bytes) = 0;
  virtual void do_write(Buffer& to, const Rows& rows, const void* from) = 0;
  virtual void do_read(const Buffer& from, const Rows& rows, void* to) = 0;
  virtual PendingReadPtr do_read_later(const BufferPtr& from);
  virtual MappingPtr do_map(const BufferPtr& from) = 0;
  virtual void do_copy(const Buffer& from, const Rows& rows, Buffer& to, const Rows& to_rows) = 0;
  virtual void do_run(const Kernel& kernel, const Range& range, const Arguments& arguments) = 0;
  virtual void do_finish() = 0;

  // Two numbers of which one is at hand: nothing beside what any call costs.
  void check_owner() const {
    if (std::this_thread::get_id() != owner_) refuse_caller();
  }

 private:
  [[noreturn]] void refuse_caller() const;

  std::thread::id owner_ = std::this_thread::get_id();
};
using DevicePtr = std::shared_ptr<Device>;

struct DeviceOptions {
  std::string selector = "auto";  // auto | cpu | opencl | opencl:N
  int threads = 0;                // 0: all cores
  std::string isa;                // empty: SCREE_ISA from the environment, or the best there is
  bool inexact = false;           // accept a device that cannot round correctly
};

// auto is the first exact OpenCL GPU, or else the CPU.
DevicePtr open_device(const DeviceOptions& options = {});
std::vector<DeviceInfo> list_devices();

}  // namespace scree::device
