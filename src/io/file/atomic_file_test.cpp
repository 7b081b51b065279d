#include "io/file/atomic_file.h"

#include "io/file/io_test.h"
#include "io/mesh/mesh_test.h"

namespace scree::io {
namespace {

using namespace testing;

TEST(AtomicFile, WritesAndReplaces) {
  const TemporaryFolder folder;
  write_file(folder / "a.txt", "old");
  write_file(folder / "a.txt", "new and longer");
  EXPECT_EQ(read_file(folder / "a.txt"), "new and longer");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, WithoutCommitTheOldFileStays) {
  const TemporaryFolder folder;
  write_file(folder / "a.txt", "old");
  {
    AtomicFile file(folder / "a.txt");
    file.write("new", 3);
  }
  EXPECT_EQ(read_file(folder / "a.txt"), "old");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, FollowsLinks) {
  const TemporaryFolder folder;
  write_file(folder / "real.txt", "old");
  std::filesystem::create_symlink("real.txt", folder / "link.txt");
  write_file(folder / "link.txt", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
  EXPECT_EQ(read_file(folder / "real.txt"), "new");
}

TEST(AtomicFile, RefusesAFolderThatIsNotThere) {
  const TemporaryFolder folder;
  const auto path = folder / "none/a.txt";
  expect_line(error_of([&] { write_file(path, "x"); }), path, "No such file");
}

TEST(AtomicFile, RefusesATargetThatIsAFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "sub");
  expect_line(error_of([&] { write_file(folder / "sub", "x"); }), "sub", "folder");
}

TEST(AtomicFile, RefusesAFolderItMayNotWrite) {
  const TemporaryFolder folder;
  write_file(folder / "a.txt", "old");
  std::filesystem::permissions(
      folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  if (::access(folder.path().c_str(), W_OK) == 0) GTEST_SKIP() << "root may write anywhere";
  expect_line(error_of([&] { write_file(folder / "a.txt", "new"); }), "a.txt", "denied");
  EXPECT_EQ(read_file(folder / "a.txt"), "old");
}

TEST(AtomicFile, FullDiskLeavesTheOldFile) {
  const TemporaryFolder folder;
  for (const char* name : {"a.tif", "a.png", "a.r16", "a.r32", "a.exr", "a.npy"}) {
    const auto path = folder / name;
    if (!can_write(format_of(path))) continue;
    SCOPED_TRACE(name);
    write_file(path, "old");
    const std::string message = [&] {
      const FullDisk disk(20000);
      return error_of([&] { write_raster(path, bumpy(300, 300)); });
    }();
    expect_line(message, path, "cannot be written");
    EXPECT_TRUE(read_file(path) == "old");
    std::filesystem::remove(path);
    EXPECT_EQ(folder.count(), 0u);
  }
}

// The limit falls into the last bytes, which a library may write only while closing.
TEST(AtomicFile, DiskThatFillsUpAtTheEndIsNoticed) {
  const TemporaryFolder folder;
  for (const char* name : {"a.tif", "a.png", "a.r16", "a.r32", "a.exr", "a.npy"}) {
    const auto path = folder / name;
    if (!can_write(format_of(path))) continue;
    SCOPED_TRACE(name);
    WriteOptions options;
    options.sidecar = false;
    write_raster(path, bumpy(300, 300), options);
    const auto size = std::filesystem::file_size(path);
    write_file(path, "old");
    const std::string message = [&] {
      const FullDisk disk(size - 1);
      return error_of([&] { write_raster(path, bumpy(300, 300), options); });
    }();
    expect_line(message, path, "cannot be written");
    EXPECT_TRUE(read_file(path) == "old");
  }
}

TEST(AtomicFile, DiskThatFillsUpUnderAMeshIsNoticed) {
  const TemporaryFolder folder;
  for (const std::string& ending : writable_mesh_endings())
    for (const bool at_end : {false, true}) {
      const auto path = folder / ("a" + ending);
      SCOPED_TRACE(ending);
      write_mesh(path, patch(150));
      const auto size = std::filesystem::file_size(path);
      write_file(path, "old");
      const std::string message = [&] {
        const FullDisk disk(at_end ? size - 1 : 20000);
        return error_of([&] { write_mesh(path, patch(150)); });
      }();
      expect_line(message, path, "cannot be written");
      EXPECT_TRUE(read_file(path) == "old");
    }
  EXPECT_EQ(folder.count(), writable_mesh_endings().size());
}

TEST(ReadFile, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  expect_line(error_of([&] { read_file(folder / "a.txt"); }), "a.txt", "no such file");
  put(folder / "a.txt", "");
  expect_line(error_of([&] { read_file(folder / "a.txt"); }), "a.txt", "empty");
  expect_line(error_of([&] { read_file(folder.path()); }), folder.path(), "folder");
}

}  // namespace
}  // namespace scree::io
