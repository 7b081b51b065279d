// Files of rasters (data/raster.h).
//
//   Raster dem = read_raster("alps.tif");
//   write_raster("alps.png", dem);                       // PNG16 and alps.png.json
//
// Every failure is one scree::Error line: which file, what was expected, what was found. Outputs
// are written beside their name and renamed, so a failure never touches what was there before.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/raster.h"

namespace scree::io {

enum class Format { automatic, geotiff, png16, raw16, raw32, exr, npy };
enum class SampleType { automatic, u8, i8, u16, i16, u32, i32, i64, f32, f64 };
enum class ByteOrder { little, big };

// Reading -----------------------------------------------------------------------------------

struct ReadOptions {
  // A raw file has no header: these declare it. Zero: taken from its JSON sidecar if it has one.
  int width = 0;
  int height = 0;
  SampleType sample = SampleType::automatic;  // by extension: .r32 .f32 f32, other raw files u16
  ByteOrder byte_order = ByteOrder::little;

  // GDAL formats: which band, from 1. Empty: the first, or of a plain image in colours their
  // brightness (0.2126 R + 0.7152 G + 0.0722 B), times alpha where it has one.
  std::optional<int> band;
  std::string channel;  // EXR channel or NetCDF variable; empty: the first

  // A value that means nodata where the file itself declares none. NaN may be declared too.
  std::optional<double> nodata;

  // Use NAME.EXT.json beside NAME.EXT (written by write_raster) for size, cell size and height
  // range. Switch it off where the user has given a height range of their own.
  bool sidecar = true;
};

// Reads by content and extension: .exr, .npy, .raw .r16 .r32 .f32, and everything else by GDAL
// (GeoTIFF, PNG, HGT, ASCII grid, NetCDF, ...). Heights are metres: feet are converted. Plain
// images (8 and 16 bit samples without georeference or sidecar) come as raw sample values with
// heights_known == false; see scale_to_range. A .npy holds numbers, so its heights are known.
Raster read_raster(const std::filesystem::path& path, const ReadOptions& options = {});

// Maps sample_min -> low and sample_max -> high, linearly, and marks the heights as known.
void scale_to_range(Raster& raster, double low, double high, double sample_min, double sample_max);

// The same over the raster's own sample_min .. sample_max.
void scale_to_range(Raster& raster, double low, double high);

// Writing -----------------------------------------------------------------------------------

// never: data starts at sample 0 even beside nodata (engines want that).
enum class ReserveNodata { when_needed, always, never };

struct WriteOptions {
  Format format = Format::automatic;  // by extension: .tif .tiff .png .raw .r16 .r32 .f32 .exr .npy
  ByteOrder byte_order = ByteOrder::little;  // RAW16 and RAW32

  // Integer formats: which heights become the lowest and highest sample. Empty: those of the
  // raster, so that the full range of samples is used. What lies outside is clipped and counted.
  std::optional<HeightRange> range;

  // Integer formats write nodata cells as sample 0. To tell them apart, data can start at sample 1.
  ReserveNodata reserve_nodata = ReserveNodata::when_needed;

  bool flip_rows = false;          // southern row first (not GeoTIFF); noted in the sidecar
  bool sidecar = true;             // NAME.EXT.json beside PNG16, RAW16 and RAW32
  std::string channel = "height";  // EXR channel name
};

// GeoTIFF: float32, DEFLATE, tiled, georeference and nodata kept. PNG16, RAW16: see above.
// RAW32, EXR, NPY: float32 as it is, nodata as NaN.
void write_raster(const std::filesystem::path& path, const Raster& raster,
                  const WriteOptions& options = {});

// Helpers -----------------------------------------------------------------------------------

// Lowest and highest height of the cells that hold data; {0, 0} if none does.
HeightRange height_range(const Raster& raster);

// Which format a file name asks for; Format::automatic where its extension is not one of ours.
Format format_of(const std::filesystem::path& path);

// ".tif", ".png", ".r16", ".r32", ".exr", ".npy".
std::string extension_of(Format format);

// "geotiff" (also "tif", "tiff"), "png16" ("png"), "raw16" ("r16", "raw"), "raw32" ("r32"), "exr",
// "npy"; UsageError lists them for anything else.
Format format_from_name(const std::string& name);

// False where this build was made without the library that the format needs.
bool can_write(Format format);

// The part of a raster that starts at (column, row), with its own georeference. Cells beyond the
// edge repeat the nearest edge cell.
Raster crop(const Raster& raster, int column, int row, int width, int height);

// What a raster's grid points are when its size changes. nodes: the corner points stay where they
// are, (width-1)*dx is kept. cells: the outer cell borders stay, width*dx is kept.
enum class Registration { nodes, cells };

// Bilinear, in double; georeference and cell size follow. Nodata is not blended: next to a nodata
// cell the nearest cell decides.
Raster resample(const Raster& raster, int width, int height, Registration registration);

}  // namespace scree::io
