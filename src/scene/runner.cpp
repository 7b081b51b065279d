#include "scene/runner.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/error.h"
#include "base/hash.h"
#include "base/log.h"
#include "io/atomic_file.h"
#include "io/engine_export.h"
#include "render/context.h"
#include "scene/build.h"
#include "scene/checkpoints.h"
#include "scene/report.h"
#include "scene/write_outputs.h"

namespace scree {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool is_scratch(const std::string& field) {
  for (const ProcessKind& kind : process_kinds())
    for (const FieldSpec& own : kind.fields)
      if (own.name == field) return own.scratch;
  return false;
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
    scene_.outputs = outputs_;
    check_scene(scene_);
    if (!options.engine.empty()) io::engine_from_name(options.engine);
    device_ = options.opened ? options.opened : device::open_device(options.device);
    LoadedTerrain loaded = load_terrain(scene_, device_);
    frame_ = std::move(loaded.frame);
    landscape_.emplace(std::move(loaded.heightfield));
    fingerprint_ = terrain_fingerprint();
    SimulationOptions simulation = simulation_options(scene_);
    simulation.measure_times = true;
    simulation_.emplace(*landscape_, make_processes(scene_), simulation);
    check_fields();
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
    return finished();
  }

 private:
  Heightfield& terrain() { return landscape_->single(); }

  // The same settings on other heights or maps are another scene.
  std::uint64_t terrain_fingerprint() {
    const std::string words = scene_text(scene_);
    Hash64 hash;
    hash.update(words.data(), words.size());
    for (const auto& [name, value] : terrain().hashes()) hash.update(&value, sizeof value);
    return hash.digest();
  }

  void check_fields() {
    for (const OutputSettings& output : outputs_)
      if (output.kind == OutputKind::field && !terrain().has(output.name)) {
        std::string all;
        for (const std::string& name : terrain().field_names())
          if (!is_scratch(name)) all += (all.empty() ? "" : ", ") + name;
        throw UsageError(
            text(output.where, ": field = '", output.name, "': expected one of ", all));
      }
  }

  // A machine that cannot draw says so now.
  void check_pictures() const {
    if (std::any_of(outputs_.begin(), outputs_.end(),
                    [](const OutputSettings& o) { return o.kind == OutputKind::picture; }))
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
    if (options_.resume && restore_newest(options_.out, *simulation_, terrain(), fingerprint_)) {
      resumed_from_ = simulation_->steps_done();
      refuse_to_go_back();
      own_checkpoint_ = true;
      name_earlier_outputs();
    }
    last_checkpoint_ = simulation_->steps_done();
    show_progress();
  }

  void refuse_to_go_back() const {
    const bool beyond = scene_.time > 0 ? simulation_->time() - simulation_->dt() >= scene_.time
                                        : simulation_->steps_done() > scene_.steps;
    if (beyond)
      throw UsageError(text(options_.out.string(), ": its checkpoint is of step ", resumed_from_,
                            " (", simulation_->time(),
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
    if (scene_.time > 0) return simulation_->time() >= scene_.time;
    return simulation_->steps_done() >= scene_.steps;
  }

  void step() {
    try {
      simulation_->step();
    } catch (const Unstable& error) {
      throw Unstable(text(error.what(), "; the state is in ", save().string()));
    }
    const ScrollSettings& scroll = scene_.scroll;
    if (scroll.every > 0 &&
        simulation_->steps_done() % static_cast<std::uint64_t>(scroll.every) == 0) {
      const Grid& g = terrain().grid();
      const HeightfieldShape shape{g.width, g.height, frame_.dx, frame_.dy};
      simulation_->scroll(scroll.cells_east, scroll.cells_south,
                          generated_window(scene_, *device_, shape, g.x0 + scroll.cells_east,
                                           g.y0 + scroll.cells_south));
    }
  }

  void show_progress() {
    if (options_.progress == nullptr) return;
    const bool short_time = scene_.time < 100;
    const double per_second = short_time ? 1000 : 1;
    if (scene_.time > 0)
      options_.progress->update(
          static_cast<long long>(std::min(simulation_->time(), scene_.time) * per_second),
          static_cast<long long>(scene_.time * per_second),
          short_time ? "simulated milliseconds" : "simulated seconds");
    else
      options_.progress->update(static_cast<long long>(simulation_->steps_done()),
                                static_cast<long long>(scene_.steps), "steps");
  }

  void write(const OutputSettings& output, bool with_step) {
    const auto path = output_path(options_.out, output, simulation_->steps_done(), with_step);
    WrittenOutput written = write_output(output, terrain(), frame_, path);
    for (const std::filesystem::path& file : written.files)
      files_.push_back({file, output, simulation_->steps_done()});
    lines_.insert(lines_.end(), written.lines.begin(), written.lines.end());
  }

  void write_due_outputs() {
    for (const OutputSettings& output : outputs_)
      if (output.every > 0 &&
          simulation_->steps_done() % static_cast<std::uint64_t>(output.every) == 0)
        write(output, true);
  }

  // Outputs of this step are written by now: a run that goes on from here misses none.
  void write_due_checkpoint() {
    const std::uint64_t every = options_.checkpoint_every;
    const bool by_steps = every > 0 && simulation_->steps_done() % every == 0;
    const bool by_time = options_.checkpoint_seconds > 0 &&
                         seconds_since(last_checkpoint_time_) >= options_.checkpoint_seconds;
    if (by_steps || by_time) save();
  }

  std::filesystem::path save() {
    std::filesystem::path path =
        write_checkpoint(options_.out, *simulation_, terrain(), framed(frame_, terrain(), {}),
                         fingerprint_, own_checkpoint_);
    own_checkpoint_ = true;
    last_checkpoint_ = simulation_->steps_done();
    last_checkpoint_time_ = std::chrono::steady_clock::now();
    return path;
  }

  [[noreturn]] void stop() {
    const bool fresh = simulation_->steps_done() != last_checkpoint_ || !own_checkpoint_;
    const std::string saved = fresh ? text("; the state is in ", save().string()) : "";
    throw Cancelled(text("stopped after ", simulation_->steps_done(), " steps", saved));
  }

  RunResult finished() {
    RunResult result;
    result.files = files_;
    for (const OutputFile& file : files_) result.outputs.push_back(file.path);
    result.lines = lines_;
    for (const auto& [name, hash] : terrain().hashes())
      if (!is_scratch(name)) result.hashes[name] = hash;
    result.ledger = simulation_->ledger();
    result.quantum = terrain().quantum();
    const device::DeviceInfo& info = device_->info();
    result.device = text(info.selector, ": ", info.name, " (", info.detail, ")");
    result.width = frame_.width;
    result.height = frame_.height;
    result.dx = frame_.dx;
    result.dy = frame_.dy;
    result.steps = simulation_->steps_done();
    result.resumed_from = resumed_from_;
    result.time = simulation_->time();
    result.dt = simulation_->dt();
    result.seconds = seconds_since(start_);
    result.seconds_by_process = simulation_->seconds_by_process();
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
  io::Raster frame_;
  std::optional<Landscape> landscape_;
  std::optional<Simulation> simulation_;
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
