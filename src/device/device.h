// Where fields live and kernels run. Algorithms name a kernel, a range and arguments; they never
// name a backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
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

// A read that does not wait for calls that come after it.
class PendingRead {
 public:
  virtual ~PendingRead() = default;
  virtual void wait(void* to, std::size_t bytes) = 0;
};
using PendingReadPtr = std::unique_ptr<PendingRead>;

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;

  // Zeroed memory. Throws Error with the size when there is not enough.
  virtual BufferPtr allocate(std::size_t bytes) = 0;
  virtual void write(Buffer& to, std::size_t offset, const void* from, std::size_t bytes) = 0;
  virtual void read(const Buffer& from, std::size_t offset, void* to, std::size_t bytes) = 0;
  // What the buffer holds after the calls so far; it must stay as it is until it has been read.
  virtual PendingReadPtr read_later(const BufferPtr& from);
  // A rectangle of rows between two buffers of this device; offsets and pitches in bytes.
  virtual void copy_rows(const Buffer& from, std::size_t from_offset, std::size_t from_pitch,
                         Buffer& to, std::size_t to_offset, std::size_t to_pitch,
                         std::size_t row_bytes, std::size_t rows) = 0;

  // Calls run in order. A call may return before it is done; read() and finish() wait.
  virtual void run(const Kernel& kernel, const Range& range, const Arguments& arguments) = 0;
  virtual void finish() = 0;
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
