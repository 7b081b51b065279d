#include "terrain/layers/materials.h"

#include <algorithm>

namespace scree {
namespace {

// Talus angles of soils are their angles of repose; rock stands steeper, and what breaks off it is
// loose. Densities, cohesion of rock in bending and cliffs after common tables of engineering
// geology (orders of magnitude).
std::vector<NamedMaterial> made() {
  std::vector<NamedMaterial> all;
  const auto add = [&](const char* name, double talus, double strength, const char* dust,
                       std::array<std::uint8_t, 3> colour, double density, double cohesion,
                       double erodibility) -> Material& {
    Material m;
    m.name = name;
    m.talus = talus;
    m.strength = strength;
    m.colour = colour;
    m.density = density;
    m.cohesion = cohesion;
    m.erodibility = erodibility;
    return all.emplace_back(NamedMaterial{m, dust}).material;
  };
  add("granite", 78, 0.02, "sand", {150, 140, 136}, 2700, 8e6, 0.02);
  add("sandstone", 68, 0.1, "sand", {196, 142, 92}, 2300, 2.5e6, 0.15);
  add("limestone", 72, 0.08, "dust", {205, 196, 172}, 2500, 4e6, 0.1);
  add("shale", 48, 0.4, "clay", {110, 104, 106}, 2400, 6e5, 0.5);
  Material& sand = add("sand", 34, 0.9, "", {222, 190, 130}, 1700, 0, 1.5);
  sand.loose = sand.coarse = true;
  add("loam", 38, 0.7, "", {128, 92, 60}, 1600, 1.5e4, 1).loose = true;
  add("clay", 42, 0.6, "", {168, 104, 78}, 1900, 4e4, 0.7).loose = true;
  add("mud", 12, 1, "", {96, 74, 54}, 1500, 0, 2).loose = true;
  Material& ice = add("ice", 60, 0.2, "", {224, 238, 246}, 917, 1e6, 0.3);
  ice.melting = 1;
  add("dust", 31, 0.95, "", {180, 158, 134}, 1400, 0, 2).loose = true;
  Material& water = add("water", 0, 1, "", {64, 118, 160}, 1000, 0, 0);
  water.loose = water.fluid = true;
  return all;
}

}  // namespace

const std::vector<NamedMaterial>& material_presets() {
  static const std::vector<NamedMaterial> all = made();
  return all;
}

std::vector<std::string> material_preset_names() {
  std::vector<std::string> names;
  for (const NamedMaterial& preset : material_presets()) names.push_back(preset.material.name);
  return names;
}

const NamedMaterial* find_material_preset(const std::string& name) {
  const auto& all = material_presets();
  const auto found = std::find_if(all.begin(), all.end(), [&](const NamedMaterial& preset) {
    return preset.material.name == name;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace scree
