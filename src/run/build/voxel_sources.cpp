#include "run/build/voxel_sources.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/error.h"
#include "base/log.h"
#include "io/mesh/mesh.h"
#include "io/raster/raster.h"
#include "io/volume/volume.h"
#include "process/heights/simulation.h"
#include "process/layers/layer_simulation.h"
#include "run/build/build.h"
#include "run/build/build_layers.h"
#include "run/run_folder.h"
#include "terrain/heights/generate.h"
#include "terrain/voxels/layer_voxels.h"

namespace scree {
namespace {

// ---- ground

// A scene of the ground, which is run without any of its outputs.
Scene ground_scene(const std::filesystem::path& file) {
  Scene scene = load_scene(file);
  if (scene.terrain.voxels)
    throw UsageError(
        text(file.string(), ": kind = \"voxels\": expected a terrain of heights or layers"));
  if (scene.scroll.every > 0)
    throw UsageError(text(file.string(), ": scroll: ground under voxels stands still"));
  scene.outputs.clear();
  check_scene(scene);
  return scene;
}

template <class Running>
void run_to_end(Running& simulation, const Scene& scene, Progress* progress,
                const CancelToken* cancel) {
  const auto done = [&] {
    return scene.time > 0 ? simulation.time() >= scene.time
                          : simulation.steps_done() >= scene.steps;
  };
  while (!done()) {
    if (cancel != nullptr && cancel->cancelled())
      throw Cancelled("stopped while the ground was eroded, before the first step");
    simulation.step();
    if (progress != nullptr && scene.time <= 0)
      progress->update(static_cast<long long>(simulation.steps_done()),
                       static_cast<long long>(scene.steps), "steps of the ground");
  }
}

Raster eroded(const std::filesystem::path& file, const device::DevicePtr& device,
              Progress* progress, const CancelToken* cancel) {
  const Scene scene = ground_scene(file);
  LoadedTerrain land = load_terrain(scene, device);
  Landscape landscape(std::move(land.heightfield));
  Simulation simulation(landscape, make_processes(scene), simulation_options(scene));
  run_to_end(simulation, scene, progress, cancel);
  Raster raster = std::move(land.frame);
  raster.values = landscape.single().values("bed");
  return raster;
}

// The newest heightmap that a run's report names; of equal ones the last.
std::filesystem::path heightmap_in(const std::filesystem::path& folder) {
  const RunFolder run(folder);
  const FolderReport& report = run.report();
  std::optional<ReportedFile> found;
  if (!report.is_there() || report.lists_files())
    for (const ReportedFile& file : report.files())
      if (file.kind == "height" && (!found || file.step >= found->step)) found = file;
  if (!found)
    throw Error(
        text(folder.string(), ": expected the folder of a run with a heightmap among its outputs"));
  return found->path;
}

Raster read_ground(const std::filesystem::path& path, const GroundSettings& ground) {
  std::error_code error;
  const std::filesystem::path file =
      std::filesystem::is_directory(path, error) ? heightmap_in(path) : path;
  io::ReadOptions options;
  options.sidecar = !ground.height_range;
  Raster raster = io::read_raster(file, options);
  if (!raster.heights_known && !ground.height_range)
    throw UsageError(text(ground.where, ": ", file.string(),
                          ": a plain image: expected height_range = [lowest, highest], metres"));
  if (!raster.heights_known)
    io::scale_to_range(raster, ground.height_range->low, ground.height_range->high);
  else if (ground.height_range)
    throw UsageError(
        text(ground.where, ": ", file.string(), ": holds heights already: leave out height_range"));
  return raster;
}

// What says how large it is must be as large as the box, unless it is to be stretched.
void check_extent(const Raster& raster, const VoxelShape& shape, const GroundSettings& ground) {
  if (ground.stretch || !(raster.dx > 0)) return;
  const double x = raster.width * raster.dx, y = raster.height * raster.dy;
  const double box_x = shape.nx * shape.cell, box_y = shape.ny * shape.cell;
  if (std::abs(x - box_x) < std::max(shape.cell, raster.dx) &&
      std::abs(y - box_y) < std::max(shape.cell, raster.dy))
    return;
  throw UsageError(text(ground.where, ": ground of ", x, " x ", y, " m under a box of ", box_x,
                        " x ", box_y, " m: expected the same, or stretch = true"));
}

// The voxels' numbers for the materials that layers have any of; what is fluid is no rock.
std::vector<std::uint32_t> numbers_of(const Layers& layers, const RockSpec& rocks,
                                      const GroundSettings& ground) {
  const std::vector<long long> totals = layers.totals();
  std::vector<std::uint32_t> numbers;
  for (std::size_t m = 0; m < layers.materials().size(); ++m) {
    const Material& material = layers.materials()[m];
    try {
      numbers.push_back(totals[m + 1] > 0 && !material.fluid ? rock_number(rocks, material.name)
                                                             : 0);
    } catch (const UsageError&) {
      throw UsageError(text(ground.where, ": ", ground.scene, " has layers of '", material.name,
                            "': expected a [[terrain.rock]] of that name"));
    }
  }
  return numbers;
}

std::vector<std::uint32_t> layered_ground(const Scene& scene, const Scene& of_ground,
                                          const device::DevicePtr& device, const RockSpec& rocks,
                                          Progress* progress, const CancelToken* cancel) {
  const VoxelRules& rules = *scene.terrain.voxels;
  const GroundSettings& ground = *rules.ground;
  if (ground.scale != 1)
    throw UsageError(text(ground.where, ": ground: scale: of heightfields, not of layers"));
  LoadedLayers land = load_layers(of_ground, device);
  check_extent(land.frame, rules.shape, ground);
  LayerSimulation simulation(*land.layers, make_processes<LayerProcess>(of_ground.processes),
                             simulation_options(of_ground));
  run_to_end(simulation, of_ground, progress, cancel);
  const std::vector<float> tops = land.layers->heights();
  const double lowest = static_cast<double>(*std::min_element(tops.begin(), tops.end()));
  LayerVoxels made =
      voxels_from_layers(*land.layers, rules.shape, numbers_of(*land.layers, rocks, ground),
                         ground.base ? *ground.base - lowest : 0);
  if (made.outside > 0)
    log(LogLevel::info,
        text(ground.where, ": ", ground.scene, ": ", made.outside * std::pow(rules.shape.cell, 3),
             " m3 of its layers lie below or above the box and are left out"));
  return std::move(made.words);
}

// Ground that the box cannot hold is cut off, which is seldom meant.
void say_cut_off(const Scene& scene, const std::vector<float>& heights) {
  const VoxelRules& rules = *scene.terrain.voxels;
  const double top = rules.shape.nz * rules.shape.cell;
  const auto higher = std::count_if(heights.begin(), heights.end(), [&](float height) {
    return static_cast<double>(height) > top;
  });
  if (higher > 0)
    log(LogLevel::warning,
        text(scene.file, ": ", higher, " of ", heights.size(),
             " columns of ground are higher than the box, ", top, " m, and are cut off there"));
}

std::vector<float> south_row_first(const std::vector<float>& rows, int nx, int ny) {
  std::vector<float> turned;
  turned.reserve(rows.size());
  for (int y = ny - 1; y >= 0; --y)
    turned.insert(turned.end(), rows.begin() + static_cast<std::ptrdiff_t>(y) * nx,
                  rows.begin() + static_cast<std::ptrdiff_t>(y + 1) * nx);
  return turned;
}

// ---- solids

// Moves a body whose lowest and highest places are given: by nothing, or to where `at` says.
std::array<double, 3> shift_of(const SolidSettings& solid, const std::array<double, 3>& low,
                               const std::array<double, 3>& high) {
  if (!solid.at) return {0, 0, 0};
  return {(*solid.at)[0] - solid.scale * (low[0] + high[0]) / 2,
          (*solid.at)[1] - solid.scale * (low[1] + high[1]) / 2,
          (*solid.at)[2] - solid.scale * low[2]};
}

SolidMask from_mesh(const std::filesystem::path& path, const VoxelShape& shape,
                    const SolidSettings& solid) {
  Mesh mesh = io::read_mesh(path.string());
  std::array<double, 3> low, high;
  low.fill(std::numeric_limits<double>::infinity());
  high.fill(-low[0]);
  for (const Mesh::Vector& v : mesh.positions)
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], static_cast<double>(v[d]));
      high[d] = std::max(high[d], static_cast<double>(v[d]));
    }
  const std::array<double, 3> shift = shift_of(solid, low, high);
  for (Mesh::Vector& v : mesh.positions)
    for (std::size_t d = 0; d < 3; ++d)
      v[d] = static_cast<float>(static_cast<double>(v[d]) * solid.scale + shift[d]);
  return solid_from_triangles(shape, mesh.positions, mesh.triangles, path.string());
}

SolidMask from_volume(const std::filesystem::path& path, const VoxelShape& shape,
                      const SolidSettings& solid) {
  io::VolumeOptions options;
  options.grid = solid.grid;
  options.cell = shape.cell;
  const io::VolumeFile file = io::read_volume(path.string(), options);
  const VolumeShape& s = file.volume.shape;
  SolidLattice lattice;
  std::array<double, 3> low, high;
  for (std::size_t d = 0; d < 3; ++d) {
    low[d] = s.origin[d] - s.cell[d] / 2;
    high[d] = low[d] + s.cell[d] * s.size[d];
  }
  const std::array<double, 3> shift = shift_of(solid, low, high);
  for (std::size_t d = 0; d < 3; ++d) {
    lattice.size[d] = s.size[d];
    lattice.cell[d] = s.cell[d] * solid.scale;
    lattice.origin[d] = s.origin[d] * solid.scale + shift[d];
  }
  const float level = solid.level ? static_cast<float>(*solid.level) : file.isovalue();
  return solid_from_samples(shape, lattice, file.volume.density, level);
}

}  // namespace

void add_ground(const Scene& scene, const device::DevicePtr& device, RockSpec& rocks,
                Progress* progress, const CancelToken* cancel) {
  const VoxelRules& rules = *scene.terrain.voxels;
  if (rules.ground && !rules.ground->scene.empty()) {
    const Scene of_ground = ground_scene(scene.path(rules.ground->scene));
    if (of_ground.terrain.layers) {
      rocks.ground = layered_ground(scene, of_ground, device, rocks, progress, cancel);
      return;
    }
  }
  rocks.heights = ground_heights(scene, device, progress, cancel);
  say_cut_off(scene, rocks.heights);
}

std::vector<float> ground_heights(const Scene& scene, const device::DevicePtr& device,
                                  Progress* progress, const CancelToken* cancel) {
  const VoxelRules& rules = *scene.terrain.voxels;
  const int nx = rules.shape.nx, ny = rules.shape.ny;
  if (rules.generate)
    return south_row_first(
        generate_heights(*device, *rules.generate, {nx, ny, rules.shape.cell, rules.shape.cell},
                         scene.seed),
        nx, ny);
  const GroundSettings& ground = *rules.ground;
  Raster raster = !ground.scene.empty() ? eroded(scene.path(ground.scene), device, progress, cancel)
                                        : read_ground(scene.path(ground.file), ground);
  check_extent(raster, rules.shape, ground);
  const double lowest = io::height_range(raster).low;
  if (raster.width != nx || raster.height != ny)
    raster = io::resample(raster, nx, ny, io::Registration::cells);
  for (float& height : raster.values) {
    const double from = static_cast<double>(height) - (ground.base ? lowest : 0);
    height = std::isnan(height) ? -1.0F
                                : static_cast<float>(from * ground.scale + ground.base.value_or(0));
  }
  return south_row_first(raster.values, nx, ny);
}

std::vector<float> load_region_map(const Scene& scene, const RegionSettings& settings) {
  const VoxelRules& rules = *scene.terrain.voxels;
  const int nx = rules.shape.nx, ny = rules.shape.ny;
  Raster raster = io::read_raster(scene.path(settings.file));
  // A plain image's samples are shares.
  if (!raster.heights_known) io::scale_to_range(raster, 0, 1);
  if (raster.width != nx || raster.height != ny)
    raster = io::resample(raster, nx, ny, io::Registration::cells);
  const bool rate = settings.quantity == "rate";
  for (float& value : raster.values) {
    value = std::isnan(value)
                ? (rate ? 1.0F : 0.0F)
                : static_cast<float>(static_cast<double>(value) * settings.scale + settings.offset);
    if (!(static_cast<double>(value) >= (rate ? 0 : -1) &&
          static_cast<double>(value) <= (rate ? 15 : 1)))
      throw UsageError(text(settings.where, ": region: ", settings.file, ": a ", settings.quantity,
                            " of ", value, ": expected ", rate ? "0 to 15" : "-1 to 1"));
  }
  return south_row_first(raster.values, nx, ny);
}

SolidMask load_solid(const Scene& scene, const SolidSettings& solid) {
  const VoxelRules& rules = *scene.terrain.voxels;
  const std::filesystem::path path = scene.path(solid.file);
  return solid.mesh ? from_mesh(path, rules.shape, solid) : from_volume(path, rules.shape, solid);
}

}  // namespace scree
