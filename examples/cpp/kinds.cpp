// Worlds of three kinds side by side, on one device: heights that water erodes, layers that slide,
// and voxels that weather. Each is stepped, looked at, changed, kept and brought back. No file is
// read or written.
#include <scree/scree.h>

#include <algorithm>
#include <iostream>
#include <map>

namespace {

const std::map<std::string, std::string> scenes = {{"heights", R"([terrain]
size = [96, 96]
[water]
rain = "60 mm/h"
[hydraulic]
[thermal]
)"},
                                                   {"layers", R"([terrain]
kind = "layers"
size = [48, 48]
cell = 2
bedrock = "limestone"
generate = { kind = "pyramid", relief = 30 }
[[terrain.layer]]
material = "sand"
thickness = 3
[slippage]
)"},
                                                   {"voxels", R"([terrain]
kind = "voxels"
size = [48, 48, 48]
cell = 0.25
[[terrain.rock]]
name = "sandstone"
durability = 0.2
[[terrain.rock]]
name = "debris"
loose = true
[[terrain.form]]
kind = "column"
at = [6, 6, 0]
size = [6, 6, 9]
rock = "sandstone"
[weathering]
colluvium = true
)"}};

// Something to change of each: a small box, and a value for all of it.
struct Change {
  const char* field;
  scree::Box box;
  double by;
};
const std::map<std::string, Change> changes = {{"heights", {"bed", {40, 40, 0, 9, 9, 1}, 15}},
                                               {"layers", {"bed", {20, 20, 0, 5, 5, 1}, -2}},
                                               {"voxels", {"amount", {20, 20, 20, 4, 4, 4}, -1}}};

// What the world is made of closes to the quantum.
bool closes(const scree::World& world) {
  for (const scree::Balance& balance : world.balances())
    if (balance.error() != 0) return false;
  return true;
}

bool tour(const std::string& name, const scree::device::DevicePtr& device) {
  const scree::Scene scene = scree::parse_scene(scenes.at(name), name);
  scree::World world = scree::World::open(scene, {.opened = device});
  world.step(10);

  const Change& change = changes.at(name);
  const scree::Snapshot shot = world.snapshot({change.field}, change.box);
  std::vector<double> values = shot.view(change.field).values();
  for (double& value : values) value = std::max(0.0, value + change.by);
  const scree::Receipt receipt = world.write(change.field, change.box, values);

  const scree::WorldState kept = world.save();
  scree::World twin = world.clone();
  world.step(10);
  twin.step(10);
  const bool alike = world.hashes() == twin.hashes();
  const bool whole = closes(world);
  world.restore(kept);
  world.step(10);
  const bool again = world.hashes() == twin.hashes();
  std::cout << name << ": " << receipt.changed << " changed, "
            << (alike && again && whole ? "exact" : "NOT EXACT") << '\n';
  return alike && again && whole;
}

}  // namespace

int main(int argc, char** argv) {
  const auto device = scree::device::open_device({.selector = argc > 1 ? argv[1] : "cpu"});
  bool well = true;
  for (const auto& scene : scenes) well = tour(scene.first, device) && well;
  return well ? 0 : 1;
}
