#include "render/gl/shader_blocks.h"

#include <algorithm>
#include <cmath>

namespace scree::render {
namespace {

constexpr double degree = 0.017453292519943295;
constexpr double film_speed = 1.12;  // at an exposure of 1

Vec4 vec4(Vec3 v, double w = 0) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z),
          static_cast<float>(w)};
}

Vec4 colour(unsigned srgb, float w = 0) {
  const Rgb c = from_srgb(srgb);
  return {c.r, c.g, c.b, w};
}

// Without exaggeration; of a fixed sample, which is enough to tell mountains from hills.
float mean_slope(const GroundMaps& maps) {
  const std::size_t cells = maps.light.size() / 4, stride = std::max<std::size_t>(1, cells / 50000);
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < cells; i += stride, ++count)
    sum += std::hypot(static_cast<double>(maps.light[4 * i]),
                      static_cast<double>(maps.light[4 * i + 1]));
  return static_cast<float>(sum / static_cast<double>(std::max<std::size_t>(count, 1))) /
         maps.exaggeration;
}

// Metres by which the forms of the land are measured that are no part of its heights: a share of
// its width, so that finer cells show the same land, but no less than half a cell.
float form_of(const GroundMaps& maps) {
  constexpr float across = 360;
  const float wide = maps.dx * static_cast<float>(maps.width),
              deep = maps.dy * static_cast<float>(maps.height);
  return std::max(std::sqrt(wide * deep) / across, 0.5f * std::min(maps.dx, maps.dy));
}

}  // namespace

Vec4 part_of(int width, int height, const Window& window) {
  const double half_x = static_cast<double>(window.width) / width,
               half_y = static_cast<double>(window.height) / height;
  return {static_cast<float>(2.0 * window.left / width - 1 + half_x),
          static_cast<float>(1 - 2.0 * window.top / height - half_y), static_cast<float>(half_x),
          static_cast<float>(half_y)};
}

FrameBlock frame_block(const View& view, const Look& look, const Sky& sky, int width, int height,
                       const Window& window, int samples) {
  FrameBlock frame;
  frame.eye = vec4(view.eye);
  frame.across = vec4(view.right * view.tan_x, window.width * samples);
  frame.upward = vec4(view.up * view.tan_y, window.height * samples);
  frame.forward = vec4(view.forward, 2 * view.tan_x / (width * samples));
  frame.project_right = vec4(view.right * (1 / view.tan_x), window.left * samples);
  frame.project_up =
      vec4(view.up * (1 / view.tan_y), (height - window.top - window.height) * samples);
  frame.part = part_of(width, height, window);
  frame.sun = vec4(sky.toward_sun(), look.sun_softness * degree);
  frame.sun_light = vec4(sky.sun_light(), look.exposure * film_speed);
  const std::array<Vec3, 5> light = sky.on_surfaces();
  frame.sky_light = vec4(light[0] + light[3] + light[4]);
  frame.sky_even = vec4(light[0], samples);
  frame.sky_east = vec4(light[1]);
  frame.sky_north = vec4(light[2]);
  frame.sky_up = vec4(light[3]);
  frame.sky_level = vec4(light[4]);
  return frame;
}

LandBlock land_block(const GroundMaps& maps, const Look& look) {
  const MaterialStyle& style = material_style(look.relief.palette);
  LandBlock land;
  const auto step = static_cast<float>(maps.light_step);
  land.cells = {static_cast<float>(maps.width), static_cast<float>(maps.height), maps.dx, maps.dy};
  land.light_map = {static_cast<float>(maps.light_width), static_cast<float>(maps.light_height),
                    maps.dx * step, maps.dy * step};
  land.heights = {maps.zero, maps.exaggeration, maps.tint_low, maps.tint_high};
  land.water_look = {maps.water_deep, look.relief.show_water ? 1.0f : 0.0f, maps.dx, 0};
  const float relief = std::max(maps.high, 1e-3f);
  land.rock = colour(style.rock, style.strata);
  land.rock_dark = colour(style.rock_dark, relief / style.beds);
  land.rock_warm = colour(style.rock_warm,
                          snow_line(style.snow, maps.tint_high - maps.tint_low, mean_slope(maps)));
  land.scree = colour(style.scree, style.grass);
  land.soil = colour(style.soil, form_of(maps));
  land.soil_high = colour(style.soil_high);
  land.sand = colour(style.sand, style.drift);
  land.plain = {maps.plain_west, maps.plain_north, maps.plain_cell, 0};
  return land;
}

}  // namespace scree::render
