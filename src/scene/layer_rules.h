// What a scene says of a terrain of layers, as plain data: materials, beds, lenses, caves,
// boreholes.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "terrain/layers/layers.h"

namespace scree {

// A material as a scene sets it: by name, over the preset of that name or over another one.
struct MaterialSettings {
  Material material;
  std::string dust;  // by name; empty: it stays what it is
  std::string where;
};

// Metres that may vary from place to place: value + noise (up and down) + map * scale.
struct LengthRule {
  double value = 0;
  double noise = 0;
  double noise_size = 0;  // metres; 0: as a generator chooses
  std::string map;        // a picture (0 … 1) or a raster
  double scale = 1;
  std::string where;
};

struct LayerRule {
  std::string material;
  LengthRule thickness;
  std::optional<double> up_to;
  std::string where;
};

struct StrataRules {
  std::optional<double> top;  // none: the highest ground
  double dip = 0;             // degrees
  double dip_direction = 90;  // towards which they fall, degrees clockwise from north
  LengthRule fold;
  bool repeat = false;
  std::vector<LayerRule> beds;  // from the top down
};

struct FaultRule {
  double x = 0, y = 0;
  double strike = 0;  // degrees clockwise from north
  double drop = 0;    // of what lies to its right, metres
  std::string where;
};

struct LensRule {
  std::string material;
  std::array<double, 3> at{}, size{};
  std::string where;
};

struct StampRule {
  std::string material, map;
  double from = 0, to = 0;
  std::string where;
};

struct CaveRule {
  std::vector<std::array<double, 3>> path;
  double radius = 0, height = 0;  // height: of a chamber, floor to ceiling; 0: twice the radius
  LengthRule wider;
  std::string where;
};

struct BoreholeRules {
  std::string file;
  bool map_coordinates = false;  // x and y are of the ground's coordinate system
  std::string where;
};

struct LayerRules {
  std::string materials_file;
  std::vector<MaterialSettings> materials;  // of the file, then of the scene
  std::string bedrock = "granite";
  std::string bedrock_where;
  std::optional<double> bottom;  // none: below the lowest ground by a tenth of the relief
  double quantum = 0;            // metres; 0: chosen from the relief
  StrataRules strata;
  std::vector<FaultRule> faults;
  std::vector<LensRule> lenses;
  std::vector<LayerRule> layers;  // on the ground, from the bottom up
  std::vector<StampRule> stamps;
  std::vector<CaveRule> caves;
  std::optional<BoreholeRules> boreholes;
};

}  // namespace scree
