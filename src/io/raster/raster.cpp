#include "io/raster/raster.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "base/error.h"
#include "base/log.h"
#include "io/file/ending.h"
#include "io/raster/cells.h"
#include "io/raster/codec.h"
#include "io/raster/npy.h"
#include "io/raster/raster_write.h"
#include "io/raster/sidecar.h"

namespace scree::io {
namespace {

// What a file is, by its first bytes where it has a signature and by its name where it has none.
Format format_to_read(const std::filesystem::path& path) {
  plain_file_size(path);
  std::string start(6, '\0');
  if (std::FILE* file = std::fopen(path.c_str(), "rb")) {
    start.resize(std::fread(start.data(), 1, start.size(), file));
    std::fclose(file);
  }
  if (start == "\x93NUMPY") return Format::npy;
  if (start.starts_with("\x76\x2f\x31\x01")) return Format::exr;
  return format_of(path);
}

ReadOptions declared_by(const std::filesystem::path& path, ReadOptions options,
                        const std::optional<Sidecar>& sidecar) {
  const bool of_raw =
      sidecar && (sidecar->format == Format::raw16 || sidecar->format == Format::raw32);
  if (of_raw && options.width == 0 && options.height == 0) {
    options.width = sidecar->width;
    options.height = sidecar->height;
    options.byte_order = sidecar->byte_order;
    if (options.sample == SampleType::automatic)
      options.sample = sidecar->format == Format::raw32 ? SampleType::f32 : SampleType::u16;
  }
  if (options.sample == SampleType::automatic)
    options.sample = format_of(path) == Format::raw32 ? SampleType::f32 : SampleType::u16;
  return options;
}

// Samples become the heights that they were before they were written.
void apply_sidecar(const std::filesystem::path& path, const Sidecar& sidecar, Raster& raster) {
  if (sidecar.width != raster.width || sidecar.height != raster.height)
    throw Error(text(sidecar_path(path).string(), ": describes ", sidecar.width, " x ",
                     sidecar.height, " cells, the file beside it has ", raster.width, " x ",
                     raster.height));
  if (raster.dx == 0) raster.dx = sidecar.dx;
  if (raster.dy == 0) raster.dy = sidecar.dy;
  if (sidecar.south_first) flip_rows(raster);
  if (raster.heights_known) return;
  if (sidecar.nodata_sample) {
    const auto nodata = static_cast<float>(*sidecar.nodata_sample);
    std::replace(raster.values.begin(), raster.values.end(), nodata,
                 std::numeric_limits<float>::quiet_NaN());
    raster.has_nodata = true;
    raster.nodata = std::numeric_limits<double>::quiet_NaN();
  }
  scale_to_range(raster, sidecar.range.low, sidecar.range.high, sidecar.sample_low,
                 sidecar.sample_high);
}

Raster read_by_format(const std::filesystem::path& path, Format format, const ReadOptions& options,
                      const std::optional<Sidecar>& sidecar) {
  switch (format) {
    case Format::npy:
      return read_npy(path, options);
    case Format::exr:
      return codec::read_exr(path, options);
    case Format::raw16:
    case Format::raw32: {
      ReadOptions declared = declared_by(path, options, sidecar);
      if (!declared.nodata && sidecar && sidecar->format == Format::raw32)
        declared.nodata = sidecar->nodata_sample;
      return codec::read_raw(path, declared);
    }
    default:
      return codec::read_gdal(path, options);
  }
}

struct Quantised {
  std::vector<std::uint16_t> samples;
  Sidecar sidecar;
};

// Heights to 16-bit samples, rounded to the nearest.
Quantised quantise(const Raster& raster, const WriteOptions& options) {
  Quantised out;
  Sidecar& about = out.sidecar;
  about.range = options.range ? *options.range : height_range(raster);
  about.nodata_cells = std::count_if(raster.values.begin(), raster.values.end(),
                                     [](float value) { return std::isnan(value); });
  const bool needed = about.nodata_cells > 0 && options.reserve_nodata != ReserveNodata::never;
  if (needed || options.reserve_nodata == ReserveNodata::always) {
    about.sample_low = 1;
    about.nodata_sample = 0;
  }
  const double span = about.range.high - about.range.low;
  const double scale = span > 0 ? (about.sample_high - about.sample_low) / span : 0;
  out.samples.reserve(raster.values.size());
  for (const float value : raster.values) {
    if (std::isnan(value)) {
      out.samples.push_back(0);
      continue;
    }
    if (value < about.range.low || value > about.range.high) ++about.clipped_cells;
    const double sample = about.sample_low + std::floor((value - about.range.low) * scale + 0.5);
    out.samples.push_back(
        static_cast<std::uint16_t>(std::clamp(sample, about.sample_low, about.sample_high)));
  }
  return out;
}

void check_range(const std::filesystem::path& path, const WriteOptions& options) {
  if (!options.range) return;
  const auto [low, high] = *options.range;
  if (!std::isfinite(low) || !std::isfinite(high) || !(low < high))
    throw UsageError(
        text(path.string(), ": expected a height range low < high, found ", low, " to ", high));
}

Format format_to_write(const std::filesystem::path& path, const WriteOptions& options) {
  const Format format = options.format == Format::automatic ? format_of(path) : options.format;
  if (format == Format::automatic)
    throw UsageError(text(path.string(),
                          ": expected a name that ends in .tif, .png, .r16, .raw, "
                          ".r32, .exr or .npy"));
  if (format == Format::geotiff && options.flip_rows)
    throw UsageError(text(path.string(),
                          ": a GeoTIFF has its northern row first; rows can be "
                          "flipped in the other formats"));
  return format;
}

// Writes the cells and returns what there is to say about them.
Sidecar write_cells(const std::filesystem::path& path, Format format, const Raster& raster,
                    const WriteOptions& options) {
  if (format == Format::png16 || format == Format::raw16) {
    const Quantised quantised = quantise(raster, options);
    if (quantised.sidecar.clipped_cells > 0)
      log(LogLevel::warning, text(path.string(), ": ", quantised.sidecar.clipped_cells,
                                  " cells lie outside the height range and were clipped"));
    if (format == Format::png16) {
      codec::write_png16(path, raster.width, raster.height, quantised.samples);
    } else {
      codec::write_raw16(path, quantised.samples, options.byte_order);
    }
    return quantised.sidecar;
  }
  if (format == Format::geotiff) codec::write_geotiff(path, raster);
  if (format == Format::raw32) codec::write_raw32(path, raster.values, options.byte_order);
  if (format == Format::exr) codec::write_exr(path, raster, options.channel);
  if (format == Format::npy) write_npy(path, raster.width, raster.height, raster.values);
  Sidecar about;
  about.range = height_range(raster);
  about.nodata_cells = std::count_if(raster.values.begin(), raster.values.end(),
                                     [](float value) { return std::isnan(value); });
  if (about.nodata_cells > 0 || raster.has_nodata)
    about.nodata_sample = std::numeric_limits<double>::quiet_NaN();
  return about;
}

}  // namespace

Raster read_raster(const std::filesystem::path& path, const ReadOptions& options) {
  const Format format = format_to_read(path);
  std::optional<Sidecar> sidecar;
  if (options.sidecar) sidecar = read_sidecar(path);
  try {
    Raster raster = read_by_format(path, format, options, sidecar);
    if (sidecar) apply_sidecar(path, *sidecar, raster);
    return raster;
  } catch (const std::bad_alloc&) {
    throw Error(text(path.string(), ": not enough memory to read it"));
  }
}

void scale_to_range(Raster& raster, double low, double high, double sample_min, double sample_max) {
  if (!(sample_min < sample_max) || !std::isfinite(low) || !std::isfinite(high))
    throw UsageError(text("expected samples ", sample_min, " < ", sample_max,
                          " and finite heights, found ", low, " to ", high));
  const double scale = (high - low) / (sample_max - sample_min);
  for (float& value : raster.values) value = static_cast<float>(low + (value - sample_min) * scale);
  raster.heights_known = true;
}

void scale_to_range(Raster& raster, double low, double high) {
  scale_to_range(raster, low, high, raster.sample_min, raster.sample_max);
}

void write_raster_with(const std::filesystem::path& path, const Raster& raster,
                       const WriteOptions& options, const JsonValues& more, bool force_sidecar) {
  const Format format = format_to_write(path, options);
  check_range(path, options);
  check_writable(path, raster);
  Raster flipped;
  if (options.flip_rows) {
    flipped = raster;
    flip_rows(flipped);
  }
  Sidecar about = write_cells(path, format, options.flip_rows ? flipped : raster, options);
  const bool wanted = format == Format::png16 || format == Format::raw16 || format == Format::raw32;
  if (!force_sidecar && !(wanted && options.sidecar)) return;
  about.format = format;
  about.width = raster.width;
  about.height = raster.height;
  about.dx = raster.dx;
  about.dy = raster.dy;
  about.byte_order = options.byte_order;
  about.south_first = options.flip_rows;
  about.more = more;
  write_sidecar(path, about);
}

void write_raster(const std::filesystem::path& path, const Raster& raster,
                  const WriteOptions& options) {
  write_raster_with(path, raster, options, {}, false);
}

HeightRange height_range(const Raster& raster) {
  HeightRange range{std::numeric_limits<double>::infinity(),
                    -std::numeric_limits<double>::infinity()};
  for (const float value : raster.values) {
    // A comparison with NaN is false, so that nodata leaves both as they are.
    if (value < range.low) range.low = value;
    if (value > range.high) range.high = value;
  }
  return range.low <= range.high ? range : HeightRange{};
}

Format format_of(const std::filesystem::path& path) {
  const std::string extension = ending_of(path);
  if (extension == ".tif" || extension == ".tiff") return Format::geotiff;
  if (extension == ".png") return Format::png16;
  if (extension == ".raw" || extension == ".r16") return Format::raw16;
  if (extension == ".r32" || extension == ".f32") return Format::raw32;
  if (extension == ".exr") return Format::exr;
  if (extension == ".npy") return Format::npy;
  return Format::automatic;
}

std::string extension_of(Format format) {
  switch (format) {
    case Format::geotiff:
      return ".tif";
    case Format::png16:
      return ".png";
    case Format::raw16:
      return ".r16";
    case Format::raw32:
      return ".r32";
    case Format::exr:
      return ".exr";
    case Format::npy:
      return ".npy";
    case Format::automatic:
      break;
  }
  return "";
}

Format format_from_name(const std::string& name) {
  if (name == "geotiff" || name == "tif" || name == "tiff") return Format::geotiff;
  if (name == "png16" || name == "png") return Format::png16;
  if (name == "raw16" || name == "r16" || name == "raw") return Format::raw16;
  if (name == "raw32" || name == "r32") return Format::raw32;
  if (name == "exr") return Format::exr;
  if (name == "npy") return Format::npy;
  throw UsageError(text("expected a format out of geotiff, png16, raw16, raw32, exr, npy, found \"",
                        name, "\""));
}

bool can_write(Format format) {
  if (format == Format::geotiff || format == Format::png16) return codec::have_gdal();
  if (format == Format::exr) return codec::have_exr();
  return format != Format::automatic;
}

}  // namespace scree::io
