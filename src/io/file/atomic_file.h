// Files that are either the old one or the whole new one, never something between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace scree::io {

// Writes go to a temporary name in the same folder; commit() flushes, syncs and renames it over
// the target. Destroyed without commit(), it removes the temporary and leaves the target alone.
// Errors (unwritable folder, full disk) are scree::Error lines that name the target.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t bytes);
  void seek(std::uint64_t offset);
  std::uint64_t position() const;
  void commit();

  // Throws the first failure again, if there was one; commit() does that too.
  void rethrow_failure() const;

  // For a library that insists on a file name: it may write this file instead of write().
  const std::filesystem::path& temporary() const { return temporary_; }

 private:
  [[noreturn]] void fail(const char* doing);

  std::filesystem::path target_;
  std::filesystem::path temporary_;
  std::FILE* file_ = nullptr;
  std::string failure_;  // the first one: a library in between may have swallowed it
};

// One call for small things: reports, sidecars, scenes.
void write_file(const std::filesystem::path& path, std::string_view bytes);

// The whole of a file; Error where it is missing, not a plain file or unreadable.
std::string read_file(const std::filesystem::path& path);

}  // namespace scree::io
