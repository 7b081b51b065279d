// Inside render: tiles of noise that rock, gravel and soil are made of. Generated, never loaded.
#pragma once

#include <cstdint>
#include <vector>

namespace scree::render {

// Square, wraps around. Four bytes a pixel: slope along x and y (128 is none), height, tone.
struct NoiseTile {
  int size = 0;
  std::vector<std::uint8_t> texels;
};

NoiseTile rock_tile(int size);    // ridged and cracked
NoiseTile gravel_tile(int size);  // stones of three sizes; tone is one a stone
NoiseTile soil_tile(int size);    // soft

}  // namespace scree::render
