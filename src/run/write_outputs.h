// Inside scene: one output of a run into files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/progress.h"
#include "io/raster/raster.h"
#include "picture/heights/height_pictures.h"
#include "scene/output.h"
#include "terrain/heights/heightfield.h"

namespace scree {

struct WrittenOutput {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> lines;  // numbers to type into an engine
};

// A frame around values. A window that has moved lies elsewhere.
Raster framed(const Raster& frame, const Heightfield& terrain, std::vector<float> values);

// The name of an output in `folder`, of a film's pictures that of a picture. Where it is written
// every so many steps, the step stands before the extension, with so many digits that names up to
// that of the last step are in its order.
std::filesystem::path output_path(const std::filesystem::path& folder, const OutputSettings& output,
                                  std::uint64_t step, std::uint64_t last_step);

// start: where a picture wants it beside it. frame: georeference and cells, moved to where the
// terrain's window is.
WrittenOutput write_output(const OutputSettings& output, const Heightfield& terrain,
                           const Raster& frame, const std::filesystem::path& path,
                           const PictureStart* start = nullptr);

}  // namespace scree
