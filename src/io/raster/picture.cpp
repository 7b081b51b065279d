#include "io/raster/picture.h"

#include "base/error.h"
#include "io/raster/codec.h"

namespace scree::io {

void write_rgb_png(const std::filesystem::path& path, int width, int height,
                   const std::vector<unsigned char>& rgb) {
  if (width < 1 || height < 1 ||
      rgb.size() != 3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height))
    throw Error(text(path.string(), ": cannot be written: ", rgb.size(), " bytes for ", width,
                     " x ", height, " RGB pixels"));
  codec::write_png8(path, width, height, 3, rgb);
}

}  // namespace scree::io
