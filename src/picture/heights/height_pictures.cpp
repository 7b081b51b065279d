#include "picture/heights/height_pictures.h"

#include <memory>

#include "render/gl/context.h"
#include "render/ground/water.h"
#include "terrain/heights/derive.h"

namespace scree {

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

PictureStart picture_start(const OutputSettings& output, const Heightfield& terrain) {
  PictureStart start;
  start.ground = ground_of(terrain);
  if (output.picture.view.kind == render::ViewKind::field)
    start.field = field_of(terrain, output.picture.view.field);
  return start;
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

}  // namespace scree
