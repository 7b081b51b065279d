// What the tests of this folder share: a folder that goes away, rasters, and error lines.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "base/error.h"
#include "io/raster/raster.h"

namespace scree::io::testing {

inline constexpr float nan_height = std::numeric_limits<float>::quiet_NaN();

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "scree-io-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, error);
    std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  std::size_t count() const {
    const auto files = std::filesystem::directory_iterator(path_);
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
  }

 private:
  std::filesystem::path path_;
};

// For as long as it lives no file may grow beyond this many bytes: a full disk for tests.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    previous_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, previous_);
  }

 private:
  rlimit before_{};
  void (*previous_)(int) = nullptr;
};

inline void put(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string get(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The message of the scree::Error that the action must throw; "" and a failure where it does not.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "expected an error";
  return "";
}

// One line that names the file and says this.
inline void expect_line(const std::string& message, const std::filesystem::path& path,
                        const std::string& part) {
  EXPECT_NE(message.find(path.filename().string()), std::string::npos) << message;
  EXPECT_NE(message.find(part), std::string::npos) << message << "\n  lacks: " << part;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

// Heights that no two neighbouring cells share and that float32 holds, some of them negative.
inline Raster bumpy(int width, int height) {
  Raster raster;
  raster.width = width;
  raster.height = height;
  raster.dx = 30;
  raster.dy = 20;
  unsigned state = 12345;
  for (int i = 0; i < width * height; ++i) {
    state = state * 1664525u + 1013904223u;
    raster.values.push_back(static_cast<float>(state >> 8) / 16777.216f - 137.5f);
  }
  return raster;
}

// Equal bits; nodata agrees with nodata.
inline void expect_same_cells(const Raster& a, const Raster& b) {
  ASSERT_EQ(a.width, b.width);
  ASSERT_EQ(a.height, b.height);
  ASSERT_EQ(a.values.size(), b.values.size());
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    if (std::isnan(a.values[i]) && std::isnan(b.values[i])) continue;
    ASSERT_EQ(a.values[i], b.values[i]) << "cell " << i;
  }
}

}  // namespace scree::io::testing
