// What `mesh` of heights and of volumes have in common: how much detail is asked for, the files
// that come of it, and what is told of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "io/mesh/mesh.h"
#include "surface/grid/grid_blocks.h"
#include "surface/mesh/simplify.h"

namespace scree::cli {

// ---- what was asked for

// At most one of the first four.
struct MeshWishes {
  int level = 0;           // every 2^level-th sample
  std::size_t target = 0;  // triangles; 0: as many as there are
  std::size_t levels = 0;  // files of falling detail; 0: one file
  std::optional<surface::Viewpoint> viewpoint;
  double detail = 50;
};

// What differs between heights and volumes.
struct WishRules {
  std::uint64_t most_level = 0;
  std::uint64_t most_levels = 0;
  bool simplified_levels = false;  // levels are collapsed, not sampled
  bool needs_z = false;            // of a viewpoint
};

// The name of the mesh and every word on detail, or a UsageError; Error where this build cannot.
MeshWishes parse_wishes(const MeshArguments& arguments, const WishRules& rules);

// ---- files

// One file, or one level of a set.
struct Made {
  std::string file;
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  double error = 0;  // metres, as surface::Simplified has it
  std::uintmax_t bytes = 0;
};

struct MeshFiles {
  std::vector<Made> made;  // levels, where they were asked for
  bool is_set = false;
  std::string whole;  // the file with all levels in it; empty: there is none
};

MeshFiles write_file(const std::string& file, const surface::Simplified& mesh);

// A set of up to `count` levels, which ends before the first that `make` has nothing for: a file a
// level and, where the format holds them, one with all.
using MakeLevel = std::function<std::optional<surface::Simplified>(std::size_t level)>;
MeshFiles write_levels(const std::string& file, std::size_t count, const MakeLevel& make);

// ---- what to tell

std::string count_text(std::size_t count);

// Names, sizes and, of a set, errors after `moved`, such as "moved by about".
std::vector<std::vector<std::string>> file_rows(const MeshFiles& files, const std::string& moved);

// Of a set, the finest level speaks for the file with all of them.
Json to_json(const MeshFiles& files);

// "from 120, -300: WHAT, by level 1, 4, 9"
std::string view_text(const surface::Viewpoint& viewpoint, const std::string& what,
                      const std::vector<std::size_t>& blocks_by_level);

}  // namespace scree::cli
