#include <scree/scree.h>

#include <iostream>

int main() {
  using namespace scree;
  const device::DevicePtr device = device::open_device();  // an exact GPU, or else the CPU
  const HeightfieldShape shape{256, 256, 20, 20};          // cells, and their size in metres
  const std::vector<float> bed = generate_heights(*device, GenerateParameters{}, shape, 7);
  Landscape land(std::make_unique<Heightfield>(device, shape, bed, Borders::all(BorderKind::open)));
  WaterParameters water;
  water.set("rain", "100 mm/h");
  std::vector<ProcessPtr> processes;
  processes.push_back(
      std::make_unique<Water>(water, std::vector<SpringParameters>{}, HydraulicParameters{}));
  Simulation simulation(land, std::move(processes));
  simulation.run(300);
  const long long astray = simulation.ledger().solids_error();
  std::cout << "bed " << hash_text(land.hash("bed")) << ", " << astray << " quanta astray\n";
  return astray == 0 ? 0 : 1;
}
