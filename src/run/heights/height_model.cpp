#include <algorithm>
#include <optional>

#include "base/error.h"
#include "io/raster/engine_export.h"
#include "run/astray.h"
#include "run/build/build.h"
#include "run/checkpoints.h"
#include "run/kinds.h"
#include "run/memory.h"
#include "run/run_look.h"
#include "terrain/heights/derive.h"

namespace scree {
namespace {

bool is_scratch(const std::string& field) {
  for (const ProcessKind& kind : process_kinds())
    for (const FieldSpec& own : kind.fields)
      if (own.name == field) return own.scratch;
  return false;
}

class HeightModel : public RunModel {
 public:
  HeightModel(const Scene& scene, const device::DevicePtr& device) : scene_(scene) {
    LoadedTerrain loaded = load_terrain(scene_, device);
    frame_ = std::move(loaded.frame);
    start_ = loaded.heightfield->hashes();
    take(std::move(loaded.heightfield));
    for (const OutputSettings& output : scene.outputs)
      if (output.kind == OutputKind::picture && output.picture.before) {
        check(output);
        pictured_[output.file] = picture_start(output, terrain());
      }
  }
  // Another one's terrain with the processes of this scene.
  HeightModel(const HeightModel& other, const Scene& scene)
      : scene_(scene), frame_(other.frame_), start_(other.start_) {
    take(other.terrain().bare_twin());
  }

  std::uint64_t steps_done() const override { return simulation_->steps_done(); }
  double time() const override { return simulation_->time(); }
  double dt() const override { return simulation_->dt(); }

  void step() override {
    simulation_->step();
    const ScrollSettings& scroll = scene_.scroll;
    if (scroll.every == 0 || steps_done() % static_cast<std::uint64_t>(scroll.every) != 0) return;
    const Grid& g = terrain().grid();
    const HeightfieldShape shape{g.width, g.height, frame_.dx, frame_.dy};
    simulation_->scroll(scroll.cells_east, scroll.cells_south,
                        generated_window(scene_, terrain().device(), shape,
                                         g.x0 + scroll.cells_east, g.y0 + scroll.cells_south));
  }

  std::uint64_t fingerprint() const override { return scene_fingerprint(scene_, start_); }
  std::map<std::string, std::uint64_t> hashes() const override {
    std::map<std::string, std::uint64_t> all = terrain().hashes();
    std::erase_if(all, [](const auto& one) { return is_scratch(one.first); });
    return all;
  }

  void check(const OutputSettings& output) const override {
    check_shown(output);
    if (output.kind == OutputKind::picture)
      check_picture_memory(output.picture, static_cast<std::size_t>(frame_.width) *
                                               static_cast<std::size_t>(frame_.height));
  }

  WrittenOutput write(const OutputSettings& output, const std::filesystem::path& path) override {
    const auto start = pictured_.find(output.file);
    return write_output(output, terrain(), frame_, path,
                        start != pictured_.end() ? &start->second : nullptr);
  }

  void save(BlockWriter& file) const override {
    add_heights(file, *simulation_, framed(frame_, terrain(), {}));
    add_look(file, look_of(scene_.outputs));
  }
  void restore(const BlockReader& file) override { restore_state(*simulation_, file); }
  std::unique_ptr<RunModel> twin(const Scene& scene) const override {
    return std::make_unique<HeightModel>(*this, scene);
  }
  void set_processes(const Scene& scene) override {
    simulation_->set_processes(make_processes(scene));
  }

  Fields fields() const override {
    Fields all = landscape_->fields();
    std::erase_if(all, [](const FieldInfo& field) { return is_scratch(field.id); });
    return all;
  }

  FieldData read(const FieldInfo& field, const Box& box) const override {
    FieldData data{field, box, {}, {}};
    if (field.type == device::FieldType::int32)
      data.values = terrain().raw(field.id, box);
    else
      data.values = terrain().numbers(field.id, box);
    if (has_nodata_)
      for (const std::int32_t bed : terrain().raw("bed", box))
        data.missing.push_back(bed == SCREE_WALL ? 1 : 0);
    return data;
  }

  Receipt write(const FieldInfo& field, const Box& box,
                const std::vector<double>& values) override {
    const Receipt receipt = landscape_->write(field.id, box, values);
    simulation_->terrain_changed(receipt, field.id);
    return receipt;
  }

  std::vector<Balance> balances() const override { return simulation_->balances(); }

  void report(RunResult& result) const override {
    result.ledger = simulation_->ledger();
    result.astray = astray(scene_.name, result.ledger);
    result.width = frame_.width;
    result.height = frame_.height;
    result.dx = frame_.dx;
    result.dy = frame_.dy;
    result.quantum = terrain().quantum();
    result.seconds_by_process = simulation_->seconds_by_process();
  }

 private:
  void take(std::unique_ptr<Heightfield> heightfield) {
    const std::vector<std::int32_t> bed = heightfield->raw("bed");
    has_nodata_ = std::find(bed.begin(), bed.end(), SCREE_WALL) != bed.end();
    landscape_.emplace(std::move(heightfield));
    SimulationOptions options = simulation_options(scene_);
    options.measure_times = true;
    simulation_.emplace(*landscape_, make_processes(scene_), options);
  }

  void check_shown(const OutputSettings& output) const {
    if (output.kind == OutputKind::mesh)
      throw UsageError(text(output.where,
                            ": kind = \"mesh\": of layers alone; scree mesh makes one of heights"));
    if (output.kind == OutputKind::stones)
      throw UsageError(text(output.where, ": kind = \"stones\": of layers alone"));
    if (output.solid.cut) throw UsageError(text(output.where, ": cut: of layers alone"));
    if (output.kind == OutputKind::picture && output.picture.view.line)
      render::check_line(text(output.where, ": "), *output.picture.view.line,
                         0.5 * frame_.dx * frame_.width, 0.5 * frame_.dy * frame_.height);
    const bool shown =
        output.kind == OutputKind::picture && output.picture.view.kind == render::ViewKind::field;
    if (output.kind != OutputKind::field && !shown) return;
    const std::string& wanted = shown ? output.picture.view.field : output.name;
    std::string all;
    if (shown && wanted == "height") return;
    if (shown)
      for (const MaskInfo& mask : mask_list()) {
        if (mask.name == wanted) return;
        if (!terrain().has(mask.name)) all += (all.empty() ? "" : ", ") + mask.name;
      }
    if (terrain().has(wanted)) return;
    for (const std::string& name : terrain().field_names())
      if (!is_scratch(name)) all += (all.empty() ? "" : ", ") + name;
    const auto named = [&](const MaskInfo& mask) { return mask.name == wanted; };
    const bool is_mask = std::any_of(mask_list().begin(), mask_list().end(), named);
    throw UsageError(text(output.where, shown ? ": view = 'field:" : ": field = '", wanted,
                          "': expected one of ", all,
                          is_mask ? "; as a mask: kind = \"mask\"" : ""));
  }

  const Heightfield& terrain() const { return landscape_->tile(0); }

  Scene scene_;
  Raster frame_;
  bool has_nodata_ = false;
  std::optional<Landscape> landscape_;
  std::optional<Simulation> simulation_;
  std::map<std::string, std::uint64_t> start_;
  std::map<std::string, PictureStart> pictured_;  // by the output's file
};

}  // namespace

std::vector<OutputSettings> height_outputs() {
  return {output_of(OutputKind::height, "height.tif"), output_of(OutputKind::relief, "relief.png")};
}

void check_height_run(const Scene& scene, const RunOptions& options) {
  check_scene(scene);
  if (!options.engine.empty()) io::engine_from_name(options.engine);
}

std::unique_ptr<RunModel> make_height_model(const Scene& scene, const device::DevicePtr& device) {
  return std::make_unique<HeightModel>(scene, device);
}

}  // namespace scree
