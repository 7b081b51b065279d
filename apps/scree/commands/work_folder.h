// Folders of what is written: that of a result, and where a checkpoint waits meanwhile.
#pragma once

#include <filesystem>
#include <utility>

#include "base/error.h"
#include "io/file/atomic_file.h"
#include "run/run_folder.h"

namespace scree::cli {

// The folder of a file that is to be written, made where there is none, as a run makes those of its
// outputs; Error now where nothing can be written there, since it would be one after the work.
inline void prepare_folder(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) throw Error(text(folder.string(), ": cannot make this folder: ", error.message()));
  const io::AtomicFile probe(file);
}

// Where a checkpoint waits while the result is not there yet; gone when it is.
class WorkFolder {
 public:
  explicit WorkFolder(std::filesystem::path path) : path_(std::move(path)) {}
  void clear() const {
    RunFolder folder(path_);
    for (const CheckpointFile& checkpoint : folder.checkpoints())
      folder.remove_checkpoint(checkpoint.step);
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
