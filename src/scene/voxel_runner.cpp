#include "scene/voxel_runner.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/hash.h"
#include "base/log.h"
#include "io/atomic_file.h"
#include "io/checkpoint.h"
#include "io/mesh.h"
#include "io/volume.h"
#include "render/context.h"
#include "scene/astray.h"
#include "scene/checkpoints.h"
#include "scene/memory.h"
#include "scene/rock_pictures.h"
#include "scene/voxel_report.h"
#include "surface/marching_cubes.h"

namespace scree {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

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
                             const std::vector<WeatherRegion>& regions, const VoxelScene& scene) {
  Hash64 hash;
  add_to(hash, voxels.hash());
  add_to(hash, voxels.box());
  add_to(hash, scene.seed);
  add_to(hash, scene.weathering.colluvium);
  add_to(hash, scene.weathering.repose);
  add_to(hash, scene.weathering.stability_every);
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

template <class Visit>
void each_count(Weathering::Booked& b, Visit&& visit) {
  visit("booked.start", b.start), visit("booked.start_amount", b.start_amount);
  visit("booked.rock_gone", b.rock_gone), visit("booked.loose_gone", b.loose_gone);
  visit("booked.worn", b.worn), visit("booked.left", b.left);
  visit("booked.left_amount", b.left_amount), visit("booked.cut_off", b.cut_off);
  visit("booked.cut_amount", b.cut_amount);
}

class VoxelRun {
 public:
  VoxelRun(const VoxelScene& scene, const RunOptions& options) : scene_(scene), options_(options) {
    if (!options.engine.empty())
      throw UsageError("an engine's heightmap: voxels have no heights; write a mesh");
    outputs_ = scene.outputs.empty()
                   ? std::vector<VoxelOutput>{{VoxelOutput::Kind::mesh, "rock.glb", 0}}
                   : scene.outputs;
    const bool meshed = std::any_of(outputs_.begin(), outputs_.end(), [](const VoxelOutput& o) {
      return o.kind != VoxelOutput::Kind::volume;
    });
    check_outputs();
    check_rocks();
    bubbles_ = make_bubbles(scene_);
    regions_ = make_regions(scene_);
    device_ = options.opened ? options.opened : device::open_device(options.device);
    check_voxels(*device_, scene_.shape, meshed);
    check_picture_memory();
    const RockSpec rocks = make_rocks(scene_, device_, options.progress, options.cancel);
    in_scene([&] {
      voxels_.emplace(device_, scene_.shape, rock_materials(rocks), scene_.edges);
      build_rocks(*voxels_, rocks);
      check_not_empty();
    });
    if (std::any_of(outputs_.begin(), outputs_.end(),
                    [](const VoxelOutput& o) { return o.picture.before; }))
      start_words_ = voxels_->words();
    fingerprint_ = fingerprint_of(*voxels_, bubbles_, regions_, scene_);
    check_folder();
  }

  VoxelRunResult go() {
    in_scene([&] {
      weathering_.emplace(*voxels_, bubbles_, scene_.weathering, scene_.seed);
      weathering_->set_regions(regions_);
    });
    resume();
    while (weathering_->steps() < scene_.steps) {
      if (options_.cancel != nullptr && options_.cancel->cancelled()) stop();
      weathering_->step();
      show_progress();
      for (const VoxelOutput& output : outputs_)
        if (output.every > 0 &&
            weathering_->steps() % static_cast<std::uint64_t>(output.every) == 0)
          write(output, true);
      if (weathering_->steps() < scene_.steps) write_due_checkpoint();
    }
    for (const VoxelOutput& output : outputs_)
      if (output.every == 0) write(output, false);
    make_films();
    return finished();
  }

 private:
  // What is wrong with a terrain or a process is wrong in the scene's file.
  template <class Make>
  void in_scene(const Make& make) const {
    try {
      make();
    } catch (const UsageError& error) {
      throw UsageError(text(scene_.file, ": ", error.what()));
    }
  }

  // Before the ground is eroded, which may take hours.
  void check_rocks() const {
    const std::vector<Rock>& rocks = scene_.rocks.rocks;
    if (rocks.empty())
      throw UsageError(text(scene_.file, ": expected [[terrain.rock]], at least one"));
    if (scene_.weathering.colluvium &&
        std::none_of(rocks.begin(), rocks.end(), [](const Rock& rock) { return rock.loose; }))
      throw UsageError(text(scene_.file,
                            ": colluvium = true: expected a [[terrain.rock]] with loose = true for "
                            "it to be made of"));
    in_scene([&] { rock_materials(scene_.rocks); });
  }

  void check_not_empty() const {
    const Voxels::Totals totals = voxels_->totals();
    if (totals.rock + totals.loose > 0) return;
    const VoxelShape& s = scene_.shape;
    throw UsageError(text("no rock in its box of ", s.nx * s.cell, " x ", s.ny * s.cell, " x ",
                          s.nz * s.cell,
                          " m: expected [[terrain.form]], [terrain.generate] or "
                          "[terrain.ground] that reach into it"));
  }

  void check_outputs() const {
    bool pictures = false;
    for (const VoxelOutput& output : outputs_) {
      if (output.kind == VoxelOutput::Kind::mesh) io::check_mesh_name(output.file);
      if (output.kind == VoxelOutput::Kind::volume) io::check_volume_name(output.file);
      pictures |= output.kind == VoxelOutput::Kind::picture && output.picture.view.in_perspective();
    }
    // A machine that cannot draw says so now.
    if (pictures) const render::OffscreenContext probe;
  }

  // A picture has the rock as numbers beside the voxels, twice while a surface is made of them.
  void check_picture_memory() const {
    if (std::none_of(outputs_.begin(), outputs_.end(),
                     [](const VoxelOutput& o) { return o.kind == VoxelOutput::Kind::picture; }))
      return;
    const VoxelShape& s = scene_.shape;
    const std::size_t needed = 16 * s.count(), there = available_memory();
    if (there > 0 && needed > there)
      throw Error(text("a picture of ", s.nx, " x ", s.ny, " x ", s.nz, " voxels needs ",
                       needed >> 20, " MiB, and ", there >> 20,
                       " MiB of memory is free; a volume (.vdb) or a mesh needs less"));
  }

  // Opens and drops each file: what fails now would fail after hours.
  void check_folder() const {
    std::error_code error;
    for (const VoxelOutput& output : outputs_) {
      const std::filesystem::path folder = (options_.out / output.file).parent_path();
      std::filesystem::create_directories(folder, error);
      if (error) throw Error(text(folder.string(), ": cannot make this folder: ", error.message()));
      const io::AtomicFile probe(folder / "probe");
    }
    if (options_.resume) remove_leftovers(options_.out);
  }

  void resume() {
    if (!options_.resume) remove_checkpoints(options_.out);
    if (options_.resume)
      restore_newest(options_.out, fingerprint_,
                     [&](const io::CheckpointReader& file) { restore(file); });
    show_progress();
  }

  void restore(const io::CheckpointReader& file) {
    const auto step = static_cast<std::uint64_t>(file.integer("step"));
    if (step > scene_.steps)
      throw UsageError(text(options_.out.string(), ": its checkpoint is of step ", step,
                            ", after the end of this run; run without resume to start afresh"));
    std::vector<std::uint32_t> words(voxels_->shape().count());
    file.read("voxels.words", words.data(), words.size() * sizeof words[0]);
    voxels_->set_words(words);
    weathering_->refresh();
    Weathering::Booked booked;
    each_count(booked, [&](const char* name, long long& value) { value = file.integer(name); });
    weathering_->restore(step, booked);
    resumed_from_ = step;
    own_checkpoint_ = true;
  }

  void write_due_checkpoint() {
    const std::uint64_t every = options_.checkpoint_every;
    if ((every > 0 && weathering_->steps() % every == 0) ||
        (options_.checkpoint_seconds > 0 &&
         seconds_since(last_checkpoint_time_) >= options_.checkpoint_seconds))
      save();
  }

  std::filesystem::path save() {
    std::filesystem::path path =
        write_checkpoint(options_.out, weathering_->steps(), fingerprint_, own_checkpoint_,
                         [&](io::CheckpointWriter& file) { add_state(file); });
    own_checkpoint_ = true;
    last_checkpoint_time_ = std::chrono::steady_clock::now();
    return path;
  }

  void add_state(io::CheckpointWriter& file) const {
    Weathering::Booked booked = weathering_->booked();
    each_count(booked, [&](const char* name, long long& value) { file.add_integer(name, value); });
    const VoxelShape& shape = voxels_->shape();
    const std::array<int, 3> size{shape.nx, shape.ny, shape.nz};
    for (std::size_t d = 0; d < 3; ++d) {
      file.add_integer(text("voxels.size.", d), size[d]);
      file.add_real(text("voxels.origin.", d), shape.origin[d]);
    }
    file.add_real("voxels.cell", shape.cell);
    // For whoever looks at the checkpoint without its scene.
    std::vector<std::array<std::uint8_t, 3>> colours;
    for (const VoxelMaterial& material : voxels_->materials()) colours.push_back(material.colour);
    file.add("voxels.colours", colours.data(), colours.size() * sizeof colours[0]);
    const std::vector<std::uint32_t> words = voxels_->words();
    file.add("voxels.words", words.data(), words.size() * sizeof words[0]);
  }

  [[noreturn]] void stop() {
    throw Cancelled(
        text("stopped after ", weathering_->steps(), " steps; the state is in ", save().string()));
  }

  void show_progress() {
    if (options_.progress != nullptr)
      options_.progress->update(static_cast<long long>(weathering_->steps()),
                                static_cast<long long>(scene_.steps), "steps");
  }

  void write(const VoxelOutput& output, bool with_step) {
    std::filesystem::path path = options_.out / output.file;
    if (output.is_film()) path.replace_extension(".png");
    std::string step = std::to_string(weathering_->steps());
    // Pictures become films: their names are in the order of the steps.
    if (output.kind == VoxelOutput::Kind::picture && step.size() < 6)
      step.insert(0, 6 - step.size(), '0');
    if (with_step)
      path.replace_filename(text(path.stem().string(), "-", step, path.extension().string()));
    if (output.kind == VoxelOutput::Kind::picture) {
      for (std::filesystem::path& file : write_picture(output, path)) {
        if (output.is_film()) frames_[output.file].push_back(file);
        files_.push_back(std::move(file));
      }
      return;
    }
    if (output.kind == VoxelOutput::Kind::mesh)
      io::write_mesh(path.string(), mesh_for(path));
    else
      write_volume(path);
    files_.push_back(path);
  }

  std::vector<std::filesystem::path> write_picture(const VoxelOutput& output,
                                                   const std::filesystem::path& path) {
    PictureSettings settings = output.picture;
    if (settings.view.subject.empty()) settings.view.subject = scene_.name;
    std::optional<render::OffscreenContext> context;
    if (settings.view.in_perspective()) context.emplace();
    const int width = width_of_each(settings);
    const RockSubject rock = rock_of(voxels_->words(), path);
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

  // Films of their pictures.
  void make_films() {
    for (const auto& [name, pictures] : frames_) {
      std::erase_if(files_, [&own = pictures](const std::filesystem::path& file) {
        return std::find(own.begin(), own.end(), file) != own.end();
      });
      Film film = make_film(options_.out / name, pictures);
      files_.insert(files_.end(), film.files.begin(), film.files.end());
      if (!film.line.empty()) log(LogLevel::warning, film.line);
    }
  }

  // In the colours of its materials.
  io::Mesh mesh_for(const std::filesystem::path& path) {
    if (!mesher_) mesher_.emplace(device_);
    surface::Surface surface = mesher_->download(mesher_->extract(*voxels_));
    if (surface.mesh.triangles.empty())
      throw Error(text(path.string(), ": no rock is left to make a mesh of"));
    for (const std::uint32_t m : surface.materials) {
      const auto& colour = voxels_->materials()[m - 1].colour;
      surface.mesh.colours.push_back({colour[0], colour[1], colour[2], 255});
    }
    return std::move(surface.mesh);
  }

  // Samples are in the middles of voxels.
  io::VolumeShape volume_shape() const {
    const VoxelShape& s = voxels_->shape();
    io::VolumeShape shape;
    shape.size = {s.nx, s.ny, s.nz};
    shape.cell = {s.cell, s.cell, s.cell};
    for (std::size_t d = 0; d < 3; ++d) shape.origin[d] = s.origin[d] + s.cell / 2;
    return shape;
  }

  void write_volume(const std::filesystem::path& path) const {
    const VoxelShape& s = voxels_->shape();
    const io::VolumeShape shape = volume_shape();
    const std::size_t slice = static_cast<std::size_t>(s.nx) * static_cast<std::size_t>(s.ny);
    std::vector<std::uint32_t> words;
    io::write_volume(path.string(), shape, true,
                     [&](int z, int count, float* density, std::uint32_t* materials) {
                       words.resize(slice * static_cast<std::size_t>(count));
                       device_->read(*voxels_->words_buffer(),
                                     slice * static_cast<std::size_t>(z) * sizeof words[0],
                                     words.data(), words.size() * sizeof words[0]);
                       for (std::size_t i = 0; i < words.size(); ++i) {
                         density[i] = static_cast<float>(voxel_amount(words[i])) / VOXEL_FULL;
                         materials[i] = voxel_material(words[i]);
                       }
                     });
  }

  VoxelRunResult finished() {
    VoxelRunResult result;
    result.outputs = files_;
    result.hash = voxels_->hash();
    result.ledger = weathering_->ledger();
    result.astray = astray(scene_.name, result.ledger);
    const device::DeviceInfo& info = device_->info();
    result.device = text(info.selector, ": ", info.name, " (", info.detail, ")");
    result.shape = voxels_->shape();
    result.steps = weathering_->steps();
    result.resumed_from = resumed_from_;
    result.seconds = seconds_since(start_);
    result.report_text = voxel_report_json(scene_, result, info, options_.out);
    if (!options_.report.empty()) {
      result.report = options_.out / options_.report;
      io::write_file(result.report, result.report_text);
    }
    return result;
  }

  VoxelScene scene_;
  const RunOptions& options_;
  std::vector<VoxelOutput> outputs_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_checkpoint_time_ = start_;
  std::vector<Bubble> bubbles_;
  std::vector<WeatherRegion> regions_;
  device::DevicePtr device_;
  std::optional<Voxels> voxels_;
  std::optional<Weathering> weathering_;
  std::optional<surface::MarchingCubes> mesher_;
  std::uint64_t fingerprint_ = 0, resumed_from_ = 0;
  bool own_checkpoint_ = false;  // the newest one in the folder is of this run
  std::vector<std::filesystem::path> files_;
  std::map<std::string, std::vector<std::filesystem::path>> frames_;  // of films
  std::vector<std::uint32_t> start_words_;  // where a picture wants them beside it
};

}  // namespace

VoxelRunResult run_voxel_scene(const VoxelScene& scene, const RunOptions& options) {
  return VoxelRun(scene, options).go();
}

}  // namespace scree
