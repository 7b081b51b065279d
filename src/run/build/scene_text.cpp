#include "base/hash.h"
#include "run/build/build.h"

namespace scree {
namespace {

// key = value, a line each; numbers so that they read back as the same double.
class Lines {
 public:
  template <class Number>
  void add(const std::string& key, Number value) requires std::is_arithmetic_v<Number> {
    if constexpr (std::is_floating_point_v<Number>)
      words_ += key + " = " + parameter_text(static_cast<double>(value)) + "\n";
    else
      words_ += key + " = " + std::to_string(value) + "\n";
  }
  void add(const std::string& key, const std::string& value) {
    words_ += key + " = " + value + "\n";
  }
  void add(const std::string& table, const Parameters& parameters) {
    for (const ParameterInfo& info : parameters.list())
      add(table + "." + info.name, parameter_text(parameters.get(info.name)));
  }
  const std::string& words() const { return words_; }

 private:
  std::string words_;
};

void add_source(Lines& lines, const TerrainSettings& terrain) {
  switch (terrain.source) {
    case TerrainSettings::Source::generate:
      lines.add("generate", terrain.generate);
      break;
    case TerrainSettings::Source::mask:
      lines.add("mask.source", terrain.mask.source);
      lines.add("mask.relief", terrain.mask.relief);
      lines.add("mask.base", terrain.mask.base);
      lines.add("mask.bevel", terrain.mask.bevel);
      break;
    case TerrainSettings::Source::file:
      // The same file by another way is the same; another file of that name shows in its heights.
      lines.add("source", std::filesystem::path(terrain.file).filename().string());
      lines.add("source.band", terrain.read.band.value_or(0));
      lines.add("source.channel", terrain.read.channel);
      if (terrain.height_range) {
        lines.add("height_range.low", terrain.height_range->low);
        lines.add("height_range.high", terrain.height_range->high);
      }
  }
}

void add_terrain(Lines& lines, const TerrainSettings& terrain) {
  lines.add("terrain.width", terrain.width);
  lines.add("terrain.height", terrain.height);
  lines.add("terrain.dx", terrain.dx);
  lines.add("terrain.dy", terrain.dy);
  lines.add("terrain.extent_x", terrain.extent_x);
  lines.add("terrain.extent_y", terrain.extent_y);
  const Borders& b = terrain.borders;
  lines.add("terrain.west", static_cast<int>(b.west));
  lines.add("terrain.east", static_cast<int>(b.east));
  lines.add("terrain.north", static_cast<int>(b.north));
  lines.add("terrain.south", static_cast<int>(b.south));
  lines.add("terrain.level", b.level);
  if (terrain.sea) lines.add("terrain.sea", *terrain.sea);
  if (terrain.room) lines.add("terrain.room", *terrain.room);
  add_source(lines, terrain);
  for (const auto& [field, map] : terrain.maps) {
    lines.add("maps." + field, map.file);
    lines.add("maps." + field + ".scale", map.scale);
    lines.add("maps." + field + ".offset", map.offset);
  }
}

// The stacks themselves show in the hash of the terrain; what they are made of does not.
void add_materials(Lines& lines, const LayerRules& rules) {
  lines.add("bedrock", rules.bedrock);
  for (const MaterialSettings& settings : rules.materials) {
    const Material& m = settings.material;
    const std::string key = "material." + m.name;
    lines.add(key + ".dust", settings.dust);
    const std::pair<const char*, double> numbers[] = {{".talus", m.talus},
                                                      {".strength", m.strength},
                                                      {".ceiling", m.ceiling},
                                                      {".density", m.density},
                                                      {".cohesion", m.cohesion},
                                                      {".erodibility", m.erodibility},
                                                      {".melting", m.melting},
                                                      {".loose", m.loose ? 1.0 : 0.0},
                                                      {".coarse", m.coarse ? 1.0 : 0.0},
                                                      {".fluid", m.fluid ? 1.0 : 0.0}};
    for (const auto& [name, value] : numbers) lines.add(key + name, value);
  }
}

void add_process(Lines& lines, const std::string& name, const ProcessSettings& settings) {
  lines.add(name, *settings.parameters);
  lines.add(name + ".every", settings.every);
  for (const auto& [list, entries] : settings.lists)
    for (const AnyParameters& entry : entries) lines.add(list, *entry);
}

}  // namespace

// Left out: the name, how long it runs and what it writes. A run may go on for longer, or write
// more, without being another one; but what is tracked is part of the state.
std::string scene_text(const Scene& scene) {
  Lines lines;
  lines.add("seed", scene.seed);
  lines.add("dt", scene.dt);
  add_terrain(lines, scene.terrain);
  if (scene.terrain.layers) add_materials(lines, *scene.terrain.layers);
  for (const std::string& name : scene.processes.names())
    add_process(lines, name, scene.processes[name]);
  lines.add("scroll.every", scene.scroll.every);
  lines.add("scroll.east", scene.scroll.cells_east);
  lines.add("scroll.south", scene.scroll.cells_south);
  lines.add("track", static_cast<int>(tracks_masks(scene)));
  lines.add("wetness", static_cast<int>(tracks_wetness(scene)));
  return lines.words();
}

std::uint64_t scene_fingerprint(const Scene& scene) {
  const std::string words = scene_text(scene);
  return hash_bytes(words.data(), words.size());
}

std::uint64_t scene_fingerprint(const Scene& scene,
                                const std::map<std::string, std::uint64_t>& start) {
  const std::string words = scene_text(scene);
  Hash64 hash;
  hash.update(words.data(), words.size());
  for (const auto& one : start) hash.update(&one.second, sizeof one.second);
  return hash.digest();
}

}  // namespace scree
