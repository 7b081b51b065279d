// NumPy .npy arrays (format 1.0 and 2.0): two-dimensional, row 0 first, or volumes.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "io/raster/raster.h"
#include "io/volume/volume.h"

namespace scree::io {

// Little-endian, C order, shape (height, width); numpy.load reads it as float32, int32, ...
void write_npy(const std::filesystem::path& path, int width, int height,
               const std::vector<float>& values);
void write_npy(const std::filesystem::path& path, int width, int height,
               const std::vector<std::int32_t>& values);
void write_npy(const std::filesystem::path& path, int width, int height,
               const std::vector<std::uint8_t>& values);

// Any of f4 f8 i1 u1 i2 u2 i4 u4 i8 and bool, either byte order, C or Fortran order.
Raster read_npy(const std::filesystem::path& path, const ReadOptions& options = {});

// Three dimensions, of any size; Error where it is no .npy at all.
bool is_npy_volume(const std::filesystem::path& path);

// Shape (z, y, x), the same types, C order. Sides of options.cell metres, first sample at 0.
Volume read_npy_volume(const std::filesystem::path& path, const VolumeOptions& options);

}  // namespace scree::io
