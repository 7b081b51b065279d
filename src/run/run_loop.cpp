#include "run/run_loop.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "picture/photographer.h"
#include "render/gl/context.h"
#include "run/output_places.h"
#include "run/write_outputs.h"

namespace scree {
namespace {

constexpr const char* pending_block = "outputs.pending";

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool all_there(const std::vector<std::filesystem::path>& files) {
  std::error_code error;
  return std::all_of(files.begin(), files.end(), [&](const std::filesystem::path& file) {
    return std::filesystem::exists(file, error);
  });
}

// What it is made of at that step, where that can be told beforehand.
std::vector<std::filesystem::path> files_at(const OutputSettings& output,
                                            const std::filesystem::path& path) {
  if (output.kind == OutputKind::picture) return picture_files(output.picture, path);
  return {path};
}

}  // namespace

RunLoop::RunLoop(Schedule schedule, const RunOptions& options)
    : schedule_(std::move(schedule)), options_(options), folder_(options.out, options.report) {
  check_places(options.out, schedule_.outputs, schedule_.sources, options.allow_outside);
}

double RunLoop::seconds() const { return seconds_since(start_); }

void RunLoop::check() {
  // A machine that cannot draw says so now.
  if (std::any_of(schedule_.outputs.begin(), schedule_.outputs.end(), [](const OutputSettings& o) {
        return o.kind == OutputKind::picture && o.picture.view.in_perspective();
      }))
    context_ = std::make_shared<render::OffscreenContext>();
  folder_.open(schedule_.outputs);
}

void RunLoop::go(RunModel& model, std::uint64_t fingerprint, const ReportText& report) {
  model_ = &model;
  fingerprint_ = fingerprint;
  report_ = report;
  resume();
  while (!done()) {
    if (cancelled()) stop();
    step();
    show_progress();
    write_due_outputs();
    if (!done()) write_due_checkpoint();
  }
  write_end();
}

bool RunLoop::done() const {
  if (schedule_.time > 0) return model_->time() >= schedule_.time;
  return model_->steps_done() >= schedule_.steps;
}

bool RunLoop::due(const OutputSettings& output, std::uint64_t step) const {
  return output.every > 0 && step > 0 && step % static_cast<std::uint64_t>(output.every) == 0;
}

std::filesystem::path RunLoop::path_of(const OutputSettings& output, std::uint64_t step) const {
  return output_path(options_.out, output, step, schedule_.steps);
}

// ---- going on from a checkpoint

void RunLoop::resume() {
  // Whoever resumes later must not go on from another run.
  if (!options_.resume) folder_.remove_checkpoints();
  const auto restore = [&](const io::CheckpointReader& file) {
    model_->restore(file);
    outputs_pending_ = file.has(pending_block) && file.integer(pending_block) != 0;
  };
  if (options_.resume && folder_.restore_newest(fingerprint_, restore)) {
    resumed_from_ = model_->steps_done();
    refuse_to_go_back();
    own_checkpoint_ = own_older_ = true;
    name_earlier_outputs();
  }
  last_checkpoint_ = model_->steps_done();
  // An earlier report is not true of the files that come now.
  if (!know_written()) folder_.remove_report();
  show_progress();
  if (outputs_pending_) write_due_outputs();
}

// What a run that ended without some of its outputs has left, where this one goes on from its end.
bool RunLoop::know_written() {
  const std::optional<Unfinished> earlier = folder_.report().unfinished();
  const std::filesystem::path state = folder_.checkpoint_file(model_->steps_done());
  if (!own_checkpoint_ || !done() || !earlier || !earlier->stepped ||
      earlier->checkpoint != state.filename())
    return false;
  end_state_ = state;
  for (const OutputSettings& output : schedule_.outputs) {
    const auto found = earlier->written.find(output.file);
    if (found == earlier->written.end()) continue;
    const WrittenEarlier& written = found->second;
    if (!output.wording.empty() && written.wording == output.wording && all_there(written.files))
      written_[output.file] = written;
  }
  return true;
}

void RunLoop::refuse_to_go_back() const {
  const bool by_time = schedule_.time > 0;
  const bool beyond = by_time ? model_->time() - model_->dt() >= schedule_.time
                              : model_->steps_done() > schedule_.steps;
  if (!beyond) return;
  throw UsageError(text(options_.out.string(), ": its checkpoint is of step ", resumed_from_,
                        by_time ? text(" (", model_->time(), " s)") : std::string(),
                        ", after the end of this run; run without resume to start afresh"));
}

// Files that the run wrote before it was interrupted belong to it too.
void RunLoop::name_earlier_outputs() {
  const std::uint64_t last = outputs_pending_ ? resumed_from_ - 1 : resumed_from_;
  for (std::uint64_t step = 1; step <= last; ++step)
    for (const OutputSettings& output : schedule_.outputs) {
      if (!due(output, step)) continue;
      std::error_code error;
      for (std::filesystem::path& file : files_at(output, path_of(output, step)))
        if (std::filesystem::exists(file, error)) files_.push_back({std::move(file), output, step});
    }
  for (const OutputSettings& output : schedule_.outputs)
    if (output.is_film() && output.every > 0) check_earlier_pictures(output);
}

// A film of what is left of its pictures must not take the place of one that has them all.
void RunLoop::check_earlier_pictures(const OutputSettings& output) const {
  const auto every = static_cast<std::uint64_t>(output.every);
  const std::uint64_t last = outputs_pending_ ? resumed_from_ - 1 : resumed_from_;
  for (std::uint64_t step = every; step <= last; step += every) {
    if (all_there(files_at(output, path_of(output, step)))) continue;
    const std::filesystem::path film = options_.out / output.file;
    const std::string missing =
        text(film.string(), ": its picture of step ", step, " is not there any more");
    std::error_code error;
    if (std::filesystem::exists(film, error))
      throw UsageError(text(missing, ", and a film without it would take the place of this one; ",
                            "move it away, or run without resume to start afresh"));
    log(LogLevel::warning,
        text(missing, ": the film will lack what came before step ", resumed_from_));
    return;
  }
}

// ---- a step and what it leaves

void RunLoop::step() {
  try {
    model_->step();
  } catch (const Unstable& error) {
    if (!options_.leave_state) throw;
    throw Unstable(text(error.what(), "; the state is in ", save().string()));
  }
}

void RunLoop::show_progress() const {
  if (options_.progress == nullptr) return;
  const bool short_time = schedule_.time < 100;
  const double per_second = short_time ? 1000 : 1;
  if (schedule_.time > 0)
    options_.progress->update(
        static_cast<long long>(std::min(model_->time(), schedule_.time) * per_second),
        static_cast<long long>(schedule_.time * per_second),
        short_time ? "simulated milliseconds" : "simulated seconds");
  else
    options_.progress->update(static_cast<long long>(model_->steps_done()),
                              static_cast<long long>(schedule_.steps), "steps");
}

void RunLoop::write(const OutputSettings& output) {
  WrittenOutput written;
  try {
    const CancelScope scope(options_.cancel);
    written = model_->write(output, path_of(output, model_->steps_done()));
  } catch (const Cancelled&) {
    stop();
  }
  for (std::filesystem::path& file : written.files)
    files_.push_back({std::move(file), output, model_->steps_done()});
  lines_.insert(lines_.end(), written.lines.begin(), written.lines.end());
}

void RunLoop::write_due_outputs() {
  outputs_pending_ = true;
  for (const OutputSettings& output : schedule_.outputs)
    if (due(output, model_->steps_done())) write(output);
  outputs_pending_ = false;
}

// Outputs of this step are written by now: a run that goes on from here misses none.
void RunLoop::write_due_checkpoint() {
  const std::uint64_t every = options_.checkpoint_every;
  const bool by_steps = every > 0 && model_->steps_done() % every == 0;
  const bool by_time = options_.checkpoint_seconds > 0 &&
                       seconds_since(last_checkpoint_time_) >= options_.checkpoint_seconds;
  if (by_steps || by_time) save();
}

// A film of its pictures, which stay until the run is whole.
void RunLoop::film(const OutputSettings& output) {
  std::vector<std::filesystem::path> pictures;
  for (const OutputFile& file : files_)
    if (file.output.file == output.file) pictures.push_back(file.path);
  Film made;
  try {
    made = make_film(options_.out / output.file, pictures, /*keep_pictures=*/true);
  } catch (const Error&) {
    // Ctrl-C reaches ffmpeg as well.
    if (cancelled()) stop();
    throw;
  }
  std::erase_if(files_, [&](const OutputFile& file) { return file.output.file == output.file; });
  for (std::filesystem::path& file : made.files)
    files_.push_back({std::move(file), output, model_->steps_done()});
  if (!made.line.empty()) lines_.push_back(made.line);
}

// ---- the end

void RunLoop::write_end() {
  secure_end();
  for (const OutputSettings& output : schedule_.outputs)
    if (is_of_end(output) && !output.is_film()) finish(output);
  for (const OutputSettings& output : schedule_.outputs)
    if (output.is_film()) finish(output);
  if (!failure_.empty()) fail();
  folder_.write_report(report_());
  clear_up();
}

bool RunLoop::is_of_end(const OutputSettings& output) const {
  return output.every == 0 || output.is_film();
}

bool RunLoop::is_written(const OutputSettings& output) const {
  return written_.count(output.file) > 0;
}

// The steps took hours: what the outputs are made of, and a report, are there before a disk that is
// full or a kill can cost one of them.
void RunLoop::secure_end() {
  const bool more = std::any_of(
      schedule_.outputs.begin(), schedule_.outputs.end(),
      [&](const OutputSettings& output) { return is_of_end(output) && !is_written(output); });
  if (!options_.leave_state || !more) return;
  if (!own_checkpoint_ || last_checkpoint_ != model_->steps_done()) try {
      own_older_ = own_checkpoint_;
      end_state_ = write_state();
    } catch (const Error& error) {
      log(LogLevel::warning, text(error.what(), "; an output that fails now costs the run"));
    }
  report_unfinished(false);
}

void RunLoop::finish(const OutputSettings& output) {
  if (is_written(output)) return take_written(output);
  const std::size_t lines_before = lines_.size();
  try {
    if (output.every == 0) write(output);
    if (output.is_film()) film(output);
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    // Where there is nothing to go on from, no later output helps.
    if (!own_checkpoint_ || last_checkpoint_ != model_->steps_done()) throw;
    if (failure_.empty())
      failure_ = error.what();
    else
      log(LogLevel::warning, error.what());
    return;
  }
  WrittenEarlier& written = written_[output.file];
  written.wording = output.wording;
  for (const OutputFile& file : files_)
    if (file.output.file == output.file) written.files.push_back(file.path);
  written.lines.assign(lines_.begin() + static_cast<std::ptrdiff_t>(lines_before), lines_.end());
}

void RunLoop::take_written(const OutputSettings& output) {
  const WrittenEarlier& written = written_.at(output.file);
  std::erase_if(files_, [&](const OutputFile& file) { return file.output.file == output.file; });
  for (const std::filesystem::path& file : written.files)
    files_.push_back({file, output, model_->steps_done()});
  lines_.insert(lines_.end(), written.lines.begin(), written.lines.end());
}

// What is left of a run that is whole is what a run leaves that never was in danger. Pictures of a
// film stay as long as a run may go on from a checkpoint and need them again.
void RunLoop::clear_up() {
  if (end_state_) folder_.remove_checkpoint(model_->steps_done());
  const bool goes_on = !folder_.checkpoints().empty();
  for (const OutputSettings& output : schedule_.outputs) {
    if (!output.is_film() || (output.every > 0 && goes_on)) continue;
    const std::filesystem::path film = options_.out / output.file;
    if (written_.at(output.file).files != std::vector{film}) continue;
    std::error_code ignored;
    for (const std::filesystem::path& picture : pictures_of(output))
      std::filesystem::remove(picture, ignored);
  }
}

std::vector<std::filesystem::path> RunLoop::pictures_of(const OutputSettings& film) const {
  const std::uint64_t last = model_->steps_done();
  const auto every = static_cast<std::uint64_t>(film.every);
  if (every == 0) return files_at(film, path_of(film, last));
  std::vector<std::filesystem::path> pictures;
  for (std::uint64_t step = every; step <= last; step += every)
    for (std::filesystem::path& picture : files_at(film, path_of(film, step)))
      pictures.push_back(std::move(picture));
  return pictures;
}

void RunLoop::fail() {
  folder_.keep_checkpoints(model_->steps_done(), own_older_);
  const std::string state = folder_.checkpoint_file(model_->steps_done()).string();
  report_unfinished(false);
  throw Error(text(failure_, "; the state is in ", state, ", and resuming writes what is missing"));
}

// ---- what a run that is not whole leaves

std::filesystem::path RunLoop::save() {
  const bool keep_older = own_checkpoint_;
  std::filesystem::path path = write_state();
  folder_.keep_checkpoints(model_->steps_done(), keep_older);
  return path;
}

std::filesystem::path RunLoop::write_state() {
  std::filesystem::path path =
      folder_.write_checkpoint(model_->steps_done(), fingerprint_, [&](io::CheckpointWriter& file) {
        file.add_integer(pending_block, outputs_pending_ ? 1 : 0);
        model_->save(file);
      });
  own_checkpoint_ = true;
  last_checkpoint_ = model_->steps_done();
  last_checkpoint_time_ = std::chrono::steady_clock::now();
  return path;
}

void RunLoop::report_unfinished(bool cancelled) {
  if (report_file().empty()) return;
  Unfinished unfinished;
  unfinished.cancelled = cancelled;
  if (own_checkpoint_)
    unfinished.checkpoint = folder_.checkpoint_file(last_checkpoint_).filename().string();
  unfinished.stepped = done();
  for (const OutputSettings& output : schedule_.outputs)
    if (is_of_end(output) && !is_written(output)) unfinished.missing.push_back(output.file);
  unfinished.written = written_;
  try {
    folder_.write_report(unfinished_report(report_(), unfinished, options_.out));
  } catch (const Error& error) {
    log(LogLevel::warning, error.what());
  }
}

void RunLoop::stop() {
  std::string saved;
  if (options_.leave_state) {
    const std::uint64_t step = model_->steps_done();
    if (outputs_pending_ || step != last_checkpoint_ || !own_checkpoint_)
      saved = text("; the state is in ", save().string());
    else if (end_state_)
      saved = text("; the state is in ", end_state_->string());
    if (end_state_) folder_.keep_checkpoints(step, own_older_);
    report_unfinished(true);
  }
  throw Cancelled(text("stopped after ", model_->steps_done(), " steps", saved));
}

}  // namespace scree
