// How fast rock weathers: the four configurations of Farley 2011, chapter 5, run as there, with a
// surface extracted after each step, beside the document's tables 5.1 to 5.5:
//   scree_bench_voxels [--device D]… [--threads N] [--size WxHxD] [--only NAME] [--steps N]
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "kernel/random.h"
#include "process/weathering.h"
#include "surface/marching_cubes.h"
#include "terrain/rocks.h"

namespace scree::bench {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Seconds; table 5.2 to 5.5, and the steps that follow from them.
struct Published {
  double total_cpu, total_gpu, start_cpu, start_gpu, step_cpu, step_gpu, surface_cpu, surface_gpu;
  int steps;
};

struct Configuration {
  std::string name;
  RockSpec rocks;
  Published published;
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
  return {{"Uniform", grid_of_columns(0), {6072, 2438, 2050, 46.5, 159.9, 84.9, 7.72, 0.76, 24}},
          {"Noisy", grid_of_columns(0.1), {6588, 2682, 2074, 46.6, 143.8, 84.5, 6.69, 0.87, 30}},
          {"Goblins", goblins(false), {5846, 9922, 2249, 101.2, 36.5, 189.3, 4.37, 1.29, 88}},
          {"Varying", goblins(true), {5509, 11136, 2005, 81.9, 30.1, 162.7, 3.60, 1.29, 104}}};
}

struct Options {
  std::vector<std::string> devices;
  int threads = 0, steps = 0;
  int nx = 512, ny = 512, nz = 256;
  std::string only;
};

struct Times {
  double start = 0, step = 0, surface = 0, total = 0, slowest = 0;
};

void run_one(const Configuration& c, const device::DevicePtr& device, const Options& options) {
  const VoxelShape shape{options.nx, options.ny, options.nz, 512.0 / options.nx, {}};
  const auto begin = Clock::now();
  Voxels voxels(device, shape, rock_materials(c.rocks));
  build_rocks(voxels, c.rocks);
  Times times;
  const double built = since(begin);
  const auto counting = Clock::now();
  Weathering weathering(voxels, {sphere_bubble(10, 1)}, {}, 1);
  device->finish();
  times.start = since(counting);
  const long long rock = weathering.ledger().rock;
  surface::MarchingCubes mesher(device);
  mesher.extract(voxels);  // compiles, allocates
  device->finish();
  std::uint32_t triangles = 0;
  const int steps = options.steps > 0 ? options.steps : c.published.steps;
  for (int i = 0; i < steps; ++i) {
    const auto stepping = Clock::now();
    weathering.step();
    device->finish();
    const double step = since(stepping);
    times.step += step / steps, times.slowest = std::max(times.slowest, step);
    const auto meshing = Clock::now();
    triangles = mesher.extract(voxels).triangles;
    device->finish();
    times.surface += since(meshing) / steps;
  }
  times.total = since(begin);
  const WeatheringLedger ledger = weathering.ledger();
  if (ledger.voxel_error() != 0 || ledger.amount_error() != 0)
    throw std::runtime_error("the ledger does not close");
  const Published& p = c.published;
  std::printf(
      "| %s | %.1f M | %d | %.1f, %.1f (%.0f / %.0f s) | %.2f, at most %.2f (%.1f / %.1f s) | %.2f "
      "(%.2f / %.2f s) | %.2f (%.0f / %.0f s) | %.1f M | %.2f M | %s |\n",
      c.name.c_str(), static_cast<double>(rock) * 1e-6, steps, built * 1e3, times.start * 1e3,
      p.start_cpu, p.start_gpu, times.step * 1e3, times.slowest * 1e3, p.step_cpu, p.step_gpu,
      times.surface * 1e3, p.surface_cpu, p.surface_gpu, times.total, p.total_cpu, p.total_gpu,
      static_cast<double>(ledger.rock) * 1e-6, triangles * 1e-6, hash_text(voxels.hash()).c_str());
  std::fflush(stdout);
}

void run(const Options& options) {
  std::vector<std::string> selectors = options.devices;
  if (selectors.empty()) {
    selectors.emplace_back("cpu");
    for (const device::DeviceInfo& info : device::list_devices())
      if (info.is_gpu && info.exact) selectors.push_back(info.selector);
  }
  for (const std::string& selector : selectors) {
    device::DeviceOptions wanted;
    wanted.selector = selector, wanted.threads = options.threads;
    const device::DevicePtr device = device::open_device(wanted);
    std::printf(
        "\n%s (%s), %d x %d x %d, sphere of radius 10; in brackets: Farley 2011, CPU / GPU\n\n",
        device->info().name.c_str(), device->info().detail.c_str(), options.nx, options.ny,
        options.nz);
    std::printf(
        "| configuration | rock | steps | built, counted: ms | a step: ms | a surface: ms | all: s "
        "| "
        "rock left | triangles | hash |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n");
    for (const Configuration& c : configurations())
      if (c.name.find(options.only) != std::string::npos) run_one(c, device, options);
  }
}

Options parsed(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string key = argv[i];
    if (i + 1 == argc) throw std::invalid_argument(key + ": expected an option and its value");
    const std::string value = argv[i + 1];
    if (key == "--device")
      options.devices.push_back(value);
    else if (key == "--threads")
      options.threads = std::stoi(value);
    else if (key == "--steps")
      options.steps = std::stoi(value);
    else if (key == "--only")
      options.only = value;
    else if (key == "--size" &&
             std::sscanf(value.c_str(), "%dx%dx%d", &options.nx, &options.ny, &options.nz) == 3)
      continue;
    else
      throw std::invalid_argument(text("unknown option or value: ", key, " ", value));
  }
  return options;
}

}  // namespace
}  // namespace scree::bench

int main(int argc, char** argv) {
  try {
    scree::bench::run(scree::bench::parsed(argc, argv));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "scree_bench_voxels: %s\n", error.what());
    return 1;
  }
}
