#include "scene/write_outputs.h"

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "io/engine_export.h"
#include "io/picture.h"
#include "io/tiles.h"
#include "render/context.h"
#include "scene/derive.h"
#include "scene/photographer.h"

namespace scree {
namespace {

std::vector<float> output_values(const OutputSettings& output, const Heightfield& terrain) {
  std::vector<float> values;
  switch (output.kind) {
    case OutputKind::mask:
      values = mask_values(terrain, output.name);
      break;
    case OutputKind::field:
      values = terrain.values(output.name);
      break;
    default:
      values = terrain.values("bed");
  }
  if (output.normalise) normalise(values, output.name == "flow");
  return values;
}

void write_relief(const OutputSettings& output, const Heightfield& terrain,
                  const std::filesystem::path& path) {
  const auto values = [&](const char* name) {
    return terrain.has(name) ? terrain.values(name) : std::vector<float>{};
  };
  const std::vector<float> bed = values("bed"), sediment = values("sediment");
  const std::vector<float> water = render::with_sea(values("water"), values("sink"));
  const std::vector<float> deposit = values("deposit"), wear = values("wear");
  render::ReliefInput input;
  input.width = terrain.grid().width;
  input.height = terrain.grid().height;
  input.dx = static_cast<double>(terrain.grid().dx);
  input.dy = static_cast<double>(terrain.grid().dy);
  input.bed = bed;
  input.water = water;
  input.sediment = sediment;
  input.deposit = deposit;
  input.wear = wear;
  io::write_rgb_png(path, input.width, input.height, render::shaded_relief(input, output.relief));
}

std::vector<std::filesystem::path> write_heights(const OutputSettings& output,
                                                 const Heightfield& terrain,
                                                 const std::filesystem::path& path,
                                                 const PictureStart* start) {
  PictureSettings settings = output.picture;
  const render::ViewFields fields = [&](const std::string& name) {
    return field_of(terrain, name);
  };
  if (start != nullptr) render::settle_range(settings.view, fields);
  std::unique_ptr<render::OffscreenContext> context;
  if (settings.view.in_perspective() && render::OffscreenContext::current() == nullptr)
    context = std::make_unique<render::OffscreenContext>();
  settings.before = start != nullptr;
  const int width = width_of_each(settings);
  render::Ground ground = ground_of(terrain);
  ground.name = path.string();
  const PhotographerPtr now = photograph(std::move(ground), fields, true, settings, width);
  PhotographerPtr then;
  if (start != nullptr)
    then = photograph(
        start->ground, [&](const std::string&) { return start->field; }, true, settings, width);
  return write_pictures(settings, path, *now, then.get());
}

std::vector<std::filesystem::path> write_tile_files(const OutputSettings& output,
                                                    const io::Raster& raster,
                                                    const std::filesystem::path& path) {
  io::TileOptions tiles;
  tiles.tile_width = output.tile_width;
  tiles.tile_height = output.tile_height;
  tiles.overlap = output.overlap;
  tiles.flip_y = output.flip_y;
  tiles.write.format = io::format_of(path);
  return io::write_tiles(path.parent_path() / path.stem(), output.pattern, raster, tiles);
}

}  // namespace

render::Ground ground_of(const Heightfield& terrain) {
  const auto values = [&](const char* name) {
    return terrain.has(name) ? terrain.values(name) : std::vector<float>{};
  };
  render::Ground ground;
  ground.width = terrain.grid().width;
  ground.height = terrain.grid().height;
  ground.dx = static_cast<double>(terrain.grid().dx);
  ground.dy = static_cast<double>(terrain.grid().dy);
  ground.bed = values("bed");
  ground.water = render::with_sea(values("water"), values("sink"));
  ground.sediment = values("sediment");
  ground.deposit = values("deposit");
  ground.wear = values("wear");
  ground.flow = values("flow");
  normalise(ground.flow, true);
  WaterVelocity velocity = water_velocity(terrain);
  ground.velocity_x = std::move(velocity.east);
  ground.velocity_y = std::move(velocity.north);
  return ground;
}

// A mask or a field by name.
render::ViewField field_of(const Heightfield& terrain, const std::string& name) {
  for (const MaskInfo& mask : mask_list())
    if (mask.name == name) return {mask_values(terrain, name), mask.unit};
  if (name == "height") return {terrain.values("bed"), "m"};
  return {terrain.values(name), terrain.units(name).unit};
}

io::Raster framed(const io::Raster& frame, const Heightfield& terrain, std::vector<float> values) {
  io::Raster raster = frame;
  raster.values = std::move(values);
  const Grid& g = terrain.grid();
  if (g.x0 != 0 || g.y0 != 0) {
    raster.geo.present = true;
    raster.geo.transform = {g.x0 * raster.dx, raster.dx, 0, (raster.height - g.y0) * raster.dy, 0,
                            -raster.dy};
  }
  return raster;
}

std::filesystem::path output_path(const std::filesystem::path& folder, const OutputSettings& output,
                                  std::uint64_t step, std::uint64_t last_step) {
  std::filesystem::path path = folder / output.file;
  if (output.is_film()) path.replace_extension(".png");
  return output.every > 0 ? numbered(path, step, last_step, 6) : path;
}

PictureStart picture_start(const OutputSettings& output, const Heightfield& terrain) {
  PictureStart start;
  start.ground = ground_of(terrain);
  if (output.picture.view.kind == render::ViewKind::field)
    start.field = field_of(terrain, output.picture.view.field);
  return start;
}

WrittenOutput write_output(const OutputSettings& output, const Heightfield& terrain,
                           const io::Raster& frame, const std::filesystem::path& path,
                           const PictureStart* start) {
  WrittenOutput written;
  if (output.kind == OutputKind::picture) {
    written.files = write_heights(output, terrain, path, start);
    return written;
  }
  if (output.kind == OutputKind::relief) {
    write_relief(output, terrain, path);
    written.files = {path};
    return written;
  }
  const io::Raster raster = framed(frame, terrain, output_values(output, terrain));
  if (output.kind == OutputKind::tiles) {
    written.files = write_tile_files(output, raster, path);
  } else if (output.kind == OutputKind::engine) {
    const io::EngineExport plan = io::plan_export(io::engine_from_name(output.engine), raster);
    written.files = io::write_engine(path, plan);
    written.lines = plan.lines;
  } else {
    io::WriteOptions options;
    options.channel = output.kind == OutputKind::height ? "height" : output.name;
    // 0 … 1 stays 0 … 1, also where a mask is the same everywhere.
    if (output.normalise) options.range = io::HeightRange{0, 1};
    io::write_raster(path, raster, options);
    written.files = {path};
  }
  return written;
}

}  // namespace scree
