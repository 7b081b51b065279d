// Weathering over many steps: against the naive walk, and against shapes that are known.
#include "process/voxels/weathering.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/angle.h"
#include "kernel/voxels/weather.h"
#include "surface/march/marching_cubes.h"
#include "surface/mesh/validity.h"
#include "testing.h"
#include "weathered.h"
#include "weathering_reference.h"

namespace scree {
namespace {

using Words = std::vector<std::uint32_t>;
using Inside = std::function<bool(double, double, double)>;

// Voxels whose middles are inside, about the box's middle.
Words shaped(const VoxelShape& s, const Inside& inside) {
  Words words;
  for (int z = 0; z < s.nz; ++z)
    for (int y = 0; y < s.ny; ++y)
      for (int x = 0; x < s.nx; ++x) {
        const bool rock = inside(x + 0.5 - s.nx / 2.0, y + 0.5 - s.ny / 2.0, z + 0.5 - s.nz / 2.0);
        words.push_back(rock ? voxel_word(VOXEL_FULL, 1) : 0);
      }
  return words;
}

Bubble uneven() {
  Bubble bubble;
  bubble.name = "uneven";
  for (int i = 0; i < 160; ++i) {
    const std::uint32_t h = voxel_hash(5, i, 0, 0);
    const Bubble::Offset o{static_cast<int>(h % 11) - 3, static_cast<int>((h >> 8) % 9) - 6,
                           static_cast<int>((h >> 16) % 8) - 2};
    if (std::find(bubble.offsets.begin(), bubble.offsets.end(), o) == bubble.offsets.end())
      bubble.offsets.push_back(o);
  }
  return bubble;
}

std::vector<Bubble> all_kinds(double rate) {
  std::vector<Bubble> bubbles(5);
  bubbles[0].offsets = sphere_offsets(3);
  bubbles[1].offsets = top_heavy_offsets(3.5, 1.5);
  bubbles[2].offsets = disc_offsets(4, 1);
  bubbles[3] = uneven();
  bubbles[4].offsets = sphere_offsets(2.5);
  for (Bubble& bubble : bubbles) bubble.rates = spheroidal_rates(bubble.volume(), rate);
  bubbles[4].rates = cavernous_rates(bubbles[4].offsets, rate);
  bubbles[4].open_faces = true;
  return bubbles;
}

void same_after_200_steps(const std::vector<Bubble>& bubbles) {
  const VoxelShape shape{35, 19, 17, 1, {}};
  std::vector<VoxelMaterial> materials;
  for (int m = 0; m < 5; ++m)
    materials.push_back(
        {std::to_string(m), 0.19 * m, m % static_cast<int>(bubbles.size()), false, {}});
  Words start = shaped(shape, [](double x, double y, double z) {
    return std::abs(x) < 14 && std::abs(y) < 8 && z < 6 && x * x + z * z > 9;
  });
  for (std::size_t i = 0; i < start.size(); ++i)
    if (start[i] != 0)
      start[i] = voxel_word(VOXEL_FULL, 1 + static_cast<std::uint32_t>(i / 97 % 5));
  testing::NaiveWeathering naive(shape, {}, materials, bubbles, start, 77);
  for (int i = 0; i < 200; ++i) naive.step();
  const Words expected = naive.words();
  const auto left = std::count_if(expected.begin(), expected.end(), [](auto w) { return w != 0; });
  EXPECT_GT(left, 100);
  for (const testing::Backend& backend : testing::all_backends()) {
    Voxels voxels(backend.device, shape, materials);
    voxels.set_words(start);
    testing::Weathered weathering(voxels, bubbles, {}, 77);
    for (int i = 0; i < 200; ++i) weathering.step();
    ASSERT_EQ(voxels.words(), expected) << backend.label;
    EXPECT_EQ(weathering.ledger().voxel_error(), 0);
    EXPECT_EQ(weathering.ledger().amount_error(), 0);
  }
}

TEST(WeatheringRuns, CachedIsNaiveOver200StepsForEveryBubble) {
  for (const Bubble& bubble : all_kinds(0.02)) same_after_200_steps({bubble});
}
TEST(WeatheringRuns, CachedIsNaiveOver200StepsForMixedMaterials) {
  same_after_200_steps(all_kinds(0.02));
}

// The mesh of the densities, each taken over its 27 neighbours: without the steps of voxels, which
// no resolution makes any smoother.
double sphericity(const Voxels& voxels) {
  const VoxelShape& s = voxels.shape();
  const Words words = voxels.words();
  const auto at = [&](int x, int y, int z) {
    return words[static_cast<std::size_t>((z * s.ny + y) * s.nx + x)] != 0 ? 1.0F : 0.0F;
  };
  std::vector<float> density(s.count());
  for (int z = 1; z + 1 < s.nz; ++z)
    for (int y = 1; y + 1 < s.ny; ++y)
      for (int x = 1; x + 1 < s.nx; ++x) {
        float sum = 0;
        for (int k = 0; k < 27; ++k) sum += at(x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1);
        density[static_cast<std::size_t>((z * s.ny + y) * s.nx + x)] = sum / 27;
      }
  surface::MarchingCubes mesher(testing::cpu());
  const Mesh mesh = mesher.extract({s.nx, s.ny, s.nz, 1, 1, 1, 0, 0, 0}, density).mesh;
  double area = 0;
  for (const auto& t : mesh.triangles) {
    double u[3], v[3];
    for (std::size_t d = 0; d < 3; ++d) {
      u[d] = static_cast<double>(mesh.positions[t[1]][d] - mesh.positions[t[0]][d]);
      v[d] = static_cast<double>(mesh.positions[t[2]][d] - mesh.positions[t[0]][d]);
    }
    const double a = u[1] * v[2] - u[2] * v[1], b = u[2] * v[0] - u[0] * v[2],
                 c = u[0] * v[1] - u[1] * v[0];
    area += std::sqrt(a * a + b * b + c * c) / 2;
  }
  return std::cbrt(pi) * std::pow(6 * surface::volume(mesh), 2.0 / 3) / area;
}

TEST(WeatheringRuns, ACubeTendsToABall) {
  const VoxelShape shape{64, 64, 64, 1, {}};
  VoxelEdges edges;
  edges.rock_bottom = false;
  Voxels voxels(testing::cpu(), shape, {{"rock", 0.5, 0, false, {}}}, edges);
  voxels.set_words(shaped(shape, [](double x, double y, double z) {
    return std::max({std::abs(x), std::abs(y), std::abs(z)}) < 26;
  }));
  EXPECT_LT(sphericity(voxels), 0.85);  // a cube's is 0.806
  testing::Weathered weathering(voxels, {sphere_bubble(8, 0.5)}, {}, 4);
  const long long start = voxels.totals().rock;
  while (voxels.totals().rock > start / 10) weathering.step();
  EXPECT_GT(voxels.totals().rock, start / 20);
  EXPECT_GE(sphericity(voxels), 0.95);
}

// Pimienta et al. 1992: the air in a ball around a point of a surface is linear in its mean
// curvature.
struct Curved {
  double curvature;  // mean; above 0 where rock bulges
  Inside inside;
  std::function<bool(double, double, double)> measured;  // away from the box's edges
};

double air_ratio(const Curved& c, double radius) {
  const VoxelShape shape{96, 96, 96, 1, {}};
  Voxels voxels(testing::cpu(), shape, {{"rock", 0, 0, false, {}}});
  voxels.set_words(shaped(shape, c.inside));
  Bubble bubble = sphere_bubble(radius, 1);
  bubble.open_faces = true;
  testing::Weathered weathering(voxels, {bubble}, {}, 1);
  const Words words = voxels.words();
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const int x = static_cast<int>(i % 96), y = static_cast<int>(i / 96 % 96),
              z = static_cast<int>(i / 9216);
    if (voxel_air(words[i]) == 0 || !c.measured(x - 47.5, y - 47.5, z - 47.5)) continue;
    sum += static_cast<double>(voxel_air(words[i])) / bubble.volume();
    ++count;
  }
  return sum / count;
}

std::vector<Curved> curved_shapes() {
  const auto middle = [](double x, double y, double z) {
    return std::max({std::abs(x), std::abs(y), std::abs(z)}) < 36;
  };
  const auto short_middle = [](double, double, double z) { return std::abs(z) < 20; };
  std::vector<Curved> shapes = {
      {0, [](double x, double y, double z) { return 0.36 * x + 0.48 * y + 0.8 * z < 0; },
       short_middle}};
  for (const double r : {14.0, 18.0, 24.0, 32.0}) {
    const auto ball = [r](double x, double y, double z) { return x * x + y * y + z * z <= r * r; };
    const auto pipe = [r](double x, double y, double) { return x * x + y * y <= r * r; };
    shapes.push_back({1 / r, ball, middle});
    shapes.push_back(
        {-1 / r, [ball](double x, double y, double z) { return !ball(x, y, z); }, middle});
    shapes.push_back({0.5 / r, pipe, short_middle});
    shapes.push_back({-0.5 / r,
                      [pipe, middle](double x, double y, double z) { return !pipe(x, y, z); },
                      [](double x, double y, double z) {
                        return std::abs(z) < 20 && std::max(std::abs(x), std::abs(y)) < 36;
                      }});
  }
  return shapes;
}

TEST(WeatheringRuns, AirIsLinearInMeanCurvature) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
  for (const Curved& c : curved_shapes()) {
    const double x = c.curvature, y = air_ratio(c, 8);
    ++n, sx += x, sy += y, sxx += x * x, sxy += x * y, syy += y * y;
  }
  const double covariance = n * sxy - sx * sy;
  const double r2 = covariance * covariance / ((n * sxx - sx * sx) * (n * syy - sy * sy));
  EXPECT_GE(r2, 0.98);
  EXPECT_GT(covariance, 0);
}

}  // namespace
}  // namespace scree
