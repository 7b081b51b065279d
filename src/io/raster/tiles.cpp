#include "io/raster/tiles.h"

#include <algorithm>

#include "base/error.h"
#include "io/raster/cells.h"

namespace scree::io {
namespace {

// How many tiles of this size, each sharing overlap cells with the last, cover the cells.
int tile_count(int cells, int tile, int overlap) {
  const int step = tile - overlap;
  return std::max(1, (cells - overlap + step - 1) / step);
}

int covered(int tiles, int tile, int overlap) { return tiles * (tile - overlap) + overlap; }

void refuse_misfit(int cells, int tile, int overlap, const char* side) {
  const int count = tile_count(cells, tile, overlap);
  if (covered(count, tile, overlap) == cells) return;
  const int smaller = covered(std::max(1, count - 1), tile, overlap);
  throw UsageError(text("tiles of ", tile, " cells with an overlap of ", overlap,
                        " do not fit a raster ", side, " of ", cells, ": expected ",
                        smaller < cells ? text(smaller, " or ") : "", covered(count, tile, overlap),
                        " cells"));
}

std::string fill_pattern(const std::string& pattern, int x, int y) {
  std::string name;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char next = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (next == 'X' || next == 'Y') {
      name += std::to_string(next == 'X' ? x : y);
      ++i;
    } else {
      name += pattern[i];
    }
  }
  return name;
}

void check_options(int width, int height, const std::string& pattern, const TileOptions& options) {
  if (width < 1 || height < 1)
    throw UsageError(text("cannot cut ", width, " x ", height, " cells into tiles"));
  if (options.overlap < 0 || options.tile_width <= options.overlap ||
      options.tile_height <= options.overlap)
    throw UsageError(text("expected tiles larger than their overlap, found ", options.tile_width,
                          " x ", options.tile_height, " with an overlap of ", options.overlap));
  if (pattern.find("%X") == std::string::npos || pattern.find("%Y") == std::string::npos)
    throw UsageError(text("expected %X and %Y in the tile name, found \"", pattern, "\""));
  if (pattern.find('/') != std::string::npos)
    throw UsageError(text("expected a tile name without folders, found \"", pattern, "\""));
}

}  // namespace

std::vector<Tile> plan_tiles(int width, int height, const std::string& pattern,
                             const TileOptions& options) {
  check_options(width, height, pattern, options);
  if (options.edge == TileEdge::refuse) {
    refuse_misfit(width, options.tile_width, options.overlap, "width");
    refuse_misfit(height, options.tile_height, options.overlap, "height");
  }
  const int columns = tile_count(width, options.tile_width, options.overlap);
  const int rows = tile_count(height, options.tile_height, options.overlap);
  std::vector<Tile> tiles;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      Tile tile;
      tile.x = column;
      tile.y = options.flip_y ? rows - 1 - row : row;
      tile.column = column * (options.tile_width - options.overlap);
      tile.row = row * (options.tile_height - options.overlap);
      tile.name = fill_pattern(pattern, tile.x, tile.y);
      tiles.push_back(tile);
    }
  return tiles;
}

std::vector<std::filesystem::path> write_tiles(const std::filesystem::path& folder,
                                               const std::string& pattern, const Raster& raster,
                                               const TileOptions& options) {
  const std::vector<Tile> tiles = plan_tiles(raster.width, raster.height, pattern, options);
  WriteOptions write = options.write;
  if (write.format == Format::automatic) write.format = Format::png16;
  if (!write.range) {
    write.range = height_range(raster);
    // A flat raster has no range of its own, and its tiles need a common one.
    if (!(write.range->low < write.range->high)) write.range->high = write.range->low + 1;
  }
  // Sample 0 means the same in every tile, also in those without a nodata cell.
  if (write.reserve_nodata == ReserveNodata::when_needed && any_nodata(raster))
    write.reserve_nodata = ReserveNodata::always;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(text(folder.string(), ": cannot make the folder: ", error.message()));
  std::vector<std::filesystem::path> files;
  for (const Tile& tile : tiles) {
    files.push_back(folder / (tile.name + extension_of(write.format)));
    write_raster(files.back(),
                 crop(raster, tile.column, tile.row, options.tile_width, options.tile_height),
                 write);
  }
  return files;
}

}  // namespace scree::io
