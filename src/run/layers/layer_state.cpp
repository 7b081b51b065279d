#include "run/layers/layer_state.h"

#include <utility>

#include "base/error.h"
#include "device/field.h"
#include "process/heights/flux_edges.h"

namespace scree {
namespace {

std::vector<std::string> texts_of(const io::CheckpointReader& file, const std::string& prefix) {
  std::vector<std::string> texts(static_cast<std::size_t>(file.integer(prefix + ".count")));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string name = text(prefix, ".", i);
    texts[i].resize(file.size(name));
    file.read(name, texts[i].data(), texts[i].size());
  }
  return texts;
}

std::vector<std::uint32_t> words_of(const io::CheckpointReader& file) {
  std::vector<std::uint32_t> words(file.size("layers.words") / sizeof(std::uint32_t));
  file.read("layers.words", words.data(), words.size() * sizeof words[0]);
  return words;
}

std::string state_name(const std::string& process, const std::string& array) {
  return "state." + process + "." + array;
}

}  // namespace

void restore_layers(const BlockReader& file, LayerSimulation& simulation) {
  if (!holds_layers(file)) throw Error(text(file.title(), ": expected a checkpoint of layers"));
  restore_state(simulation, file);
}

bool holds_layers(const BlockReader& file) { return file.has("layers.words"); }

Layers read_layers(const io::CheckpointReader& file, const device::DevicePtr& device) {
  LayerShape shape;
  shape.width = static_cast<int>(file.integer("width"));
  shape.height = static_cast<int>(file.integer("height"));
  shape.dx = file.real("layers.dx");
  shape.dy = file.real("layers.dy");
  shape.quantum = file.real("layers.quantum");
  shape.datum = file.real("layers.datum");
  const auto is_set = [&](const std::string& name) {  // files of old have not all of them
    return file.has(name) && file.integer(name) != 0;
  };
  shape.wrap_x = is_set("layers.wrap_x");
  shape.wrap_y = is_set("layers.wrap_y");
  std::vector<Material> materials;
  for (const std::string& name : texts_of(file, "material")) {
    const std::size_t number = materials.size();
    Material& material = materials.emplace_back();
    material.name = name;
    file.read(text("material.", number, ".colour"), material.colour.data(), 3);
    material.fluid = is_set(text("material.", number, ".fluid"));
    material.loose = is_set(text("material.", number, ".loose"));
    const std::string melting = text("material.", number, ".melting");
    if (file.has(melting)) material.melting = file.real(melting);
  }
  Layers layers(device, shape, std::move(materials));
  layers.set_words(words_of(file));
  return layers;
}

std::optional<WaterVelocity> read_velocity(const io::CheckpointReader& file) {
  if (!file.has(state_name("water", "water")) || !file.has(state_name("water", "flux.x")))
    return {};
  const Grid grid = device::make_grid(
      static_cast<int>(file.integer("width")), static_cast<int>(file.integer("height")),
      static_cast<float>(file.real("layers.dx")), static_cast<float>(file.real("layers.dy")));
  std::vector<std::int32_t> water(file.size("state.water.water") / sizeof(std::int32_t));
  file.read("state.water.water", water.data(), water.size() * sizeof water[0]);
  std::vector<std::vector<float>> fluxes;
  for (const FluxEdges& edges : flux_edges) {
    std::vector<float>& all = fluxes.emplace_back();
    const std::string block = state_name("water", edges.field);
    if (!file.has(block)) continue;
    std::vector<float> kept(file.size(block) / sizeof(float));
    file.read(block, kept.data(), kept.size() * sizeof kept[0]);
    all.assign(device::cells_allocated(grid), 0.0F);
    std::size_t next = 0;
    each_edge(grid, edges, [&](std::size_t i) { all[i] = kept.at(next++); });
  }
  return water_velocity(
      grid,
      {std::move(fluxes[0]), std::move(fluxes[1]), std::move(fluxes[2]), std::move(fluxes[3])},
      water);
}

}  // namespace scree
