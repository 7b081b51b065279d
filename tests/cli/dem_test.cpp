// A real DEM keeps its place on Earth: geographic, oblong cells, nodata, and a flat sea.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "io/raster/raster.h"
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

  const Raster a = io::read_raster(in), b = io::read_raster(path("x.tif"));
  ASSERT_EQ(a.values.size(), b.values.size());
  int changed = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    EXPECT_EQ(std::isnan(a.values[i]), std::isnan(b.values[i])) << i;
    changed += !std::isnan(a.values[i]) && a.values[i] != b.values[i];
  }
  EXPECT_GT(changed, 1000) << "it has eroded";
}

constexpr float sea_level = 339;  // of the file

// Every cell of the sea, up to the shore, has the height that it had, to the quantum; land beside
// it has not.
TEST_F(Dem, FlatSeaStaysFlat) {
  const std::string in = data_file("jacksboro_coast.tif");
  const Raster before = io::read_raster(in);
  for (const char* device : {"cpu", "opencl"}) {
    expect_success(scree({"erode", in, "-o", "x.tif", "--device", device}));
    const Raster after = io::read_raster(path("x.tif"));
    ASSERT_EQ(before.values.size(), after.values.size());
    int sea = 0, moved = 0, shore = 0;
    for (std::size_t i = 0; i < before.values.size(); ++i) {
      if (before.values[i] <= sea_level) {
        ++sea;
        moved += after.values[i] != before.values[i] ? 1 : 0;
      } else if (before.values[i] < sea_level + 10) {
        shore += after.values[i] != before.values[i] ? 1 : 0;
      }
    }
    EXPECT_GT(sea, 1000);
    EXPECT_EQ(moved, 0) << "of " << sea << " cells of sea, on " << device;
    EXPECT_GT(shore, 20) << "the shore wears";
  }
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
