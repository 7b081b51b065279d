#include "io/checkpoint/checkpoint.h"

#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include "base/error.h"
#include "io/file/io_test.h"

namespace scree::io {
namespace {

using testing::TemporaryFolder;

std::filesystem::path write_sample(const std::filesystem::path& folder) {
  std::filesystem::path path = folder / "checkpoint-7.scree";
  const std::vector<float> field{1, -2, 3.5F};
  CheckpointWriter writer(path);
  writer.add_integer("step", 7);
  writer.add_real("time", 0.1);
  writer.add("field.bed", field.data(), field.size() * sizeof(float));
  writer.add("field.none", nullptr, 0);
  writer.commit();
  return path;
}

std::string failure_of(const std::filesystem::path& path) {
  try {
    const CheckpointReader reader(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "whole";
}

TEST(Checkpoint, ReadsBackWhatWasWritten) {
  const TemporaryFolder folder;
  const CheckpointReader reader(write_sample(folder.path()));
  EXPECT_EQ(reader.integer("step"), 7);
  EXPECT_EQ(reader.real("time"), 0.1);
  std::vector<float> field(3);
  reader.read("field.bed", field.data(), 12);
  EXPECT_EQ(field, (std::vector<float>{1, -2, 3.5F}));
  EXPECT_EQ(reader.size("field.none"), 0U);
  EXPECT_FALSE(reader.has("field.water"));
  EXPECT_THROW(reader.integer("seed"), Error);
  EXPECT_THROW(reader.read("field.bed", field.data(), 8), Error);
}

TEST(Checkpoint, EveryCutAndEveryFlippedByteIsSeen) {
  const TemporaryFolder folder;
  const std::filesystem::path path = write_sample(folder.path());
  const std::string whole = read_file(path);
  ASSERT_EQ(failure_of(path), "whole");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << whole.substr(0, size);
    EXPECT_NE(failure_of(path), "whole") << "cut to " << size;
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x40);
    std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
    EXPECT_NE(failure_of(path), "whole") << "byte " << i;
  }
  std::ofstream(path, std::ios::binary | std::ios::trunc) << whole << "x";
  EXPECT_EQ(failure_of(path),
            path.string() + ": not a whole checkpoint: something follows its end");
}

TEST(Checkpoint, NothingIsThereBeforeCommit) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "checkpoint-1.scree";
  {
    CheckpointWriter writer(path);
    writer.add_integer("step", 1);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(failure_of(path), path.string() + ": no such file");
}

}  // namespace
}  // namespace scree::io
