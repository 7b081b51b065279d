
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "scene/read/kinds.h"
#include "scene/read/read.h"

namespace scree {
namespace {

constexpr RealRange length{"m", -1e6, 1e6};
constexpr RealRange size_range{"m", 1e-6, 1e6};
constexpr RealRange share{"1", 0, 1};
constexpr std::int64_t longest = 32768;

// KEY in metres, KEY_voxels in voxels.
template <class Length>
void add_length(SceneKeys& keys, const std::string& key, Length& value) {
  keys[key] = [&value, key](const SceneNode& n) {
    value = VoxelLength{read_real(n, key, {"m", 0, 1e6}), false};
  };
  const std::string voxels = key + "_voxels";
  keys[voxels] = [&value, voxels](const SceneNode& n) {
    value = VoxelLength{read_real(n, voxels, {"1", 0, 1e6}), true};
  };
}

// What a kind of thing cannot do without, and what it would not look at.
void expect_key(const SceneNode& node, const char* what, const std::string& kind, const char* key,
                bool wanted, bool allowed) {
  const std::string one = (kind.find_first_of("ao") == 0 ? "an " : "a ") + kind;
  const bool there = node.find(key) != nullptr;
  if (wanted && !there) throw UsageError(text(node.where, ": ", what, ": ", one, " needs ", key));
  if (there && !allowed)
    throw UsageError(text(node.where, ": ", what, ": ", key, ": ", one, " has none"));
}

// Of two that are called alike only one would ever be found.
template <class Named>
void check_name(const SceneNode& node, const char* what, const std::vector<Named>& others,
                const std::string& name) {
  if (std::any_of(others.begin(), others.end(),
                  [&](const Named& other) { return other.name == name; }))
    throw UsageError(text(node.where, ": ", what, ": name = '", name, "' is taken already"));
}

void read_rock(const SceneNode& node, VoxelRules& rules) {
  Rock rock;
  std::string bubble;
  SceneKeys keys;
  add_text(keys, "name", rock.name);
  add_real(keys, "durability", rock.durability, share);
  add_real(keys, "noise", rock.noise, share);
  add_real(keys, "noise_size", rock.noise_size, {"m", 0, 1e6});
  add_text(keys, "bubble", bubble);
  keys["loose"] = [&](const SceneNode& n) { rock.loose = read_flag(n, "loose"); };
  keys["jointed"] = [&](const SceneNode& n) { rock.jointed = read_flag(n, "jointed"); };
  keys["colour"] = [&](const SceneNode& n) { rock.colour = read_colour(n); };
  read_table(node, "rock", keys);
  if (rock.name.empty()) throw UsageError(text(node.where, ": rock: expected name = \"…\""));
  check_name(node, "rock", rules.rocks.rocks, rock.name);
  rules.rocks.rocks.push_back(rock);
  rules.rock_bubbles.push_back(bubble);
}

void read_layer(const SceneNode& node, RockSpec& rocks) {
  RockLayerSpec layer;
  SceneKeys keys;
  add_text(keys, "rock", layer.rock);
  add_real(keys, "thickness", layer.thickness, size_range);
  add_real(keys, "noise", layer.noise, {"m", 0, 1e6});
  add_real(keys, "noise_size", layer.noise_size, size_range);
  read_table(node, "layer", keys);
  rocks.layers.push_back(layer);
}

// What only a mesh or a volume has.
void add_solid_keys(SceneKeys& keys, SolidSettings& solid) {
  add_text(keys, "file", solid.file);
  add_text(keys, "grid", solid.grid);
  add_real(keys, "scale", solid.scale, {"1", 1e-6, 1e6});
  keys["level"] = [&](const SceneNode& n) {
    solid.level = read_real(n, "level", {"1", -1e9, 1e9});
  };
}

void add_solid(const SceneNode& node, const std::string& kind, SolidSettings solid,
               RockFormSpec form, VoxelRules& rules) {
  if (solid.file.empty()) throw UsageError(text(node.where, ": form: expected file = \"…\""));
  if (form.size[0] > 0)
    throw UsageError(text(node.where, ": form: size: a ", kind, " has its own; expected scale"));
  solid.mesh = kind == "mesh";
  solid.form = rules.rocks.forms.size();
  if (node.find("at") != nullptr) solid.at = form.at;
  form.kind = RockFormSpec::Kind::solid;
  form.size = {1, 1, 1};
  rules.rocks.forms.push_back(form);
  rules.solids.push_back(std::move(solid));
}

void check_form_keys(const SceneNode& node, const std::string& kind) {
  const bool column = kind == "column" || kind == "disc", volume = kind == "volume";
  const bool solid = kind == "mesh" || volume;
  const auto only_of = [&](const char* key, bool allowed) {
    expect_key(node, "form", kind, key, false, allowed);
  };
  only_of("top", column), only_of("thickness", kind == "arch");
  only_of("leg", kind == "table"), only_of("slab", kind == "table");
  only_of("scale", solid), only_of("grid", volume), only_of("level", volume);
  only_of("noise", !solid), only_of("noise_size", !solid);
}

void read_form(const SceneNode& node, VoxelRules& rules) {
  RockSpec& rocks = rules.rocks;
  RockFormSpec form;
  SolidSettings solid;
  double leg = 0, slab = 0;
  std::string kind = "block";
  SceneKeys keys;
  keys["kind"] = [&](const SceneNode& n) {
    kind = read_choice(n, "kind",
                       {"block", "column", "disc", "ball", "arch", "table", "mesh", "volume"});
  };
  keys["at"] = [&](const SceneNode& n) { form.at = read_point(n, "at", length); };
  keys["size"] = [&](const SceneNode& n) { form.size = read_point(n, "size", size_range); };
  keys["carve"] = [&](const SceneNode& n) { form.carve = read_flag(n, "carve"); };
  add_text(keys, "rock", form.rock);
  add_real(keys, "top", form.top, {"1", 0, 10});
  add_real(keys, "thickness", form.thickness, size_range);
  add_real(keys, "leg", leg, size_range);
  add_real(keys, "slab", slab, size_range);
  add_real(keys, "noise", form.noise, {"m", 0, 1e6});
  add_real(keys, "noise_size", form.noise_size, size_range);
  add_real(keys, "layer_shift", form.layer_shift, length);
  add_real(keys, "layer_stretch", form.layer_stretch, {"1", 0.01, 100});
  add_solid_keys(keys, solid);
  read_table(node, "form", keys);
  check_form_keys(node, kind);
  if (kind == "mesh" || kind == "volume") return add_solid(node, kind, solid, form, rules);
  if (!solid.file.empty())
    throw UsageError(text(node.where, ": form: file: expected kind = \"mesh\" or \"volume\""));
  if (!(form.size[0] > 0)) throw UsageError(text(node.where, ": form: expected size = [x, y, z]"));
  if (kind == "table") {
    if (!(leg > 0) || !(slab > 0) || slab >= form.size[2])
      throw UsageError(text(node.where,
                            ": form: a table needs leg (its width) and slab (its "
                            "height, below the whole one), in metres"));
    for (RockFormSpec part : table_form(form.at, form.size, leg, slab)) {
      part.rock = form.rock, part.noise = form.noise, part.noise_size = form.noise_size;
      part.carve = form.carve, part.layer_shift = form.layer_shift;
      part.layer_stretch = form.layer_stretch;
      rocks.forms.push_back(part);
    }
    return;
  }
  form.kind = kind == "block"  ? RockFormSpec::Kind::block
              : kind == "ball" ? RockFormSpec::Kind::ball
              : kind == "arch" ? RockFormSpec::Kind::arch
                               : RockFormSpec::Kind::column;
  rocks.forms.push_back(form);
}

void read_joint(const SceneNode& node, RockSpec& rocks) {
  RockJointSpec joint;
  SceneKeys keys;
  add_text(keys, "rock", joint.rock);
  keys["normal"] = [&](const SceneNode& n) {
    joint.normal = read_point(n, "normal", {"1", -1e6, 1e6});
  };
  add_real(keys, "offset", joint.offset, length);
  add_real(keys, "spacing", joint.spacing, size_range);
  add_real(keys, "thickness", joint.thickness, size_range);
  add_real(keys, "jitter", joint.jitter, {"1", 0, 0.5});
  add_real(keys, "tilt", joint.tilt, {"deg", 0, 20});
  add_real(keys, "noise", joint.noise, {"m", 0, 1e6});
  add_real(keys, "noise_size", joint.noise_size, size_range);
  read_table(node, "joint", keys);
  rocks.joints.push_back(joint);
}

void read_voxel_size(const SceneNode& node, VoxelRules& rules) {
  checked_list(node, "size", 3, "[x, y, z] in voxels");
  const auto side = [&](std::size_t i) {
    return static_cast<int>(read_integer(node.items[i], "size", 1, longest));
  };
  rules.shape.nx = side(0), rules.shape.ny = side(1), rules.shape.nz = side(2);
}

void read_rock_beyond(const SceneNode& node, VoxelEdges& edges) {
  checked_list(node, "rock_beyond", 0, "a list of sides");
  edges = {false, false, false, false, false, false};
  for (const SceneNode& side : node.items) {
    const std::string word =
        read_choice(side, "rock_beyond", {"west", "east", "south", "north", "bottom", "top"});
    (word == "west"     ? edges.rock_west
     : word == "east"   ? edges.rock_east
     : word == "south"  ? edges.rock_south
     : word == "north"  ? edges.rock_north
     : word == "bottom" ? edges.rock_bottom
                        : edges.rock_top) = true;
  }
}

void read_ground(const SceneNode& node, VoxelRules& rules) {
  if (!rules.ground) rules.ground.emplace();
  GroundSettings& ground = *rules.ground;
  ground.where = node.where;
  SceneKeys keys;
  add_text(keys, "scene", ground.scene);
  add_text(keys, "file", ground.file);
  add_real(keys, "scale", ground.scale, {"1", 1e-6, 1e6});
  keys["base"] = [&](const SceneNode& n) { ground.base = read_real(n, "base", length); };
  keys["stretch"] = [&](const SceneNode& n) { ground.stretch = read_flag(n, "stretch"); };
  keys["height_range"] = [&](const SceneNode& n) {
    check_pair(n, "height_range", "[lowest, highest], metres");
    ground.height_range = HeightRange{read_real(n.items[0], "height_range", length),
                                      read_real(n.items[1], "height_range", length)};
  };
  read_table(node, "ground", keys);
  if (ground.scene.empty() == ground.file.empty())
    throw UsageError(text(node.where, ": ground: expected scene = \"…\" or file = \"…\""));
}

void read_voxel_terrain(const SceneNode& table, VoxelRules& rules) {
  SceneKeys keys;
  keys["kind"] = [](const SceneNode& n) { read_choice(n, "kind", {"voxels"}); };
  keys["size"] = [&](const SceneNode& n) { read_voxel_size(n, rules); };
  add_real(keys, "cell", rules.shape.cell, size_range);
  keys["rock_beyond"] = [&](const SceneNode& n) { read_rock_beyond(n, rules.edges); };
  keys["generate"] = [&](const SceneNode& n) {
    if (!rules.generate) rules.generate.emplace();
    SceneKeys own;
    add_parameters(own, *rules.generate);
    read_table(n, "generate", own);
  };
  keys["ground"] = [&](const SceneNode& n) { read_ground(n, rules); };
  keys["rock"] = [&](const SceneNode& n) {
    rules.rocks.rocks.clear(), rules.rock_bubbles.clear();
    read_each(n, "terrain.rock", [&](const SceneNode& item) { read_rock(item, rules); });
  };
  keys["layer"] = [&](const SceneNode& n) {
    rules.rocks.layers.clear();
    read_each(n, "terrain.layer", [&](const SceneNode& item) { read_layer(item, rules.rocks); });
  };
  keys["form"] = [&](const SceneNode& n) {
    rules.rocks.forms.clear(), rules.solids.clear();
    read_each(n, "terrain.form", [&](const SceneNode& item) { read_form(item, rules); });
  };
  keys["joint"] = [&](const SceneNode& n) {
    rules.rocks.joints.clear();
    read_each(n, "terrain.joint", [&](const SceneNode& item) { read_joint(item, rules.rocks); });
  };
  read_table(table, "terrain", keys);
  if (rules.generate && rules.ground)
    throw UsageError(text(table.where,
                          ": terrain: expected [terrain.generate] or "
                          "[terrain.ground], not both"));
}

void check_bubble_keys(const SceneNode& node, const BubbleSettings& bubble) {
  const bool listed = bubble.shape == "offsets", drawn = bubble.rates == "curve";
  const std::string kind = listed ? "list of offsets" : bubble.shape;
  const auto only_of = [&](const std::string& key, bool allowed) {
    const std::string voxels = key + "_voxels";
    expect_key(node, "bubble", kind, key.c_str(), false, allowed);
    expect_key(node, "bubble", kind, voxels.c_str(), false, allowed);
    if (node.find(key) != nullptr && node.find(voxels) != nullptr)
      throw UsageError(text(node.where, ": bubble: expected ", key, " or ", voxels, ", not both"));
  };
  only_of("radius", !listed), only_of("rate", true);
  only_of("depth", bubble.shape == "top-heavy"), only_of("half_height", bubble.shape == "disc");
  expect_key(node, "bubble", kind, "offsets", listed, listed);
  expect_key(node, "bubble", drawn ? "curve of rates" : bubble.rates + " bubble", "curve", drawn,
             drawn);
}

void read_bubble(const SceneNode& node, VoxelRules& rules) {
  BubbleSettings bubble;
  bubble.where = node.where;
  SceneKeys keys;
  add_text(keys, "name", bubble.name);
  keys["shape"] = [&](const SceneNode& n) {
    bubble.shape = read_choice(n, "shape", {"sphere", "top-heavy", "disc", "offsets"});
  };
  keys["rates"] = [&](const SceneNode& n) {
    bubble.rates = read_choice(n, "rates", {"spheroidal", "cavernous", "curve"});
  };
  add_length(keys, "radius", bubble.radius);
  add_length(keys, "depth", bubble.depth);
  add_length(keys, "half_height", bubble.half_height);
  add_length(keys, "rate", bubble.rate);
  keys["open_faces"] = [&](const SceneNode& n) { bubble.open_faces = read_flag(n, "open_faces"); };
  keys["curve"] = [&](const SceneNode& n) {
    checked_list(n, "curve", 0, "[[air ratio, multiple of the rate], …]");
    for (const SceneNode& point : n.items) {
      check_pair(point, "curve", "[air ratio, multiple of the rate]");
      bubble.curve.emplace_back(read_real(point.items[0], "curve", share),
                                read_real(point.items[1], "curve", {"1", 0, 1000}));
    }
  };
  keys["offsets"] = [&](const SceneNode& n) {
    checked_list(n, "offsets", 0, "[[x, y, z], …] in voxels");
    for (const SceneNode& offset : n.items) {
      checked_list(offset, "offsets", 3, "[x, y, z] in voxels");
      const auto at = [&](std::size_t i) {
        return static_cast<int>(
            read_integer(offset.items[i], "offsets", -VOXEL_REACH, VOXEL_REACH));
      };
      bubble.offsets.push_back({at(0), at(1), at(2)});
    }
  };
  read_table(node, "bubble", keys);
  check_bubble_keys(node, bubble);
  if (!bubble.name.empty()) check_name(node, "bubble", rules.bubbles, bubble.name);
  rules.bubbles.push_back(bubble);
}

void add_step(SceneKeys& keys, const char* key, std::uint64_t& value) {
  keys[key] = [&value, key](const SceneNode& n) {
    value = static_cast<std::uint64_t>(read_integer(n, key, 0, 1000000000));
  };
}

void check_region_keys(const SceneNode& node, const std::string& kind) {
  const auto expect = [&](const char* key, bool wanted, bool allowed) {
    expect_key(node, "region", kind, key, wanted, allowed);
  };
  const bool map = kind == "map", box = kind == "box", capsule = kind == "capsule";
  expect("file", map, map), expect("of", false, map);
  expect("scale", false, map), expect("offset", false, map);
  expect("at", !map, !map), expect("to", capsule, capsule), expect("size", box, box);
  expect("radius", !map && !box, !map && !box), expect("soft", false, !map);
  expect("rate", false, !map), expect("durability", false, !map);
}

void read_region(const SceneNode& node, VoxelRules& rules) {
  RegionSettings settings;
  settings.where = node.where;
  WeatherRegion& region = settings.region;
  std::string kind = "sphere";
  SceneKeys keys;
  keys["kind"] = [&](const SceneNode& n) {
    kind = read_choice(n, "kind", {"sphere", "box", "capsule", "map"});
  };
  add_real(keys, "rate", region.rate, {"1", 0, 15});
  add_real(keys, "durability", region.durability, {"1", -1, 1});
  keys["at"] = [&](const SceneNode& n) { region.at = read_point(n, "at", length); };
  keys["to"] = [&](const SceneNode& n) { region.to = read_point(n, "to", length); };
  keys["size"] = [&](const SceneNode& n) { region.size = read_point(n, "size", size_range); };
  add_real(keys, "radius", region.radius, size_range);
  add_real(keys, "soft", region.soft, {"m", 0, 1e6});
  add_text(keys, "file", settings.file);
  keys["of"] = [&](const SceneNode& n) {
    settings.quantity = read_choice(n, "of", {"rate", "durability"});
  };
  add_real(keys, "scale", settings.scale, {"1", -1e6, 1e6});
  add_real(keys, "offset", settings.offset, {"1", -1e6, 1e6});
  add_step(keys, "from_step", region.from_step);
  add_step(keys, "to_step", region.to_step);
  read_table(node, "region", keys);
  check_region_keys(node, kind);
  if (region.to_step < std::max<std::uint64_t>(region.from_step, 1))
    throw UsageError(text(node.where, ": region: from_step = ", region.from_step,
                          " and to_step = ", region.to_step, ": it would hold in no step"));
  region.kind = kind == "map"       ? WeatherRegion::Kind::map
                : kind == "box"     ? WeatherRegion::Kind::box
                : kind == "capsule" ? WeatherRegion::Kind::capsule
                                    : WeatherRegion::Kind::sphere;
  rules.regions.push_back(settings);
}

void read_weathering(const SceneNode& table, Scene& scene) {
  VoxelRules& rules = *scene.terrain.voxels;
  SceneKeys keys;
  add_parameters(keys, *scene.processes["weathering"].parameters);
  keys["bubble"] = [&](const SceneNode& n) {
    rules.bubbles.clear();
    read_each(n, "weathering.bubble", [&](const SceneNode& item) { read_bubble(item, rules); });
  };
  keys["region"] = [&](const SceneNode& n) {
    rules.regions.clear();
    read_each(n, "weathering.region", [&](const SceneNode& item) { read_region(item, rules); });
  };
  read_table(table, "weathering", keys);
}

}  // namespace

void begin_voxel_scene(Scene& scene) {
  scene.steps = 100;
  scene.terrain.voxels.emplace();
  // Rock weathers, whether the scene says how or not.
  scene.processes["weathering"].enabled = true;
}

void read_voxel_scene(const SceneNode& root, Scene& scene) {
  SceneKeys schedule;
  add_text(schedule, "name", scene.name);
  schedule["seed"] = [&](const SceneNode& n) {
    scene.seed = static_cast<std::uint64_t>(
        read_integer(n, "seed", 0, std::numeric_limits<std::int64_t>::max()));
  };
  schedule["steps"] = [&](const SceneNode& n) {
    scene.steps = static_cast<std::uint64_t>(read_integer(n, "steps", 0, 1000000000));
  };
  SceneKeys keys;
  keys["scene"] = [&](const SceneNode& n) { read_table(n, "scene", schedule); };
  keys["terrain"] = [&](const SceneNode& n) { read_voxel_terrain(n, *scene.terrain.voxels); };
  keys["weathering"] = [&](const SceneNode& n) { read_weathering(n, scene); };
  keys["output"] = [&](const SceneNode& n) { read_voxel_outputs(n, scene.outputs); };
  read_table(root, "scene", keys);
}

void Scene::set_size(int nx, int ny, int nz) {
  if (!terrain.voxels)
    throw UsageError(text("size ", nx, "x", ny, "x", nz, ": expected WIDTHxHEIGHT, in cells"));
  VoxelShape& shape = terrain.voxels->shape;
  const double x = static_cast<double>(shape.nx) / nx, y = static_cast<double>(shape.ny) / ny,
               z = static_cast<double>(shape.nz) / nz;
  // Sides that do not divide evenly may be off by less than a voxel.
  if (std::abs(x * ny - shape.ny) >= x || std::abs(x * nz - shape.nz) >= x)
    throw UsageError(text("size ", nx, "x", ny, "x", nz,
                          ": voxels are cubes, and the scene's box is ", shape.nx, " x ", shape.ny,
                          " x ", shape.nz, " (", x, ", ", y, " and ", z, " of its voxels in one)"));
  shape.cell *= x;
  shape.nx = nx, shape.ny = ny, shape.nz = nz;
}

}  // namespace scree
