// What the tests of whole runs share: every way to run a kernel, and rough terrains to run it on.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/device.h"
#include "process/heights/simulation.h"
#include "terrain/heights/heightfield.h"

namespace scree::testing {

struct Backend {
  std::string label;
  device::DevicePtr device;
};

// CPU with 1 and 2 threads for every instruction set of this machine, and every OpenCL device.
// Opened once: OpenCL programs are compiled a single time in a test program.
const std::vector<Backend>& all_backends();
std::string text_of(const std::string& isa, int threads);
// PoCL is slow where a GPU is not: there the two longest runs are made smaller or shorter.
inline bool is_cpu(const Backend& backend) { return backend.device->info().selector == "cpu"; }
// The CPU at its best.
device::DevicePtr cpu();
// That and every OpenCL device: for long runs, since instruction sets and threads differ in no bit.
std::vector<Backend> one_of_each_kind();

// Smooth hills, sharp steps and noise, from integer hashes alone.
std::vector<float> rough_heights(int width, int height, float relief, unsigned seed);

// A field in metres from a function of the cell, row by row.
std::vector<float> field_of(int width, int height, const std::function<double(int, int)>& value);

// A landscape of one tile.
Landscape land_of(const device::DevicePtr& device, const HeightfieldShape& shape,
                  const std::vector<float>& heights, const Borders& borders);

// Every map that a scene may give: erodibility, strength, rain, a floor, and a sea in the lowest
// part of the land.
void add_maps(Heightfield& terrain);

// The floats of a field as they are stored, without units.
std::vector<float> raw_floats(const Heightfield& terrain, const std::string& name);

// Discharge of the cells of a terrain, from the fluxes that it has now.
class Discharges {
 public:
  struct Vector {
    double x, y;  // m2/s
    double length() const;
  };
  explicit Discharges(const Heightfield& terrain);
  // Of a cell that is no border cell.
  Vector at(int x, int y) const;

 private:
  int width_;
  double metres_x_, metres_y_;  // m2/s for a flux sum of 1
  std::vector<float> east_, south_, se_, sw_;
};

// Processes on heightfields that the tests do not vary by hand: tests that hold for every process
// run these at their standard values, so that a new one is tested without being named here.
std::vector<std::string> further_processes();
std::vector<ProcessPtr> standard_process(const std::string& name);

// Processes in the order they run.
template <class... P>
std::vector<ProcessPtr> process_list(std::unique_ptr<P>... processes) {
  std::vector<ProcessPtr> list;
  (list.push_back(std::move(processes)), ...);
  return list;
}

}  // namespace scree::testing
