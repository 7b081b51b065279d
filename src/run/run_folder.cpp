#include "run/run_folder.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <set>

#include "base/error.h"
#include "base/log.h"
#include "io/file/atomic_file.h"
#include "run/output_places.h"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "checkpoint-";
constexpr std::string_view suffix = ".scree";
constexpr std::size_t kept = 2;

std::optional<std::uint64_t> step_in(const std::string& name) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return {};
  std::uint64_t step = 0;
  const char* end = name.data() + name.size() - suffix.size();
  const auto [stop, error] = std::from_chars(name.data() + prefix.size(), end, step);
  if (error != std::errc{} || stop != end) return {};
  return step;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error(text(folder.string(), ": cannot make this folder: ", error.message()));
}

// ---- what dead processes left

// In a container every run may have the same number: a file that is older than this process is of
// one that had its number before.
const fs::file_time_type start_of_this_process = fs::file_time_type::clock::now();

bool is_dead(pid_t process, const fs::path& file) {
  if (process == ::getpid()) {
    std::error_code error;
    const fs::file_time_type written = fs::last_write_time(file, error);
    // A file system's clock lags behind this one by up to a tick.
    return !error && written < start_of_this_process - std::chrono::milliseconds(100);
  }
  return process > 0 && ::kill(process, 0) != 0 && errno == ESRCH;
}

void remove_leftovers(const fs::path& folder) {
  // As io::AtomicFile names them: .scree-PROCESS-COUNT.tmp
  constexpr std::string_view start = ".scree-";
  std::vector<fs::path> dead;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(start) || !name.ends_with(".tmp")) continue;
    pid_t process = 0;
    std::from_chars(name.data() + start.size(), name.data() + name.size(), process);
    if (is_dead(process, entry.path())) dead.push_back(entry.path());
  }
  for (const fs::path& path : dead) fs::remove(path, error);
}

}  // namespace

fs::path RunFolder::checkpoint_file(std::uint64_t step) const {
  return path_ / text(prefix, step, suffix);
}

fs::path RunFolder::report_file() const {
  return report_name_.empty() ? fs::path() : path_ / report_name_;
}

bool RunFolder::is_own_file(const std::string& name) {
  return name == report_name || step_in(name).has_value();
}

bool RunFolder::exists() const {
  std::error_code error;
  return fs::is_directory(path_, error);
}

const FolderReport& RunFolder::report() const {
  if (!report_) report_.emplace(report_file());
  return *report_;
}

std::vector<CheckpointFile> RunFolder::checkpoints() const {
  std::vector<CheckpointFile> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_, error))
    if (const auto step = step_in(entry.path().filename().string()))
      found.push_back({*step, entry.path()});
  std::sort(found.begin(), found.end(),
            [](const CheckpointFile& a, const CheckpointFile& b) { return a.step > b.step; });
  return found;
}

std::optional<io::CheckpointReader> RunFolder::newest_checkpoint(const CheckpointTest& wanted,
                                                                 Torn torn) const {
  for (const CheckpointFile& candidate : checkpoints()) {
    std::optional<io::CheckpointReader> file;
    try {
      file.emplace(candidate.path);
    } catch (const Error& error) {
      if (torn == Torn::warn)
        log(LogLevel::warning, text(error.what(), "; looking for an older one"));
      continue;
    }
    if (!wanted || wanted(*file)) return file;
  }
  return {};
}

std::optional<fs::path> RunFolder::unfinished_state() const {
  const std::optional<Unfinished> unfinished = report().unfinished();
  if (!unfinished || unfinished->checkpoint.empty()) return {};
  fs::path file = path_ / unfinished->checkpoint;
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  return file;
}

void RunFolder::note_later_steps(std::uint64_t step, const std::string& why) const {
  const std::optional<std::uint64_t> steps = report().steps();
  if (steps && step < *steps)
    log(LogLevel::warning,
        text(path_.string(), ": this is step ", step, " of ", *steps, ", ", why));
}

void RunFolder::open(const std::vector<OutputSettings>& outputs) {
  make_folder(path_);
  lock_ = std::make_unique<FolderLock>(path_);
  std::set<fs::path> folders = {path_};
  for (const OutputSettings& output : outputs)
    for (const fs::path& folder : folders_of(path_, output)) folders.insert(folder);
  for (const fs::path& folder : folders) remove_leftovers(folder);
  { const io::AtomicFile probe(path_ / report_name); }
  for (const OutputSettings& output : outputs) {
    const fs::path file = path_ / output.file;
    make_folder(file.parent_path());
    const bool plain = output.kind != OutputKind::tiles && output.kind != OutputKind::engine;
    const io::AtomicFile probe(plain && output.every == 0 ? file : file.parent_path() / "probe");
  }
}

std::optional<fs::path> RunFolder::restore_newest(
    std::uint64_t fingerprint,
    const std::function<void(const io::CheckpointReader&)>& restore) const {
  const std::optional<io::CheckpointReader> file = newest_checkpoint({}, Torn::warn);
  if (!file) return {};
  if (static_cast<std::uint64_t>(file->integer("fingerprint")) != fingerprint)
    throw UsageError(text(file->path().string(),
                          ": belongs to a scene with other settings; run without resume to start "
                          "afresh, or choose another folder"));
  restore(*file);
  return file->path();
}

fs::path RunFolder::write_checkpoint(std::uint64_t step, std::uint64_t fingerprint,
                                     const std::function<void(io::CheckpointWriter&)>& add) {
  fs::path path = checkpoint_file(step);
  io::CheckpointWriter file(path);
  file.add_integer("fingerprint", static_cast<std::int64_t>(fingerprint));
  file.add_integer("step", static_cast<std::int64_t>(step));
  add(file);
  file.commit();
  return path;
}

void RunFolder::keep_checkpoints(std::uint64_t step, bool keep_older) {
  std::size_t others = 0;
  for (const CheckpointFile& other : checkpoints()) {
    if (other.step == step) continue;
    // A later step is from an older run: this one would have made it after now.
    const bool keep = keep_older && other.step < step && ++others < kept;
    std::error_code error;
    if (!keep) fs::remove(other.path, error);
  }
}

void RunFolder::remove_checkpoint(std::uint64_t step) {
  std::error_code error;
  fs::remove(checkpoint_file(step), error);
}

void RunFolder::remove_checkpoints() {
  for (const CheckpointFile& old : checkpoints()) {
    std::error_code error;
    if (!fs::remove(old.path, error))
      throw Error(text(old.path.string(),
                       ": another run's checkpoint, which cannot be removed: ", error.message()));
    log(LogLevel::warning, text(old.path.string(), ": removed, as this run starts afresh"));
  }
}

void RunFolder::write_report(const std::string& text) {
  if (report_name_.empty()) return;
  io::write_file(report_file(), text);
  report_.reset();
}

void RunFolder::remove_report() {
  if (report_name_.empty()) return;
  std::error_code error;
  fs::remove(report_file(), error);
  if (error)
    throw Error(text(report_file().string(),
                     ": an earlier run's report, which cannot be removed: ", error.message()));
  report_.reset();
}

}  // namespace scree
