// Pictures for people: 8-bit RGB PNG.
#pragma once

#include <filesystem>
#include <vector>

namespace scree::io {

// rgb holds width * height * 3 bytes, top row first. Needs a build with GDAL.
void write_rgb_png(const std::filesystem::path& path, int width, int height,
                   const std::vector<unsigned char>& rgb);

}  // namespace scree::io
