// What the tests of volumes share: one whose bits no format can guess.
#pragma once

#include <bit>
#include <cmath>

#include "io/file/io_test.h"
#include "io/volume/volume.h"

namespace scree::io::testing {

// Air, solid blocks and rough values between; oblong cells far from 0.
inline Volume lumps(int nx, int ny, int nz, bool materials = true) {
  Volume volume;
  volume.shape = {{nx, ny, nz}, {0.1, 0.25, 1.0 / 3}, {-1234.1, 56.7, 1e-3}};
  unsigned state = 99;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        state = state * 1664525U + 1013904223U;
        const int block = x / 8 + 2 * (y / 8) + 3 * (z / 8);
        const float rough = static_cast<float>(state >> 8) / 16777216.0F - 0.25F;
        const float value = block % 4 == 0 ? 0.0F : block % 4 == 1 ? 1.0F : rough;
        volume.density.push_back(value);
        if (materials) volume.materials.push_back(value == 1 ? 7U : value == 0 ? 0U : state);
      }
  return volume;
}

inline void expect_same_volume(const Volume& a, const Volume& b) {
  EXPECT_EQ(a.shape.size, b.shape.size);
  EXPECT_EQ(a.shape.cell, b.shape.cell);
  EXPECT_EQ(a.shape.origin, b.shape.origin);
  ASSERT_EQ(a.density.size(), b.density.size());
  for (std::size_t i = 0; i < a.density.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(a.density[i]),
              std::bit_cast<std::uint32_t>(b.density[i]))
        << "sample " << i;
  EXPECT_EQ(a.materials, b.materials);
}

}  // namespace scree::io::testing
