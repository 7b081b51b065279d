// What a run writes, as a scene says it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/file/ending.h"
#include "io/raster/tiles.h"
#include "render/look/camera.h"
#include "render/look/picture_scene.h"
#include "render/look/relief.h"
#include "render/look/view_choice.h"
#include "surface/layers/layer_solid.h"

namespace scree {

enum class OutputKind {
  height,   // the bed as a heightmap
  field,    // any field by name, in its SI unit
  mask,     // flow, wear, deposit, slope, curvature, wetness, water, velocity and its parts
  relief,   // a shaded picture, from above
  picture,  // a picture in perspective
  tiles,    // the bed as a grid of heightmaps: file = "tiles.png" makes tiles/PATTERN.png
  engine,   // heightmap for a game engine
  stones,   // of layers: a list of the boulders that lie on them
  mesh,     // of layers and voxels: the whole solid, in the colours of its materials
  volume,   // of voxels: density and material
};

const std::map<std::string, OutputKind>& output_kinds();  // by name

// A picture in perspective, or one of the views that are read.
struct PictureSettings {
  int width = 1280;
  int height = 800;
  render::Camera camera = {};
  render::Look look = {};
  render::ViewChoice view = {};
  int turntable = 0;    // so many pictures around it, numbered; 0: one
  bool before = false;  // beside what the run began with
  int samples = 2;      // along a pixel's side
};

// A solid of layers, in a mesh or a picture.
struct SolidOutput {
  std::optional<surface::LayerCut> cut;  // what is left of it is kept
  std::optional<int> level;              // one column in 2^level; none: as memory allows
  double cell_z = 0;                     // metres; 0: a hundredth of the height
};

struct OutputSettings {
  OutputKind kind = OutputKind::height;
  std::string name = "bed";  // of a field or mask
  std::string file;          // in the run's folder; the format follows its extension
  int every = 0;             // steps, and the step is added to the name; 0: at the end
  bool normalise = false;    // of a mask or field: 0 … 1 over its range, flow by its logarithm
  int tile_width = 0;        // of tiles
  int tile_height = 0;
  int overlap = 1;
  std::string pattern = "tile_x%X_y%Y";
  bool flip_y = false;
  std::string engine;            // "unreal", "unity", "godot"
  render::ReliefOptions relief;  // of the relief
  PictureSettings picture;
  SolidOutput solid;  // of a mesh, and of a picture of layers
  std::string where;  // file and line, for messages
  // A hash of what the scene says of it; empty where it does not come from a scene. Whether a file
  // that an earlier part of a run has written is still what is wanted shows in it.
  std::string wording = {};

  // Pictures that become a film at the end of the run, where ffmpeg is installed.
  bool is_film() const { return kind == OutputKind::picture && io::ending_of(file) == ".mp4"; }
};

// With nothing said but this.
inline OutputSettings output_of(OutputKind kind, const std::string& file) {
  OutputSettings output;
  output.kind = kind;
  output.file = file;
  return output;
}

// A file that was written.
struct OutputFile {
  std::filesystem::path path;
  OutputSettings output;
  std::uint64_t step = 0;
};

}  // namespace scree
