#include "io/file/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "io/raster/cells.h"

namespace scree::io {
namespace {

// A link keeps pointing where it points; what it points at is replaced.
std::filesystem::path behind_links(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const auto real = std::filesystem::weakly_canonical(path, error);
  return error ? path : real;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

// The same name in two processes or threads would let them write into each other's file.
std::filesystem::path temporary_beside(const std::filesystem::path& target) {
  static std::atomic<unsigned> count{0};
  return folder_of(target) / text(".scree-", ::getpid(), "-", count++, ".tmp");
}

bool sync_by_name(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  // Some file systems cannot sync a folder and say EINVAL: nothing is lost that could be kept.
  const bool synced = ::fsync(descriptor) == 0 || errno == EINVAL;
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return synced;
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& target) : target_(behind_links(target)) {
  std::error_code error;
  const auto status = std::filesystem::status(target_, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error(text(target_.string(), ": cannot be written: it is a folder or device"));
  temporary_ = temporary_beside(target_);
  const int flags = O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC;
  int descriptor = ::open(temporary_.c_str(), flags, 0666);
  if (descriptor < 0 && errno == EEXIST) {
    // Left by a killed process that had our number: nobody else can be writing it.
    ::unlink(temporary_.c_str());
    descriptor = ::open(temporary_.c_str(), flags, 0666);
  }
  if (descriptor >= 0) file_ = ::fdopen(descriptor, "wb");
  if (!file_) {
    const std::string reason = std::strerror(errno);
    throw Error(text(target_.string(), ": cannot be written: folder ", folder_of(target_).string(),
                     ": ", reason));
  }
}

AtomicFile::~AtomicFile() {
  if (file_) std::fclose(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* doing) {
  const std::string reason = std::strerror(errno);
  if (failure_.empty())
    failure_ = text(target_.string(), ": cannot be written: ", doing, ": ", reason);
  throw Error(failure_);
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  if (bytes > 0 && std::fwrite(data, 1, bytes, file_) != bytes) fail("write");
}

void AtomicFile::seek(std::uint64_t offset) {
  if (::fseeko(file_, static_cast<off_t>(offset), SEEK_SET) != 0) fail("seek");
}

std::uint64_t AtomicFile::position() const { return static_cast<std::uint64_t>(::ftello(file_)); }

void AtomicFile::rethrow_failure() const {
  if (!failure_.empty()) throw Error(failure_);
}

void AtomicFile::commit() {
  rethrow_failure();
  std::FILE* file = std::exchange(file_, nullptr);
  const bool flushed = std::fflush(file) == 0;
  const int error = errno;
  const bool closed = std::fclose(file) == 0;
  if (!flushed) errno = error;
  if (!flushed || !closed) fail("write");
  // By name, because another library may have made the file anew.
  if (!sync_by_name(temporary_)) fail("sync");
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("rename");
  temporary_.clear();
  sync_by_name(folder_of(target_));
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

std::string read_file(const std::filesystem::path& path) {
  const std::uintmax_t size = plain_file_size(path);
  std::string bytes(size, '\0');
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) throw Error(text(path.string(), ": cannot be read: ", std::strerror(errno)));
  const std::size_t got = std::fread(bytes.data(), 1, bytes.size(), file);
  std::fclose(file);
  if (got != size)
    throw Error(text(path.string(), ": expected ", size, " bytes, could read ", got));
  return bytes;
}

}  // namespace scree::io
