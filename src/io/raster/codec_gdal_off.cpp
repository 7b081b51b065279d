// Stands in for codec_gdal.cpp in a build without GDAL.
#include "base/error.h"
#include "io/raster/codec.h"

namespace scree::io::codec {
namespace {

[[noreturn]] void missing(const std::filesystem::path& path, const char* what) {
  throw Error(text(path.string(), ": ", what, " needs GDAL, and scree was built without GDAL"));
}

}  // namespace

bool have_gdal() { return false; }

Raster read_gdal(const std::filesystem::path& path, const ReadOptions&) {
  missing(path, "reading this format");
}

void write_geotiff(const std::filesystem::path& path, const Raster&) { missing(path, "GeoTIFF"); }

bool have_picture_driver(const std::string&) { return false; }

void write_lossy8(const std::filesystem::path& path, const std::string& driver, int, int, int,
                  const std::vector<std::uint8_t>&) {
  missing(path, driver.c_str());
}

void write_png8(const std::filesystem::path& path, int, int, int,
                const std::vector<std::uint8_t>&) {
  missing(path, "PNG");
}

void write_png16(const std::filesystem::path& path, int, int, const std::vector<std::uint16_t>&) {
  missing(path, "PNG");
}

}  // namespace scree::io::codec
