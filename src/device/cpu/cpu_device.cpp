#include "device/cpu/cpu_device.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <new>
#include <thread>

#include "base/error.h"
#include "base/thread_marks.h"
#include "device/cpu/registry.h"

namespace scree::device {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

class CpuBuffer : public Buffer {
 public:
  explicit CpuBuffer(std::size_t bytes) : Buffer(bytes) {
    const std::size_t alignment = bytes >= 2 * huge_page ? huge_page : 64;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    data_ = std::aligned_alloc(alignment, std::max(rounded, alignment));
    if (data_ == nullptr)
      throw Error(text("not enough memory: cannot allocate ", bytes >> 20, " MiB"));
    if (alignment == huge_page) madvise(data_, rounded, MADV_HUGEPAGE);
    std::memset(data_, 0, bytes);
  }
  CpuBuffer(const CpuBuffer&) = delete;
  CpuBuffer& operator=(const CpuBuffer&) = delete;
  ~CpuBuffer() override { std::free(data_); }
  void* data() const { return data_; }

 private:
  void* data_;
};

unsigned char* bytes_of(const Buffer& buffer) {
  return static_cast<unsigned char*>(static_cast<const CpuBuffer&>(buffer).data());
}

// The memory itself.
class CpuMapping : public Mapping {
 public:
  explicit CpuMapping(const BufferPtr& from) : Mapping(from, bytes_of(*from)) {}
};

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      return line.substr(std::min(line.find(':') + 2, line.size()));
  return "CPU";
}

std::size_t machine_memory() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
}

class CpuDevice : public Device {
 public:
  CpuDevice(int threads, std::string isa) : isa_(std::move(isa)) {
    const int cores = oneapi::tbb::info::default_concurrency();
    threads_ = threads > 0 ? threads : cores;
    // More threads than cores is the caller's wish (a parity test, say), so make it possible.
    if (threads_ > cores)
      allow_ = std::make_unique<oneapi::tbb::global_control>(
          oneapi::tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads_));
    arena_.initialize(threads_);
    info_ = describe_cpu();
    info_.detail = text(isa_, ", ", threads_, threads_ == 1 ? " thread" : " threads");
  }

  const DeviceInfo& info() const override { return info_; }

 protected:
  BufferPtr do_allocate(std::size_t bytes) override { return std::make_shared<CpuBuffer>(bytes); }
  void do_write(Buffer& to, const Rows& rows, const void* from) override {
    const auto* packed = static_cast<const unsigned char*>(from);
    for (std::size_t r = 0; r < rows.count; ++r)
      std::memcpy(bytes_of(to) + rows.offset + r * rows.pitch, packed + r * rows.bytes, rows.bytes);
  }
  void do_read(const Buffer& from, const Rows& rows, void* to) override {
    auto* packed = static_cast<unsigned char*>(to);
    for (std::size_t r = 0; r < rows.count; ++r)
      std::memcpy(packed + r * rows.bytes, bytes_of(from) + rows.offset + r * rows.pitch,
                  rows.bytes);
  }
  MappingPtr do_map(const BufferPtr& from) override {
    return std::make_unique<const CpuMapping>(from);
  }
  void do_copy(const Buffer& from, const Rows& rows, Buffer& to, const Rows& to_rows) override {
    for (std::size_t r = 0; r < rows.count; ++r)
      std::memmove(bytes_of(to) + to_rows.offset + r * to_rows.pitch,
                   bytes_of(from) + rows.offset + r * rows.pitch, rows.bytes);
  }

  void do_run(const Kernel& kernel, const Range& range, const Arguments& arguments) override {
    if (range.x1 <= range.x0 || range.y1 <= range.y0) return;
    std::vector<void*> pointers;
    std::vector<const void*> values;
    pointers.reserve(arguments.values().size());
    for (const Arguments::Value& value : arguments.values()) {
      pointers.push_back(value.buffer != nullptr ? bytes_of(*value.buffer) : nullptr);
      values.push_back(value.buffer != nullptr ? static_cast<const void*>(&pointers.back())
                                               : value.bytes.data());
    }
    const CpuFunction function = find(kernel.name);
    const int rows = block_rows(kernel, range);
    const int blocks = (range.y1 - range.y0 + rows - 1) / rows;
    const auto block = [&](int i) {
      Range part = range;
      part.y0 = range.y0 + i * rows;
      part.y1 = std::min(part.y0 + rows, range.y1);
      function(values.data(), part);
    };
    if (threads_ == 1 || blocks == 1) {
      for (int i = 0; i < blocks; ++i) block(i);
      return;
    }
    // Not captured: a thread must find them before it looks at anything of ours.
    static ThreadMarks marks;
    const auto marked = [&](int i) {
      marks.acquire();
      block(i);
      marks.release();
    };
    marks.release();
    arena_.execute(
        [&] { oneapi::tbb::parallel_for(0, blocks, marked, oneapi::tbb::simple_partitioner()); });
    marks.acquire();
  }

  void do_finish() override {}

 private:
  // A few blocks a thread even out the load; a tiled kernel's blocks are whole tiles.
  int block_rows(const Kernel& kernel, const Range& range) const {
    const int height = range.y1 - range.y0;
    const int unit = kernel.tile_y > 0 ? kernel.tile_y : 8;
    const int wanted = height / (threads_ * 4);
    const int most = kernel.tile_y > 0 ? 32 : 64;
    return std::clamp(wanted / unit, 1, most) * unit;
  }

  CpuFunction find(const char* name) {
    auto found = functions_.find(name);
    if (found == functions_.end())
      found = functions_.emplace(name, find_cpu_kernel(isa_, name)).first;
    return found->second;
  }

  std::string isa_;
  int threads_ = 1;
  DeviceInfo info_;
  std::unique_ptr<oneapi::tbb::global_control> allow_;
  oneapi::tbb::task_arena arena_;
  std::map<std::string, CpuFunction, std::less<>> functions_;
};

}  // namespace

std::vector<std::string> usable_isas() {
  std::vector<std::string> isas;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    isas.emplace_back("v4");
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2"))
    isas.emplace_back("v3");
  if (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt")) isas.emplace_back("v2");
#else
  isas.emplace_back("plain");
#endif
  if (isas.empty())
    throw Error("this processor is older than x86-64-v2 (SSE 4.2), which Scree needs");
  return isas;
}

std::string chosen_isa(const std::string& asked) {
  const std::vector<std::string> usable = usable_isas();
  const char* wish = std::getenv("SCREE_ISA");
  const bool wished = asked.empty() && wish != nullptr && *wish != '\0';
  const std::string chosen = wished ? wish : asked.empty() ? usable.front() : asked;
  if (std::find(usable.begin(), usable.end(), chosen) != usable.end()) return chosen;
  std::string list;
  for (const std::string& name : usable) list += (list.empty() ? "" : ", ") + name;
  throw UsageError(text(wished ? "SCREE_ISA: " : "", "instruction set '", chosen,
                        "' is not usable here, expected one of ", list));
}

DeviceInfo describe_cpu() {
  DeviceInfo info;
  info.selector = "cpu";
  info.name = processor_name();
  info.detail = text(chosen_isa(""), ", ", oneapi::tbb::info::default_concurrency(), " threads");
  info.memory_bytes = machine_memory();
  return info;
}

DevicePtr open_cpu(int threads, const std::string& isa) {
  return std::make_shared<CpuDevice>(threads, chosen_isa(isa));
}

}  // namespace scree::device
