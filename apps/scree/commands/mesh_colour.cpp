#include "commands/mesh_colour.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/suggest.h"
#include "io/mesh/mesh.h"
#include "render/look/relief.h"
#include "scene/output.h"
#include "words/input_field.h"

namespace scree::cli {
namespace {

bool is_relief(const ColourWords& words) {
  return words.colour.empty() || words.colour == "relief";
}

// ---- as in a shaded relief

std::string palette_name(render::Palette palette) {
  for (const auto& [name, known] : render::palettes())
    if (known == palette) return name;
  return {};
}

render::LandColours land_of(const MeshInput& input, const render::ReliefOptions& options,
                            std::vector<std::string>& from) {
  const auto values = [&](const char* name, bool in_its_unit) {
    const bool there = in_its_unit ? input.has_plain(name) : input.has(name);
    if (there) from.emplace_back(name);
    return there ? input.field(name) : std::vector<float>{};
  };
  // What was worn and laid down is shown relative to the most of it, so that its unit is no matter.
  const std::vector<float> water = render::with_sea(values("water", true), values("sink", true)),
                           sediment = values("sediment", true), wear = values("wear", false),
                           deposit = values("deposit", false);
  render::ReliefInput relief;
  relief.width = input.raster.width;
  relief.height = input.raster.height;
  relief.dx = input.raster.dx;
  relief.dy = input.raster.dy;
  relief.bed = input.raster.values;
  relief.water = water;
  relief.sediment = sediment;
  relief.wear = wear;
  relief.deposit = deposit;
  return render::land_colours(relief, options);
}

// The sea has no depth of its own, so that its floor stays.
void raise_to_water(const std::vector<float>& surface, MeshInput& input) {
  const std::vector<float> sink =
      input.has_plain("sink") ? input.field("sink") : std::vector<float>{};
  for (std::size_t i = 0; i < surface.size(); ++i)
    if (sink.empty() || !(sink[i] > 0)) input.raster.values[i] = surface[i];
}

// ---- in false colour

struct ShownField {
  std::vector<float> values;
  std::string unit;
  render::FieldOptions options;
};

ShownField field_of(const std::string& name, const MeshInput& input) {
  InputField field = input_field("--colour", name, input, {"none", "relief"});
  ShownField shown{std::move(field.values), std::move(field.unit), {}};
  if (name == "curvature") shown.options.map = render::ColourMap::diverging;
  shown.options.logarithmic = name == "flow" && !shown.unit.empty();
  return shown;
}

void show_field(const std::string& name, const MeshInput& input, MeshColours& colours) {
  ShownField shown = field_of(name, input);
  colours.by = name;
  for (std::size_t i = 0; i < shown.values.size(); ++i)
    if (std::isnan(input.raster.values[i]))
      shown.values[i] = std::numeric_limits<float>::quiet_NaN();
  const render::FieldRange range = render::field_range(shown.values, shown.options);
  colours.low = static_cast<double>(range.low);
  colours.high = static_cast<double>(range.high);
  colours.rgb =
      render::field_picture(shown.values, input.raster.width, input.raster.height, shown.options);
  const char* map = shown.options.map == render::ColourMap::diverging ? "blue to red, 0 white"
                                                                      : "violet to yellow";
  colours.text =
      fmt::format("{}, {} to {}{}{}: {}{}", name, number(colours.low), number(colours.high),
                  shown.unit.empty() ? "" : " ", shown.unit == "1" ? "" : shown.unit, map,
                  shown.options.logarithmic ? ", by its logarithm" : "");
}

}  // namespace

void check_colour_words(const ColourWords& words, const std::string& file) {
  const auto refuse = [&](bool given, const char* option) {
    if (given)
      throw UsageError(text(option, ": ", file, ": STL holds no colours: take .glb, .obj or .ply"));
  };
  if (!io::holds_colours(file)) {
    refuse(!words.colour.empty() && words.colour != "none", "--colour");
    refuse(!words.palette.empty(), "--palette");
  }
  if (words.palette.empty()) return;
  if (!is_relief(words))
    throw UsageError(text("--palette '", words.palette,
                          "': expected --colour relief beside it, found ", words.colour));
  std::vector<std::string> names;
  for (const auto& [name, unused] : render::palettes()) names.push_back(name);
  if (render::palettes().count(words.palette) == 0)
    throw UsageError(text("--palette '", words.palette, "': expected ",
                          fmt::format("{}", fmt::join(names, ", ")),
                          did_you_mean(words.palette, names)));
}

// A relief holds its five fields, the surface, its cover and depth, and a list of cells that are
// looked at; a field itself and a copy. Colours are 3 bytes.
std::size_t colour_bytes(const ColourWords& words) {
  if (words.colour == "none" && !words.water) return 0;
  return is_relief(words) || words.water ? 48 : 16;
}

MeshColours make_colours(const ColourWords& words, const std::string& file, MeshInput& input) {
  if (words.water && !input.has_plain("water"))
    throw UsageError(text("--water: ", input.file,
                          " tells of no water: take a checkpoint, or a run that writes the field "
                          "water"));
  MeshColours colours;
  const bool wanted = words.colour != "none" && io::holds_colours(file);
  colours.text = io::holds_colours(file) ? "none" : "none, since STL holds none";
  if (wanted && !is_relief(words)) show_field(words.colour, input, colours);
  if (!words.water && !(wanted && is_relief(words))) return colours;
  render::ReliefOptions options = input.relief;
  if (!words.palette.empty()) options.palette = render::palettes().at(words.palette);
  if (words.water) options.show_water = true;
  std::vector<std::string> from = {"heights"};
  render::LandColours land = land_of(input, options, from);
  if (words.water) raise_to_water(land.surface, input);
  if (!wanted || !is_relief(words)) return colours;
  colours.by = "relief";
  colours.palette = palette_name(options.palette);
  colours.rgb = std::move(land.rgb);
  colours.text = fmt::format("relief, palette {}, from {}", colours.palette, fmt::join(from, ", "));
  colours.from = std::move(from);
  return colours;
}

Json colours_json(const MeshColours& colours) {
  if (colours.rgb.empty()) return nullptr;
  Json json = {{"by", colours.by}};
  if (colours.by == "relief") {
    json["palette"] = colours.palette;
    json["from"] = colours.from;
  } else {
    json["range"] = {colours.low, colours.high};
  }
  return json;
}

}  // namespace scree::cli
