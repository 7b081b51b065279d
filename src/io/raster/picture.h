// Pictures for people: 8-bit RGB as PNG, JPEG or WebP.
#pragma once

#include <filesystem>
#include <vector>

namespace scree::io {

// A name that ends in .png, .jpg, .jpeg or .webp, and those endings in words.
bool is_picture_name(const std::filesystem::path& path);
inline constexpr const char* picture_endings = ".png, .jpg or .webp";

// Whether this build can write a picture of that name: GDAL may lack what it takes.
bool can_write_picture(const std::filesystem::path& path);

// rgb holds width * height * 3 bytes, top row first. PNG keeps all of them, the others what eyes
// see of them.
void write_picture(const std::filesystem::path& path, int width, int height,
                   const std::vector<unsigned char>& rgb);

}  // namespace scree::io
