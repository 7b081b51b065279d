// Inside render: smaller and smaller copies of a map of four numbers a cell, for what is looked at
// from afar. Made here, they are the same with every driver; and one without a GPU would compile a
// program for each kind of map that it makes them of.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "render/look/parallel.h"

namespace scree::render {

inline int halved(int length) { return std::max(1, length / 2); }

inline int mip_levels(int width, int height) {
  int levels = 1;
  for (int side = std::max(width, height); side > 1; side = halved(side)) ++levels;
  return levels;
}

// Which cells of a row of so many one of half as many covers, and how much of it each one is: of an
// odd number the borders between the new cells fall into old ones.
struct HalvedCell {
  HalvedCell(int length, int n) : first(2 * n), count(length == 1 ? 1 : 2 + length % 2) {
    if (count < 3) {
      const float share = 1 / static_cast<float>(count);
      shares = {share, share, 0};
      return;
    }
    const int half = halved(length);
    const auto share = [&](int part) {
      return static_cast<float>(part) / static_cast<float>(length);
    };
    shares = {share(half - n), share(half), share(n + 1)};
  }
  int first;
  int count;
  std::array<float, 3> shares{};
};

// The next level: means over the cells that a wider one covers.
template <class T>
std::vector<T> halved(const T* texels, int width, int height) {
  const int across = halved(width), down = halved(height);
  const auto row = 4 * static_cast<std::size_t>(width),
             half_row = 4 * static_cast<std::size_t>(across);
  std::vector<T> level(half_row * static_cast<std::size_t>(down));
  parallel_ranges(down, 0, [&](int begin, int end) {
    std::vector<float> sum(row);
    for (int y = begin; y < end; ++y) {
      const HalvedCell rows(height, y);
      std::fill(sum.begin(), sum.end(), std::is_integral_v<T> ? 0.5f : 0.0f);
      for (int n = 0; n < rows.count; ++n) {
        const T* from = texels + row * static_cast<std::size_t>(rows.first + n);
        const float share = rows.shares[static_cast<std::size_t>(n)];
        for (std::size_t i = 0; i < row; ++i) sum[i] += share * static_cast<float>(from[i]);
      }
      T* to = &level[half_row * static_cast<std::size_t>(y)];
      for (int x = 0; x < across; ++x) {
        const HalvedCell columns(width, x);
        const float* from = &sum[4 * static_cast<std::size_t>(columns.first)];
        for (std::size_t part = 0; part < 4; ++part) {
          float mean = 0;
          for (std::size_t n = 0; n < static_cast<std::size_t>(columns.count); ++n)
            mean += columns.shares[n] * from[4 * n + part];
          to[4 * static_cast<std::size_t>(x) + part] = static_cast<T>(mean);
        }
      }
    }
  });
  return level;
}

// put(level, width, height, texels) for levels 1 and on, of a map that is level 0.
template <class T, class Put>
void each_smaller_level(const T* texels, int width, int height, Put&& put) {
  std::vector<T> level;
  for (int n = 1; width > 1 || height > 1; ++n) {
    level = halved(n == 1 ? texels : level.data(), width, height);
    width = halved(width);
    height = halved(height);
    put(n, width, height, level.data());
  }
}

}  // namespace scree::render
