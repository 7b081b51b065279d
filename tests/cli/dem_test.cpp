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

TEST_F(Dem, KeepsGeoreferenceNodataAndSea) {
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
  // Sea level of the file; a cell counts as open sea where all its neighbours are sea too.
  const float sea = 339;
  int open_sea = 0, changed = 0;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x) {
      const auto at = [&](int column, int row) {
        const int c = std::clamp(column, 0, a.width - 1), r = std::clamp(row, 0, a.height - 1);
        return a.values[static_cast<std::size_t>(r) * static_cast<std::size_t>(a.width) +
                        static_cast<std::size_t>(c)];
      };
      const auto i = static_cast<std::size_t>(y) * static_cast<std::size_t>(a.width) +
                     static_cast<std::size_t>(x);
      EXPECT_EQ(std::isnan(a.values[i]), std::isnan(b.values[i])) << x << ", " << y;
      if (std::isnan(a.values[i])) continue;
      changed += a.values[i] != b.values[i];
      bool open = true;
      for (int dy = -3; dy <= 3; ++dy)
        for (int dx = -3; dx <= 3; ++dx) open = open && at(x + dx, y + dy) == sea;
      if (!open) continue;
      ++open_sea;
      EXPECT_NEAR(b.values[i], sea, 0.01) << x << ", " << y;
    }
  EXPECT_GT(open_sea, 100);
  EXPECT_GT(changed, 1000) << "it has eroded";
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
