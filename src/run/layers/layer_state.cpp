#include "run/layers/layer_state.h"

#include <utility>

#include "base/error.h"
#include "device/field.h"
#include "process/heights/flux_edges.h"

namespace scree {
namespace {

// PREFIX.0, PREFIX.1, … with a text each.
void add_texts(io::CheckpointWriter& file, const std::string& prefix,
               const std::vector<std::string>& texts) {
  file.add_integer(prefix + ".count", static_cast<std::int64_t>(texts.size()));
  for (std::size_t i = 0; i < texts.size(); ++i)
    file.add(text(prefix, ".", i), texts[i].data(), texts[i].size());
}

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

void add_layers(io::CheckpointWriter& file, const LayerSimulation& simulation) {
  const LayerSimulationState state = simulation.state();
  const Layers& layers = simulation.terrain();
  const LayerShape& shape = layers.shape();
  file.add_real("time", state.time);
  file.add_real("dt", state.dt);
  file.add_integer("width", shape.width);
  file.add_integer("height", shape.height);
  file.add_real("layers.dx", shape.dx);
  file.add_real("layers.dy", shape.dy);
  file.add_real("layers.quantum", shape.quantum);
  file.add_real("layers.datum", shape.datum);
  file.add_integer("layers.wrap_x", shape.wrap_x ? 1 : 0);
  file.add_integer("layers.wrap_y", shape.wrap_y ? 1 : 0);
  std::vector<std::string> names;
  for (const Material& m : layers.materials()) names.push_back(m.name);
  add_texts(file, "material", names);
  for (std::size_t m = 0; m < names.size(); ++m) {
    const Material& material = layers.materials()[m];
    file.add(text("material.", m, ".colour"), material.colour.data(), 3);
    file.add_integer(text("material.", m, ".fluid"), material.fluid ? 1 : 0);
    file.add_integer(text("material.", m, ".loose"), material.loose ? 1 : 0);
    file.add_real(text("material.", m, ".melting"), material.melting);
  }
  const std::vector<std::uint32_t> words = layers.words();
  file.add("layers.words", words.data(), words.size() * sizeof words[0]);
  names.clear();
  for (const auto& [name, quanta] : state.start) names.push_back(name);
  add_texts(file, "start", names);
  for (std::size_t i = 0; i < names.size(); ++i)
    file.add_integer(text("start.", i, ".quanta"), state.start.at(names[i]));
  for (const auto& [process, kept] : state.processes) {
    names.clear();
    for (const auto& [name, bytes] : kept.arrays()) names.push_back(name);
    add_texts(file, "arrays." + process, names);
    for (const auto& [name, bytes] : kept.arrays())
      file.add(state_name(process, name), bytes.data(), bytes.size());
  }
}

void restore_layers(const io::CheckpointReader& file, LayerSimulation& simulation) {
  if (!holds_layers(file))
    throw Error(text(file.path().string(), ": expected a checkpoint of layers"));
  simulation.terrain().set_words(words_of(file));
  LayerSimulationState state;
  state.step = static_cast<std::uint64_t>(file.integer("step"));
  state.time = file.real("time");
  state.dt = file.real("dt");
  const std::vector<std::string> names = texts_of(file, "start");
  for (std::size_t i = 0; i < names.size(); ++i)
    state.start[names[i]] = file.integer(text("start.", i, ".quanta"));
  for (const LayerProcessPtr& process : simulation.processes())
    for (const std::string& name : texts_of(file, "arrays." + process->name())) {
      const std::string block = state_name(process->name(), name);
      std::vector<unsigned char>& bytes = state.processes[process->name()].arrays()[name];
      bytes.resize(file.size(block));
      file.read(block, bytes.data(), bytes.size());
    }
  simulation.restore(state);
}

bool holds_layers(const io::CheckpointReader& file) { return file.has("layers.words"); }

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
