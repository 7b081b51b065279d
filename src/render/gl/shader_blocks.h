// Inside render: what shader/frame.glsl and shader/land.glsl declare, member by member.
#pragma once

#include "render/ground/ground_maps.h"
#include "render/look/camera.h"
#include "render/look/materials.h"
#include "render/look/sky.h"

namespace scree::render {

struct Vec4 {
  float x = 0;
  float y = 0;
  float z = 0;
  float w = 0;
};

struct FrameBlock {
  Vec4 eye, across, upward, forward, project_right, project_up, part;
  Vec4 sun, sun_light, sky_light, sky_even, sky_east, sky_north, sky_up, sky_level, air, block;
};

struct LandBlock {
  Vec4 cells, light_map, heights, water_look;
  Vec4 rock, rock_dark, rock_warm, scree, soil, soil_high, sand, plain;
};

// Part of a picture, in its pixels.
struct Window {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
};

// Middle and half size of a part of a picture of so many pixels, -1 to 1.
Vec4 part_of(int width, int height, const Window& window);

// width and height are the whole picture's, samples those along a pixel's side; the block's extent
// is left to whoever knows what is shown.
FrameBlock frame_block(const View& view, const Look& look, const Sky& sky, int width, int height,
                       const Window& window, int samples);

LandBlock land_block(const GroundMaps& maps, const Look& look);

}  // namespace scree::render
