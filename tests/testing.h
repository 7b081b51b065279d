// What the tests of whole runs share: every way to run a kernel, and rough terrains to run it on.
#pragma once

#include <string>
#include <vector>

#include "device/device.h"
#include "terrain/heightfield.h"

namespace scree::testing {

struct Backend {
  std::string label;
  device::DevicePtr device;
};

// CPU with 1 and 2 threads for every instruction set of this machine, and every OpenCL device.
// Opened once: OpenCL programs are compiled a single time in a test program.
const std::vector<Backend>& all_backends();
std::string text_of(const std::string& isa, int threads);
// One of each kind, for tests that are long.
std::vector<Backend> few_backends();
// The CPU at its best.
device::DevicePtr cpu();

// Smooth hills, sharp steps and noise, from integer hashes alone.
std::vector<float> rough_heights(int width, int height, float relief, unsigned seed);

}  // namespace scree::testing
