#include "run/write_outputs.h"

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "io/raster/engine_export.h"
#include "io/raster/picture.h"
#include "io/raster/tiles.h"
#include "picture/photographer.h"
#include "render/look/relief.h"
#include "terrain/heights/derive.h"

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
  io::write_picture(path, input.width, input.height, render::shaded_relief(input, output.relief));
}

std::vector<std::filesystem::path> write_tile_files(const OutputSettings& output,
                                                    const Raster& raster,
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

Raster framed(const Raster& frame, const Heightfield& terrain, std::vector<float> values) {
  Raster raster = frame;
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

WrittenOutput write_output(const OutputSettings& output, const Heightfield& terrain,
                           const Raster& frame, const std::filesystem::path& path,
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
  const Raster raster = framed(frame, terrain, output_values(output, terrain));
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
    if (output.normalise) options.range = HeightRange{0, 1};
    io::write_raster(path, raster, options);
    written.files = {path};
  }
  return written;
}

}  // namespace scree
