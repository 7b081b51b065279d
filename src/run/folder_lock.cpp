#include "run/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>

#include "base/error.h"

namespace scree {
namespace {

std::string now_in_words() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::array<char, 32> words{};
  std::strftime(words.data(), words.size(), "%Y-%m-%d %H:%M:%S UTC", &utc);
  return words.data();
}

std::string this_process() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return text("process ", ::getpid(), " on ", host.data(), " since ", now_in_words());
}

std::string holder_in(int descriptor) {
  std::array<char, 512> words{};
  const ssize_t bytes = ::pread(descriptor, words.data(), words.size(), 0);
  std::string line(words.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  line.erase(std::min(line.find('\n'), line.size()));
  return line.empty() ? "a process that does not say who it is" : line;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : path_(folder / file_name) {
  for (;;) {
    descriptor_ = ::open(path_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor_ < 0) return;
    const bool locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno == EWOULDBLOCK) {
      const std::string holder = holder_in(descriptor_);
      ::close(descriptor_);
      throw Error(text(folder.string(), ": another run is at work in this folder: ", holder,
                       "; wait until it is done, or choose another folder"));
    }
    // Between our two calls the one who had the lock may have removed the file.
    if (!locked || is_in_place()) break;
    ::close(descriptor_);
  }
  const std::string words = this_process() + "\n";
  // A full disk costs the name alone, not the lock.
  if (::ftruncate(descriptor_, 0) != 0 || ::pwrite(descriptor_, words.data(), words.size(), 0) < 0)
    return;
}

FolderLock::~FolderLock() {
  if (descriptor_ < 0) return;
  // Removed before it is let go: whoever opened it meanwhile sees that it is not in its place.
  if (is_in_place()) ::unlink(path_.c_str());
  ::close(descriptor_);
}

bool FolderLock::is_in_place() const {
  struct stat held {
  }, there{};
  return ::fstat(descriptor_, &held) == 0 && ::lstat(path_.c_str(), &there) == 0 &&
         held.st_ino == there.st_ino && held.st_dev == there.st_dev;
}

}  // namespace scree
