#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/hash.h"
#include "io/checkpoint/checkpoint.h"
#include "io/mesh/mesh.h"
#include "io/volume/volume.h"
#include "picture/voxels/rock_pictures.h"
#include "process/core/registry.h"
#include "process/voxels/voxel_simulation.h"
#include "render/gl/context.h"
#include "run/astray.h"
#include "run/build/build_voxels.h"
#include "run/kinds.h"
#include "run/memory.h"
#include "scene/read/read.h"
#include "surface/march/marching_cubes.h"

namespace scree {
namespace {

template <class T>
void add_to(Hash64& hash, const T& value) {
  hash.update(&value, sizeof value);
}

void add_region(Hash64& hash, const WeatherRegion& r) {
  add_to(hash, r.kind), add_to(hash, r.rate), add_to(hash, r.durability), add_to(hash, r.at);
  add_to(hash, r.to), add_to(hash, r.size), add_to(hash, r.radius), add_to(hash, r.soft);
  add_to(hash, r.from_step), add_to(hash, r.to_step);
  for (const std::vector<float>* values : {&r.rates, &r.durabilities}) {
    add_to(hash, values->size());
    hash.update(values->data(), values->size() * sizeof(float));
  }
}

// Everything that decides the bits of the steps to come: the rock as it stands, and its numbers.
std::uint64_t fingerprint_of(const Voxels& voxels, const std::vector<Bubble>& bubbles,
                             const std::vector<WeatherRegion>& regions, const Scene& scene) {
  const auto& parameters = scene.processes["weathering"].as<WeatheringParameters>();
  Hash64 hash;
  add_to(hash, voxels.hash());
  add_to(hash, voxels.box());
  add_to(hash, scene.seed);
  add_to(hash, parameters.colluvium);
  add_to(hash, parameters.repose);
  add_to(hash, parameters.stability_every);
  for (const VoxelMaterial& m : voxels.materials())
    add_to(hash, m.durability), add_to(hash, m.bubble), add_to(hash, m.loose);
  for (const Bubble& bubble : bubbles) {
    for (const auto& offset : bubble.offsets) add_to(hash, offset);
    for (const double rate : bubble.rates) add_to(hash, rate);
    add_to(hash, bubble.open_faces);
  }
  for (const WeatherRegion& region : regions) add_region(hash, region);
  return hash.digest();
}

// What is wrong with a terrain or a process is wrong in the scene's file.
template <class Make>
void in_scene(const Scene& scene, const Make& make) {
  try {
    make();
  } catch (const UsageError& error) {
    throw UsageError(text(scene.file, ": ", error.what()));
  }
}

// Before the ground is eroded, which may take hours.
void check_rocks(const Scene& scene) {
  const std::vector<Rock>& rocks = scene.terrain.voxels->rocks.rocks;
  if (rocks.empty())
    throw UsageError(text(scene.file, ": expected [[terrain.rock]], at least one"));
  if (scene.processes["weathering"].as<WeatheringParameters>().colluvium &&
      std::none_of(rocks.begin(), rocks.end(), [](const Rock& rock) { return rock.loose; }))
    throw UsageError(text(scene.file,
                          ": colluvium = true: expected a [[terrain.rock]] with loose = true for "
                          "it to be made of"));
  in_scene(scene, [&] { rock_materials(scene.terrain.voxels->rocks); });
}

void check_not_empty(const Voxels& voxels) {
  const Voxels::Totals totals = voxels.totals();
  if (totals.rock + totals.loose > 0) return;
  const VoxelShape& s = voxels.shape();
  throw UsageError(text("no rock in its box of ", s.nx * s.cell, " x ", s.ny * s.cell, " x ",
                        s.nz * s.cell,
                        " m: expected [[terrain.form]], [terrain.generate] or "
                        "[terrain.ground] that reach into it"));
}

bool any_of_kind(const std::vector<OutputSettings>& outputs, OutputKind kind) {
  return std::any_of(outputs.begin(), outputs.end(),
                     [&](const OutputSettings& o) { return o.kind == kind; });
}

// A picture has the rock as numbers beside the voxels, twice while a surface is made of them.
void check_rock_memory(const PictureSettings& settings, const VoxelShape& s) {
  const std::size_t needed = 16 * s.count() + picture_bytes(settings, 0),
                    there = available_memory();
  if (there > 0 && needed > there)
    throw Error(text("a picture of ", s.nx, " x ", s.ny, " x ", s.nz, " voxels needs ",
                     needed >> 20, " MiB, and ", there >> 20,
                     " MiB of memory is free; a volume (.vdb) or a mesh needs less"));
}

class VoxelModel : public RunModel {
 public:
  VoxelModel(const Scene& scene, device::DevicePtr device)
      : scene_(scene),
        device_(std::move(device)),
        bubbles_(make_bubbles(scene_)),
        regions_(make_regions(scene_)) {
    const bool pictured = any_of_kind(scene_.outputs, OutputKind::picture);
    const bool meshed = pictured || any_of_kind(scene_.outputs, OutputKind::mesh);
    check_voxels(*device_, shape(), meshed);
    check_voxel_memory(*device_, shape(), meshed);
  }

  void check(const OutputSettings& output) const override {
    if (output.kind == OutputKind::picture) check_rock_memory(output.picture, shape());
  }

  // Another one's box and rocks, empty, with the processes of this scene.
  VoxelModel(const VoxelModel& other, const Scene& scene)
      : scene_(scene),
        device_(other.device_),
        bubbles_(other.bubbles_),
        regions_(other.regions_),
        voxels_(std::make_unique<Voxels>(device_, other.voxels_->shape(),
                                         other.voxels_->materials(), other.voxels_->edges())),
        fingerprint_(other.fingerprint_) {
    simulate();
  }

  void prepare(Progress* progress, const CancelToken* cancel) override {
    const RockSpec rocks = make_rocks(scene_, device_, progress, cancel);
    in_scene(scene_, [&] {
      voxels_ = std::make_unique<Voxels>(device_, shape(), rock_materials(rocks),
                                         scene_.terrain.voxels->edges);
      build_rocks(*voxels_, rocks);
      check_not_empty(*voxels_);
      keep_start();
      fingerprint_ = fingerprint_of(*voxels_, bubbles_, regions_, scene_);
      simulate();
    });
  }

  std::uint64_t fingerprint() const override { return fingerprint_; }
  std::uint64_t steps_done() const override { return simulation_->steps_done(); }
  double time() const override { return 0; }
  double dt() const override { return 0; }
  void step() override { simulation_->step(); }

  std::map<std::string, std::uint64_t> hashes() const override {
    return {{"voxels", voxels_->hash()}};
  }

  void report(RunResult& result) const override {
    result.weathering = simulation_->ledger();
    result.astray = astray(scene_.name, *result.weathering);
    result.voxels = voxels_->shape();
    result.seconds_by_process = simulation_->seconds_by_process();
  }

  WrittenOutput write(const OutputSettings& output, const std::filesystem::path& path) override {
    WrittenOutput written;
    written.files = {path};
    if (output.kind == OutputKind::picture)
      written.files = write_picture(output, path);
    else if (output.kind == OutputKind::mesh)
      written = write_mesh(path);
    else
      write_volume(path);
    return written;
  }

  void save(BlockWriter& file) const override {
    StateSaver saver(file);
    look_through(*simulation_, saver);
  }

  void restore(const BlockReader& file) override { restore_state(*simulation_, file); }
  std::unique_ptr<RunModel> twin(const Scene& scene) const override {
    return std::make_unique<VoxelModel>(*this, scene);
  }
  void set_processes(const Scene& scene) override {
    simulation_->set_processes(processes_of(scene));
  }

  Fields fields() const override { return voxels_->fields(); }

  FieldData read(const FieldInfo& field, const Box& box) const override {
    std::vector<std::int32_t> counts;
    counts.reserve(box.cells());
    for (const std::uint32_t word : voxels_->words(box))
      counts.push_back(static_cast<std::int32_t>(field.id == "amount" ? voxel_amount(word)
                                                                      : voxel_material(word)));
    return {field, box, std::move(counts), {}};
  }

  Receipt write(const FieldInfo& field, const Box& box,
                const std::vector<double>& values) override {
    const Receipt receipt = voxels_->write(field.id, box, values);
    simulation_->terrain_changed(receipt);
    return receipt;
  }

  std::vector<Balance> balances() const override { return simulation_->balances(); }

 private:
  // Bubbles and regions are those of the start: rocks know their bubbles by number.
  std::vector<VoxelProcessPtr> processes_of(const Scene& scene) const {
    ProcessSet processes = scene.processes;
    processes.use("weathering", WeatheringPlan{bubbles_, regions_});
    return make_processes<VoxelProcess>(processes);
  }

  void simulate() {
    simulation_.emplace(*voxels_, processes_of(scene_),
                        SimulationOptions{.seed = scene_.seed, .measure_times = true});
  }

  const VoxelShape& shape() const { return scene_.terrain.voxels->shape; }

  // What pictures of later show beside it, or stand still by.
  void keep_start() {
    const auto& outputs = scene_.outputs;
    if (std::any_of(outputs.begin(), outputs.end(),
                    [](const OutputSettings& o) { return o.picture.before; }))
      start_words_ = voxels_->words();
    if (std::any_of(outputs.begin(), outputs.end(), [](const OutputSettings& o) {
          return o.kind == OutputKind::picture && o.every > 0 && o.picture.view.in_perspective();
        }))
      stage_ = stage_of(rock_of(voxels_->words(), {}));
  }

  std::vector<std::filesystem::path> write_picture(const OutputSettings& output,
                                                   const std::filesystem::path& path) const {
    PictureSettings settings = output.picture;
    std::optional<render::OffscreenContext> context;
    if (settings.view.in_perspective() && render::OffscreenContext::current() == nullptr)
      context.emplace();
    const int width = width_of_each(settings);
    RockSubject rock = rock_of(voxels_->words(), path);
    if (output.every > 0) rock.stage = stage_;
    if (settings.before) render::settle_range(settings.view, view_fields(rock));
    const PhotographerPtr now = photograph(rock, settings, width);
    const PhotographerPtr then =
        settings.before ? photograph(rock_of(start_words_, path), settings, width) : nullptr;
    return write_pictures(settings, path, *now, then.get());
  }

  RockSubject rock_of(const std::vector<std::uint32_t>& words,
                      const std::filesystem::path& path) const {
    RockSubject rock;
    rock.volume.shape = volume_shape();
    rock.name = path.string();
    rock.volume.density.resize(words.size());
    rock.volume.materials.resize(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      rock.volume.density[i] = density_of(words[i]);
      rock.volume.materials[i] = voxel_material(words[i]);
    }
    rock.materials.resize(1);
    for (const VoxelMaterial& m : voxels_->materials())
      rock.materials.push_back({m.name, static_cast<unsigned>(m.colour[0]) << 16 |
                                            static_cast<unsigned>(m.colour[1]) << 8 | m.colour[2]});
    return rock;
  }

  // In the colours of its materials. Rock that is gone has no mesh, nor one of an earlier run.
  WrittenOutput write_mesh(const std::filesystem::path& path) {
    if (!mesher_) mesher_.emplace(device_);
    surface::Surface surface = mesher_->download(mesher_->extract(*voxels_));
    if (surface.mesh.triangles.empty()) {
      std::filesystem::remove(path);
      return {{}, {text(path.string(), ": not written, no rock is left to make a mesh of")}};
    }
    for (const std::uint32_t m : surface.materials) {
      const auto& colour = voxels_->materials()[m - 1].colour;
      surface.mesh.colours.push_back({colour[0], colour[1], colour[2], 255});
    }
    io::write_mesh(path.string(), surface.mesh);
    return {{path}, {}};
  }

  // Samples are in the middles of voxels.
  VolumeShape volume_shape() const {
    const VoxelShape& s = voxels_->shape();
    VolumeShape shape;
    shape.size = {s.nx, s.ny, s.nz};
    shape.cell = {s.cell, s.cell, s.cell};
    for (std::size_t d = 0; d < 3; ++d) shape.origin[d] = s.origin[d] + s.cell / 2;
    return shape;
  }

  void write_volume(const std::filesystem::path& path) const {
    const VoxelShape& s = voxels_->shape();
    const VolumeShape shape = volume_shape();
    const std::size_t slice = static_cast<std::size_t>(s.nx) * static_cast<std::size_t>(s.ny);
    std::vector<std::uint32_t> words;
    io::write_volume(
        path.string(), shape, true,
        [&](int z, int count, float* density, std::uint32_t* materials) {
          words.resize(slice * static_cast<std::size_t>(count));
          device_->read(*voxels_->words_buffer(),
                        slice * static_cast<std::size_t>(z) * sizeof words[0], words.data(),
                        words.size() * sizeof words[0]);
          for (std::size_t i = 0; i < words.size(); ++i) {
            density[i] = static_cast<float>(voxel_amount(words[i])) / VOXEL_FULL;
            materials[i] = voxel_material(words[i]);
          }
        },
        /*amounts=*/true);
  }

  Scene scene_;
  device::DevicePtr device_;
  std::vector<Bubble> bubbles_;
  std::vector<WeatherRegion> regions_;
  std::unique_ptr<Voxels> voxels_;
  std::optional<VoxelSimulation> simulation_;
  std::optional<surface::MarchingCubes> mesher_;
  std::uint64_t fingerprint_ = 0;
  std::vector<std::uint32_t> start_words_;   // where a picture wants them beside it
  std::optional<RockSubject::Stage> stage_;  // of time-lapses: where the rock stood at the start
};

}  // namespace

std::vector<OutputSettings> voxel_outputs() { return {output_of(OutputKind::mesh, "rock.glb")}; }

void check_voxel_run(const Scene& scene, const RunOptions& options) {
  if (!options.engine.empty())
    throw UsageError("an engine's heightmap: voxels have no heights; write a mesh");
  check_outputs(scene.outputs);
  const VoxelShape& shape = scene.terrain.voxels->shape;
  for (const OutputSettings& output : scene.outputs)
    if (output.picture.view.line)
      render::check_line(text(output.where, ": "), *output.picture.view.line,
                         0.5 * shape.cell * shape.nx, 0.5 * shape.cell * shape.ny);
  check_rocks(scene);
}

std::unique_ptr<RunModel> make_voxel_model(const Scene& scene, const device::DevicePtr& device) {
  return std::make_unique<VoxelModel>(scene, device);
}

}  // namespace scree
