#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/suggest.h"
#include "io/file/atomic_file.h"
#include "io/file/ending.h"
#include "picture/layers/layer_pictures.h"
#include "process/layers/layer_water.h"
#include "process/layers/stones.h"
#include "render/gl/context.h"
#include "run/astray.h"
#include "run/build/build.h"
#include "run/build/build_layers.h"
#include "run/checkpoints.h"
#include "run/kinds.h"
#include "run/layers/layer_state.h"
#include "run/memory.h"
#include "run/run_look.h"
#include "surface/layers/layer_solid.h"

namespace scree {
namespace {

// A box of an array of the whole terrain.
std::vector<float> cut_out(const std::vector<float>& all, const Box& whole, const Box& box) {
  std::vector<float> part;
  part.reserve(box.cells());
  for (int y = box.y; y < box.y + box.height; ++y)
    for (int x = box.x; x < box.x + box.width; ++x) part.push_back(all[whole.index(x, y)]);
  return part;
}

class LayerModel : public RunModel {
 public:
  LayerModel(const Scene& scene, const device::DevicePtr& device) : scene_(scene), device_(device) {
    LoadedLayers loaded = load_layers(scene, device);
    frame_ = std::move(loaded.frame);
    layers_ = std::move(loaded.layers);
    start_ = layers_->hash();
    simulate();
  }
  // Another one's terrain with the processes of this scene.
  LayerModel(const LayerModel& other, const Scene& scene)
      : scene_(scene), device_(other.device_), frame_(other.frame_), start_(other.start_) {
    const Layers& there = *other.layers_;
    layers_ = std::make_unique<Layers>(device_, there.shape(), there.materials());
    for (const auto& [name, values] : there.maps()) layers_->set_map(name, values);
    layers_->set_words(there.words());
    simulate();
  }

  std::uint64_t steps_done() const override { return simulation_->steps_done(); }
  double time() const override { return simulation_->time(); }
  double dt() const override { return simulation_->dt(); }
  void step() override { simulation_->step(); }

  std::uint64_t fingerprint() const override { return scene_fingerprint(scene_, start_hashes()); }
  std::map<std::string, std::uint64_t> hashes() const override { return simulation_->hashes(); }

  void check(const OutputSettings& output) const override {
    check_shown(output);
    if (output.kind == OutputKind::picture)
      check_picture_memory(output.picture, layers_->shape().cells());
  }

  WrittenOutput write(const OutputSettings& output, const std::filesystem::path& path) override {
    WrittenOutput written;
    if (output.kind == OutputKind::stones) {
      const std::string list = io::ending_of(output.file) == ".json" ? stones()->json(*layers_)
                                                                     : stones()->csv(*layers_);
      io::AtomicFile file(path);
      file.write(list.data(), list.size());
      file.commit();
      written.files = {path};
      return written;
    }
    if (output.kind == OutputKind::mesh) {
      tell_thin(output);
      io::write_mesh(path.string(), subject().solid(output.solid));
      written.files = {path};
      return written;
    }
    if (output.kind == OutputKind::picture) {
      written.files = write_picture(output, path);
      return written;
    }
    tell_voids(output);
    return write_output(output, *subject().top(shown_field(output)), frame_, path);
  }

  void save(BlockWriter& file) const override {
    StateSaver saver(file);
    look_through(*simulation_, saver);
    add_frame(file, frame_);
    add_look(file, look_of(scene_.outputs));
  }
  void restore(const BlockReader& file) override { restore_layers(file, *simulation_); }
  std::unique_ptr<RunModel> twin(const Scene& scene) const override {
    return std::make_unique<LayerModel>(*this, scene);
  }
  void set_processes(const Scene& scene) override {
    simulation_->set_processes(make_processes<LayerProcess>(scene.processes));
  }

  // Those of the stacks, and what processes show.
  Fields fields() const override {
    Fields all = layers_->fields();
    for (const LayerProcessPtr& process : simulation_->processes())
      for (const FieldSpec& field : process->fields())
        all.push_back({field.name, field.name, device::FieldType::float32, field.unit, 0, 1, 0,
                       layers_->box(), false, field.help});
    return all;
  }

  FieldData read(const FieldInfo& field, const Box& box) const override {
    if (field.type == device::FieldType::int32)
      return {field, box, layers_->counts(field.id, box), {}};
    for (const LayerProcessPtr& process : simulation_->processes())
      for (const FieldSpec& shown : process->fields())
        if (field.id == shown.name)
          return {
              field, box, cut_out(process->values(*layers_, field.id), layers_->box(), box), {}};
    throw UsageError(text("field '", field.id, "': no process has it"));
  }

  Receipt write(const FieldInfo& field, const Box& box,
                const std::vector<double>& values) override {
    if (!field.writable)
      throw UsageError(text("field '", field.id, "' cannot be written: expected bed"));
    const Receipt receipt = layers_->write_tops(box, values);
    simulation_->terrain_changed(receipt);
    return receipt;
  }

  std::vector<Balance> balances() const override { return simulation_->balances(); }

  void report(RunResult& result) const override {
    result.layers = simulation_->ledger();
    result.astray = astray(scene_.name, *result.layers);
    result.width = frame_.width;
    result.height = frame_.height;
    result.dx = frame_.dx;
    result.dy = frame_.dy;
    for (const LayerProcessPtr& process : simulation_->processes())
      for (const auto& [name, count] : process->counts())
        result.counts[process->name() + "." + name] = count;
    result.layer_quantum = layers_->shape().quantum;
    result.quantum.datum = layers_->shape().datum;
    result.seconds_by_process = simulation_->seconds_by_process();
  }

 private:
  void simulate() {
    SimulationOptions options = simulation_options(scene_);
    options.measure_times = true;
    // What a process asks of the terrain it says without knowing whose scene it is.
    try {
      simulation_.emplace(*layers_, make_processes<LayerProcess>(scene_.processes), options);
    } catch (const UsageError& error) {
      throw UsageError(text(scene_.file, ": ", error.what()));
    }
  }

  void check_shown(const OutputSettings& output) const {
    if (output.kind == OutputKind::mask)
      throw UsageError(text(output.where,
                            ": kind = \"mask\": of heightfields; expected kind = "
                            "\"field\" and a name"));
    if (output.kind == OutputKind::stones && stones() == nullptr)
      throw UsageError(text(output.where, ": kind = \"stones\": expected a table [stones]"));
    if (output.solid.cut)
      surface::check_cut(text(output.where, ": "), *output.solid.cut, layers_->shape());
    const std::string name = shown_field(output);
    const LayerSubject layers = subject();
    if (output.kind == OutputKind::picture) {
      layers.check_shown(text(output.where, ": "), output.picture.view);
      return;
    }
    const std::vector<std::string> known = layers.field_names();
    if (name.empty() || std::find(known.begin(), known.end(), name) != known.end()) return;
    std::string all;
    for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
    throw UsageError(text(output.where, ": field = '", name, "': expected one of ", all,
                          did_you_mean(name, known)));
  }

  std::map<std::string, std::uint64_t> start_hashes() const {
    std::map<std::string, std::uint64_t> hashes{{"layers", start_}};
    for (const auto& [name, values] : layers_->maps()) {
      Hash64 hash;
      hash.update(values.data(), values.size() * sizeof values[0]);
      hashes["map." + name] = hash.digest();
    }
    return hashes;
  }

  // Once a run, and not for reliefs, which are to be looked at.
  void tell_voids(const OutputSettings& output) {
    const bool heights = output.kind == OutputKind::height || output.kind == OutputKind::tiles ||
                         output.kind == OutputKind::engine || shown_field(output) == "bed";
    const LayerShape& s = layers_->shape();
    const double voids = static_cast<double>(layers_->totals()[0]) * s.quantum * s.dx * s.dy;
    if (!heights || told_voids_ || voids == 0) return;
    told_voids_ = true;
    log(LogLevel::info, text(output.file, ": heights of the top surface: ", voids,
                             " m3 of voids below it are not in them; kind = \"mesh\" has them"));
  }

  void tell_thin(const OutputSettings& output) {
    const double cell_z = surface::layer_solid_cell_z(subject().height(),
                                                      {.level = 0, .cell_z = output.solid.cell_z});
    const std::string note = surface::thin_parts_note(*layers_, cell_z, "cell_z");
    if (told_thin_ || note.empty()) return;
    told_thin_ = true;
    log(LogLevel::info, text(output.file, ": ", note));
  }

  // With what its processes know of it.
  LayerSubject subject() const {
    std::map<std::string, LayerSubject::Values> more;
    for (const LayerProcessPtr& process : simulation_->processes())
      for (const FieldSpec& field : process->fields())
        more[field.name] = [this, kept = process.get(), name = std::string(field.name)] {
          return kept->values(*layers_, name);
        };
    LayerSubject::Velocity velocity;
    for (const LayerProcessPtr& process : simulation_->processes())
      if (const auto* water = dynamic_cast<const LayerWater*>(process.get()))
        velocity = [water] { return water_velocity(water->surface()); };
    return LayerSubject(
        *layers_, std::move(more),
        [this](Mesh& mesh, const std::optional<surface::LayerCut>& cut) {
          if (stones() != nullptr) add_stones(mesh, *layers_, stones()->list(*layers_), cut);
        },
        std::move(velocity));
  }

  // The field that an output is of; empty where it is of none.
  static std::string shown_field(const OutputSettings& output) {
    if (output.kind == OutputKind::field) return output.name;
    const bool shown =
        output.kind == OutputKind::picture && output.picture.view.kind == render::ViewKind::field;
    return shown ? output.picture.view.field : std::string();
  }

  const Stones* stones() const {
    for (const LayerProcessPtr& process : simulation_->processes())
      if (const auto* found = dynamic_cast<const Stones*>(process.get())) return found;
    return nullptr;
  }

  std::vector<std::filesystem::path> write_picture(const OutputSettings& output,
                                                   const std::filesystem::path& path) const {
    PictureSettings settings = output.picture;
    const LayerSubject now = subject();
    // What the run began with is made anew: nobody has to keep it.
    std::optional<LayerModel> start;
    if (settings.before) start.emplace(scene_, device_);
    const LayerSubject then = start ? start->subject() : now;
    if (start) render::settle_range(settings.view, view_fields(now));
    std::optional<render::OffscreenContext> context;
    if (settings.view.in_perspective() && render::OffscreenContext::current() == nullptr)
      context.emplace();
    const int width = width_of_each(settings);
    const PhotographerPtr camera = photograph(now, settings, output.solid, width, output.where);
    const PhotographerPtr other =
        start ? photograph(then, settings, output.solid, width, output.where) : nullptr;
    return write_pictures(settings, path, *camera, other.get());
  }

  Scene scene_;
  device::DevicePtr device_;
  Raster frame_;
  std::unique_ptr<Layers> layers_;
  std::optional<LayerSimulation> simulation_;
  std::uint64_t start_ = 0;
  bool told_voids_ = false, told_thin_ = false;
};

}  // namespace

std::unique_ptr<RunModel> make_layer_model(const Scene& scene, const device::DevicePtr& device) {
  return std::make_unique<LayerModel>(scene, device);
}

}  // namespace scree
