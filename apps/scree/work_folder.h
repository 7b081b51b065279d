// Where a run's checkpoint waits.
#pragma once

#include <filesystem>
#include <utility>

#include "scene/checkpoints.h"

namespace scree::cli {

// Where a checkpoint waits while the result is not there yet; gone when it is.
class WorkFolder {
 public:
  explicit WorkFolder(std::filesystem::path path) : path_(std::move(path)) {}
  void clear() const {
    for (const CheckpointFile& checkpoint : list_checkpoints(path_)) {
      std::error_code ignored;
      std::filesystem::remove(checkpoint.path, ignored);
    }
  }
  ~WorkFolder() {
    // Fails where a checkpoint is left in it, as it should.
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace scree::cli
