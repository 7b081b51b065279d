// Heightmaps that a game engine imports without surprises, and the numbers to type in there.
//
//   EngineExport plan = plan_export(Engine::unreal, raster);
//   std::vector<std::filesystem::path> files = write_engine("out/alps", plan);
//   for (const std::string& line : plan.lines) ...print it
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "io/raster/raster.h"

namespace scree::io {

enum class Engine { unreal, unity, godot };

// "unreal", "unity", "godot"; UsageError for anything else.
Engine engine_from_name(const std::string& name);

struct EngineOptions {
  // automatic: PNG16 for Unreal, RAW16 for Unity, EXR for Godot.
  // Unreal takes PNG16 or RAW16, Unity RAW16, Godot EXR or RAW16.
  Format format = Format::automatic;
};

struct EngineExport {
  Engine engine = Engine::unreal;
  Raster
      raster;  // resampled to a size that the engine accepts, nodata filled with the lowest height
  Format format = Format::automatic;
  WriteOptions write;
  bool resampled = false;

  // The numbers to type in: as sentences for people and as (key, JSON value) for programs.
  std::vector<std::string> lines;
  std::vector<std::pair<std::string, std::string>> values;
};

// Unreal: n * 126 + 1 cells a side (127, 253, 505, 1009, 2017, 4033: 63 x 63 quads, 2 x 2
// sections), above that n * 254 + 1 up to 8129; each side on its own. Unity: square, 2^n + 1 from
// 33 to 4097, southern row first as its importer expects. Godot: any size, square cells. The corner
// heights and the extent in metres are kept. Needs dx and dy.
EngineExport plan_export(Engine engine, const Raster& raster, const EngineOptions& options = {});

// Writes BASE.png, .r16 or .exr and beside it its JSON sidecar, which holds the numbers too;
// returns both names.
std::vector<std::filesystem::path> write_engine(const std::filesystem::path& base,
                                                const EngineExport& plan);

}  // namespace scree::io
