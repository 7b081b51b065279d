#include "scene/memory.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "base/error.h"
#include "device/field.h"

namespace scree {
namespace {

// Planes of 4 bytes that reading, converting and drawing hold at a time.
constexpr std::size_t host_planes = 8;

std::string gibibytes(std::size_t bytes) {
  const double g = static_cast<double>(bytes) / (1024.0 * 1024 * 1024);
  return text(g < 10 ? std::round(g * 100) / 100 : std::round(g), " GiB");
}

// Of what is asked for; all of it where nobody knows how much there is.
double share(std::size_t there, std::size_t asked) {
  return there > 0 ? static_cast<double>(there) / static_cast<double>(asked) : 1;
}

std::size_t meminfo_available() {
  std::ifstream info("/proc/meminfo");
  std::string key, unit;
  std::size_t kilobytes = 0;
  while (info >> key >> kilobytes) {
    if (key == "MemAvailable:") return kilobytes * 1024;
    std::getline(info, unit);
  }
  return 0;
}

// A container's own limit; "max" reads as none.
std::size_t group_available() {
  std::size_t most = 0, used = 0;
  std::ifstream("/sys/fs/cgroup/memory.max") >> most;
  std::ifstream("/sys/fs/cgroup/memory.current") >> used;
  return most > used ? most - used : 0;
}

}  // namespace

std::size_t available_memory() {
  const std::size_t machine = meminfo_available(), group = group_available();
  if (machine == 0 || group == 0) return std::max(machine, group);
  return std::min(machine, group);
}

void check_memory(std::size_t bytes, int width, int height, const device::Device& device) {
  const device::DeviceInfo& info = device.info();
  const std::size_t plane = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4;
  const std::size_t here = host_planes * plane + (info.is_gpu ? 0 : bytes);
  const std::size_t available = available_memory();
  const double fits = std::min(share(info.memory_bytes, bytes), share(available, here));
  if (fits >= 1) return;
  const bool device_full = share(info.memory_bytes, bytes) < 1;
  const std::string needed =
      device_full ? text(gibibytes(bytes), " on ", info.selector, " (", info.name, "), which has ",
                         gibibytes(info.memory_bytes))
                  : text(gibibytes(here), " of memory, and ", gibibytes(available), " is free");
  throw Error(text("a terrain of ", width, "x", height, " cells needs ", needed, ": choose ",
                   device::smaller_size(width, height, fits)));
}

}  // namespace scree
