#include "scene/runner.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "base/error.h"
#include "base/hash.h"
#include "base/log.h"
#include "io/atomic_file.h"
#include "io/engine_export.h"
#include "render/context.h"
#include "scene/astray.h"
#include "scene/build.h"
#include "scene/checkpoints.h"
#include "scene/photographer.h"
#include "scene/report.h"
#include "scene/run_model.h"
#include "scene/write_outputs.h"

namespace scree {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

OutputSettings output_of(OutputKind kind, const std::string& file) {
  OutputSettings output;
  output.kind = kind;
  output.file = file;
  return output;
}

std::vector<OutputSettings> outputs_of(const Scene& scene, const RunOptions& options) {
  std::vector<OutputSettings> outputs = scene.outputs;
  if (outputs.empty())
    outputs = {output_of(OutputKind::height, "height.tif"),
               output_of(OutputKind::relief, "relief.png")};
  if (!options.engine.empty()) {
    outputs.push_back(output_of(OutputKind::engine, options.engine));
    outputs.back().engine = options.engine;
  }
  return outputs;
}

// A run of one scene, from the first check to the report.
class Run {
 public:
  Run(const Scene& scene, const RunOptions& options)
      : scene_(scene), options_(options), outputs_(outputs_of(scene, options)) {
    for (OutputSettings& output : outputs_)
      if (output.picture.view.subject.empty()) output.picture.view.subject = scene.name;
    scene_.outputs = outputs_;
    check_scene(scene_);
    if (!options.engine.empty()) io::engine_from_name(options.engine);
    device_ = options.opened ? options.opened : device::open_device(options.device);
    model_ = scene_.terrain.layers ? make_layer_model(scene_, device_)
                                   : make_height_model(scene_, device_);
    fingerprint_ = terrain_fingerprint();
    for (const OutputSettings& output : outputs_) model_->check(output);
    check_pictures();
    check_folder();
  }

  RunResult go() {
    resume();
    while (!done()) {
      if (options_.cancel != nullptr && options_.cancel->cancelled()) stop();
      step();
      show_progress();
      write_due_outputs();
      if (!done()) write_due_checkpoint();
    }
    for (const OutputSettings& output : outputs_)
      if (output.every == 0) write(output, false);
    for (const OutputSettings& output : outputs_)
      if (output.is_film()) film(output);
    return finished();
  }

 private:
  // The same settings on other heights or maps are another scene.
  std::uint64_t terrain_fingerprint() {
    const std::string words = scene_text(scene_);
    Hash64 hash;
    hash.update(words.data(), words.size());
    for (const auto& [name, value] : model_->start_hashes()) hash.update(&value, sizeof value);
    return hash.digest();
  }

  // A machine that cannot draw says so now.
  void check_pictures() const {
    if (std::any_of(outputs_.begin(), outputs_.end(), [](const OutputSettings& o) {
          return o.kind == OutputKind::picture && o.picture.view.in_perspective();
        }))
      const render::OffscreenContext probe;
  }

  // Opens and drops each file: what fails now would fail after hours.
  void check_folder() {
    make_folder(options_.out);
    if (options_.resume) remove_leftovers(options_.out);
    { const io::AtomicFile probe(options_.out / "report.json"); }
    for (const OutputSettings& output : outputs_) {
      const std::filesystem::path path = options_.out / output.file;
      make_folder(path.parent_path());
      const bool plain = output.kind != OutputKind::tiles && output.kind != OutputKind::engine;
      const io::AtomicFile probe(plain && output.every == 0 ? path : path.parent_path() / "probe");
    }
  }

  static void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw Error(text(folder.string(), ": cannot make this folder: ", error.message()));
  }

  void resume() {
    // Whoever resumes later must not go on from another run.
    if (!options_.resume) remove_checkpoints(options_.out);
    const auto restore = [&](const io::CheckpointReader& file) { model_->restore(file); };
    if (options_.resume && restore_newest(options_.out, fingerprint_, restore)) {
      resumed_from_ = model_->steps_done();
      refuse_to_go_back();
      own_checkpoint_ = true;
      name_earlier_outputs();
    }
    last_checkpoint_ = model_->steps_done();
    show_progress();
  }

  void refuse_to_go_back() const {
    const bool beyond = scene_.time > 0 ? model_->time() - model_->dt() >= scene_.time
                                        : model_->steps_done() > scene_.steps;
    if (beyond)
      throw UsageError(text(options_.out.string(), ": its checkpoint is of step ", resumed_from_,
                            " (", model_->time(),
                            " s), after the end of this run; run without "
                            "resume to start afresh"));
  }

  // Files that the run wrote before it was interrupted belong to it too.
  void name_earlier_outputs() {
    for (std::uint64_t step = 1; step <= resumed_from_; ++step)
      for (const OutputSettings& output : outputs_)
        if (output.every > 0 && step % static_cast<std::uint64_t>(output.every) == 0) {
          const auto path = output_path(options_.out, output, step, true);
          if (std::filesystem::exists(path)) files_.push_back({path, output, step});
        }
  }

  bool done() const {
    if (scene_.time > 0) return model_->time() >= scene_.time;
    return model_->steps_done() >= scene_.steps;
  }

  void step() {
    try {
      model_->step();
    } catch (const Unstable& error) {
      throw Unstable(text(error.what(), "; the state is in ", save().string()));
    }
  }

  void show_progress() {
    if (options_.progress == nullptr) return;
    const bool short_time = scene_.time < 100;
    const double per_second = short_time ? 1000 : 1;
    if (scene_.time > 0)
      options_.progress->update(
          static_cast<long long>(std::min(model_->time(), scene_.time) * per_second),
          static_cast<long long>(scene_.time * per_second),
          short_time ? "simulated milliseconds" : "simulated seconds");
    else
      options_.progress->update(static_cast<long long>(model_->steps_done()),
                                static_cast<long long>(scene_.steps), "steps");
  }

  void write(const OutputSettings& output, bool with_step) {
    const auto path = output_path(options_.out, output, model_->steps_done(), with_step);
    WrittenOutput written = model_->write(output, path);
    for (const std::filesystem::path& file : written.files)
      files_.push_back({file, output, model_->steps_done()});
    lines_.insert(lines_.end(), written.lines.begin(), written.lines.end());
  }

  // Of its pictures.
  void film(const OutputSettings& output) {
    std::vector<std::filesystem::path> pictures;
    for (const OutputFile& file : files_)
      if (file.output.file == output.file) pictures.push_back(file.path);
    Film made = make_film(options_.out / output.file, pictures);
    std::erase_if(files_, [&](const OutputFile& file) { return file.output.file == output.file; });
    for (std::filesystem::path& file : made.files)
      files_.push_back({std::move(file), output, model_->steps_done()});
    if (!made.line.empty()) lines_.push_back(made.line);
  }

  void write_due_outputs() {
    for (const OutputSettings& output : outputs_)
      if (output.every > 0 && model_->steps_done() % static_cast<std::uint64_t>(output.every) == 0)
        write(output, true);
  }

  // Outputs of this step are written by now: a run that goes on from here misses none.
  void write_due_checkpoint() {
    const std::uint64_t every = options_.checkpoint_every;
    const bool by_steps = every > 0 && model_->steps_done() % every == 0;
    const bool by_time = options_.checkpoint_seconds > 0 &&
                         seconds_since(last_checkpoint_time_) >= options_.checkpoint_seconds;
    if (by_steps || by_time) save();
  }

  std::filesystem::path save() {
    std::filesystem::path path =
        write_checkpoint(options_.out, model_->steps_done(), fingerprint_, own_checkpoint_,
                         [&](io::CheckpointWriter& file) { model_->save(file); });
    own_checkpoint_ = true;
    last_checkpoint_ = model_->steps_done();
    last_checkpoint_time_ = std::chrono::steady_clock::now();
    return path;
  }

  [[noreturn]] void stop() {
    const bool fresh = model_->steps_done() != last_checkpoint_ || !own_checkpoint_;
    const std::string saved = fresh ? text("; the state is in ", save().string()) : "";
    throw Cancelled(text("stopped after ", model_->steps_done(), " steps", saved));
  }

  RunResult finished() {
    RunResult result;
    result.files = files_;
    for (const OutputFile& file : files_) result.outputs.push_back(file.path);
    result.lines = lines_;
    result.hashes = model_->hashes();
    model_->report(result);
    result.astray =
        result.layers ? astray(scene_.name, *result.layers) : astray(scene_.name, result.ledger);
    const device::DeviceInfo& info = device_->info();
    result.device = text(info.selector, ": ", info.name, " (", info.detail, ")");
    result.width = model_->frame().width;
    result.height = model_->frame().height;
    result.dx = model_->frame().dx;
    result.dy = model_->frame().dy;
    result.steps = model_->steps_done();
    result.resumed_from = resumed_from_;
    result.time = model_->time();
    result.dt = model_->dt();
    result.seconds = seconds_since(start_);
    result.report_text = report_json(scene_, result, info, options_.out);
    if (!options_.report.empty()) {
      result.report = options_.out / options_.report;
      io::write_file(result.report, result.report_text);
    }
    return result;
  }

  Scene scene_;
  const RunOptions& options_;
  std::vector<OutputSettings> outputs_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_checkpoint_time_ = start_;
  device::DevicePtr device_;
  std::unique_ptr<RunModel> model_;
  std::uint64_t fingerprint_ = 0;
  std::uint64_t resumed_from_ = 0;
  std::uint64_t last_checkpoint_ = 0;
  bool own_checkpoint_ = false;  // the newest one in the folder is of this run
  std::vector<OutputFile> files_;
  std::vector<std::string> lines_;
};

}  // namespace

RunResult run_scene(const Scene& scene, const RunOptions& options) {
  return Run(scene, options).go();
}

}  // namespace scree
