// What layers are made of, ready to use: rocks, soils, ice and water by name.
#pragma once

#include <string>
#include <vector>

#include "terrain/layers/layers.h"

namespace scree {

// A material whose dust is known by name, before there is a table to number it in.
struct NamedMaterial {
  Material material;
  std::string dust;  // empty: it stays what it is
};

// granite, sandstone, limestone, shale, sand, loam, clay, mud, ice, dust, water.
const std::vector<NamedMaterial>& material_presets();
std::vector<std::string> material_preset_names();
// Null where there is none of that name.
const NamedMaterial* find_material_preset(const std::string& name);

// "void", which is no material, in whatever asks for one.
inline constexpr const char* void_name = "void";

}  // namespace scree
