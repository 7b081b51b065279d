#include "io/raster/picture.h"

#include <string>

#include "base/error.h"
#include "io/file/ending.h"
#include "io/raster/codec.h"

namespace scree::io {
namespace {

constexpr int quality = 88;  // out of 100, of JPEG and of WebP

// As GDAL calls it; empty for no picture.
std::string driver_of(const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  if (ending == ".png") return "PNG";
  if (ending == ".jpg" || ending == ".jpeg") return "JPEG";
  return ending == ".webp" ? "WEBP" : "";
}

}  // namespace

bool is_picture_name(const std::filesystem::path& path) { return !driver_of(path).empty(); }

bool can_write_picture(const std::filesystem::path& path) {
  return is_picture_name(path) && codec::have_picture_driver(driver_of(path));
}

void write_picture(const std::filesystem::path& path, int width, int height,
                   const std::vector<unsigned char>& rgb) {
  if (!is_picture_name(path))
    throw UsageError(text(path.string(), ": expected a name that ends in ", picture_endings));
  if (width < 1 || height < 1 ||
      rgb.size() != 3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height))
    throw Error(text(path.string(), ": cannot be written: ", rgb.size(), " bytes for ", width,
                     " x ", height, " RGB pixels"));
  const std::string driver = driver_of(path);
  if (driver == "PNG")
    codec::write_png8(path, width, height, 3, rgb);
  else
    codec::write_lossy8(path, driver, quality, width, height, rgb);
}

}  // namespace scree::io
