#include <scree/scree.h>

#include <iostream>

int main() {
  scree::Scene scene;
  scene.set_size(256, 256);
  scene.processes.use("water", "rain", "100 mm/h").use("hydraulic");
  scree::World world = scree::World::open(scene);
  world.step(300);

  const scree::WorldState before = world.save();
  const scree::Box hill{100, 100, 0, 8, 8, 1};
  std::vector<double> metres = world.snapshot({"bed"}, hill).view("bed").values();
  for (double& height : metres) height += 20;
  world.write("bed", hill, metres);
  world.set("hydraulic.capacity", 2.0);
  world.step(100);
  std::cout << "bed " << scree::hash_text(world.hash("bed")) << '\n';
  for (const scree::Balance& balance : world.balances())
    if (balance.error() != 0) return 1;

  world.restore(before);
  return world.steps_done() == 300 ? 0 : 1;
}
