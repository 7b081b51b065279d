#include "words/arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/suggest.h"
#include "base/units.h"
#include "io/raster/engine_export.h"

namespace scree::cli {
namespace {

constexpr std::uint64_t longest_side = 65536;

// A quantity whose message names the option.
double quantity(const std::string& option, const std::string& text, const char* unit) {
  try {
    return parse_quantity(text, unit);
  } catch (const UsageError& error) {
    throw UsageError(scree::text(option, ": ", error.what()));
  }
}

io::SampleType sample_type(const std::string& name) {
  static const std::map<std::string, io::SampleType> types = {
      {"u8", io::SampleType::u8},   {"i8", io::SampleType::i8},   {"u16", io::SampleType::u16},
      {"i16", io::SampleType::i16}, {"u32", io::SampleType::u32}, {"i32", io::SampleType::i32},
      {"f32", io::SampleType::f32}, {"f64", io::SampleType::f64}};
  const auto found = types.find(name);
  if (found == types.end())
    throw UsageError(
        text("--raw-type '", name, "': expected u8, i8, u16, i16, u32, i32, f32 or f64"));
  return found->second;
}

}  // namespace

std::uint64_t parse_whole(const std::string& option, const std::string& text, std::uint64_t least,
                          std::uint64_t most) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value < least || value > most)
    throw UsageError(
        scree::text(option, " '", text, "': expected a whole number from ", least, " to ", most));
  return value;
}

Size parse_size(const std::string& option, const std::string& text) {
  const std::size_t cross = text.find_first_of("xX");
  const std::string width = text.substr(0, cross);
  const std::string height = cross == std::string::npos ? width : text.substr(cross + 1);
  try {
    return {static_cast<int>(parse_whole(option, width, 1, longest_side)),
            static_cast<int>(parse_whole(option, height, 1, longest_side))};
  } catch (const UsageError&) {
    throw UsageError(scree::text(option, " '", text,
                                 "': expected WIDTHxHEIGHT in cells, 1 to 65536 each, such as "
                                 "1024x512"));
  }
}

std::array<int, 3> parse_box(const std::string& option, const std::string& text) {
  std::array<int, 3> box{};
  try {
    std::size_t from = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      // The last side goes to the end, so that a fourth one is no number.
      const std::size_t to =
          d < 2 ? std::min(text.find_first_of("xX", from), text.size()) : text.size();
      box[d] = static_cast<int>(parse_whole(
          option, text.substr(std::min(from, text.size()), to - from), 1, longest_side));
      from = to + 1;
    }
  } catch (const UsageError&) {
    throw UsageError(scree::text(option, " '", text, "': expected voxels, like 512x512x256"));
  }
  return box;
}

double parse_length(const std::string& option, const std::string& text) {
  const double metres = quantity(option, text, "m");
  if (!(metres >= 1e-3 && metres <= 1e6))
    throw UsageError(scree::text(option, " '", text, "': expected 0.001 to 1000000 m"));
  return metres;
}

double parse_duration(const std::string& option, const std::string& text) {
  const double seconds = quantity(option, text, "s");
  if (!(seconds >= 0 && seconds <= 1e9))
    throw UsageError(scree::text(option, " '", text, "': expected 0 to 1e9 s"));
  return seconds;
}

HeightRange parse_height_range(const std::string& option, const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos)
    throw UsageError(
        scree::text(option, " '", text, "': expected LOW,HIGH in metres, such as 0,1500"));
  const HeightRange range{quantity(option, text.substr(0, comma), "m"),
                          quantity(option, text.substr(comma + 1), "m")};
  if (!(range.low < range.high && range.low >= -12000 && range.high <= 20000))
    throw UsageError(
        scree::text(option, " '", text, "': expected LOW below HIGH, between -12000 and 20000 m"));
  return range;
}

std::pair<std::string, std::string> parse_assignment(const std::string& option,
                                                     const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw UsageError(scree::text(option, " '", text, "': expected key=value"));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::string parse_engine(const std::string& option, const std::string& text) {
  try {
    io::engine_from_name(text);
  } catch (const UsageError&) {
    throw UsageError(scree::text(option, " '", text, "': expected unreal, unity or godot",
                                 did_you_mean(text, {"unreal", "unity", "godot"})));
  }
  return text;
}

device::DeviceOptions device_options(const DeviceWords& words) {
  device::DeviceOptions options;
  options.selector = words.device;
  options.inexact = words.inexact;
  if (!words.threads.empty())
    options.threads = static_cast<int>(parse_whole("--threads", words.threads, 1, 4096));
  return options;
}

io::ReadOptions read_options(const InputWords& words) {
  io::ReadOptions options;
  if (!words.raw_size.empty()) {
    const Size size = parse_size("--raw-size", words.raw_size);
    options.width = size.width;
    options.height = size.height;
  }
  if (!words.raw_type.empty()) options.sample = sample_type(words.raw_type);
  if (words.big_endian) options.byte_order = io::ByteOrder::big;
  if (!words.band.empty())
    options.band = static_cast<int>(parse_whole("--band", words.band, 1, 65536));
  options.channel = words.channel;
  if (!words.nodata.empty()) {
    try {
      options.nodata = parse_number_or_nan(words.nodata);
    } catch (const UsageError& error) {
      throw UsageError(text("--nodata: ", error.what()));
    }
  }
  // A range of the user's own stands above the one that came with the file.
  if (!words.height_range.empty()) options.sidecar = false;
  return options;
}

Raster read_input(const std::string& file, const InputWords& words) {
  Raster raster = io::read_raster(file, read_options(words));
  if (!words.height_range.empty()) {
    const HeightRange range = parse_height_range("--height-range", words.height_range);
    if (raster.heights_known)
      throw UsageError(text("--height-range: ", file, " holds heights already"));
    io::scale_to_range(raster, range.low, range.high);
  }
  if (!words.cell.empty()) raster.dx = raster.dy = parse_length("--cell", words.cell);
  return raster;
}

void check_heights(const std::string& file, const Raster& raster) {
  // As of meshes (io/mesh/mesh.cpp): squares of lengths are to stay within floats.
  constexpr float most = 1e12F;
  const double across = std::max(raster.dx * raster.width, raster.dy * raster.height);
  if (across > static_cast<double>(most))
    throw Error(text(file, ": expected at most 1e12 m from side to side, found ", across));
  const auto far = std::find_if(raster.values.begin(), raster.values.end(),
                                [](float z) { return std::abs(z) > most; });
  if (far == raster.values.end()) return;
  const auto cell = far - raster.values.begin();
  throw Error(text(file, ": expected heights within 1e12 m of 0, found ", *far, " at column ",
                   cell % raster.width, ", row ", cell / raster.width,
                   "; if it means nodata, give --nodata"));
}

void check_measures(const std::string& file, const Raster& raster) {
  if (!raster.heights_known)
    throw UsageError(text(file, ": a plain image has no heights; give --height-range LOW,HIGH"));
  if (!(raster.dx > 0))
    throw UsageError(text(file, ": does not say how large its cells are; give --cell METRES"));
}

void check_output_name(const std::string& option, const std::string& file) {
  const io::Format format = io::format_of(file);
  if (format == io::Format::automatic)
    throw UsageError(text(option, " '", file,
                          "': expected a name that ends in .tif, .png, .r16, .raw, .r32, .exr or "
                          ".npy"));
  if (!io::can_write(format))
    throw Error(text(file, ": this build of scree cannot write that format"));
}

}  // namespace scree::cli
