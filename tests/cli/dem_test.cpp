// A real DEM keeps its place on Earth: geographic, oblong cells, nodata, and a flat sea.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "io/raster.h"
#include "program.h"

namespace scree::testing {
namespace {

class Dem : public Cli {
 protected:
  // What GDAL's own program says, independent of our codecs.
  Json gdalinfo(const std::string& file) const {
    const fs::path json = path("gdalinfo.json");
    const std::string command = "gdalinfo -json '" + file + "' > '" + json.string() + "' 2>&1";
    if (std::system(command.c_str()) != 0) return {};
    return Json::parse(read("gdalinfo.json"), nullptr, false);
  }
};

TEST_F(Dem, KeepsGeoreferenceExtentAndNodata) {
  const std::string in = data_file("jacksboro_coast.tif");
  expect_success(scree({"erode", in, "-o", "x.tif"}));
  const Json before = gdalinfo(in), after = gdalinfo(path("x.tif").string());
  ASSERT_TRUE(before.is_object() && after.is_object());
  for (const char* key : {"size", "geoTransform", "cornerCoordinates"})
    EXPECT_EQ(before[key], after[key]) << key;
  EXPECT_EQ(before["stac"]["proj:epsg"], after["stac"]["proj:epsg"]);
  EXPECT_EQ(before["coordinateSystem"]["dataAxisToSRSAxisMapping"],
            after["coordinateSystem"]["dataAxisToSRSAxisMapping"]);
  EXPECT_EQ(before["bands"][0]["noDataValue"], after["bands"][0]["noDataValue"]);
  EXPECT_EQ(after["bands"][0]["type"], "Float32");

  const io::Raster a = io::read_raster(in), b = io::read_raster(path("x.tif"));
  ASSERT_EQ(a.values.size(), b.values.size());
  int changed = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    EXPECT_EQ(std::isnan(a.values[i]), std::isnan(b.values[i])) << i;
    changed += !std::isnan(a.values[i]) && a.values[i] != b.values[i];
  }
  EXPECT_GT(changed, 1000) << "it has eroded";
}

constexpr float sea_level = 339;  // of the file

// All cells within three of (x, y) are sea: no shore that may move.
bool open_sea(const io::Raster& raster, int x, int y) {
  for (int row = y - 3; row <= y + 3; ++row)
    for (int column = x - 3; column <= x + 3; ++column) {
      const int c = std::clamp(column, 0, raster.width - 1);
      const int r = std::clamp(row, 0, raster.height - 1);
      const auto i = static_cast<std::size_t>(r) * static_cast<std::size_t>(raster.width) +
                     static_cast<std::size_t>(c);
      if (raster.values[i] != sea_level) return false;
    }
  return true;
}

TEST_F(Dem, FlatSeaStaysFlat) {
  const std::string in = data_file("jacksboro_coast.tif");
  expect_success(scree({"erode", in, "-o", "x.tif"}));
  const io::Raster a = io::read_raster(in), b = io::read_raster(path("x.tif"));
  ASSERT_EQ(a.values.size(), b.values.size());
  int cells = 0, moved = 0;
  float worst = 0;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x) {
      if (!open_sea(a, x, y)) continue;
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(y) * a.width + x;
      const float by = std::abs(b.values[static_cast<std::size_t>(at)] - sea_level);
      ++cells;
      moved += by > 0.01F;
      worst = std::max(worst, by);
    }
  EXPECT_GT(cells, 100);
  EXPECT_EQ(moved, 0) << "of " << cells << " cells of open sea; the worst by " << worst << " m";
}

TEST_F(Dem, SaysHowLargeItsCellsAre) {
  const Outcome outcome = scree({"info", data_file("jacksboro_coast.tif")});
  expect_success(outcome);
  EXPECT_NE(outcome.out.find("300 cells"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("WGS 84"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("geographic"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace scree::testing
