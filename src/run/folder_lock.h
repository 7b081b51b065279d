// Inside run: one run at a time in a folder.
#pragma once

#include <filesystem>
#include <string>

namespace scree {

// Held by an open file with the name of its holder, so that the system lets go of it however the
// process ends; a file that a dead process left behind is taken over. Gone with this object.
class FolderLock {
 public:
  static constexpr const char* file_name = ".scree-run.lock";

  // Error, which says who holds it, where another run does. In a folder where nothing can be
  // written, or whose file system knows no locks, nothing is held.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  bool is_in_place() const;

  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace scree
