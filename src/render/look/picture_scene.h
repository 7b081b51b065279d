// What is in a picture, as plain data: it comes from a run, a file or a viewer alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/mesh.h"
#include "render/look/relief.h"

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

// Flat, upright faces of a mesh that a saw has left, with what columns along them are made of:
// there it is known at every place, and vertices' colours do not count.
struct Sawn {
  struct Material {
    Mesh::Colour colour{};  // the fourth is 255 of what is loose, 127 of rock with beds
    bool water = false;
  };
  struct Part {
    float top = 0;                // height, metres
    float before = 0, after = 0;  // the same midway to the columns on both sides
    std::uint32_t material = 0;   // number in the table, from 1 on; 0: nothing
  };
  struct Column {
    float along = 0;          // metres from where the face begins
    std::uint32_t first = 0;  // of its parts, from the lowest up, to where the next one's begin
  };
  struct Face {
    double from_x = 0, from_y = 0, to_x = 0, to_y = 0;  // in the mesh's metres
    std::uint32_t first = 0, count = 0;                 // of its columns, in order
  };
  std::vector<Face> faces = {};
  std::vector<Column> columns = {};  // of all faces, and one more, where the last one's parts end
  std::vector<Part> parts = {};
  std::vector<Material> materials = {};
  double bottom = 0;                         // of the lowest parts, metres
  std::vector<std::uint8_t> of_vertex = {};  // number of its face, from 1 on; 0: on none
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
