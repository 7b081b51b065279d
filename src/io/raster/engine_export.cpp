#include "io/raster/engine_export.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/error.h"
#include "io/raster/cells.h"
#include "io/raster/raster_write.h"
#include "io/raster/sidecar.h"

namespace scree::io {
namespace {

// Rounded for typing in: seven digits are what an engine's 32-bit fields hold.
std::string typed(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.7g", value);
  return buffer;
}

void say(EngineExport& plan, const std::string& key, double value, const std::string& line) {
  plan.values.emplace_back(key, number_text(value));
  plan.lines.push_back(line);
}

void note(EngineExport& plan, const std::string& line) { plan.lines.push_back(line); }

void resize(EngineExport& plan, int width, int height) {
  const Raster& from = plan.raster;
  if (from.width == width && from.height == height) return;
  note(plan, text("Resampled from ", from.width, " x ", from.height, " to ", width, " x ", height,
                  " cells, a size that the engine takes."));
  // A single row or column has no extent; it becomes as wide as its cell, drawn out.
  const double dx = from.width > 1 ? from.dx * (from.width - 1) / std::max(1, width - 1)
                                   : from.dx / std::max(1, width - 1);
  const double dy = from.height > 1 ? from.dy * (from.height - 1) / std::max(1, height - 1)
                                    : from.dy / std::max(1, height - 1);
  plan.raster = resample(from, width, height, Registration::nodes);
  plan.raster.dx = dx;
  plan.raster.dy = dy;
  plan.resampled = true;
}

// An engine has no nodata: such cells lie at the lowest height.
void fill_nodata(EngineExport& plan) {
  const double low = height_range(plan.raster).low;
  long long filled = 0;
  for (float& value : plan.raster.values)
    if (std::isnan(value)) {
      value = static_cast<float>(low);
      ++filled;
    }
  plan.raster.has_nodata = false;
  if (filled > 0)
    note(plan, text(filled, " nodata cells lie at the lowest height, ", typed(low), " m."));
}

// The heights of samples 0 and 65535. Flat land still needs a scale above 0.
HeightRange export_range(const Raster& raster) {
  HeightRange range = height_range(raster);
  if (!(range.low < range.high)) range.high = range.low + 1;
  return range;
}

void choose_format(EngineExport& plan, Format wanted, const char* engine,
                   std::initializer_list<Format> taken) {
  plan.format = wanted == Format::automatic ? *taken.begin() : wanted;
  if (std::find(taken.begin(), taken.end(), plan.format) != taken.end()) return;
  std::string names;
  for (const Format format : taken)
    names += text(names.empty() ? "" : " or ", extension_of(format));
  throw UsageError(
      text(engine, " imports ", names, " heightmaps, found ", extension_of(plan.format)));
}

void use_samples(EngineExport& plan) {
  plan.write.range = export_range(plan.raster);
  plan.write.reserve_nodata = ReserveNodata::never;
}

// A landscape side is components * quads + 1 vertices, at most 32 components a side (Unreal
// Engine documentation, Landscape Technical Guide). 126 quads: 2 x 2 sections of 63; 254: of 127.
int unreal_components(int cells, int quads) {
  return std::clamp((cells - 1 + quads / 2) / quads, 1, 32);
}

void plan_unreal(EngineExport& plan, Format wanted) {
  choose_format(plan, wanted, "Unreal", {Format::png16, Format::raw16});
  const int longest = std::max(plan.raster.width, plan.raster.height);
  const int quads = longest <= 4033 + 63 ? 126 : 254;
  const int across = unreal_components(plan.raster.width, quads);
  const int down = unreal_components(plan.raster.height, quads);
  resize(plan, across * quads + 1, down * quads + 1);
  fill_nodata(plan);
  use_samples(plan);
  const auto [low, high] = *plan.write.range;
  const double x = plan.raster.dx * 100;
  const double y = plan.raster.dy * 100;
  // At a Z scale of 100 the 65536 levels span 512 m; level 32768 lies at the actor's own height.
  const double z = (high - low) * 100 / 512;
  const double level = (low + 32768 * (high - low) / 65535) * 100;
  note(plan, "Unreal: Landscape mode, Manage, New, Import from File.");
  const int section = quads / 2;
  say(plan, "section_size", section, text("Section Size: ", section, " x ", section, " quads"));
  say(plan, "sections_per_component", 2, "Sections Per Component: 2 x 2 sections");
  say(plan, "components_x", across, text("Number of Components: ", across, " x ", down));
  plan.values.emplace_back("components_y", std::to_string(down));
  note(plan, text("Overall Resolution: ", plan.raster.width, " x ", plan.raster.height));
  say(plan, "location_z", level, text("Location Z: ", typed(level), " (cm)"));
  say(plan, "scale_x", x,
      text("Scale X, Y, Z: ", typed(x), ", ", typed(y), ", ", typed(z), " (X, Y in cm a quad)"));
  plan.values.emplace_back("scale_y", number_text(y));
  plan.values.emplace_back("scale_z", number_text(z));
}

// A Unity heightmap is square with 2^n + 1 samples a side; the terrain itself may be oblong.
int unity_side(int cells) {
  int best = 33;
  for (int side = 33; side <= 4097; side = side * 2 - 1)
    if (std::abs(side - cells) < std::abs(best - cells)) best = side;
  return best;
}

void plan_unity(EngineExport& plan, Format wanted) {
  choose_format(plan, wanted, "Unity", {Format::raw16});
  const int side = unity_side(std::max(plan.raster.width, plan.raster.height));
  resize(plan, side, side);
  fill_nodata(plan);
  use_samples(plan);
  plan.write.flip_rows = true;
  const auto [low, high] = *plan.write.range;
  const double width = plan.raster.dx * (side - 1);
  const double length = plan.raster.dy * (side - 1);
  note(plan, "Unity: Terrain Settings, Import Raw.");
  note(plan, "Depth: Bit 16, Byte Order: Windows");
  say(plan, "resolution", side, text("Resolution: ", side));
  note(plan, "Flip Vertically: off (the file has its southern row first, as Unity does)");
  say(plan, "terrain_width", width, text("Terrain Width (X): ", typed(width)));
  say(plan, "terrain_height", high - low, text("Terrain Height (Y): ", typed(high - low)));
  say(plan, "terrain_length", length, text("Terrain Length (Z): ", typed(length)));
  say(plan, "position_y", low, text("Transform Position Y: ", typed(low)));
}

void plan_godot(EngineExport& plan, Format wanted) {
  choose_format(plan, wanted, "Godot", {Format::exr, Format::raw16});
  const Raster& from = plan.raster;
  const double spacing = std::min(from.dx, from.dy);
  // Godot's height shapes have one spacing for both directions.
  if (std::fabs(from.dx - from.dy) > 1e-6 * spacing) {
    const int width = static_cast<int>(std::lround((from.width - 1) * from.dx / spacing)) + 1;
    const int height = static_cast<int>(std::lround((from.height - 1) * from.dy / spacing)) + 1;
    check_size("heightmap for Godot", width, height);
    resize(plan, width, height);
    plan.raster.dx = plan.raster.dy = spacing;
  }
  fill_nodata(plan);
  const bool floats = plan.format == Format::exr;
  if (!floats) use_samples(plan);
  plan.write.channel = std::string(1, 'R');
  const HeightRange range = export_range(plan.raster);
  const double scale = floats ? 1 : range.high - range.low;
  const double offset = floats ? 0 : range.low;
  note(plan, floats ? "Godot: import the EXR as an image; its red channel holds metres."
                    : "Godot: import the raw file as 16-bit little-endian samples.");
  note(plan, text("Size: ", plan.raster.width, " x ", plan.raster.height));
  say(plan, "vertex_spacing", spacing, text("Vertex spacing: ", typed(spacing), " m"));
  say(plan, "height_scale", scale, text("Height scale: ", typed(scale)));
  say(plan, "height_offset", offset, text("Height offset: ", typed(offset)));
  note(plan, text("Height range: ", typed(range.low), " to ", typed(range.high), " m"));
}

const char* name_of(Engine engine) {
  switch (engine) {
    case Engine::unity:
      return "unity";
    case Engine::godot:
      return "godot";
    case Engine::unreal:
      break;
  }
  return "unreal";
}

}  // namespace

Engine engine_from_name(const std::string& name) {
  for (const Engine engine : {Engine::unreal, Engine::unity, Engine::godot})
    if (name == name_of(engine)) return engine;
  throw UsageError(text("expected an engine out of unreal, unity, godot, found \"", name, "\""));
}

EngineExport plan_export(Engine engine, const Raster& raster, const EngineOptions& options) {
  if (raster.width < 1 || raster.height < 1 || !(raster.dx > 0) || !(raster.dy > 0))
    throw UsageError(text("an engine export needs a size and a cell size in metres, found ",
                          raster.width, " x ", raster.height, " cells of ", raster.dx, " x ",
                          raster.dy, " m"));
  EngineExport plan;
  plan.engine = engine;
  plan.raster = raster;
  if (engine == Engine::unreal) plan_unreal(plan, options.format);
  if (engine == Engine::unity) plan_unity(plan, options.format);
  if (engine == Engine::godot) plan_godot(plan, options.format);
  plan.write.format = plan.format;
  return plan;
}

std::vector<std::filesystem::path> write_engine(const std::filesystem::path& base,
                                                const EngineExport& plan) {
  std::filesystem::path file = base;
  file += extension_of(plan.format);
  JsonValues more{{"engine", json_text(name_of(plan.engine))}};
  more.insert(more.end(), plan.values.begin(), plan.values.end());
  std::string lines;
  for (const std::string& line : plan.lines)
    lines += text(lines.empty() ? "" : ", ", json_text(line));
  more.emplace_back("type_in", text("[", lines, "]"));
  write_raster_with(file, plan.raster, plan.write, more, true);
  return {file, sidecar_path(file)};
}

}  // namespace scree::io
