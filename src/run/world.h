// A scene in the hand: any terrain, on any device, stepped and looked at and changed by a program.
//
//   World world = World::open(scene);
//   world.step(100);
//   const Snapshot shot = world.snapshot({"bed", "water"});
//   world.write("bed", {10, 10, 0, 4, 4, 1}, metres);
//   world.set("hydraulic.capacity", 2.0);
//   const WorldState kept = world.save();
//
// It needs no file, folder or terminal, and shares nothing with other worlds but the device that it
// was given. One thread at a time uses a world and its device; snapshots are for any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/progress.h"
#include "data/blocks.h"
#include "device/device.h"
#include "process/core/balance.h"
#include "run/command.h"
#include "run/snapshot.h"
#include "scene/scene.h"

namespace scree {

class RunModel;

// Where and for whom a world runs.
struct Execution {
  std::string device = "auto";    // auto | cpu | opencl | opencl:N
  int threads = 0;                // of a CPU; 0: all cores
  device::DevicePtr opened = {};  // a device that is open already, instead of those
  const CancelToken* cancel = nullptr;
  Progress* progress = nullptr;
  LogSink log = {};
};

// How a call to step() ended.
enum class Stepped {
  done,
  cancelled,  // between two steps: the world is whole, and steps on when its token is reset
  unstable    // a fixed time step became too long: the world can only be restored
};

// When a change of a setting takes effect.
enum class Effect {
  live,      // with the next step, and nothing was made for it
  remade,    // with the next step: its process was made anew and kept what it knows
  new_world  // not here: a world must be opened with it; nothing was changed
};

// A world at one moment: all that its next step reads, and what was done to it since its start.
struct WorldState {
  Blocks blocks;
  std::vector<Command> commands;
};

class World {
 public:
  // UsageError for what is wrong in the scene, Error where there is no room or no such device.
  static World open(const Scene& scene, const Execution& execution = {});
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  ~World();

  // ---- stepping
  Stepped step(std::uint64_t steps = 1);
  // Why the world can only be restored; empty where it is whole. A step, or a write, that throws
  // anything but UsageError leaves it so.
  const std::string& failure() const;
  std::uint64_t steps_done() const;
  double time() const;  // simulated seconds; 0 where steps have no duration
  double dt() const;

  // ---- looking
  // The scene as it is now, with all changes of settings.
  const Scene& scene() const;
  Fields fields() const;
  // Of a box of each field, or of all of it where the box is empty.
  Snapshot snapshot(const std::vector<std::string>& fields, const Box& box = {}) const;
  std::uint64_t hash(const std::string& field) const;
  // The hashes that a report of this world would name.
  std::map<std::string, std::uint64_t> hashes() const;
  std::vector<Balance> balances() const;

  // ---- changing
  // A field's values in its unit. All of it is refused (UsageError) where a quantum cannot hold one
  // of them.
  Receipt write(const std::string& field, const Box& box, std::vector<double> values);
  // A key of a scene, and what a scene may say of it.
  Effect set(const std::string& key, const std::string& value);
  Effect set(const std::string& key, double value);
  // Either, as data. UsageError for one of another step than this.
  Receipt apply(const Command& command);
  // All changes since the start, in order.
  const std::vector<Command>& commands() const;

  // ---- keeping
  WorldState save() const;
  void save(const std::filesystem::path& file) const;
  // Of a world of the same scene: UsageError for another's. Where it throws, nothing has changed.
  void restore(const WorldState& state);
  void restore(const std::filesystem::path& file);
  // A second world like this one, on the same device.
  World clone() const;

 private:
  struct Parts;
  explicit World(std::unique_ptr<Parts> parts);
  void restore(const BlockReader& blocks, std::vector<Command> commands);
  std::unique_ptr<Parts> parts_;
};

}  // namespace scree
