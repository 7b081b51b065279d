// How fast rock weathers: the four configurations of Farley 2011, chapter 5, run as there, with a
// surface extracted after each step, beside the document's tables 5.1 to 5.5.
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "device/device.h"

namespace scree::bench {

struct WeatheringRunOptions {
  std::array<int, 3> voxels{512, 512, 256};
  int steps = 0;    // 0: as many as the document's times amount to
  int threads = 0;  // of the walk, which is the host's
};

// Seconds, on a CPU and on a Quadro FX 4800.
struct PublishedRun {
  double total_cpu, total_gpu;      // table 5.2
  double start_cpu, start_gpu;      // table 5.3
  double step_cpu, step_gpu;        // table 5.4
  double surface_cpu, surface_gpu;  // table 5.5
  double uncached;                  // table 5.1; its cached steps are those of table 5.4
};

// Seconds.
struct WeatheringRun {
  std::string device, name;
  std::array<int, 3> voxels{};
  int steps = 0;
  long long rock = 0, rock_left = 0;  // voxels, before the first step and after the last
  double built = 0;                   // forms and layers into voxels
  double counted = 0;                 // the air in every bubble for the first time
  double step = 0, worst_step = 0;    // mean, and the longest one
  double surface = 0;                 // mean
  double total = 0;                   // of all of the above
  // A step whose counts are taken by walking every bubble, from a sample; on a CPU alone.
  double uncached = 0;
  std::uint32_t triangles = 0;  // of the last surface
  std::uint64_t hash = 0;       // of the voxels after the last step
  PublishedRun published{};
};

// Of the four configurations.
std::vector<std::string> weathering_run_names();
// Throws UsageError where there is no such box, Error where the device has not the memory.
void check_weathering_runs(const device::Device& device, const std::array<int, 3>& voxels);
WeatheringRun run_weathering(const std::string& name, const device::DevicePtr& device,
                             const WeatheringRunOptions& options);
// As a Markdown table; nothing where there are none.
void print_weathering_runs(const std::vector<WeatheringRun>& runs, std::ostream& out);

}  // namespace scree::bench
