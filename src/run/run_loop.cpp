#include "run/run_loop.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "io/file/atomic_file.h"
#include "picture/photographer.h"
#include "render/gl/context.h"
#include "run/checkpoints.h"
#include "run/write_outputs.h"

namespace scree {
namespace {

constexpr const char* pending_block = "outputs.pending";

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(text(folder.string(), ": cannot make this folder: ", error.message()));
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

double RunLoop::seconds() const { return seconds_since(start_); }

void RunLoop::check() {
  // A machine that cannot draw says so now.
  if (std::any_of(schedule_.outputs.begin(), schedule_.outputs.end(), [](const OutputSettings& o) {
        return o.kind == OutputKind::picture && o.picture.view.in_perspective();
      }))
    context_ = std::make_shared<render::OffscreenContext>();
  check_folder();
}

void RunLoop::check_folder() const {
  make_folder(options_.out);
  if (options_.resume) remove_leftovers(options_.out);
  { const io::AtomicFile probe(options_.out / "report.json"); }
  for (const OutputSettings& output : schedule_.outputs) {
    const std::filesystem::path path = options_.out / output.file;
    make_folder(path.parent_path());
    const bool plain = output.kind != OutputKind::tiles && output.kind != OutputKind::engine;
    const io::AtomicFile probe(plain && output.every == 0 ? path : path.parent_path() / "probe");
  }
}

void RunLoop::go(RunModel& model, std::uint64_t fingerprint) {
  model_ = &model;
  fingerprint_ = fingerprint;
  resume();
  while (!done()) {
    if (cancelled()) stop();
    step();
    show_progress();
    write_due_outputs();
    if (!done()) write_due_checkpoint();
  }
  for (const OutputSettings& output : schedule_.outputs)
    if (output.every == 0) write(output);
  for (const OutputSettings& output : schedule_.outputs)
    if (output.is_film()) film(output);
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
  if (!options_.resume) remove_checkpoints(options_.out);
  const auto restore = [&](const io::CheckpointReader& file) {
    model_->restore(file);
    outputs_pending_ = file.has(pending_block) && file.integer(pending_block) != 0;
  };
  if (options_.resume && restore_newest(options_.out, fingerprint_, restore)) {
    resumed_from_ = model_->steps_done();
    refuse_to_go_back();
    own_checkpoint_ = true;
    name_earlier_outputs();
  }
  last_checkpoint_ = model_->steps_done();
  show_progress();
  if (outputs_pending_) write_due_outputs();
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

// Of its pictures, which stay as long as a run may go on from a checkpoint and need them again.
void RunLoop::film(const OutputSettings& output) {
  std::vector<std::filesystem::path> pictures;
  for (const OutputFile& file : files_)
    if (file.output.file == output.file) pictures.push_back(file.path);
  Film made;
  try {
    const bool needed = output.every > 0 && !list_checkpoints(options_.out).empty();
    made = make_film(options_.out / output.file, pictures, needed);
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

std::filesystem::path RunLoop::save() {
  std::filesystem::path path =
      write_checkpoint(options_.out, model_->steps_done(), fingerprint_, own_checkpoint_,
                       [&](io::CheckpointWriter& file) {
                         file.add_integer(pending_block, outputs_pending_ ? 1 : 0);
                         model_->save(file);
                       });
  own_checkpoint_ = true;
  last_checkpoint_ = model_->steps_done();
  last_checkpoint_time_ = std::chrono::steady_clock::now();
  return path;
}

void RunLoop::stop() {
  const bool fresh =
      options_.leave_state &&
      (outputs_pending_ || model_->steps_done() != last_checkpoint_ || !own_checkpoint_);
  const std::string saved = fresh ? text("; the state is in ", save().string()) : "";
  throw Cancelled(text("stopped after ", model_->steps_done(), " steps", saved));
}

}  // namespace scree
