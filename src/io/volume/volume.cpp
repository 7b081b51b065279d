#include "io/volume/volume.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "io/file/ending.h"
#include "io/raster/npy.h"
#include "io/volume/volume_codec.h"

namespace scree::io {
namespace {

constexpr int largest_side = 1 << 20;

void check_shape(const std::string& path, const VolumeShape& shape) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (shape.size[d] < 1 || shape.size[d] > largest_side)
      throw Error(text(path, ": expected 1 to ", largest_side, " samples a side, found ",
                       shape.size[0], " x ", shape.size[1], " x ", shape.size[2]));
    if (!(shape.cell[d] > 0) || !std::isfinite(shape.cell[d]))
      throw Error(text(path, ": expected cells of positive metres, found ", shape.cell[d]));
    if (!std::isfinite(shape.origin[d]))
      throw Error(text(path, ": expected a finite origin, found ", shape.origin[d]));
  }
}

void check_count(const std::string& path, const char* what, std::size_t found,
                 const VolumeShape& shape) {
  if (found != shape.samples())
    throw Error(text(path, ": expected ", shape.samples(), " ", what, " for ", shape.size[0], " x ",
                     shape.size[1], " x ", shape.size[2], " samples, found ", found));
}

void check_finite(const std::string& path, const VolumeShape& shape, int z, int count,
                  const float* density) {
  const auto nx = static_cast<std::size_t>(shape.size[0]),
             ny = static_cast<std::size_t>(shape.size[1]);
  const std::size_t samples = nx * ny * static_cast<std::size_t>(count);
  const float* bad = std::find_if_not(density, density + samples,
                                      [](float value) { return std::isfinite(value); });
  if (bad == density + samples) return;
  const auto at = static_cast<std::size_t>(bad - density);
  throw Error(text(path, ": density of sample ", at % nx, ", ", at / nx % ny, ", ",
                   static_cast<std::size_t>(z) + at / nx / ny, ": expected a finite number, found ",
                   *bad));
}

}  // namespace

void check_volume_name(const std::string& path) {
  if (ending_of(path) != ".vdb")
    throw UsageError(text(path, ": expected a name that ends in .vdb"));
  if (!codec::have_vdb())
    throw Error(text(path, ": VDB needs OpenVDB, and scree was built without OpenVDB"));
}

void write_volume(const std::string& path, const VolumeShape& shape, bool materials,
                  const VolumeSlices& fill, bool amounts) {
  check_volume_name(path);
  check_shape(path, shape);
  codec::write_vdb(
      path, shape, materials,
      [&](int z, int count, float* density, std::uint32_t* numbers) {
        fill(z, count, density, numbers);
        check_finite(path, shape, z, count, density);
      },
      amounts);
}

void write_volume(const std::string& path, const Volume& volume) {
  const VolumeShape& shape = volume.shape;
  check_volume_name(path);
  check_shape(path, shape);
  check_count(path, "densities", volume.density.size(), shape);
  const bool materials = !volume.materials.empty();
  if (materials) check_count(path, "materials", volume.materials.size(), shape);
  const std::size_t slice =
      static_cast<std::size_t>(shape.size[0]) * static_cast<std::size_t>(shape.size[1]);
  write_volume(path, shape, materials,
               [&](int z, int count, float* density, std::uint32_t* numbers) {
                 const std::size_t first = slice * static_cast<std::size_t>(z),
                                   samples = slice * static_cast<std::size_t>(count);
                 std::copy_n(volume.density.data() + first, samples, density);
                 if (materials) std::copy_n(volume.materials.data() + first, samples, numbers);
               });
}

// ---- reading

void codec::check_volume_memory(const std::string& path, const std::array<long long, 3>& size,
                                bool materials, const VolumeOptions& options) {
  const auto sized = [](long long n) { return n >= 1 && n <= largest_side; };
  const std::string shape = text(size[0], " x ", size[1], " x ", size[2]);
  if (!std::all_of(size.begin(), size.end(), sized))
    throw Error(text(path, ": expected 1 to ", largest_side, " samples a side, found ", shape));
  double needed = materials ? 8 : 4;
  for (const long long side : size) needed *= static_cast<double>(side);
  const double memory = options.memory > 0 ? static_cast<double>(options.memory)
                                           : static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                                                 static_cast<double>(::sysconf(_SC_PAGESIZE));
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  if (needed > memory)
    throw Error(text(path, ": a volume of ", shape, " samples needs ", needed / gib,
                     " GiB of memory, and ", memory / gib, " GiB may be used"));
}

bool is_volume(const std::string& path) {
  const std::string ending = ending_of(path);
  std::error_code error;
  return ending == ".vdb" ||
         (ending == ".npy" && std::filesystem::is_regular_file(path, error) && is_npy_volume(path));
}

VolumeFile read_volume(const std::string& path, const VolumeOptions& options) {
  const std::string ending = ending_of(path);
  VolumeFile file;
  if (ending == ".vdb") {
    file = codec::read_vdb(path, options);
  } else if (ending == ".npy") {
    if (!(options.cell > 0) || !std::isfinite(options.cell))
      throw UsageError(
          text(path, ": an array does not say how many metres lie between its samples"));
    if (!options.grid.empty())
      throw UsageError(text(path, ": an array has no grid '", options.grid, "'"));
    file.volume = read_npy_volume(path, options);
  } else {
    throw UsageError(text(path, ": expected a volume, .vdb or .npy"));
  }
  check_shape(path, file.volume.shape);
  check_finite(path, file.volume.shape, 0, file.volume.shape.size[2], file.volume.density.data());
  return file;
}

std::vector<VolumeGrid> list_volume(const std::string& path) {
  if (ending_of(path) != ".vdb")
    throw UsageError(text(path, ": expected a name that ends in .vdb"));
  return codec::list_vdb(path);
}

}  // namespace scree::io
