// Volumes in a build with or without OpenVDB: what is refused.
#include "io/volume_test.h"

namespace scree::io {
namespace {

using testing::error_of;
using testing::expect_line;
using testing::lumps;
using testing::TemporaryFolder;

bool have_vdb() {
  try {
    check_volume_name("a.vdb");
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "a.vdb: VDB needs OpenVDB, and scree was built without OpenVDB");
    return false;
  }
}

TEST(Volume, NamesItCannotWrite) {
  const TemporaryFolder folder;
  for (const char* name : {"a.nvdb", "a", "a.vdb.gz", ".vdb"}) {
    EXPECT_THROW(check_volume_name(name), UsageError) << name;
    expect_line(error_of([&] { write_volume(folder / name, lumps(4, 4, 4)); }), folder / name,
                "expected a name that ends in .vdb");
  }
  if (have_vdb()) return;
  expect_line(error_of([&] { write_volume(folder / "a.vdb", lumps(4, 4, 4)); }), "a.vdb",
              "built without OpenVDB");
  EXPECT_EQ(folder.count(), 0U);
}

void expect_refused(const Volume& volume, const std::string& part) {
  const TemporaryFolder folder;
  testing::put(folder / "a.vdb", "precious");
  expect_line(error_of([&] { write_volume(folder / "a.vdb", volume); }), "a.vdb", part);
  EXPECT_EQ(testing::get(folder / "a.vdb"), "precious");
  EXPECT_EQ(folder.count(), 1U);
}

TEST(Volume, RefusesWhatIsNoVolume) {
  if (!have_vdb()) GTEST_SKIP() << "built without OpenVDB";
  Volume volume = lumps(20, 9, 17);
  volume.density[20 * 9 * 12 + 20 * 3 + 5] = testing::nan_height;
  expect_refused(volume, "density of sample 5, 3, 12: expected a finite number, found nan");
  volume = lumps(20, 9, 17);
  volume.density.pop_back();
  expect_refused(volume, "expected 3060 densities for 20 x 9 x 17 samples, found 3059");
  volume = lumps(20, 9, 17);
  volume.materials.push_back(1);
  expect_refused(volume, "expected 3060 materials for 20 x 9 x 17 samples, found 3061");
  volume = lumps(20, 9, 17);
  volume.shape.cell[1] = 0;
  expect_refused(volume, "expected cells of positive metres, found 0");
  volume.shape.cell[1] = testing::nan_height;
  expect_refused(volume, "expected cells of positive metres, found nan");
  volume = lumps(20, 9, 17);
  volume.shape.origin[2] = std::numeric_limits<double>::infinity();
  expect_refused(volume, "expected a finite origin, found inf");
  volume = {};
  expect_refused(volume, "expected 1 to 1048576 samples a side, found 0 x 0 x 0");
}

TEST(Volume, PlacesItCannotWrite) {
  if (!have_vdb()) GTEST_SKIP() << "built without OpenVDB";
  const TemporaryFolder folder;
  const Volume volume = lumps(9, 9, 9);
  expect_line(error_of([&] { write_volume(folder / "nowhere/a.vdb", volume); }), "a.vdb",
              "cannot be written");
  std::filesystem::create_directory(folder / "b.vdb");
  expect_line(error_of([&] { write_volume(folder / "b.vdb", volume); }), "b.vdb", "it is a folder");
}

}  // namespace
}  // namespace scree::io
