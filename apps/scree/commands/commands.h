// One function a command. Arguments are as typed; each command checks its own.
#pragma once

#include <string>
#include <vector>

#include "commands/mesh_colour.h"
#include "print/console.h"
#include "words/arguments.h"

namespace scree::cli {

struct RunArguments {
  std::string scene;
  std::string out;
  std::string steps, size, seed;
  std::vector<std::string> set;
  std::string checkpoint_every, checkpoint_seconds;
  std::string validate;
  bool resume = false;
  bool allow_outside = false;
  std::string engine;
  DeviceWords device;
};
int run(Console& console, const RunArguments& arguments);
// A scene of voxels.
int weather(Console& console, const RunArguments& arguments);

struct ErodeArguments {
  std::string in, out;
  std::string preset = "alpine";
  std::string sea = "auto";
  std::string steps, seed;
  std::vector<std::string> set;
  std::string relief;
  std::string masks;
  std::string engine;
  bool resume = false;
  InputWords input;
  DeviceWords device;
};
int erode(Console& console, const ErodeArguments& arguments);

struct GenerateArguments {
  std::string kind, out;
  std::string size = "512x512", cell = "10", seed = "1";
  std::vector<std::string> set;
  DeviceWords device;
};
int generate(Console& console, const GenerateArguments& arguments);

struct MeshArguments {
  std::string in, out;
  std::string level, levels, target_triangles, view, detail;
  ColourWords colours;
  std::string grid, isovalue;  // of a volume
  std::string cut, cell_z;     // of layers
  InputWords input;
};
int mesh(Console& console, const MeshArguments& arguments);

struct RenderArguments {
  std::string in, out;
  std::string pixels = "1280x800";
  std::string camera, sun, haze, exposure, exaggeration, samples, palette, turntable;
  std::string before;  // another state beside it
  std::string view = "beauty", range, contours, glyphs, line;
  std::string cut;  // of layers
  bool logarithmic = false;
  bool dry = false;  // no water
  InputWords input;
  RunArguments run;  // what changes a scene, and where it runs
};
int render(Console& console, const RenderArguments& arguments);

struct InfoArguments {
  std::string file;
  bool hydrology = false;
  InputWords input;
};
int info(Console& console, const InfoArguments& arguments);

int devices(Console& console);
int fields(Console& console);

struct ParamsArguments {
  std::string process;
  bool markdown = false;
};
int params(Console& console, const ParamsArguments& arguments);

struct CompareArguments {
  std::string a, b;
  InputWords input;
};
int compare(Console& console, const CompareArguments& arguments);

struct BenchArguments {
  std::vector<std::string> devices, sizes;
  std::string threads, seconds, only, voxels, steps;
};
int bench(Console& console, const BenchArguments& arguments);

}  // namespace scree::cli
