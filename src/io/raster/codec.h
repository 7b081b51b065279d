// Inside io: one function pair a codec. raster.cpp chooses among them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/raster/raster.h"

namespace scree::io::codec {

// GDAL (codec_gdal.cpp, or codec_gdal_off.cpp in a build without it).
bool have_gdal();
Raster read_gdal(const std::filesystem::path& path, const ReadOptions& options);
void write_geotiff(const std::filesystem::path& path, const Raster& raster);
// Whether GDAL can write pictures of that kind: "PNG", "JPEG" or "WEBP".
bool have_picture_driver(const std::string& driver);
// RGB of 8 bits, as "JPEG" or "WEBP"; quality out of 100.
void write_lossy8(const std::filesystem::path& path, const std::string& driver, int quality,
                  int width, int height, const std::vector<std::uint8_t>& rgb);
// bands interleaved by pixel; samples of 8 or 16 bits.
void write_png8(const std::filesystem::path& path, int width, int height, int bands,
                const std::vector<std::uint8_t>& samples);
void write_png16(const std::filesystem::path& path, int width, int height,
                 const std::vector<std::uint16_t>& samples);

// OpenEXR (codec_exr.cpp, or codec_exr_off.cpp).
bool have_exr();
Raster read_exr(const std::filesystem::path& path, const ReadOptions& options);
void write_exr(const std::filesystem::path& path, const Raster& raster, const std::string& channel);

// Headerless samples (codec_raw.cpp). read_raw needs width, height and sample type in options.
Raster read_raw(const std::filesystem::path& path, const ReadOptions& options);
void write_raw16(const std::filesystem::path& path, const std::vector<std::uint16_t>& samples,
                 ByteOrder order);
void write_raw32(const std::filesystem::path& path, const std::vector<float>& values,
                 ByteOrder order);

}  // namespace scree::io::codec
