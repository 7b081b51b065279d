// Inside scene: a run from its first look at the folder to its last film, whatever is stepped.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "run/run_folder.h"
#include "run/run_model.h"
#include "run/runner.h"

namespace scree::render {
class OffscreenContext;
}

namespace scree {

// How long a run goes on, and what it writes.
struct Schedule {
  std::uint64_t steps = 0;
  double time = 0;  // seconds; above 0: instead of steps
  std::vector<OutputSettings> outputs = {};
  std::vector<std::filesystem::path> sources = {};  // which no output may replace
};

class RunLoop {
 public:
  // The report of the run as it is at that moment.
  using ReportText = std::function<std::string()>;

  // UsageError where an output has no place of its own in the folder.
  RunLoop(Schedule schedule, const RunOptions& options);

  // Whether pictures can be drawn here, and every file be written: what fails now would fail after
  // hours. The folder is this run's from here on.
  void check();

  // Steps until all is done, writes the outputs, and the report last of all. The fingerprint tells
  // this run's checkpoints from another's. Cancelled and Unstable leave a checkpoint, from which
  // the same files come as without them; so does an Error of an output of the end, after which
  // resuming writes just what is missing.
  void go(RunModel& model, std::uint64_t fingerprint, const ReportText& report);

  std::filesystem::path report_file() const { return folder_.report_file(); }

  const std::vector<OutputFile>& files() const { return files_; }
  const std::vector<std::string>& lines() const { return lines_; }
  std::uint64_t resumed_from() const { return resumed_from_; }
  double seconds() const;  // since it was made

 private:
  bool cancelled() const { return options_.cancel != nullptr && options_.cancel->cancelled(); }
  bool done() const;
  bool due(const OutputSettings& output, std::uint64_t step) const;
  std::filesystem::path path_of(const OutputSettings& output, std::uint64_t step) const;

  void resume();
  bool know_written();
  void refuse_to_go_back() const;
  void name_earlier_outputs();
  void check_earlier_pictures(const OutputSettings& output) const;
  void step();
  void show_progress() const;
  void write(const OutputSettings& output);
  void write_due_outputs();
  void write_due_checkpoint();
  void film(const OutputSettings& output);

  void write_end();
  void secure_end();
  bool is_of_end(const OutputSettings& output) const;
  bool is_written(const OutputSettings& output) const;
  void finish(const OutputSettings& output);
  void take_written(const OutputSettings& output);
  std::vector<std::filesystem::path> pictures_of(const OutputSettings& film) const;
  void clear_up();
  [[noreturn]] void fail();

  std::filesystem::path save();
  std::filesystem::path write_state();
  void report_unfinished(bool cancelled);
  [[noreturn]] void stop();

  Schedule schedule_;
  const RunOptions& options_;
  RunFolder folder_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_checkpoint_time_ = start_;
  std::shared_ptr<render::OffscreenContext> context_;  // for all pictures in perspective
  RunModel* model_ = nullptr;
  std::uint64_t fingerprint_ = 0;
  ReportText report_;
  std::uint64_t resumed_from_ = 0;
  std::uint64_t last_checkpoint_ = 0;
  bool own_checkpoint_ = false;   // the newest one in the folder is of this run
  bool outputs_pending_ = false;  // those of the step that was just done
  std::vector<OutputFile> files_;
  std::vector<std::string> lines_;

  // ---- the end
  bool own_older_ = false;                          // the checkpoints before that of the end, too
  std::optional<std::filesystem::path> end_state_;  // gone when the run is whole
  std::map<std::string, WrittenEarlier> written_;   // outputs of the end, by their names
  std::string failure_;                             // of the first output that could not be written
};

}  // namespace scree
