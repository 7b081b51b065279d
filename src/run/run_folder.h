// The folder of a run: the one place that knows where things are in it, and the only reader and
// writer of its report and its checkpoints.
//
//   const RunFolder folder("out/alpine");
//   folder.report().hashes();             // parsed once
//   folder.newest_checkpoint();           // the newest one that is whole
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/checkpoint/checkpoint.h"
#include "run/folder_lock.h"
#include "run/folder_report.h"
#include "scene/output.h"

namespace scree {

struct CheckpointFile {
  std::uint64_t step = 0;
  std::filesystem::path path;
};

class RunFolder {
 public:
  static constexpr const char* report_name = "report.json";

  // report: the name of its report; empty where it has none.
  explicit RunFolder(std::filesystem::path path, std::string report = report_name)
      : path_(std::move(path)), report_name_(std::move(report)) {}
  // The folder in which a file or checkpoint lies.
  static RunFolder around(const std::filesystem::path& file) {
    return RunFolder(file.parent_path());
  }

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path report_file() const;  // empty where it has none
  std::filesystem::path checkpoint_file(std::uint64_t step) const;

  // Whether a run may write a file of this name for itself: its report, or a checkpoint.
  static bool is_own_file(const std::string& name);

  // ---- what is there

  bool exists() const;
  // As it was when it was first asked for; an empty one where there is none.
  const FolderReport& report() const;
  // Newest first, whole or not.
  std::vector<CheckpointFile> checkpoints() const;
  // The newest one that is whole and wanted; a warning names those that are torn where it is to be
  // said, since each reader of a folder would say it again.
  enum class Torn { warn, pass };
  using CheckpointTest = std::function<bool(const io::CheckpointReader&)>;
  std::optional<io::CheckpointReader> newest_checkpoint(const CheckpointTest& wanted = {},
                                                        Torn torn = Torn::pass) const;
  // The checkpoint whose state is the one that the report tells of, where a run is not whole.
  std::optional<std::filesystem::path> unfinished_state() const;
  // A note where the run went on after that step; `why` ends it.
  void note_later_steps(std::uint64_t step, const std::string& why) const;

  // ---- a run at work

  // Makes the folder and those of the outputs, takes the lock for as long as this object lives, and
  // removes temporary files that dead processes of this machine left there. Error where another run
  // is at work, or where some file could not be written.
  void open(const std::vector<OutputSettings>& outputs);

  // Hands the newest whole checkpoint of the same run to `restore`, and tells its file. UsageError
  // where it belongs to another scene.
  std::optional<std::filesystem::path> restore_newest(
      std::uint64_t fingerprint,
      const std::function<void(const io::CheckpointReader&)>& restore) const;
  // Writes what `add` puts there atomically, with step and fingerprint.
  std::filesystem::path write_checkpoint(std::uint64_t step, std::uint64_t fingerprint,
                                         const std::function<void(io::CheckpointWriter&)>& add);
  // Removes all checkpoints but the one of that step and, with keep_older, the newest before it.
  void keep_checkpoints(std::uint64_t step, bool keep_older);
  void remove_checkpoint(std::uint64_t step);
  // What another run left there to go on from, and says so.
  void remove_checkpoints();

  void write_report(const std::string& text);
  void remove_report();

 private:
  std::filesystem::path path_;
  std::string report_name_;
  mutable std::optional<FolderReport> report_;
  std::unique_ptr<FolderLock> lock_;
};

}  // namespace scree
