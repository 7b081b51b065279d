#include "words/input_field.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "base/suggest.h"
#include "commands/fields.h"
#include "terrain/heights/derive.h"

namespace scree::cli {
namespace {

HeightView view_of(const Raster& raster) {
  return {raster.values.data(), raster.width, raster.height, raster.dx, raster.dy};
}

std::vector<float> speed_of(const MeshInput& input) {
  WaterVelocity velocity = input.velocity();
  for (std::size_t i = 0; i < velocity.east.size(); ++i)
    velocity.east[i] = std::hypot(velocity.east[i], velocity.north[i]);
  return std::move(velocity.east);
}

std::vector<std::string> known_fields(const MeshInput& input, std::vector<std::string> names) {
  for (const char* derived : {"height", "slope", "curvature"}) names.emplace_back(derived);
  if (input.velocity)
    for (const char* derived : {"velocity", "velocity.east", "velocity.north"})
      names.emplace_back(derived);
  for (const auto& [name, normalised] : input.fields)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

}  // namespace

InputField input_field(const std::string& what, const std::string& name, const MeshInput& input,
                       const std::vector<std::string>& others) {
  std::error_code error;
  if (input.has(name))
    return {input.field(name), input.fields.at(name) ? std::string() : unit_of(name)};
  if (name == "height") return {input.raster.values, "m"};
  if (name == "slope") return {slope_degrees(view_of(input.raster)), unit_of(name)};
  if (name == "curvature") return {curvature(view_of(input.raster)), unit_of(name)};
  if (name == "velocity" && input.velocity) return {speed_of(input), unit_of(name)};
  if ((name == "velocity.east" || name == "velocity.north") && input.velocity)
    return {input.velocity().along(name), unit_of(name)};
  if (std::filesystem::is_regular_file(name, error)) return {read_field(name, input.raster), ""};
  const std::vector<std::string> known = known_fields(input, others);
  throw UsageError(text(what, " '", name, "': expected a raster, or of ", input.file, " ",
                        fmt::format("{}", fmt::join(known, ", ")), did_you_mean(name, known)));
}

}  // namespace scree::cli
