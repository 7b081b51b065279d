#include "scene/read/read.h"

#include "base/error.h"
#include "scene/read/kinds.h"

namespace scree {
namespace {

constexpr std::int64_t most_integer = 9223372036854775807;
constexpr int most_every = 1000000000;

void read_schedule(const SceneNode& table, Scene& scene) {
  if (table.find("steps") != nullptr && table.find("time") != nullptr)
    throw UsageError(text(table.find("time")->where, ": time: expected steps or time, not both"));
  SceneKeys keys;
  keys["name"] = [&](const SceneNode& n) { scene.name = read_text(n, "name"); };
  keys["seed"] = [&](const SceneNode& n) {
    scene.seed = static_cast<std::uint64_t>(read_integer(n, "seed", 0, most_integer));
  };
  keys["steps"] = [&](const SceneNode& n) {
    scene.steps = static_cast<std::uint64_t>(read_integer(n, "steps", 0, 1000000000000));
    scene.time = 0;
  };
  keys["time"] = [&](const SceneNode& n) { scene.time = read_real(n, "time", {"s", 1e-9, 1e15}); };
  keys["dt"] = [&](const SceneNode& n) {
    const bool automatic = n.kind == SceneNode::Kind::text && n.text == "auto";
    scene.dt = automatic ? 0 : read_real(n, "dt", {"s", 1e-9, 1e9});
  };
  read_table(table, "scene", keys);
}

// [[water.spring]]: what is said replaces what was there.
void read_list(const SceneNode& list, const std::string& where, const AnyParameters& standard,
               std::vector<AnyParameters>& entries) {
  if (list.kind != SceneNode::Kind::list)
    throw UsageError(text(list.where, ": ", list.key, ": expected [[", where, "]] tables"));
  entries.clear();
  for (const SceneNode& item : list.items) {
    SceneKeys keys;
    add_parameters(keys, *entries.emplace_back(standard));
    read_table(item, list.key, keys);
  }
}

void read_process(const SceneNode& table, const ProcessKind& kind, ProcessSettings& settings) {
  SceneKeys keys;
  add_parameters(keys, *settings.parameters);
  keys["enabled"] = [](const SceneNode& n) { read_flag(n, "enabled"); };
  if (kind.takes_every)
    keys["every"] = [&](const SceneNode& n) {
      settings.every = static_cast<int>(read_integer(n, "every", 1, most_every));
    };
  for (const auto& list : kind.lists)
    keys[list.first] = [&](const SceneNode& n) {
      read_list(n, kind.name + "." + list.first, list.second, settings.lists.at(list.first));
    };
  read_table(table, kind.name, keys);
  read_enabled(table, settings);
}

void read_scroll(const SceneNode& table, ScrollSettings& scroll) {
  SceneKeys keys;
  keys["every"] = [&](const SceneNode& n) {
    scroll.every = static_cast<int>(read_integer(n, "every", 0, most_every));
  };
  keys["cells"] = [&](const SceneNode& n) {
    check_pair(n, "cells", "[east, south], in cells");
    scroll.cells_east =
        static_cast<int>(read_integer(n.items[0], "cells", -most_cells, most_cells));
    scroll.cells_south =
        static_cast<int>(read_integer(n.items[1], "cells", -most_cells, most_cells));
  };
  read_table(table, "scroll", keys);
}

}  // namespace

void read_enabled(const SceneNode& table, ProcessSettings& process) {
  const SceneNode* said = table.find("enabled");
  if (said != nullptr)
    process.enabled = said->flag;
  else if (!process.mentioned)
    process.enabled = true;
  process.mentioned = true;
}

void begin_height_scene(Scene& /*scene*/) {}

void read_height_scene(const SceneNode& root, Scene& scene) {
  SceneKeys keys;
  keys["scene"] = [&](const SceneNode& n) { read_schedule(n, scene); };
  // Before the materials, whatever comes first in the file.
  if (const SceneNode* terrain = root.find("terrain")) read_terrain(*terrain, scene.terrain);
  keys["terrain"] = [](const SceneNode&) {};
  if (scene.terrain.layers) {
    // The scene's own say is the last.
    LayerRules& rules = *scene.terrain.layers;
    if (const SceneNode* file = root.find("materials"))
      read_materials_file(*file, scene.folder, rules);
    keys["materials"] = [](const SceneNode&) {};
    keys["material"] = [&](const SceneNode& n) { read_materials(n, rules); };
  }
  for (const ProcessKind& kind : process_kinds())
    keys[kind.name] = [&](const SceneNode& n) {
      read_process(n, kind, scene.processes[kind.name]);
    };
  keys["scroll"] = [&](const SceneNode& n) { read_scroll(n, scene.scroll); };
  keys["output"] = [&](const SceneNode& n) { read_outputs(n, scene.outputs); };
  read_table(root, "scene", keys);
}

void read_scene(const SceneNode& root, Scene& scene) {
  scene_kind(scene.terrain.kind).read(root, scene);
}

}  // namespace scree
