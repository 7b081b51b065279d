#include "io/raster/tiles.h"

#include <rapidcheck.h>

#include <map>

#include "io/file/io_test.h"

namespace scree::io {
namespace {

using namespace testing;

TEST(Tiles, NeighboursShareEqualEdges) {
  const TemporaryFolder folder;
  EXPECT_TRUE(rc::check([&] {
    const int width = *rc::gen::inRange(1, 40);
    const int height = *rc::gen::inRange(1, 40);
    TileOptions options;
    options.overlap = *rc::gen::inRange(0, 4);
    options.tile_width = options.overlap + *rc::gen::inRange(3, 12);
    options.tile_height = options.overlap + *rc::gen::inRange(3, 12);
    options.write.format = Format::raw16;
    Raster raster = bumpy(width, height);
    if (*rc::gen::arbitrary<bool>()) raster.values[0] = nan_height;
    const auto plan = plan_tiles(width, height, "t_x%X_y%Y", options);
    write_tiles(folder / "tiles", "t_x%X_y%Y", raster, options);
    std::map<std::pair<int, int>, std::string> tiles;
    for (const Tile& tile : plan)
      tiles[{tile.x, tile.y}] = get(folder / "tiles" / (tile.name + ".r16"));
    const auto sample = [&](const std::string& bytes, int column, int row) {
      return bytes.substr(static_cast<std::size_t>(2 * (row * options.tile_width + column)), 2);
    };
    for (const auto& [at, bytes] : tiles) {
      RC_ASSERT(bytes.size() ==
                static_cast<std::size_t>(2 * options.tile_width * options.tile_height));
      const auto east = tiles.find({at.first + 1, at.second});
      const auto south = tiles.find({at.first, at.second + 1});
      for (int k = 0; k < options.overlap; ++k) {
        if (east != tiles.end())
          for (int row = 0; row < options.tile_height; ++row)
            RC_ASSERT(sample(bytes, options.tile_width - options.overlap + k, row) ==
                      sample(east->second, k, row));
        if (south != tiles.end())
          for (int column = 0; column < options.tile_width; ++column)
            RC_ASSERT(sample(bytes, column, options.tile_height - options.overlap + k) ==
                      sample(south->second, column, k));
      }
    }
    std::filesystem::remove_all(folder / "tiles");
  }));
}

TEST(Tiles, CoverEveryCellWithTheirOwnPlace) {
  EXPECT_TRUE(rc::check([] {
    const int width = *rc::gen::inRange(1, 60);
    const int height = *rc::gen::inRange(1, 60);
    TileOptions options;
    options.overlap = *rc::gen::inRange(0, 3);
    options.tile_width = options.overlap + *rc::gen::inRange(1, 20);
    options.tile_height = options.overlap + *rc::gen::inRange(1, 20);
    const Raster raster = bumpy(width, height);
    std::vector<bool> seen(raster.values.size());
    for (const Tile& tile : plan_tiles(width, height, "%X%Y", options)) {
      const Raster part =
          crop(raster, tile.column, tile.row, options.tile_width, options.tile_height);
      for (int r = 0; r < part.height && tile.row + r < height; ++r)
        for (int c = 0; c < part.width && tile.column + c < width; ++c) {
          const auto at = static_cast<std::size_t>((tile.row + r) * width + tile.column + c);
          seen[at] = true;
          RC_ASSERT(part.values[static_cast<std::size_t>(r * part.width + c)] == raster.values[at]);
        }
    }
    RC_ASSERT(std::find(seen.begin(), seen.end(), false) == seen.end());
  }));
}

TEST(Tiles, NamesAndFlippedRows) {
  TileOptions options;
  options.tile_width = options.tile_height = 5;
  auto tiles = plan_tiles(9, 13, "alps_x%X_y%Y", options);
  ASSERT_EQ(tiles.size(), 6u);
  EXPECT_EQ(tiles[1].name, "alps_x1_y0");
  EXPECT_EQ(tiles[4].row, 8);
  options.flip_y = true;
  tiles = plan_tiles(9, 13, "alps_x%X_y%Y", options);
  EXPECT_EQ(tiles[1].name, "alps_x1_y2");
  EXPECT_EQ(tiles[1].row, 0);
  EXPECT_EQ(tiles[5].name, "alps_x1_y0");
}

TEST(Tiles, GeoreferenceOfATile) {
  Raster raster = bumpy(9, 9);
  raster.geo.present = true;
  raster.geo.transform = {1000, 30, 0, 5000, 0, -20};
  EXPECT_EQ(crop(raster, 4, 8, 5, 1).geo.transform,
            (std::array<double, 6>{1120, 30, 0, 4840, 0, -20}));
  // Rotated by a right angle: columns run south.
  raster.geo.transform = {1000, 0, 30, 5000, -20, 0};
  EXPECT_EQ(crop(raster, 4, 8, 5, 1).geo.transform,
            (std::array<double, 6>{1240, 0, 30, 4920, -20, 0}));
}

TEST(Tiles, PaddingRepeatsTheEdge) {
  const Raster raster = bumpy(3, 2);
  const Raster part = crop(raster, 2, 1, 3, 2);
  EXPECT_EQ(part.values, std::vector<float>(6, raster.values[5]));
}

TEST(Tiles, RefusesWhatCannotBe) {
  const TemporaryFolder folder;
  const Raster raster = bumpy(10, 9);
  TileOptions options;
  options.tile_width = options.tile_height = 5;
  options.edge = TileEdge::refuse;
  options.write.format = Format::raw16;
  const auto refuses = [&](const std::string& pattern, const std::string& part) {
    const std::string message =
        error_of([&] { write_tiles(folder / "t", pattern, raster, options); });
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  refuses("t_x%X_y%Y", "9 or 13");
  options.edge = TileEdge::pad;
  refuses("t_x%X", "%Y");
  refuses("../t_x%X_y%Y", "folders");
  options.overlap = 5;
  refuses("t_x%X_y%Y", "overlap of 5");
  EXPECT_EQ(folder.count(), 0u);
  options.overlap = 1;
  put(folder / "t", "a file where the folder should be");
  refuses("t_x%X_y%Y", "cannot make the folder");
}

}  // namespace
}  // namespace scree::io
