#include "weathering_runs.h"

#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "base/error.h"
#include "base/hash.h"
#include "clock.h"
#include "device/parallel.h"
#include "kernel/common/random.h"
#include "process/voxels/voxel_simulation.h"
#include "process/voxels/weathering.h"
#include "surface/march/marching_cubes.h"
#include "terrain/voxels/rocks.h"

namespace scree::bench {
namespace {

constexpr double radius = 10;   // voxels
constexpr double across = 512;  // metres, whatever the number of voxels

struct Configuration {
  std::string name;
  RockSpec rocks;
  int steps;  // (total - start) / (a step + a surface), by tables 5.2 to 5.5
  PublishedRun published;
};

// Layers of equal rock for all columns; with `noise` durability varies from voxel to voxel.
void add_layers(RockSpec& spec, double soft, double hard, double noise) {
  spec.rocks = {{"base", 0.9, 0, 0, 0, false, {120, 90, 70}},
                {"soft", soft, noise, 0, 0, false, {205, 140, 95}},
                {"hard", hard, noise, 0, 0, false, {160, 95, 65}}};
  spec.layers = {{"base", 4, 0, 10}};
  for (int i = 0; i < 9; ++i) spec.layers.push_back({i % 2 == 0 ? "hard" : "soft", 28, 0, 10});
}

void add_slab(RockSpec& spec) {
  RockFormSpec slab;
  slab.at = {256, 256, 0}, slab.size = {512, 512, 4};
  spec.forms.push_back(slab);
}

std::array<double, 3> place_in_grid(int i) {
  const int row = i / 4;
  return {64.0 + 128 * (i % 4), 64.0 + 128 * row, 0};
}

// Square columns in a grid, equal work for each part of the device.
RockSpec grid_of_columns(double noise) {
  RockSpec spec;
  add_layers(spec, 0.1, 0.2, noise);
  add_slab(spec);
  for (int i = 0; i < 16; ++i) {
    RockFormSpec column;
    column.at = place_in_grid(i);
    column.size = {90, 90, 256};
    spec.forms.push_back(column);
  }
  return spec;
}

// Round columns of many radii; `varying`: each with layers of its own height.
RockSpec goblins(bool varying) {
  RockSpec spec;
  add_layers(spec, 0.83, 0.88, 0.05);
  add_slab(spec);
  for (int i = 0; i < 16; ++i) {
    const auto draw_of = [&](unsigned which) {
      return static_cast<double>(draw(cell_hash(17, i, 0), which));
    };
    RockFormSpec column;
    column.kind = RockFormSpec::Kind::column;
    const double width = i == 0 ? 60 : 80 + 46 * draw_of(SCREE_DRAW_A);
    column.at = place_in_grid(i);
    column.size = {width, width, 256};
    if (varying) column.layer_stretch = 0.5 + draw_of(SCREE_DRAW_B);
    spec.forms.push_back(column);
  }
  return spec;
}

std::vector<Configuration> configurations() {
  return {{"weathering + surface, Uniform",
           grid_of_columns(0),
           24,
           {6072, 2438, 2050, 46.5, 159.9, 84.9, 7.72, 0.76, 2062}},
          {"weathering + surface, Noisy",
           grid_of_columns(0.1),
           30,
           {6588, 2682, 2074, 46.6, 143.8, 84.5, 6.69, 0.87, 2062}},
          {"weathering + surface, Goblins",
           goblins(false),
           88,
           {5846, 9922, 2249, 101.2, 36.5, 189.3, 4.37, 1.29, 2249}},
          {"weathering + surface, Varying",
           goblins(true),
           104,
           {5509, 11136, 2005, 81.9, 30.1, 162.7, 3.60, 1.29, 2005}}};
}

VoxelShape box_of(const std::array<int, 3>& voxels) {
  return {voxels[0], voxels[1], voxels[2], across / voxels[0], {}};
}

std::vector<VoxelProcessPtr> weathering_of(const Bubble& bubble) {
  std::vector<VoxelProcessPtr> processes;
  processes.push_back(std::make_unique<Weathering>(WeatheringPlan{{bubble}, {}}));
  return processes;
}

// Kernels are compiled when they are first called, which is no part of a run.
void compile_kernels(const device::DevicePtr& device) {
  RockSpec rocks;
  rocks.rocks = {{"rock", 0, 0, 0, 0, false, {}}};
  RockFormSpec block;
  block.rock = "rock", block.at = {16, 16, 0}, block.size = {8, 8, 8};
  rocks.forms = {block};
  Voxels voxels(device, {32, 32, 16, 1, {}}, rock_materials(rocks));
  build_rocks(voxels, rocks);
  VoxelSimulation(voxels, weathering_of(sphere_bubble(radius, 1))).step();
  surface::MarchingCubes mesher(device);
  mesher.extract(voxels);
  device->finish();
}

// What a step would take that kept no counts: the walk over the bubbles of a sample of the rock,
// times all of it. The document's own figure is such an estimate, too (table 5.1).
double walking_seconds(const Voxels& voxels, const Bubble& bubble, int threads) {
  const VoxelShape& shape = voxels.shape();
  const std::vector<std::uint32_t> words = voxels.words();
  const auto nx = static_cast<std::size_t>(shape.nx), ny = static_cast<std::size_t>(shape.ny);
  const int reach = static_cast<int>(radius);
  std::vector<std::size_t> sample;
  std::size_t rock = 0;
  // Primes, so that no row of columns is left out.
  const std::size_t one_in = words.size() > (std::size_t{1} << 22) ? 4099 : 61;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == 0) continue;
    ++rock;
    const auto x = static_cast<int>(i % nx), y = static_cast<int>(i / nx % ny),
               z = static_cast<int>(i / nx / ny);
    // Bubbles that cross no edge of the box, since a walk need not look for it there.
    if (i % one_in == 0 && std::min({x, y, z}) >= reach && x < shape.nx - reach &&
        y < shape.ny - reach && z < shape.nz - reach)
      sample.push_back(i);
  }
  if (sample.empty()) return 0;
  std::vector<std::ptrdiff_t> offsets;
  for (const auto& [dx, dy, dz] : bubble.offsets)
    offsets.push_back(
        (dz * static_cast<std::ptrdiff_t>(ny) + dy) * static_cast<std::ptrdiff_t>(nx) + dx);
  std::vector<std::uint32_t> air(sample.size());
  oneapi::tbb::task_arena arena(threads > 0 ? threads : oneapi::tbb::task_arena::automatic);
  const auto start = Clock::now();
  arena.execute([&] {
    device::parallel_for(sample.size(), [&](std::size_t k) {
      const std::uint32_t* middle = words.data() + sample[k];
      for (const std::ptrdiff_t offset : offsets) air[k] += middle[offset] == 0 ? 1 : 0;
    });
  });
  const double seconds = seconds_since(start);
  for (std::size_t k = 0; k < sample.size(); ++k)
    if (air[k] != voxel_air(words[sample[k]])) throw Error("benchmark: air was counted wrongly");
  return seconds * static_cast<double>(rock) / static_cast<double>(sample.size());
}

void run_steps(VoxelSimulation& weathering, surface::MarchingCubes& mesher, const Voxels& voxels,
               WeatheringRun& run) {
  for (int i = 0; i < run.steps; ++i) {
    const auto stepping = Clock::now();
    weathering.step();
    voxels.device().finish();
    const double step = seconds_since(stepping);
    const auto meshing = Clock::now();
    run.triangles = mesher.extract(voxels).triangles;
    voxels.device().finish();
    const double surface = seconds_since(meshing);
    run.step += step / run.steps, run.surface += surface / run.steps;
    run.worst_step = std::max(run.worst_step, step);
    run.total += step + surface;
  }
}

std::string fixed(double value, int digits) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(digits) << value;
  return out.str();
}

std::string millions(double count) { return fixed(count * 1e-6, 1) + " M"; }

// Ours in milliseconds; the document's seconds, CPU / GPU.
std::string beside(double ours, double cpu, double gpu, int digits) {
  return fixed(ours * 1e3, 2) + " (" + fixed(cpu, digits) + " / " + fixed(gpu, digits) + " s)";
}

}  // namespace

std::vector<std::string> weathering_run_names() {
  std::vector<std::string> names;
  for (const Configuration& configuration : configurations()) names.push_back(configuration.name);
  return names;
}

void check_weathering_runs(const device::Device& device, const std::array<int, 3>& voxels) {
  check_voxels(device, box_of(voxels), true);
}

WeatheringRun run_weathering(const std::string& name, const device::DevicePtr& device,
                             const WeatheringRunOptions& options) {
  const std::vector<Configuration> all = configurations();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.name == name; });
  if (found == all.end()) throw UsageError(text("no configuration '", name, "'"));
  compile_kernels(device);
  WeatheringRun run;
  run.device = device->info().name + " (" + device->info().detail + ")";
  run.name = name, run.published = found->published;
  run.voxels = options.voxels, run.steps = options.steps > 0 ? options.steps : found->steps;
  const auto building = Clock::now();
  Voxels voxels(device, box_of(options.voxels), rock_materials(found->rocks));
  build_rocks(voxels, found->rocks);
  device->finish();
  run.built = seconds_since(building);
  const Bubble bubble = sphere_bubble(radius, 1);
  const auto counting = Clock::now();
  VoxelSimulation weathering(voxels, weathering_of(bubble));
  device->finish();
  run.counted = seconds_since(counting);
  run.total = run.built + run.counted;
  run.rock = weathering.ledger().rock;
  if (device->info().selector == "cpu")
    run.uncached = walking_seconds(voxels, bubble, options.threads);
  surface::MarchingCubes mesher(device);
  mesher.extract(voxels);  // allocates
  device->finish();
  run_steps(weathering, mesher, voxels, run);
  const WeatheringLedger ledger = weathering.ledger();
  if (ledger.voxel_error() != 0 || ledger.amount_error() != 0)
    throw Error(text("benchmark '", name, "': the ledger does not close"));
  run.rock_left = ledger.rock, run.hash = voxels.hash();
  return run;
}

void print_weathering_runs(const std::vector<WeatheringRun>& runs, std::ostream& out) {
  if (runs.empty()) return;
  out << "\nMilliseconds; in brackets Farley 2011, CPU / GPU, at 512 x 512 x 256. All bubbles are "
         "spheres of radius 10. A step without counts is estimated from a sample.\n\n"
      << "| device | configuration | voxels | rock | steps | built | first counts | a step, mean | "
         "worst | a surface | the whole run | a step without counts | rock left | triangles | hash "
         "|\n| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | "
         "---: | ---: | --- |\n";
  for (const WeatheringRun& r : runs) {
    const PublishedRun& p = r.published;
    out << "| " << r.device << " | " << r.name << " | " << r.voxels[0] << " x " << r.voxels[1]
        << " x " << r.voxels[2] << " | " << millions(static_cast<double>(r.rock)) << " | "
        << r.steps << " | " << fixed(r.built * 1e3, 1) << " | "
        << beside(r.counted, p.start_cpu, p.start_gpu, 0) << " | "
        << beside(r.step, p.step_cpu, p.step_gpu, 1) << " | " << fixed(r.worst_step * 1e3, 2)
        << " | " << beside(r.surface, p.surface_cpu, p.surface_gpu, 2) << " | "
        << beside(r.total, p.total_cpu, p.total_gpu, 0) << " | ";
    if (r.uncached > 0) out << fixed(r.uncached, 0) << " s (" << fixed(p.uncached, 0) << " s)";
    out << " | " << millions(static_cast<double>(r.rock_left)) << " | "
        << millions(static_cast<double>(r.triangles)) << " | " << hash_text(r.hash) << " |\n";
  }
}

}  // namespace scree::bench
