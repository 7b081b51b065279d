#include "bench.h"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <functional>
#include <iomanip>
#include <memory>
#include <sstream>

#include "base/error.h"
#include "clock.h"
#include "device/field.h"
#include "process/heights/sheet.h"
#include "process/heights/simulation.h"
#include "process/heights/thermal.h"
#include "process/heights/water.h"
#include "process/layers/layer_simulation.h"
#include "process/layers/layer_water.h"
#include "process/layers/slippage.h"
#include "process/voxels/voxel_simulation.h"
#include "process/voxels/weathering.h"
#include "terrain/heights/generate.h"
#include "terrain/voxels/rocks.h"

namespace scree::bench {
namespace {

// A terrain with a process on it.
struct Running {
  std::function<void(std::uint64_t)> run;
  std::function<bool()> closes;        // the ledger
  std::function<std::size_t()> bytes;  // held on the device
  std::shared_ptr<void> terrain = {};  // what the process works on, and must not outlive
  // The share of columns that change in one more step, where that decides what it costs.
  std::function<double()> moving = {};
};

struct Job {
  std::string name;
  double bytes_per_cell;
  std::function<Running(const device::DevicePtr&, int, const std::vector<float>&)> start;
  std::function<std::string(int)> published;
  int largest = 1 << 20;
};

constexpr double cell = 5;  // metres

template <class Make>
auto on_heights(Make make) {
  return [make](const device::DevicePtr& device, int size, const std::vector<float>& heights) {
    const auto landscape = std::make_shared<Landscape>(
        std::make_unique<Heightfield>(device, HeightfieldShape{size, size, cell, cell}, heights,
                                      Borders::all(BorderKind::closed)));
    std::vector<ProcessPtr> processes;
    processes.push_back(make());
    const auto simulation = std::make_shared<Simulation>(*landscape, std::move(processes));
    return Running{[=](std::uint64_t steps) { simulation->run(steps); },
                   [=] {
                     const Ledger ledger = simulation->ledger();
                     return ledger.water_error() == 0 && ledger.solids_error() == 0;
                   },
                   [=] { return landscape->single().bytes(); }, landscape};
  };
}

double share_that_moves(const Layers& layers, LayerSimulation& simulation) {
  std::vector<std::uint32_t> before = layers.words();
  simulation.run(1);
  std::vector<std::uint32_t> after = layers.words();
  const std::size_t cells = layers.shape().cells(), most = std::max(before.size(), after.size());
  before.resize(most);
  after.resize(most);
  std::size_t changed = 0;
  for (std::size_t column = 0; column < cells; ++column) {
    std::size_t i = column;
    while (i < most && before[i] == after[i]) i += cells;
    changed += i < most ? 1 : 0;
  }
  return static_cast<double>(changed) / static_cast<double>(cells);
}

// One square of 32 columns in five is hollow: halls with a floor that does not lie level.
constexpr int hall = 32;
bool under_roof(int size, std::size_t i) {
  const auto x = static_cast<std::uint32_t>(i) % static_cast<std::uint32_t>(size);
  const auto y = static_cast<std::uint32_t>(i) / static_cast<std::uint32_t>(size);
  return mix_bits(x / hall * 8191 + y / hall) % 5 == 0;
}

// What lies on the floors of halls: bare rock stands, heaps of dust slide.
enum class Halls { none, bare, dusty };

// Halves the lowest layer and puts a void between.
void hollow(std::vector<std::uint32_t>& words, int size, Halls halls) {
  const std::size_t cells = words.size() / 5, floor = halls == Halls::dusty ? 2 : 1;
  const std::size_t more = floor + 1;
  words.resize((5 + more) * cells);
  for (std::size_t i = 0; i < cells; ++i) {
    const int rock = layer_thickness(words[i]);
    if (!under_roof(size, i) || rock < 16 * 1024) continue;
    for (std::size_t k = 4 + more; k > more; --k)
      words[k * cells + i] = words[(k - more) * cells + i];
    words[more * cells + i] = layer_word(1, rock - rock / 2);
    words[floor * cells + i] = layer_word(LAYER_VOID, 10 * 1024);
    if (halls == Halls::dusty) {
      const std::uint32_t chance = mix_bits(static_cast<std::uint32_t>(i));
      words[cells + i] = layer_word(5, 2048 + static_cast<int>(chance % 2048));
    }
    words[i] = layer_word(1, rock / 2);
  }
}

// The stacks, in as many planes as they have room for, and what processes have beside them: of
// water, a surface with its fields, and the loads of all kinds but the last with what of them goes
// over each edge.
std::size_t bytes_held(const Layers& layers, const LayerSimulation& simulation) {
  std::size_t bytes = layer_bytes(layers.shape(), layers.grid().planes);
  for (const LayerProcessPtr& process : simulation.processes())
    if (const auto* water = dynamic_cast<const LayerWater*>(process.get())) {
      const std::size_t kinds = std::max<std::size_t>(water->load_materials().size(), 1);
      bytes += water->surface().bytes() +
               (kinds - 1) * (1 + LAYER_SIDES) * layers.shape().cells() * sizeof(std::int32_t);
    }
  return bytes;
}

// Five layers of unlike rock and soil, each thinner and thicker in places.
Running run_on_layers(const device::DevicePtr& device, int size, const std::vector<float>& heights,
                      std::vector<LayerProcessPtr> processes, Halls halls = Halls::none) {
  LayerShape shape;
  shape.width = shape.height = size;
  shape.dx = shape.dy = cell;
  const std::vector<Material> materials{{"granite", 70, 0.3, 0, 5, false, {}},
                                        {"shale", 45, 0.5, 0, 5, false, {}},
                                        {"clay", 38, 0.6, 0, 0, false, {}},
                                        {"loam", 34, 0.8, 0, 0, true, {}},
                                        {"dust", 30, 0.9, 0, 0, true, {}}};
  const auto layers = std::make_shared<Layers>(device, shape, materials);
  const float low = *std::min_element(heights.begin(), heights.end()) - 50;
  std::vector<std::uint32_t> words(5 * heights.size());
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const std::uint32_t h = mix_bits(static_cast<std::uint32_t>(heights[i] * 0.05F));
    int left = static_cast<int>((heights[i] - low) / static_cast<float>(shape.quantum));
    for (std::uint32_t k = 5; k > 1; --k) {
      const int thickness = 1024 + static_cast<int>(h >> 5 * k & 31) * 128;
      words[(k - 1) * heights.size() + i] = layer_word(k, thickness);
      left -= thickness;
    }
    words[i] = layer_word(1, left);
  }
  if (halls != Halls::none) hollow(words, size, halls);
  layers->set_words(words);
  const auto simulation = std::make_shared<LayerSimulation>(*layers, std::move(processes));
  return Running{[=](std::uint64_t steps) { simulation->run(steps); },
                 [=] { return simulation->ledger().error() == 0; },
                 [=] { return bytes_held(*layers, *simulation); }, layers,
                 [=] { return share_that_moves(*layers, *simulation); }};
}

// The benchmark's land is as high at every size; here it is as steep as it is at one of them. As at
// 1024 few columns are too steep for what lies on them, as at 512 many are.
auto on_layers_as_steep_as_at(int steep_size, Halls halls = Halls::none) {
  return [=](const device::DevicePtr& device, int size, std::vector<float> heights) {
    for (float& height : heights)
      height *= static_cast<float>(size) / static_cast<float>(steep_size);
    std::vector<LayerProcessPtr> processes;
    processes.push_back(std::make_unique<Slippage>());
    return run_on_layers(device, size, heights, std::move(processes), halls);
  };
}

// Hills of rock, 64 voxels high in all, which wear slowly enough to look the same for long.
constexpr int voxels_high = 64;
Running on_voxels(const device::DevicePtr& device, int size, const std::vector<float>& heights) {
  const VoxelShape shape{size, size, voxels_high, 1, {}};
  RockSpec rocks;
  rocks.rocks = {{"rock", 0.97, 0.02, 8, 0, false, {}}};
  rocks.layers = {{"rock", 1, 0, 10}};
  const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
  const float scale = (voxels_high - 24) / std::max(*high - *low, 1.0F);
  for (const float height : heights) rocks.heights.push_back(12 + (height - *low) * scale);
  const auto voxels = std::make_shared<Voxels>(device, shape, rock_materials(rocks));
  build_rocks(*voxels, rocks);
  std::vector<VoxelProcessPtr> processes;
  processes.push_back(std::make_unique<Weathering>(WeatheringPlan{{sphere_bubble(10, 1)}, {}}));
  const auto weathering = std::make_shared<VoxelSimulation>(*voxels, std::move(processes));
  return Running{[=](std::uint64_t steps) { weathering->run(steps); },
                 [=] {
                   const WeatheringLedger ledger = weathering->ledger();
                   return ledger.voxel_error() == 0 && ledger.amount_error() == 0;
                 },
                 [=] { return voxel_bytes(shape, false); }, voxels};
}

WaterParameters rainy(const char* neighbours) {
  WaterParameters p;
  p.neighbours = neighbours;
  p.rain = 1e-4;
  p.evaporation = 1e-4;
  return p;
}

Running on_wet_layers(const device::DevicePtr& device, int size,
                      const std::vector<float>& heights) {
  std::vector<LayerProcessPtr> processes;
  processes.push_back(std::make_unique<LayerWater>(rainy("8"), std::vector<SpringParameters>{},
                                                   HydraulicParameters{}));
  processes.push_back(std::make_unique<Slippage>());
  Running running = run_on_layers(device, size, heights, std::move(processes));
  running.moving = {};  // all columns that are wet change
  return running;
}

std::string muck(int size) {
  if (size == 1024) return "8.8 ms GPU, 163 ms CPU (Muck 2012)";
  if (size == 2048) return "29.9 ms GPU, 685 ms CPU (Muck 2012)";
  return "";
}

std::string benes(int size) { return size == 1024 ? "143 s CPU (Beneš & Forsbach 2001)" : ""; }

// At 1024 as many voxels as the document's 512 x 512 x 256.
std::string farley(int size) {
  return size == 1024 ? "30 to 160 s CPU, 85 to 189 s GPU (Farley 2011)" : "";
}

std::string swenson(int size) {
  if (size == 1024) return "1.25 ms GPU (Swenson & Patil 2019)";
  if (size == 2048) return "3.89 ms GPU (Swenson & Patil 2019)";
  if (size == 4096) return "15.4 ms GPU (Swenson & Patil 2019)";
  return "";
}

// The state is read once and written once: 4 bytes each for bed, water, sediment and every flux.
std::vector<Job> jobs() {
  std::vector<Job> all;
  const auto none = [](int) { return std::string(); };
  for (const char* n : {"4", "8"}) {
    const double fluxes = *n == '4' ? 2 : 4;
    all.push_back({std::string("water + hydraulic, ") + n + " neighbours", (3 + fluxes) * 8,
                   on_heights([n] {
                     return std::make_unique<Water>(rainy(n), std::vector<SpringParameters>{},
                                                    HydraulicParameters{});
                   }),
                   muck});
  }
  all.push_back({"water, 4 neighbours", 4 * 8,
                 on_heights([] { return std::make_unique<Water>(rainy("4")); }), none});
  all.push_back({"water + hydraulic + masks, 4 neighbours", 5 * 8 + 3 * 8, on_heights([] {
                   auto p = std::make_unique<Water>(rainy("4"), std::vector<SpringParameters>{},
                                                    HydraulicParameters{});
                   p->track = true;
                   return p;
                 }),
                 none});
  all.push_back({"thermal", 8, on_heights([] {
                   ThermalParameters p;
                   p.talus = 30;
                   return std::make_unique<ThermalWeathering>(p);
                 }),
                 none});
  all.push_back({"sheet", 3 * 8,
                 on_heights([] { return std::make_unique<SheetErosion>(SheetParameters{}); }),
                 swenson});
  // A layer is 4 bytes, and a column's top 8.
  all.push_back({"thermal on 5 layers, few columns move", (5 * 4 + 8) * 2,
                 on_layers_as_steep_as_at(1024), none, 8192});
  all.push_back({"thermal on 5 layers, many columns move", (5 * 4 + 8) * 2,
                 on_layers_as_steep_as_at(512), benes, 8192});
  all.push_back({"thermal on 5 layers, a fifth of columns under roofs", (5 * 4 + 8) * 2,
                 on_layers_as_steep_as_at(1024, Halls::bare), none, 8192});
  all.push_back({"thermal on 5 layers, a fifth of columns under roofs, on floors that slide",
                 (5 * 4 + 8) * 2, on_layers_as_steep_as_at(1024, Halls::dusty), none, 8192});
  // Thermal; the bed, and what erodes it; the flow step; two kinds of load beside the first, sent
  // over eight edges and gathered from them; layers that were dug or covered.
  all.push_back({"thermal, water, erosion on 5 layers",
                 (5 * 4 + 8) * 2 + 6 * 4 + 16 * 4 + (8 + 16) * 4 + (16 + 8) * 4 + 2 * 4,
                 on_wet_layers, none, 4096});
  // Voxels within a bubble's reach of the air, ten in a column, are read and written.
  all.push_back({"weathering, 64 voxels a cell", 10 * 8, on_voxels, farley, 4096});
  return all;
}

struct Chosen {
  std::vector<Job> jobs;
  std::vector<std::string> runs;  // of weathering
};

// Those whose name contains the text; all of them where it is empty.
Chosen chosen_by(const BenchOptions& options) {
  Chosen chosen{jobs(), {}};
  if (options.voxels[0] > 0) chosen.runs = weathering_run_names();
  std::string names;
  const auto add = [&](const std::string& name) {
    names += (names.empty() ? "\"" : ", \"") + name + "\"";
  };
  for (const Job& job : chosen.jobs) add(job.name);
  for (const std::string& run : chosen.runs) add(run);
  const auto other = [&](const std::string& name) {
    return name.find(options.only) == std::string::npos;
  };
  std::erase_if(chosen.jobs, [&](const Job& job) { return other(job.name); });
  std::erase_if(chosen.runs, other);
  if (chosen.jobs.empty() && chosen.runs.empty())
    throw UsageError(text("--only '", options.only, "': expected a part of one of ", names));
  return chosen;
}

std::vector<float> land(device::Device& device, int size) {
  GenerateParameters p;
  p.relief = 600;
  p.feature_size = size * 5.0 / 2;
  return generate_heights(device, p, HeightfieldShape{size, size, cell, cell}, 1);
}

BenchLine measure(const device::DevicePtr& device, const Job& job, int size,
                  const std::vector<float>& heights, double seconds, double bandwidth) {
  const Running running = job.start(device, size, heights);
  // Rain first, so that water runs everywhere when the clock starts.
  running.run(std::min<std::uint64_t>(
      64, std::max<std::uint64_t>(20, 200'000'000ULL / (static_cast<std::uint64_t>(size) *
                                                        static_cast<std::uint64_t>(size)))));
  device->finish();
  std::uint64_t batch = 16, steps = 0;
  const auto start = Clock::now();
  double elapsed = 0;
  do {
    running.run(batch);
    device->finish();
    steps += batch;
    elapsed = seconds_since(start);
    if (elapsed < seconds / 8) batch *= 2;
  } while (elapsed < seconds);
  if (!running.closes())
    throw Error(text("benchmark '", job.name, "' at ", size, ": the ledger does not close"));
  BenchLine line;
  line.device = device->info().name;
  line.process = job.name;
  line.size = size;
  line.milliseconds = elapsed / static_cast<double>(steps) * 1e3;
  const double cells = static_cast<double>(size) * size;
  line.cells_per_second = cells / (line.milliseconds * 1e-3);
  line.bytes_per_cell = job.bytes_per_cell;
  line.bytes_held = static_cast<double>(running.bytes()) / cells;
  line.share = line.cells_per_second * job.bytes_per_cell / bandwidth;
  line.published = job.published(size);
  if (running.moving) line.moving = running.moving();
  return line;
}

std::vector<std::string> default_devices() {
  std::vector<std::string> selectors{"cpu"};
  for (const device::DeviceInfo& info : device::list_devices())
    if (info.is_gpu && info.exact) selectors.push_back(info.selector);
  return selectors;
}

std::string fixed(double value, int digits) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(digits) << value;
  return out.str();
}

std::string moving_text(const BenchLine& line, const char* before, const char* after) {
  return line.moving ? before + fixed(*line.moving * 100, 1) + " %" + after : std::string();
}

// The C library's copy streams past the cache, which compiled loops do not: take the better one.
double memory_copy_bandwidth(int threads, double seconds) {
  constexpr std::size_t bytes = std::size_t{256} << 20;
  constexpr std::size_t piece = std::size_t{4} << 20;
  const std::unique_ptr<unsigned char[]> from(new unsigned char[bytes]()),
      to(new unsigned char[bytes]());
  double best = 0;
  const auto start = Clock::now();
  oneapi::tbb::task_arena arena(threads > 0 ? threads : oneapi::tbb::task_arena::automatic);
  do {
    const auto once = Clock::now();
    arena.execute([&] {
      oneapi::tbb::parallel_for(std::size_t{0}, bytes / piece, [&](std::size_t i) {
        std::memcpy(to.get() + i * piece, from.get() + i * piece, piece);
      });
    });
    best = std::max(best, 2.0 * bytes / seconds_since(once));
  } while (seconds_since(start) < seconds);
  return best;
}

void measure_jobs(const device::DevicePtr& device, const BenchOptions& options,
                  const std::vector<Job>& chosen, BenchReport& report, std::ostream& progress) {
  const double bandwidth = copy_bandwidth(*device, options.seconds, options.threads);
  const std::string label = device->info().name + " (" + device->info().detail + ")";
  report.copy_bandwidth.emplace_back(label, bandwidth);
  progress << label << ": copy " << fixed(bandwidth / 1e9, 1) << " GB/s\n" << std::flush;
  std::vector<int> sizes = options.sizes;
  if (sizes.empty())
    sizes = device->info().is_gpu ? std::vector{1024, 4096, 16384} : std::vector{1024, 2048};
  for (const int size : sizes) {
    const std::vector<float> heights = land(*device, size);
    for (const Job& job : chosen) {
      if (size > job.largest) continue;
      report.lines.push_back(measure(device, job, size, heights, options.seconds, bandwidth));
      const BenchLine& line = report.lines.back();
      progress << "  " << size << "^2  " << line.process << ": " << fixed(line.milliseconds, 4)
               << " ms, " << fixed(1e9 / line.cells_per_second, 3) << " ns a cell"
               << moving_text(line, ", ", " of columns move") << '\n'
               << std::flush;
    }
  }
}

void measure_runs(const device::DevicePtr& device, const BenchOptions& options,
                  const std::vector<std::string>& chosen, BenchReport& report,
                  std::ostream& progress) {
  for (const std::string& name : chosen) {
    report.weathering.push_back(
        run_weathering(name, device, {options.voxels, options.steps, options.threads}));
    const WeatheringRun& run = report.weathering.back();
    progress << "  " << run.voxels[0] << " x " << run.voxels[1] << " x " << run.voxels[2] << "  "
             << name << ": " << fixed(run.step * 1e3, 2) << " ms a step, "
             << fixed(run.surface * 1e3, 2) << " ms a surface\n"
             << std::flush;
  }
}

void print_lines(const std::vector<BenchLine>& lines, std::ostream& out) {
  out << "\n| device | process | size | ms a step | Mcells/s | ns a cell | bytes a cell | held | "
         "share of copy | columns that move | published |\n"
      << "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n";
  for (const BenchLine& l : lines)
    out << "| " << l.device << " | " << l.process << " | " << l.size << "² | "
        << fixed(l.milliseconds, 4) << " | " << fixed(l.cells_per_second / 1e6, 0) << " | "
        << fixed(1e9 / l.cells_per_second, 3) << " | " << fixed(l.bytes_per_cell, 0) << " | "
        << fixed(l.bytes_held, 1) << " | " << fixed(l.share * 100, 0) << " % | "
        << moving_text(l, "", "") << " | " << l.published << " |\n";
}

}  // namespace

double copy_bandwidth(device::Device& device, double seconds, int threads) {
  const int side = device.info().is_gpu ? 16384 : 8192;
  const Grid grid = device::make_grid(side, side, 1, 1);
  const device::Field a(device, grid, "a", device::FieldType::float32, false);
  const device::Field b(device, grid, "b", device::FieldType::float32, false);
  device::Arguments arguments;
  arguments.add(grid).add(a.front()).add(b.front());
  const device::Kernel copy{"copy_field", "kernel/common/bandwidth.h"};
  const Range range{0, 0, side, side};
  device.run(copy, range, arguments);
  device.finish();
  double best = 0;
  const auto start = Clock::now();
  do {
    const auto once = Clock::now();
    for (int i = 0; i < 4; ++i) device.run(copy, range, arguments);
    device.finish();
    best = std::max(best, 4 * 8.0 * side * side / seconds_since(once));
    // A driver's own copy may do better than one float a work-item.
    const auto driver = Clock::now();
    const std::size_t bytes = a.front()->bytes();
    for (int i = 0; i < 4; ++i)
      device.copy_rows(*a.front(), 0, bytes, *b.front(), 0, bytes, bytes, 1);
    device.finish();
    best = std::max(best, 4 * 2.0 * static_cast<double>(bytes) / seconds_since(driver));
  } while (seconds_since(start) < seconds);
  if (device.info().selector == "cpu")
    best = std::max(best, memory_copy_bandwidth(threads, seconds));
  return best;
}

BenchReport run_benchmarks(const BenchOptions& options, std::ostream& progress) {
  BenchReport report;
  const Chosen chosen = chosen_by(options);
  const std::vector<std::string> selectors =
      options.devices.empty() ? default_devices() : options.devices;
  for (const std::string& selector : selectors) {
    device::DeviceOptions wanted;
    wanted.selector = selector;
    wanted.threads = options.threads;
    const device::DevicePtr device = device::open_device(wanted);
    if (!chosen.runs.empty()) check_weathering_runs(*device, options.voxels);
    if (!chosen.jobs.empty()) measure_jobs(device, options, chosen.jobs, report, progress);
    measure_runs(device, options, chosen.runs, report, progress);
  }
  return report;
}

void print_report(const BenchReport& report, std::ostream& out) {
  for (const auto& [device, bandwidth] : report.copy_bandwidth)
    out << "\nCopy bandwidth of " << device << ": " << fixed(bandwidth / 1e9, 1) << " GB/s\n";
  if (!report.lines.empty()) print_lines(report.lines, out);
  print_weathering_runs(report.weathering, out);
}

}  // namespace scree::bench
