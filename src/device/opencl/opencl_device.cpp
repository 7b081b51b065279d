#include "device/opencl/opencl_device.h"

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wignored-attributes"
#endif
#include <CL/opencl.hpp>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "base/error.h"
#include "device/opencl/sources.h"

namespace scree::device {
namespace {

[[noreturn]] void fail(const std::string& what, const cl::Error& error) {
  throw Error(text("OpenCL: ", what, " failed: ", error.what(), " returned ", error.err()));
}

class OpenclBuffer : public Buffer {
 public:
  OpenclBuffer(cl::Buffer memory, std::size_t bytes, std::uint64_t serial)
      : Buffer(bytes), memory_(std::move(memory)), serial_(serial) {}
  const cl::Buffer& memory() const { return memory_; }
  // No two buffers of a device ever have the same.
  std::uint64_t serial() const { return serial_; }

 private:
  cl::Buffer memory_;
  std::uint64_t serial_;
};

const OpenclBuffer& opencl_buffer(const Buffer& buffer) {
  return static_cast<const OpenclBuffer&>(buffer);
}
const cl::Buffer& memory_of(const Buffer& buffer) { return opencl_buffer(buffer).memory(); }

// What the driver shows of a buffer, until it is told that nobody looks any more.
class OpenclMapping : public Mapping {
 public:
  OpenclMapping(cl::CommandQueue queue, const BufferPtr& from, void* data)
      : Mapping(from, data), queue_(std::move(queue)), mapped_(data) {}
  OpenclMapping(const OpenclMapping&) = delete;
  OpenclMapping& operator=(const OpenclMapping&) = delete;
  ~OpenclMapping() override {
    try {
      queue_.enqueueUnmapMemObject(memory_of(buffer()), mapped_);
    } catch (const cl::Error&) {  // whoever uses the device next hears of it
    }
  }

 private:
  cl::CommandQueue queue_;
  void* mapped_;
};

// Where rows begin in a buffer, as the driver wants to hear it: byte, row and slice.
std::array<cl::size_type, 3> origin_of(const Rows& rows) {
  return {rows.offset % rows.pitch, rows.offset / rows.pitch, 0};
}

// A kernel with the arguments that it was last given. To give one costs about as much as a small
// kernel runs, so only those that changed are given again. A process that swaps its fields every
// step has two sets of arguments, hence two of these.
class BoundKernel {
 public:
  explicit BoundKernel(cl::Kernel kernel) : kernel_(std::move(kernel)) {}
  const cl::Kernel& kernel() const { return kernel_; }

  std::size_t changes(const Arguments& arguments) const {
    const std::vector<Arguments::Value>& values = arguments.values();
    if (bound_.size() != values.size() + 1) return values.size() + 1;
    std::size_t count = 0;
    for (std::size_t i = 0; i < values.size(); ++i) count += same(bound_[i + 1], values[i]) ? 0 : 1;
    return count;
  }

  void bind(const Range& range, const Arguments& arguments) {
    bound_.resize(arguments.values().size() + 1);
    if (bound_[0].bytes.size() != sizeof range ||
        std::memcmp(bound_[0].bytes.data(), &range, sizeof range) != 0) {
      kernel_.setArg(0, sizeof range, &range);
      const auto* bytes = reinterpret_cast<const unsigned char*>(&range);
      bound_[0].bytes.assign(bytes, bytes + sizeof range);
    }
    for (std::size_t i = 0; i < arguments.values().size(); ++i) {
      const Arguments::Value& value = arguments.values()[i];
      Bound& bound = bound_[i + 1];
      if (same(bound, value)) continue;
      const auto index = static_cast<cl_uint>(i + 1);
      if (value.unused) {
        kernel_.setArg(index, sizeof(cl_mem), nullptr);  // a driver keeps track of all others
        bound.serial = none;
      } else if (value.buffer != nullptr) {
        kernel_.setArg(index, memory_of(*value.buffer));
        bound.serial = opencl_buffer(*value.buffer).serial();
      } else {
        kernel_.setArg(index, value.bytes.size(), value.bytes.data());
        bound.bytes = value.bytes;
      }
    }
  }

 private:
  static constexpr std::uint64_t none = UINT64_MAX;
  struct Bound {
    std::uint64_t serial = 0;
    std::vector<unsigned char> bytes;
  };
  static bool same(const Bound& bound, const Arguments::Value& value) {
    if (value.unused) return bound.serial == none;
    if (value.buffer != nullptr) return bound.serial == opencl_buffer(*value.buffer).serial();
    return bound.bytes == value.bytes;
  }

  cl::Kernel kernel_;
  std::vector<Bound> bound_;
};

std::vector<cl::Device> all_devices() {
  std::vector<cl::Device> devices;
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error&) {
    return devices;  // no OpenCL at all is a normal machine
  }
  for (const cl::Platform& platform : platforms) {
    std::vector<cl::Device> found;
    try {
      platform.getDevices(CL_DEVICE_TYPE_ALL, &found);
    } catch (const cl::Error&) {
      continue;
    }
    devices.insert(devices.end(), found.begin(), found.end());
  }
  return devices;
}

std::string trimmed(std::string s) {
  while (!s.empty() && (s.back() == '\0' || s.back() == ' ')) s.pop_back();
  return s;
}

DeviceInfo describe(const cl::Device& device, std::size_t index) {
  DeviceInfo info;
  info.selector = text("opencl:", index);
  info.name = trimmed(device.getInfo<CL_DEVICE_NAME>());
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  info.detail = text(trimmed(platform.getInfo<CL_PLATFORM_NAME>()), ", driver ",
                     trimmed(device.getInfo<CL_DRIVER_VERSION>()));
  info.memory_bytes = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  info.is_gpu = (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_GPU) != 0;
  const cl_device_fp_config config = device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>();
  const cl_device_fp_config needed =
      CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT | CL_FP_DENORM | CL_FP_ROUND_TO_NEAREST;
  info.exact = (config & needed) == needed && device.getInfo<CL_DEVICE_ENDIAN_LITTLE>() == CL_TRUE;
  return info;
}

class OpenclDevice : public Device {
 public:
  OpenclDevice(const cl::Device& device, DeviceInfo info)
      : device_(device),
        info_(std::move(info)),
        context_(device),
        queue_(context_, device),
        reading_(context_, device) {
    units_ = std::max<std::size_t>(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>(), 1);
  }

  const DeviceInfo& info() const override { return info_; }

 protected:
  BufferPtr do_allocate(std::size_t bytes) override {
    const std::size_t size = std::max<std::size_t>(bytes, 16);
    try {
      cl::Buffer memory(context_, CL_MEM_READ_WRITE, size);
      queue_.enqueueFillBuffer(memory, cl_uchar{0}, 0, size);
      queue_.finish();
      return std::make_shared<OpenclBuffer>(std::move(memory), bytes, ++buffers_);
    } catch (const cl::Error& error) {
      throw Error(text("not enough memory on ", info_.name, ": cannot allocate ", bytes >> 20,
                       " MiB (OpenCL error ", error.err(), ")"));
    }
  }

  void do_write(Buffer& to, const Rows& rows, const void* from) override {
    guarded("writing to the device", [&] {
      if (rows.count == 1)
        queue_.enqueueWriteBuffer(memory_of(to), CL_TRUE, rows.offset, rows.bytes, from);
      else
        queue_.enqueueWriteBufferRect(memory_of(to), CL_TRUE, origin_of(rows), {0, 0, 0},
                                      {rows.bytes, rows.count, 1}, rows.pitch, 0, rows.bytes, 0,
                                      from);
    });
  }
  void do_read(const Buffer& from, const Rows& rows, void* to) override {
    guarded("reading from the device", [&] {
      if (rows.count == 1)
        queue_.enqueueReadBuffer(memory_of(from), CL_TRUE, rows.offset, rows.bytes, to);
      else
        queue_.enqueueReadBufferRect(memory_of(from), CL_TRUE, origin_of(rows), {0, 0, 0},
                                     {rows.bytes, rows.count, 1}, rows.pitch, 0, rows.bytes, 0, to);
    });
  }
  PendingReadPtr do_read_later(const BufferPtr& from) override {
    cl::Event before;
    guarded("reading from the device", [&] {
      queue_.enqueueMarkerWithWaitList(nullptr, &before);
      queue_.flush();
    });
    return std::make_unique<LaterRead>(*this, from, before);
  }
  MappingPtr do_map(const BufferPtr& from) override {
    const std::size_t bytes = std::max<std::size_t>(from->bytes(), 1);
    void* data = nullptr;
    guarded("mapping a buffer", [&] {
      data = queue_.enqueueMapBuffer(memory_of(*from), CL_TRUE, CL_MAP_READ, 0, bytes);
    });
    return std::make_unique<const OpenclMapping>(queue_, from, data);
  }
  void do_copy(const Buffer& from, const Rows& rows, Buffer& to, const Rows& to_rows) override {
    guarded("copying on the device", [&] {
      if (rows.count == 1 || &from == &to || rows.pitch != to_rows.pitch) {
        for (std::size_t r = 0; r < rows.count; ++r)
          queue_.enqueueCopyBuffer(memory_of(from), memory_of(to), rows.offset + r * rows.pitch,
                                   to_rows.offset + r * to_rows.pitch, rows.bytes);
        return;
      }
      queue_.enqueueCopyBufferRect(memory_of(from), memory_of(to), origin_of(rows),
                                   origin_of(to_rows), {rows.bytes, rows.count, 1}, rows.pitch, 0,
                                   to_rows.pitch, 0);
    });
  }

  void do_run(const Kernel& kernel, const Range& range, const Arguments& arguments) override {
    if (range.x1 <= range.x0 || range.y1 <= range.y0) return;
    guarded(kernel.name, [&] {
      BoundKernel& entry = find(kernel, arguments);
      entry.bind(range, arguments);
      queue_.enqueueNDRangeKernel(entry.kernel(), cl::NullRange, global_size(kernel, range),
                                  local_size(kernel, range));
    });
    if (kernel.next != nullptr) do_run(*kernel.next, range, arguments);
  }

  void do_finish() override {
    guarded("finishing", [&] { queue_.finish(); });
  }

 private:
  // Goes through a queue of its own, so that it waits for what came before it alone.
  class LaterRead : public PendingRead {
   public:
    LaterRead(OpenclDevice& device, BufferPtr from, const cl::Event& before)
        : device_(device), from_(std::move(from)), before_{before} {}
    void wait(void* to, std::size_t bytes) override {
      device_.check_owner();
      device_.guarded("reading from the device", [&] {
        device_.reading_.enqueueReadBuffer(memory_of(*from_), CL_TRUE, 0, bytes, to, &before_);
      });
    }

   private:
    OpenclDevice& device_;
    BufferPtr from_;
    std::vector<cl::Event> before_;
  };

  template <class F>
  void guarded(const char* what, F&& action) {
    try {
      action();
    } catch (const cl::Error& error) {
      fail(what, error);
    }
  }

  static cl::NDRange local_size(const Kernel& kernel, const Range& range) {
    if (kernel.tile_x == 0 && range.y1 - range.y0 == 1)
      return {static_cast<std::size_t>(kernel.group_x * kernel.group_y), 1};
    return {static_cast<std::size_t>(kernel.group_x), static_cast<std::size_t>(kernel.group_y)};
  }
  // Work-groups that a compute unit needs to be busy: a GPU's waits for memory in between.
  std::size_t busy_groups() const { return info_.is_gpu ? 3 : 1; }
  // Tiles to a column of them: tall columns waste less at their ends, but must go round evenly.
  std::size_t best_height(const Kernel& kernel, std::size_t across, std::size_t down) const {
    std::size_t best = 1, least = SIZE_MAX;
    for (std::size_t tall = 1; tall <= static_cast<std::size_t>(kernel.tallest); ++tall) {
      const std::size_t groups = across * ((down + tall - 1) / tall);
      const std::size_t rows =
          tall * static_cast<std::size_t>(kernel.tile_y) + static_cast<std::size_t>(kernel.lead);
      const std::size_t cost = std::max((groups + units_ - 1) / units_, busy_groups()) * rows;
      if (cost < least) best = tall, least = cost;
    }
    return best;
  }
  cl::NDRange global_size(const Kernel& kernel, const Range& range) const {
    const cl::NDRange local = local_size(kernel, range);
    const auto width = static_cast<std::size_t>(range.x1 - range.x0);
    const auto height = static_cast<std::size_t>(range.y1 - range.y0);
    const std::size_t step_x =
        kernel.tile_x > 0 ? static_cast<std::size_t>(kernel.tile_x) : local[0];
    const std::size_t step_y =
        kernel.tile_y > 0 ? static_cast<std::size_t>(kernel.tile_y) : local[1];
    const std::size_t across = (width + step_x - 1) / step_x, down = (height + step_y - 1) / step_y;
    const std::size_t tall = best_height(kernel, across, down);
    return {across * local[0], (down + tall - 1) / tall * local[1]};
  }

  // The copy of the kernel that needs the fewest arguments anew.
  BoundKernel& find(const Kernel& kernel, const Arguments& arguments) {
    constexpr std::size_t copies = 2, few = 4;
    std::vector<BoundKernel>& known =
        kernels_[Variant{kernel.program, kernel.name, kernel.defines}];
    BoundKernel* best = nullptr;
    std::size_t fewest = SIZE_MAX;
    for (BoundKernel& one : known) {
      const std::size_t count = one.changes(arguments);
      if (count < fewest) best = &one, fewest = count;
    }
    if (fewest > few && known.size() < copies) {
      const char* entry = kernel.entry != nullptr ? kernel.entry : kernel.name;
      known.emplace_back(cl::Kernel(program(kernel.program, kernel.defines), entry));
      best = &known.back();
    }
    return *best;
  }

  const cl::Program& program(const std::string& path, const std::string& defines) {
    const std::string key = path + ' ' + defines;
    const auto found = programs_.find(key);
    if (found != programs_.end()) return found->second;
    cl::Program built(context_, assemble_program(path));
    std::string options = "-cl-std=CL1.2";
    if (info_.exact) options += " -cl-fp32-correctly-rounded-divide-sqrt";
    if (!defines.empty()) options += ' ' + defines;
    if (info_.exact && info_.detail.starts_with("NVIDIA")) options += " -D SCREE_NVIDIA";
    try {
      built.build({device_}, options.c_str());
    } catch (const cl::Error&) {
      throw Error(text("OpenCL: ", info_.name, " cannot compile src/", path, ":\n",
                       built.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_)));
    }
    return programs_.emplace(key, std::move(built)).first->second;
  }

  cl::Device device_;
  DeviceInfo info_;
  std::size_t units_ = 1;
  cl::Context context_;
  cl::CommandQueue queue_, reading_;
  std::map<std::string, cl::Program> programs_;
  // By a kernel's file and name, and what it is compiled with: constants of this program.
  using Variant = std::tuple<std::string_view, std::string_view, std::string_view>;
  std::map<Variant, std::vector<BoundKernel>> kernels_;
  std::uint64_t buffers_ = 0;
};

}  // namespace

std::vector<DeviceInfo> list_opencl() {
  std::vector<DeviceInfo> infos;
  for (const cl::Device& device : all_devices()) infos.push_back(describe(device, infos.size()));
  return infos;
}

DevicePtr open_opencl(int index, bool inexact) {
  const std::vector<cl::Device> devices = all_devices();
  if (index < 0 || static_cast<std::size_t>(index) >= devices.size())
    throw Error(devices.empty()
                    ? text("no OpenCL device found: install a driver, or use --device cpu")
                    : text("no OpenCL device ", index, ": there are ", devices.size(),
                           " (see `scree devices`)"));
  const cl::Device& device = devices[static_cast<std::size_t>(index)];
  DeviceInfo info = describe(device, static_cast<std::size_t>(index));
  if (!info.exact && !inexact)
    throw Error(text(info.name, " does not round single precision correctly, so its results would ",
                     "differ from other devices; add --inexact to use it all the same"));
  try {
    return std::make_shared<OpenclDevice>(device, std::move(info));
  } catch (const cl::Error& error) {
    fail("opening the device", error);
  }
}

}  // namespace scree::device
