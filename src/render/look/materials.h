// What ground is made of in a beauty picture: colours of rock, scree, soil, sand and snow.
#pragma once

#include "render/look/colour.h"

namespace scree::render {

// Albedos in sRGB, as a painter writes them.
struct MaterialStyle {
  unsigned rock;       // steep faces
  unsigned rock_dark;  // every other bed of it
  unsigned rock_warm;  // thin beds between
  unsigned scree;      // broken rock below them
  unsigned soil;       // gentle ground
  unsigned soil_high;  //   and higher up
  unsigned sand;       // what water has laid down
  float strata;        // 0 to 1, how strongly the beds of the rock show
  float beds;          // how many of them over the relief
  float snow;          // height, as a share of the palette's, above which snow lies; above 1: none
  float drift;         // 1 where sand lies on all low and level ground, in dunes; else 0
  float grass;         // 1 where grass grows on damp soil; else 0
};

const MaterialStyle& material_style(Palette palette);

// Where snow lies follows from how mountainous a land is too: this is `line`, a share of the
// palette's heights, for mountains, higher for hills and out of reach for what is low or gentle.
// relief: between the palette's ends, metres. mean_slope: tangent.
float snow_line(float line, float relief, float mean_slope);

}  // namespace scree::render
