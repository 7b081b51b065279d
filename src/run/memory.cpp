#include "run/memory.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "base/addresses.h"
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
  std::size_t least = 0;
  for (const std::size_t there : {meminfo_available(), group_available(), addresses_left()})
    if (there > 0) least = least > 0 ? std::min(least, there) : there;
  return least;
}

// As measured: maps have planes of floats of all pixels, a perspective has a part of 2048 pixels a
// side at a time, and maps of its ground's light.
std::size_t picture_bytes(const PictureSettings& settings, std::size_t cells) {
  const std::size_t pixels =
      static_cast<std::size_t>(settings.width) * static_cast<std::size_t>(settings.height);
  const bool map = settings.view.kind == render::ViewKind::relief ||
                   settings.view.kind == render::ViewKind::field;
  const std::size_t states = settings.before ? 2 : 1;
  if (!settings.view.in_perspective()) return pixels * (map ? 36 : 12) + states * 12 * cells;
  constexpr std::size_t canvas = 2048 * 2048, bytes_a_sample = 28;
  const auto samples = static_cast<std::size_t>(settings.samples * settings.samples);
  return pixels * 12 + std::min(pixels, canvas) * samples * bytes_a_sample + states * 60 * cells;
}

void check_picture_memory(const PictureSettings& settings, std::size_t cells,
                          std::size_t available) {
  const std::size_t needed = picture_bytes(settings, cells);
  if (available == 0 || needed <= available) return;
  const bool by_pixels = 2 * picture_bytes(settings, 0) > needed;
  throw Error(text("a picture of ", settings.width, " x ", settings.height, " pixels of ", cells,
                   " cells needs ", gibibytes(needed), " of memory, and ", gibibytes(available),
                   " is free: choose ", by_pixels ? "fewer pixels" : "a smaller terrain"));
}

void check_voxel_memory(const device::Device& device, const VoxelShape& shape, bool meshed,
                        std::size_t available) {
  const std::size_t needed = shape.count() * sizeof(std::uint32_t) +
                             (device.info().is_gpu ? 0 : voxel_bytes(shape, meshed));
  if (available == 0 || needed <= available) return;
  throw Error(text(shape.nx, " x ", shape.ny, " x ", shape.nz, " voxels need ", gibibytes(needed),
                   " of memory, and ", gibibytes(available), " is free: choose fewer"));
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
