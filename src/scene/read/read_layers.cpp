#include <set>

#include "base/error.h"
#include "base/suggest.h"
#include "io/file/atomic_file.h"
#include "scene/read/read.h"
#include "terrain/layers/materials.h"

namespace scree {
namespace {

constexpr RealRange length_range{"m", -1e6, 1e6};
constexpr RealRange above_zero{"m", 1e-6, 1e7};
// Up and down: what is absurd would make the quantum of everything coarse.
constexpr RealRange height_range{"m", -tallest_column, tallest_column};
constexpr RealRange thickness_range{"m", 0, tallest_column};
constexpr RealRange share{"1", 0, 1};

// 5, or { value = 5, noise = 2, noise_size = 100, map = "w.png", scale = 6 }.
LengthRule read_length(const SceneNode& node, const std::string& key, const RealRange& range) {
  LengthRule rule;
  rule.where = node.where;
  if (node.kind != SceneNode::Kind::table) {
    rule.value = read_real(node, key, range);
    return rule;
  }
  SceneKeys keys;
  add_real(keys, "value", rule.value, range);
  add_real(keys, "noise", rule.noise, thickness_range);
  add_real(keys, "noise_size", rule.noise_size, above_zero);
  add_text(keys, "map", rule.map);
  add_real(keys, "scale", rule.scale, length_range);
  read_table(node, key, keys);
  return rule;
}

void need(bool given, const SceneNode& node, const char* what, const char* expected) {
  if (!given) throw UsageError(text(node.where, ": ", what, ": expected ", expected));
}

// ---- materials

void set_preset(const SceneNode& node, const std::string& name, MaterialSettings& settings) {
  const NamedMaterial* preset = find_material_preset(name);
  if (preset == nullptr)
    throw UsageError(text(node.where, ": like = '", name, "': expected one of the presets",
                          did_you_mean(name, material_preset_names())));
  settings.material = preset->material;
  settings.dust = preset->dust;
}

const MaterialSettings* find_material(const LayerRules& rules, const std::string& name) {
  for (const MaterialSettings& known : rules.materials)
    if (known.material.name == name) return &known;
  return nullptr;
}

// Keys that it does not have stay as they were said before, as in a file of materials.
MaterialSettings read_material(const SceneNode& node, const LayerRules& rules) {
  MaterialSettings settings;
  const SceneNode* name = node.find("name");
  need(name != nullptr, node, "material", "name = \"…\"");
  const std::string called = read_text(*name, "name");
  if (called == void_name || called.empty())
    throw UsageError(text(node.where, ": material: name = '", called, "': expected another name"));
  if (const SceneNode* like = node.find("like"))
    set_preset(*like, read_text(*like, "like"), settings);
  else if (const MaterialSettings* known = find_material(rules, called))
    settings = *known;
  else if (find_material_preset(called) != nullptr)
    set_preset(*name, called, settings);
  settings.where = node.where;
  Material& m = settings.material;
  SceneKeys keys;
  keys["like"] = [](const SceneNode&) {};
  add_text(keys, "name", m.name);
  add_real(keys, "talus", m.talus, {"deg", 0, 89});
  add_real(keys, "strength", m.strength, share);
  add_real(keys, "ceiling", m.ceiling, {"m/s", 0, 1000});
  add_text(keys, "dust", settings.dust);
  add_flag(keys, "loose", m.loose);
  keys["colour"] = [&](const SceneNode& n) { m.colour = read_colour(n); };
  add_real(keys, "density", m.density, {"kg/m3", 1, 30000});
  add_real(keys, "cohesion", m.cohesion, {"Pa", 0, 1e9});
  add_real(keys, "erodibility", m.erodibility, {"1", 0, 1000});
  add_flag(keys, "coarse", m.coarse);
  add_flag(keys, "fluid", m.fluid);
  add_real(keys, "melting", m.melting, {"1", 0, 1000});
  read_table(node, "material", keys);
  return settings;
}

void add_material(LayerRules& rules, MaterialSettings settings) {
  for (MaterialSettings& known : rules.materials)
    if (known.material.name == settings.material.name) {
      known = std::move(settings);
      return;
    }
  rules.materials.push_back(std::move(settings));
}

// ---- rules

LayerRule read_layer(const SceneNode& node, const char* what, bool may_fill) {
  LayerRule layer;
  layer.where = node.where;
  SceneKeys keys;
  add_text(keys, "material", layer.material);
  keys["thickness"] = [&](const SceneNode& n) {
    layer.thickness = read_length(n, "thickness", thickness_range);
  };
  if (may_fill)
    keys["up_to"] = [&](const SceneNode& n) { layer.up_to = read_real(n, "up_to", height_range); };
  read_table(node, what, keys);
  need(!layer.material.empty(), node, what, "material = \"…\"");
  const bool thick = node.find("thickness") != nullptr;
  need(thick != layer.up_to.has_value(), node, what,
       may_fill ? "thickness = metres or up_to = height" : "thickness = metres");
  return layer;
}

void read_strata(const SceneNode& node, StrataRules& strata) {
  SceneKeys keys;
  keys["top"] = [&](const SceneNode& n) { strata.top = read_real(n, "top", height_range); };
  add_real(keys, "dip", strata.dip, {"deg", 0, 80});
  add_real(keys, "dip_direction", strata.dip_direction, {"deg", -360, 360});
  keys["fold"] = [&](const SceneNode& n) { strata.fold = read_length(n, "fold", height_range); };
  add_flag(keys, "repeat", strata.repeat);
  keys["bed"] = [&](const SceneNode& n) {
    strata.beds.clear();
    read_each(n, "terrain.strata.bed", [&](const SceneNode& item) {
      strata.beds.push_back(read_layer(item, "bed", false));
    });
  };
  read_table(node, "strata", keys);
  need(!strata.beds.empty(), node, "strata", "a [[terrain.strata.bed]]");
}

FaultRule read_fault(const SceneNode& node) {
  FaultRule fault;
  fault.where = node.where;
  SceneKeys keys;
  keys["at"] = [&](const SceneNode& n) {
    check_pair(n, "at", "[x, y] in metres");
    fault.x = read_real(n.items[0], "at", length_range);
    fault.y = read_real(n.items[1], "at", length_range);
  };
  add_real(keys, "strike", fault.strike, {"deg", -360, 360});
  add_real(keys, "throw", fault.drop, height_range);
  read_table(node, "fault", keys);
  need(node.find("at") != nullptr, node, "fault", "at = [x, y] in metres");
  need(node.find("throw") != nullptr, node, "fault", "throw = metres");
  return fault;
}

LensRule read_lens(const SceneNode& node) {
  LensRule lens;
  lens.where = node.where;
  SceneKeys keys;
  add_text(keys, "material", lens.material);
  keys["at"] = [&](const SceneNode& n) { lens.at = read_point(n, "at", length_range); };
  keys["size"] = [&](const SceneNode& n) { lens.size = read_point(n, "size", above_zero); };
  read_table(node, "lens", keys);
  need(!lens.material.empty(), node, "lens", "material = \"…\"");
  need(node.find("at") != nullptr && lens.size[0] > 0, node, "lens",
       "at = [x, y, height] and size = [x, y, z] in metres");
  return lens;
}

StampRule read_stamp(const SceneNode& node) {
  StampRule stamp;
  stamp.where = node.where;
  SceneKeys keys;
  add_text(keys, "material", stamp.material);
  add_text(keys, "map", stamp.map);
  add_real(keys, "from", stamp.from, thickness_range);
  add_real(keys, "to", stamp.to, thickness_range);
  read_table(node, "stamp", keys);
  need(!stamp.material.empty(), node, "stamp", "material = \"…\"");
  need(!stamp.map.empty(), node, "stamp", "map = \"picture.png\"");
  need(stamp.to > stamp.from, node, "stamp", "depths from and to, in metres, to below from");
  return stamp;
}

CaveRule read_cave(const SceneNode& node) {
  CaveRule cave;
  cave.where = node.where;
  SceneKeys keys;
  keys["at"] = [&](const SceneNode& n) { cave.path = {read_point(n, "at", length_range)}; };
  keys["path"] = [&](const SceneNode& n) {
    checked_list(n, "path", 0, "[[x, y, height], …] in metres");
    cave.path.clear();
    for (const SceneNode& item : n.items)
      cave.path.push_back(read_point(item, "path", length_range));
  };
  add_real(keys, "radius", cave.radius, above_zero);
  add_real(keys, "height", cave.height, above_zero);
  keys["wider"] = [&](const SceneNode& n) { cave.wider = read_length(n, "wider", length_range); };
  read_table(node, "cave", keys);
  need(!cave.path.empty(), node, "cave", "at = [x, y, height] or path = [[x, y, height], …]");
  need(cave.radius > 0, node, "cave", "radius = metres");
  return cave;
}

template <class Rule>
void add_list(SceneKeys& keys, const char* key, std::vector<Rule>& rules,
              Rule (*read)(const SceneNode&)) {
  keys[key] = [&rules, key, read](const SceneNode& n) {
    rules.clear();
    read_each(n, text("terrain.", key),
              [&](const SceneNode& item) { rules.push_back(read(item)); });
  };
}

}  // namespace

void add_layer_keys(SceneKeys& keys, LayerRules& rules) {
  keys["bedrock"] = [&](const SceneNode& n) {
    rules.bedrock = read_text(n, "bedrock");
    rules.bedrock_where = n.where;
  };
  keys["bottom"] = [&](const SceneNode& n) { rules.bottom = read_real(n, "bottom", height_range); };
  add_real(keys, "quantum", rules.quantum, {"m", 1e-6, 1000});
  keys["strata"] = [&](const SceneNode& n) { read_strata(n, rules.strata); };
  add_list(keys, "fault", rules.faults, read_fault);
  add_list(keys, "lens", rules.lenses, read_lens);
  add_list(keys, "stamp", rules.stamps, read_stamp);
  add_list(keys, "cave", rules.caves, read_cave);
  keys["layer"] = [&](const SceneNode& n) {
    rules.layers.clear();
    read_each(n, "terrain.layer", [&](const SceneNode& item) {
      rules.layers.push_back(read_layer(item, "layer", true));
    });
  };
  keys["boreholes"] = [&](const SceneNode& n) {
    rules.boreholes.emplace();
    rules.boreholes->where = n.where;
    if (n.kind != SceneNode::Kind::table) {
      rules.boreholes->file = read_text(n, "boreholes");
      return;
    }
    SceneKeys own;
    add_text(own, "file", rules.boreholes->file);
    add_flag(own, "map_coordinates", rules.boreholes->map_coordinates);
    read_table(n, "boreholes", own);
    need(!rules.boreholes->file.empty(), n, "boreholes", "file = \"cores.csv\"");
  };
}

void read_materials(const SceneNode& list, LayerRules& rules) {
  std::set<std::string> names;
  read_each(list, "material", [&](const SceneNode& item) {
    MaterialSettings settings = read_material(item, rules);
    if (!names.insert(settings.material.name).second)
      throw UsageError(text(settings.where, ": material '", settings.material.name,
                            "' is described twice: expected once"));
    add_material(rules, std::move(settings));
  });
}

void read_materials_file(const SceneNode& node, const std::filesystem::path& folder,
                         LayerRules& rules) {
  rules.materials_file = read_text(node, "materials");
  const std::filesystem::path path = folder / rules.materials_file;
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw Error(text(node.where, ": ", path.string(), ": no such file"));
  const SceneNode root = parse_toml(io::read_file(path), path.string());
  SceneKeys keys;
  keys["material"] = [&](const SceneNode& n) { read_materials(n, rules); };
  read_table(root, "materials", keys);
}

}  // namespace scree
