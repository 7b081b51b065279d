#include <scree/scree.h>

#include <iostream>

int main() {
  auto land = scree::generated_landscape(scree::device::open_device(), {256, 256, 20, 20});
  auto processes = scree::ProcessSet().use("water", "rain", "100 mm/h").use("hydraulic");
  scree::Simulation simulation(land, scree::make_processes(processes));
  simulation.run(300);
  std::cout << "bed " << scree::hash_text(land.hash("bed")) << '\n';
  return simulation.ledger().solids_error() == 0 ? 0 : 1;
}
