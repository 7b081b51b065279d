// Inside render: the air between an eye and what it sees, and the block that tells all passes of
// both.
#pragma once

#include "render/gl/shader_blocks.h"
#include "render/gl/subject.h"
#include "render/look/sky.h"

namespace scree::render {

// 1 for an eye over the land, 0 for one that has half of it between itself and the nearest rim.
double over_land(Vec3 eye, const Vec4& extent);

// Air has metres all the same: of narrow land, half as wide as this, there is less of it.
double air_of_land(double half_width);

// Whether both have the sun at one place, as wide.
bool same_sun(const Look& a, const Look& b);

FrameBlock frame_of(const Sight& sight, const Subject& subject, const Look& look, const Sky& sky,
                    int part_side);

}  // namespace scree::render
