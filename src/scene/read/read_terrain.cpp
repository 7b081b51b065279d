#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/units.h"
#include "scene/read/read.h"

namespace scree {
namespace {

constexpr RealRange cell_range{"m", 1e-6, 1e6};
constexpr RealRange extent_range{"m", 1e-6, 1e9};
constexpr RealRange height_range{"m", -20000, 20000};
constexpr RealRange room_range{"m", 1, 1e6};
constexpr RealRange any_number{"1", -1e30, 1e30};

BorderKind border_kind(const SceneNode& node, const std::string& key) {
  const std::string word = read_choice(node, key, {"open", "closed", "wrap", "level"});
  if (word == "open") return BorderKind::open;
  if (word == "closed") return BorderKind::closed;
  return word == "wrap" ? BorderKind::wrap : BorderKind::level;
}

void read_borders(const SceneNode& node, Borders& borders) {
  if (node.kind != SceneNode::Kind::table) {
    const BorderKind kind = border_kind(node, "borders");
    borders.west = borders.east = borders.north = borders.south = kind;
    return;
  }
  SceneKeys keys;
  keys["west"] = [&](const SceneNode& n) { borders.west = border_kind(n, "west"); };
  keys["east"] = [&](const SceneNode& n) { borders.east = border_kind(n, "east"); };
  keys["north"] = [&](const SceneNode& n) { borders.north = border_kind(n, "north"); };
  keys["south"] = [&](const SceneNode& n) { borders.south = border_kind(n, "south"); };
  read_table(node, "borders", keys);
  if ((borders.west == BorderKind::wrap) != (borders.east == BorderKind::wrap) ||
      (borders.north == BorderKind::wrap) != (borders.south == BorderKind::wrap))
    throw UsageError(
        text(node.where, ": borders: a side that wraps needs its opposite side to wrap too"));
}

// [512, 512], and "512x512" as the command line writes it.
void read_size(const SceneNode& node, TerrainSettings& terrain) {
  const std::string expected = "[width, height] in cells";
  if (node.kind == SceneNode::Kind::text) {
    const auto cross = node.text.find('x');
    if (cross != std::string::npos) {
      SceneNode list = node;
      list.kind = SceneNode::Kind::list;
      for (const std::string& part : {node.text.substr(0, cross), node.text.substr(cross + 1)}) {
        SceneNode side = node;
        const bool whole = !part.empty() && part.size() < 10 &&
                           part.find_first_not_of("0123456789") == std::string::npos;
        if (whole) {
          side.kind = SceneNode::Kind::integer;
          side.integer = std::stoll(part);
        }
        list.items.push_back(side);
      }
      return read_size(list, terrain);
    }
  }
  check_pair(node, "size", expected);
  terrain.width = static_cast<int>(read_integer(node.items[0], "size", 1, most_cells));
  terrain.height = static_cast<int>(read_integer(node.items[1], "size", 1, most_cells));
}

void read_cell(const SceneNode& node, TerrainSettings& terrain) {
  if (node.kind == SceneNode::Kind::list) {
    check_pair(node, "cell", "metres, or [dx, dy]");
    terrain.dx = read_real(node.items[0], "cell", cell_range);
    terrain.dy = read_real(node.items[1], "cell", cell_range);
  } else {
    terrain.dx = terrain.dy = read_real(node, "cell", cell_range);
  }
  terrain.extent_x = terrain.extent_y = 0;
}

void read_extent(const SceneNode& node, TerrainSettings& terrain) {
  check_pair(node, "extent", "[width, height] in metres");
  terrain.extent_x = read_real(node.items[0], "extent", extent_range);
  terrain.extent_y = read_real(node.items[1], "extent", extent_range);
  terrain.dx = terrain.dy = 0;
}

void read_height_range(const SceneNode& node, TerrainSettings& terrain) {
  check_pair(node, "height_range", "[lowest, highest] in metres");
  const HeightRange range{read_real(node.items[0], "height_range", height_range),
                          read_real(node.items[1], "height_range", height_range)};
  if (!(range.low < range.high))
    throw UsageError(text(node.where, ": height_range: expected [lowest, highest] in metres"));
  terrain.height_range = range;
}

io::SampleType sample_type(const SceneNode& node) {
  static const std::map<std::string, io::SampleType> types = {
      {"u8", io::SampleType::u8},   {"i8", io::SampleType::i8},   {"u16", io::SampleType::u16},
      {"i16", io::SampleType::i16}, {"u32", io::SampleType::u32}, {"i32", io::SampleType::i32},
      {"f32", io::SampleType::f32}, {"f64", io::SampleType::f64}};
  std::vector<std::string> names;
  names.reserve(types.size());
  for (const auto& [name, unused] : types) names.push_back(name);
  return types.at(read_choice(node, "sample", names));
}

// A number, or nan.
double read_nodata(const SceneNode& node) {
  if (node.is_number() && std::isnan(node.real)) return node.real;
  if (node.kind != SceneNode::Kind::text) return read_real(node, "nodata", {"1", -1e300, 1e300});
  try {
    return parse_number_or_nan(node.text);
  } catch (const UsageError& error) {
    throw UsageError(text(node.where, ": nodata: ", error.what()));
  }
}

void read_raw(const SceneNode& node, io::ReadOptions& read) {
  SceneKeys keys;
  keys["width"] = [&](const SceneNode& n) {
    read.width = static_cast<int>(read_integer(n, "width", 1, most_cells));
  };
  keys["height"] = [&](const SceneNode& n) {
    read.height = static_cast<int>(read_integer(n, "height", 1, most_cells));
  };
  keys["sample"] = [&](const SceneNode& n) { read.sample = sample_type(n); };
  keys["byte_order"] = [&](const SceneNode& n) {
    const std::string word = read_choice(n, "byte_order", {"little", "big"});
    read.byte_order = word == "big" ? io::ByteOrder::big : io::ByteOrder::little;
  };
  read_table(node, "raw", keys);
}

void read_mask(const SceneNode& node, MaskSettings& mask) {
  SceneKeys keys;
  keys["source"] = [&](const SceneNode& n) { mask.source = read_text(n, "source"); };
  keys["relief"] = [&](const SceneNode& n) { mask.relief = read_real(n, "relief", height_range); };
  keys["base"] = [&](const SceneNode& n) { mask.base = read_real(n, "base", height_range); };
  keys["bevel"] = [&](const SceneNode& n) { mask.bevel = read_real(n, "bevel", {"m", 0, 1e6}); };
  read_table(node, "mask", keys);
  if (mask.source.empty())
    throw UsageError(text(node.where, ": mask: expected source = \"picture.png\""));
}

MapSettings read_map(const SceneNode& node, const std::string& key) {
  MapSettings map;
  map.where = node.where;
  if (node.kind == SceneNode::Kind::table) {
    SceneKeys keys;
    keys["file"] = [&](const SceneNode& n) { map.file = read_text(n, "file"); };
    keys["scale"] = [&](const SceneNode& n) { map.scale = read_real(n, "scale", any_number); };
    keys["offset"] = [&](const SceneNode& n) { map.offset = read_real(n, "offset", any_number); };
    read_table(node, key, keys);
    if (map.file.empty()) throw UsageError(text(node.where, ": ", key, ": expected file = \"…\""));
  } else if (node.is_number()) {
    map.offset = read_real(node, key, any_number);
  } else {
    map.file = read_text(node, key);
  }
  return map;
}

void read_maps(const SceneNode& table, std::map<std::string, MapSettings>& maps) {
  SceneKeys keys;
  for (const char* name : {"erodibility", "rain", "water", "floor", "strength"})
    keys[name] = [&maps, name](const SceneNode& n) { maps[name] = read_map(n, name); };
  read_table(table, "maps", keys);
}

void refuse_both(const SceneNode& table, const std::vector<std::string>& alternatives) {
  const SceneNode* first = nullptr;
  std::string all;
  for (const std::string& key : alternatives) all += (all.empty() ? "" : ", ") + key;
  for (const std::string& key : alternatives) {
    const SceneNode* node = table.find(key);
    if (node != nullptr && first != nullptr)
      throw UsageError(text(node->where, ": ", key, ": expected only one of ", all));
    if (node != nullptr) first = node;
  }
}

// Layers lie on level ground unless something else is said.
void read_kind(const SceneNode& table, TerrainSettings& terrain) {
  const SceneNode* kind = table.find("kind");
  if (kind == nullptr) return;
  terrain.kind = read_choice(*kind, "kind", terrain_kinds());
  if (terrain.kind == "voxels")
    throw UsageError(
        text(kind->where, ": kind = \"voxels\": expected a terrain of heights or layers"));
  const bool layers = terrain.kind == "layers";
  if (layers == terrain.layers.has_value()) return;
  terrain.layers.reset();
  if (!layers) return;
  terrain.layers.emplace();
  if (!terrain.ground_given) terrain.generate.kind = "flat";
}

}  // namespace

void read_terrain(const SceneNode& table, TerrainSettings& terrain) {
  refuse_both(table, {"cell", "extent"});
  refuse_both(table, {"generate", "mask", "source"});
  SceneKeys keys;
  keys["size"] = [&](const SceneNode& n) { read_size(n, terrain); };
  keys["cell"] = [&](const SceneNode& n) { read_cell(n, terrain); };
  keys["extent"] = [&](const SceneNode& n) { read_extent(n, terrain); };
  keys["borders"] = [&](const SceneNode& n) { read_borders(n, terrain.borders); };
  keys["level"] = [&](const SceneNode& n) {
    terrain.borders.level = read_real(n, "level", height_range);
  };
  keys["sea"] = [&](const SceneNode& n) { terrain.sea = read_real(n, "sea", height_range); };
  keys["room"] = [&](const SceneNode& n) { terrain.room = read_real(n, "room", room_range); };
  keys["generate"] = [&](const SceneNode& n) {
    SceneKeys parameters;
    add_parameters(parameters, terrain.generate);
    read_table(n, "generate", parameters);
    terrain.source = TerrainSettings::Source::generate;
    terrain.ground_given = true;
  };
  keys["mask"] = [&](const SceneNode& n) {
    read_mask(n, terrain.mask);
    terrain.source = TerrainSettings::Source::mask;
    terrain.ground_given = true;
  };
  keys["source"] = [&](const SceneNode& n) {
    terrain.file = read_text(n, "source");
    terrain.source = TerrainSettings::Source::file;
    terrain.ground_given = true;
  };
  keys["height_range"] = [&](const SceneNode& n) { read_height_range(n, terrain); };
  keys["raw"] = [&](const SceneNode& n) { read_raw(n, terrain.read); };
  keys["band"] = [&](const SceneNode& n) {
    terrain.read.band = static_cast<int>(read_integer(n, "band", 1, 65535));
  };
  keys["channel"] = [&](const SceneNode& n) { terrain.read.channel = read_text(n, "channel"); };
  keys["nodata"] = [&](const SceneNode& n) { terrain.read.nodata = read_nodata(n); };
  keys["maps"] = [&](const SceneNode& n) { read_maps(n, terrain.maps); };
  read_kind(table, terrain);
  keys["kind"] = [](const SceneNode&) {};
  if (terrain.layers) add_layer_keys(keys, *terrain.layers);
  read_table(table, "terrain", keys);
}

}  // namespace scree
