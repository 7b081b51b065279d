// Pictures of a heightfield: as a ground, and with its masks and fields by name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "picture/photographer.h"
#include "scene/output.h"
#include "terrain/heights/heightfield.h"

namespace scree {

// A terrain as pictures want it, and one of its masks or fields by name.
render::Ground ground_of(const Heightfield& terrain);
render::ViewField field_of(const Heightfield& terrain, const std::string& name);

// What a picture showed before the first step.
struct PictureStart {
  render::Ground ground;
  render::ViewField field;  // of a view of one
};
PictureStart picture_start(const OutputSettings& output, const Heightfield& terrain);

// A picture of a run, as its output wants it. start: where it stands beside what the run began
// with.
std::vector<std::filesystem::path> write_heights(const OutputSettings& output,
                                                 const Heightfield& terrain,
                                                 const std::filesystem::path& path,
                                                 const PictureStart* start);

}  // namespace scree
