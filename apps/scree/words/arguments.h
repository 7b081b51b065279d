// Words of the command line into values. Everything wrong is a UsageError that names the option.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "device/device.h"
#include "io/raster/raster.h"

namespace scree::cli {

struct Size {
  int width = 0;
  int height = 0;
};

// "1024x512", or "1024" for a square.
Size parse_size(const std::string& option, const std::string& text);
// "512x512x256": voxels along x, y and z.
std::array<int, 3> parse_box(const std::string& option, const std::string& text);
std::uint64_t parse_whole(const std::string& option, const std::string& text, std::uint64_t least,
                          std::uint64_t most);
// "30", "30 m", "1 arcmin"-like nonsense refused; above 0.
double parse_length(const std::string& option, const std::string& text);
double parse_duration(const std::string& option, const std::string& text);
// "0,1500", "-10 m,2 km".
HeightRange parse_height_range(const std::string& option, const std::string& text);
// "key=value"
std::pair<std::string, std::string> parse_assignment(const std::string& option,
                                                     const std::string& text);
// "unreal", "unity" or "godot".
std::string parse_engine(const std::string& option, const std::string& text);

// As typed; empty: not given.
struct DeviceWords {
  std::string device = "auto";
  std::string threads;
  bool inexact = false;
};
device::DeviceOptions device_options(const DeviceWords& words);

// How to read a raster that does not say everything itself.
struct InputWords {
  std::string raw_size;
  std::string raw_type;
  bool big_endian = false;
  std::string band;
  std::string channel;
  std::string nodata;
  std::string cell;
  std::string height_range;
};
io::ReadOptions read_options(const InputWords& words);
// Reads the raster and gives it the cell size and height range that were typed.
Raster read_input(const std::string& file, const InputWords& words);

// UsageError where a raster does not say how high or how wide its cells are.
void check_measures(const std::string& file, const Raster& raster);
// Error where one is so high, or all so wide, that lengths of triangles could not be told.
void check_heights(const std::string& file, const Raster& raster);

// UsageError where no format of ours has this extension.
void check_output_name(const std::string& option, const std::string& file);

}  // namespace scree::cli
