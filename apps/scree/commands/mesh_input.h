// Where `mesh` finds its heights, and what else is known of their cells.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/checkpoint/checkpoint.h"
#include "io/raster/raster.h"
#include "render/look/relief.h"
#include "terrain/heights/derive.h"
#include "words/arguments.h"

namespace scree::cli {

struct MeshInput {
  std::string file;  // that was read: the raster itself, or the one in a folder
  Raster raster;     // its heights and cell size are known

  // Fields of the same step by name, and whether they were brought to 0 … 1.
  std::map<std::string, bool> fields = {};
  std::function<std::vector<float>(const std::string&)> field = {};
  std::function<WaterVelocity()> velocity = {};  // of a checkpoint alone
  std::uint64_t step = 0;                        // of a run's state
  render::ReliefOptions relief = {};             // the tints of the run's own

  bool has(const std::string& name) const { return fields.count(name) > 0; }
  // In its own unit.
  bool has_plain(const std::string& name) const { return has(name) && !fields.at(name); }
};

// A raster; a checkpoint; or a run's folder, of which the newest is taken: a heightmap in its
// report, or a whole checkpoint. A note says so where that is not how the run ended.
MeshInput find_heights(const std::string& name, const InputWords& words);

// The tints of the run that a checkpoint is of: its own, else those in the report beside it.
render::ReliefOptions look_in(const io::CheckpointReader& checkpoint);

// The newest wanted output in the folder of a run of voxels, else its newest whole checkpoint;
// nothing where it is no such folder.
using FileTest = std::function<bool(const std::string&)>;
std::optional<std::string> output_of_voxels(const std::string& name, const FileTest& wanted,
                                            const char* expected);
// A VDB, or else a checkpoint.
std::optional<std::string> volume_in(const std::string& name);

// A raster that says something of the same cells.
std::vector<float> read_field(const std::string& file, const Raster& like);

}  // namespace scree::cli
