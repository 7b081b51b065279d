// Fields and levels that the tests of blocks share.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernel/common/random.h"
#include "surface/blocks/blocks.h"

namespace scree::surface::block_fields {

// A number in [0, 1) for a sample of the n-th field.
inline double noise(uint n, int x, int y, int z) {
  return static_cast<double>(draw(cell_hash(mix_seed(n, static_cast<uint>(z), 9), x, y), 1));
}

// Noise between samples: x, y and z in lattice cells.
inline double smooth(uint n, double x, double y, double z) {
  const auto low = [](double a) { return static_cast<int>(std::floor(a)); };
  double sum = 0;
  for (int k = 0; k < 8; ++k) {
    double weight = 1;
    const std::array<double, 3> at{x, y, z};
    for (std::size_t d = 0; d < 3; ++d) {
      const double t = at[d] - low(at[d]), eased = t * t * (3 - 2 * t);
      weight *= (k >> d & 1) != 0 ? eased : 1 - eased;
    }
    sum += weight * noise(n, low(x) + (k & 1), low(y) + (k >> 1 & 1), low(z) + (k >> 2));
  }
  return sum;
}

template <class F>
std::vector<float> sampled(const Lattice& l, F&& field) {
  std::vector<float> values;
  values.reserve(l.samples());
  for (int z = 0; z < l.nz; ++z)
    for (int y = 0; y < l.ny; ++y)
      for (int x = 0; x < l.nx; ++x) values.push_back(static_cast<float>(field(x, y, z)));
  return values;
}

// Rough, smooth, flat and alternating fields in small volumes of any shape.
inline Lattice random_lattice(uint n) {
  const auto side = [&](int k) { return 1 + static_cast<int>(noise(n, k, 0, 0) * 14); };
  return {side(1), side(2), side(3), 1, 2, 0.5F, 10, 0, 0};
}
inline std::vector<float> random_field(uint n, const Lattice& l) {
  return sampled(l, [&](int x, int y, int z) {
    switch (n % 4) {
      case 0:
        return noise(n, x, y, z);
      case 1:
        return noise(n, x / 4, y / 4, z / 4);
      case 2:
        return noise(n, x, y, z) < 0.5 ? 0.5 : 0.0;
      default:
        return static_cast<double>((x + y + z) % 2);
    }
  });
}

inline std::vector<std::uint8_t> random_levels(const BlockGrid& grid, uint n) {
  std::vector<std::uint8_t> levels(grid.count());
  for (std::size_t i = 0; i < levels.size(); ++i)
    levels[i] =
        static_cast<std::uint8_t>(noise(n, static_cast<int>(i), 3, 5) * (grid.most_level() + 1));
  return grid.eased(levels);
}
inline BlockGrid random_grid(uint n, const Lattice& l, int size) {
  BlockGrid grid(l, size);
  grid.set_levels(random_levels(grid, n));
  return grid;
}

}  // namespace scree::surface::block_fields
