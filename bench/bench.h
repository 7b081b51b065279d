// Benchmarks against the limit: what a step costs beside the bytes it must move. Never a test.
#pragma once

#include <array>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "device/device.h"
#include "weathering_runs.h"

namespace scree::bench {

struct BenchOptions {
  std::vector<std::string> devices;  // selectors; empty: cpu, and every OpenCL GPU
  std::vector<int> sizes;  // cells a side; empty: 1024 and 2048, on a GPU 4096 and 16384 too
  int threads = 0;
  double seconds = 1.0;  // least time measured for each line
  std::string only;      // only what has this in its name
  // Box and steps of the weathering runs; 0: no such runs, and as many steps as was published.
  std::array<int, 3> voxels{512, 512, 256};
  int steps = 0;
};

struct BenchLine {
  std::string device, process;
  int size = 0;
  double milliseconds = 0;  // a step
  double cells_per_second = 0;
  double bytes_per_cell = 0;     // read and written once
  double bytes_held = 0;         // of device memory, per cell
  double share = 0;              // of the copy bandwidth
  std::optional<double> moving;  // of layers, the share of columns that change in a step
  std::string published;         // the source document's own figure
};

struct BenchReport {
  std::vector<BenchLine> lines;
  std::vector<WeatheringRun> weathering;
  std::vector<std::pair<std::string, double>> copy_bandwidth;  // device, bytes a second
};

// Bytes a second of a plain copy, reading and writing counted.
double copy_bandwidth(device::Device& device, double seconds, int threads = 0);

BenchReport run_benchmarks(const BenchOptions& options, std::ostream& progress);
// The report as Markdown tables.
void print_report(const BenchReport& report, std::ostream& out);

}  // namespace scree::bench
