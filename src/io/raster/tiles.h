// One raster as a grid of equal tiles, the way game engines and terrain tools import large worlds.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/raster/raster.h"

namespace scree::io {

// What to do where the tiles do not fit the raster exactly; tiles are always equal in size.
enum class TileEdge {
  pad,    // the last column and row of tiles repeat the raster's edge cells
  refuse  // UsageError that names the nearest sizes that fit
};

struct TileOptions {
  int tile_width = 0;
  int tile_height = 0;
  int overlap = 1;      // how many columns (rows) neighbouring tiles have in common
  bool flip_y = false;  // count %Y from the south instead of from the north
  TileEdge edge = TileEdge::pad;
  WriteOptions write;  // format (automatic: PNG16) and the rest; an empty range: the whole raster's
};

struct Tile {
  int x = 0;  // index as it stands in the name
  int y = 0;
  int column = 0;  // its first cell in the raster
  int row = 0;
  std::string name;  // without extension
};

// Which tiles a raster of this size makes. In pattern %X and %Y stand for the tile's indices.
std::vector<Tile> plan_tiles(int width, int height, const std::string& pattern,
                             const TileOptions& options);

// Writes folder/NAME.EXT for each tile, each with its own georeference, all with one height range,
// so that equal heights are equal samples everywhere. Makes the folder if there is none. Returns
// the files in order, row by row from the north.
std::vector<std::filesystem::path> write_tiles(const std::filesystem::path& folder,
                                               const std::string& pattern, const Raster& raster,
                                               const TileOptions& options);

}  // namespace scree::io
