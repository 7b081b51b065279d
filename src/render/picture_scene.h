// What is in a picture, as plain data: it comes from a run, a file or a viewer alike.
#pragma once

#include <string>
#include <vector>

#include "render/relief.h"

namespace scree::render {

// A heightfield and what is known of its cells: width x height each, row 0 north, metres; only bed
// must be there. NaN in bed is nodata. In the picture x = y = 0 is the middle and z is the height.
struct Ground {
  int width = 0;
  int height = 0;
  double dx = 1;
  double dy = 1;
  std::vector<float> bed = {};
  std::vector<float> water = {};       // depth
  std::vector<float> sediment = {};    // suspended: clouds the water
  std::vector<float> deposit = {};     // laid down, in any unit
  std::vector<float> wear = {};        // worn away, in any unit
  std::vector<float> flow = {};        // 0 to 1: where water gathers
  std::vector<float> velocity_x = {};  // of the water, m/s eastward
  std::vector<float> velocity_y = {};  //   and northward
  std::string name = "picture";        // for messages: a file, an output

  ReliefInput as_relief() const {
    ReliefInput input{width, height, dx, dy, bed, water, sediment, deposit, wear};
    return input;
  }
};

// What stands or runs on a vertex of a mesh, whose colour is then that of the ground below.
struct WaterOn {
  float cover = 0;  // 0 to 1
  float depth = 0;  // metres
  float east = 0;   // its velocity, m/s
  float north = 0;
};

// Sun, air and taste.
struct Look {
  double sun_azimuth = 300;   // degrees clockwise from north
  double sun_altitude = 34;   // degrees above the horizon
  double sun_softness = 1.6;  // degrees over which a shadow's edge fades
  double haze = 1;            // 0: none, as in a vacuum
  double exposure = 1;        // 2: twice the light
  double exaggeration = 1;    // of heights
  double grain = 0;           // metres: cells of the land that a mesh is of; 0: it is one stone
  ReliefOptions relief = {};  // palette, tints and water, as the map of the same land has them
};

}  // namespace scree::render
