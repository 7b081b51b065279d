// Films of pictures, made by the ffmpeg program where it is installed.
#pragma once

#include <filesystem>
#include <vector>

namespace scree::io {

// Whether there is an ffmpeg on the PATH.
bool can_film();

// An H.264 film (.mp4) of PNG files in that order, 25 a second; an odd side gains a row or column.
// The file appears whole or not at all. Error where ffmpeg is missing or fails.
void write_film(const std::filesystem::path& path,
                const std::vector<std::filesystem::path>& pictures);

}  // namespace scree::io
