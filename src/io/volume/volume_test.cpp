// Volumes in a build with or without OpenVDB: what is refused.
#include "io/volume/volume_test.h"

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

// ---- arrays

std::string npy_bytes(const std::string& type, const std::string& shape, const std::string& data,
                      bool fortran = false) {
  const std::string dictionary = "{'descr': '" + type +
                                 "', 'fortran_order': " + (fortran ? "True" : "False") +
                                 ", 'shape': " + shape + ", }\n";
  std::string bytes("\x93NUMPY\x01\0", 8);
  bytes += static_cast<char>(dictionary.size());
  bytes += '\0';
  return bytes + dictionary + data;
}

TEST(Volume, ArraysAreZYX) {
  const TemporaryFolder folder;
  testing::put(folder / "a.npy", npy_bytes("|u1", "(2, 3, 4)", "abcdefghijklmnopqrstuvwx"));
  EXPECT_TRUE(is_volume(folder / "a.npy"));
  VolumeOptions options;
  options.cell = 2.5;
  const VolumeFile file = read_volume(folder / "a.npy", options);
  EXPECT_EQ(file.volume.shape.size, (std::array<int, 3>{4, 3, 2}));
  EXPECT_EQ(file.volume.shape.cell, (std::array<double, 3>{2.5, 2.5, 2.5}));
  EXPECT_EQ(file.isovalue(), 0.5F);
  ASSERT_EQ(file.volume.density.size(), 24U);
  for (std::size_t i = 0; i < 24; ++i)
    EXPECT_EQ(file.volume.density[i], static_cast<float>('a' + i));
}

TEST(Volume, ArraysThatAreRefused) {
  const TemporaryFolder folder;
  VolumeOptions options;
  options.cell = 1;
  const auto refused = [&](const std::string& bytes, const std::string& part) {
    testing::put(folder / "a.npy", bytes);
    expect_line(error_of([&] { read_volume(folder / "a.npy", options); }), "a.npy", part);
  };
  const std::string flat = npy_bytes("|u1", "(2, 3)", "abcdef");
  refused(flat, "expected a shape (z, y, x), found (2, 3)");
  EXPECT_FALSE(is_volume(folder / "a.npy"));
  refused(npy_bytes("|u1", "(1, 2, 3)", "abcdef", true), "Fortran order");
  refused(npy_bytes("|u1", "(1, 2, 3)", "abcde"), "for an array of (1, 2, 3), found");
  refused(npy_bytes("|u1", "(1, 2, 3, 4)", ""), "found (1, 2, 3, 4)");
  refused(npy_bytes("|u1", "(9, 0, 3)", ""), "samples a side, found 3 x 0 x 9");
  refused(npy_bytes("<f4", "(1, 1, 2)", std::string("\0\0\x80\x3f\0\0\x80\x7f", 8)),
          "density of sample 1, 0, 0: expected a finite number, found inf");
  options.memory = 1000;
  refused(npy_bytes("|u1", "(10, 10, 10)", std::string(1000, 'a')), "GiB may be used");
  options.cell = 0;
  refused(npy_bytes("|u1", "(1, 2, 3)", "abcdef"), "does not say how many metres");
  options.cell = 1;
  options.grid = "density";
  refused(npy_bytes("|u1", "(1, 2, 3)", "abcdef"), "no grid 'density'");
  expect_line(error_of([&] { read_volume(folder / "a.tif"); }), "a.tif", ".vdb or .npy");
}

}  // namespace
}  // namespace scree::io
