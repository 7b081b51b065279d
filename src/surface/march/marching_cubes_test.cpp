// Meshes of every kind of field are closed, and the same on every backend.
#include "surface/march/marching_cubes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/error.h"
#include "base/hash.h"
#include "kernel/common/random.h"
#include "surface/mesh/validity.h"
#include "testing.h"

namespace scree::surface {
namespace {

using Field = std::function<double(int, int, int)>;

std::vector<float> sampled(const Lattice& l, const Field& field) {
  std::vector<float> values;
  values.reserve(l.samples());
  for (int z = 0; z < l.nz; ++z)
    for (int y = 0; y < l.ny; ++y)
      for (int x = 0; x < l.nx; ++x) values.push_back(static_cast<float>(field(x, y, z)));
  return values;
}

// A number in [0, 1) for a sample of the n-th field.
double noise(uint n, int x, int y, int z) {
  return static_cast<double>(draw(cell_hash(mix_seed(n, static_cast<uint>(z), 7), x, y), 1));
}

Lattice cube(int n) { return {n, n, n, 1, 1, 1, 0, 0, 0}; }

// Kinds of field that trip meshers: smooth, rough, on the isovalue, flat, alternating.
double kind_of_field(uint n, int x, int y, int z) {
  switch (n % 6) {
    case 0:
      return noise(n, x, y, z);
    case 1:
      return noise(n, x / 3, y / 3, z / 3);
    case 2:
      return noise(n, x, y, z) < 0.4 ? 0.5 : 0.25;  // inside is exactly on the isovalue
    case 3:
      return (x + y + z) % 2;
    case 4:
      return z < 3 ? 0.5 : 0.0;
    default:
      return std::floor(noise(n, x, y, z) * 5) / 4;
  }
}

Lattice random_lattice(uint n) {
  const auto side = [&](int k) { return 1 + static_cast<int>(noise(n, k, 1, 2) * 9); };
  Lattice l{side(1), side(2), side(3), 1, 1, 1, 0, 0, 0};
  if (n % 7 == 0) l.nx += 29;  // words that are full, begun and almost full
  l.cell_y = 0.5F, l.cell_z = 2, l.origin_x = -3;
  return l;
}

// Ten thousand fields on the CPU at its best; every backend has its share of them below.
TEST(MarchingCubes, MeshesAreClosedWhateverTheField) {
  MarchingCubes mesher(testing::cpu());
  std::size_t triangles = 0;
  for (uint n = 0; n < 10000; ++n) {
    const Lattice l = random_lattice(n);
    const Surface s = mesher.extract(
        l, sampled(l, [&](int x, int y, int z) { return kind_of_field(n, x, y, z); }));
    const MeshFaults faults = find_faults(s.mesh);
    ASSERT_TRUE(faults.none()) << "field " << n << ": " << faults.summary();
    ASSERT_GE(volume(s.mesh), -1e-9) << n;
    triangles += s.mesh.triangles.size();
  }
  EXPECT_GT(triangles, 1000000U);
}

std::uint64_t hash_of(const Surface& s) {
  std::uint64_t hash = 0;
  const auto add = [&](const auto& values) {
    if (!values.empty())
      hash = hash * 31 + hash_bytes(values.data(), values.size() * sizeof values[0]);
  };
  add(s.mesh.positions), add(s.mesh.normals), add(s.mesh.triangles), add(s.materials);
  return hash;
}

TEST(MarchingCubes, TheSameBitsOnEveryBackend) {
  std::vector<MarchingCubes> meshers;
  for (const testing::Backend& b : testing::all_backends()) meshers.emplace_back(b.device);
  for (uint n = 0; n < 60; ++n) {
    Lattice l = random_lattice(n);
    if (n == 0) l.nx = 70, l.ny = 33, l.nz = 41;
    const std::vector<float> field =
        sampled(l, [&](int x, int y, int z) { return kind_of_field(n, x, y, z); });
    std::vector<std::uint32_t> materials;
    if (n % 2 == 0)
      for (std::size_t i = 0; i < field.size(); ++i) materials.push_back(static_cast<uint>(i % 5));
    MarchOptions options;
    options.closed = n % 5 != 0;
    const Surface first = meshers[0].extract(l, field, options, materials);
    EXPECT_EQ(first.materials.size(), materials.empty() ? 0 : first.mesh.positions.size());
    for (std::size_t b = 1; b < meshers.size(); ++b) {
      const Surface other = meshers[b].extract(l, field, options, materials);
      ASSERT_EQ(hash_of(first), hash_of(other))
          << "field " << n << " on " << testing::all_backends()[b].label;
    }
  }
}

// The error falls with the square of the cell.
TEST(MarchingCubes, ASphereConvergesAtSecondOrder) {
  const double pi = std::acos(-1.0), radius = 1;
  double previous_area = 0, previous_volume = 0, previous_normal = 0;
  for (const int n : {16, 32, 64}) {
    Lattice l = cube(n + 1);
    l.cell_x = l.cell_y = l.cell_z = static_cast<float>(2.5 / n);
    l.origin_x = l.origin_y = l.origin_z = -1.25F;
    const auto metres = [&](int k) { return -1.25 + k * 2.5 / n; };
    const Surface s =
        MarchingCubes(testing::cpu()).extract(l, sampled(l, [&](int x, int y, int z) {
                                                return 0.5 + radius -
                                                       std::hypot(metres(x), metres(y), metres(z));
                                              }));
    ASSERT_TRUE(find_faults(s.mesh).none());
    const double area_error = 4 * pi - area(s.mesh), volume_error = 4 * pi / 3 - volume(s.mesh);
    double normal_error = 0;
    for (std::size_t i = 0; i < s.mesh.positions.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        normal_error =
            std::max(normal_error, std::abs(static_cast<double>(s.mesh.normals[i][k]) -
                                            static_cast<double>(s.mesh.positions[i][k])));
    EXPECT_GT(area_error, 0);
    EXPECT_GT(volume_error, 0);
    if (previous_area > 0) {
      EXPECT_NEAR(previous_area / area_error, 4, 0.4);
      EXPECT_NEAR(previous_volume / volume_error, 4, 0.4);
      EXPECT_GT(previous_normal / normal_error, 3);
    }
    previous_area = area_error, previous_volume = volume_error, previous_normal = normal_error;
  }
}

// A plane is met exactly, with exact normals; a volume that ends cuts it off.
TEST(MarchingCubes, APlaneIsFlat) {
  const Lattice l{40, 20, 10, 1, 1, 1, 0, 0, 0};
  MarchOptions open;
  open.closed = false;
  const auto field =
      sampled(l, [](int x, int y, int z) { return 0.5 + 4.25 + 0.125 * x - 0.0625 * y - z; });
  const Surface s = MarchingCubes(testing::cpu()).extract(l, field, open);
  ASSERT_GT(s.mesh.triangles.size(), 1000U);
  for (std::size_t i = 0; i < s.mesh.positions.size(); ++i) {
    const auto& p = s.mesh.positions[i];
    EXPECT_NEAR(p[2], 4.25F + 0.125F * p[0] - 0.0625F * p[1], 1e-5);
    EXPECT_NEAR(s.mesh.normals[i][0] / s.mesh.normals[i][2], -0.125, 1e-5);
    EXPECT_GT(s.mesh.normals[i][2], 0);
  }
  const Surface solid = MarchingCubes(testing::cpu()).extract(l, field);
  EXPECT_TRUE(find_faults(solid.mesh).none());
  for (const auto& p : solid.mesh.positions) {
    EXPECT_GE(p[2], 0);
    EXPECT_LE(p[0], 39);
  }
}

// The material of a vertex is that of the sample inside.
TEST(MarchingCubes, MaterialsComeFromInside) {
  const Lattice l = cube(12);
  const auto field = sampled(l, [](int, int, int z) { return z < 6 ? 1 : 0; });
  std::vector<std::uint32_t> materials;
  for (int z = 0; z < 12; ++z)
    for (int y = 0; y < 12; ++y)
      for (int x = 0; x < 12; ++x) materials.push_back(z < 6 ? (x < 6 ? 1 : 2) : 9);
  const Surface s = MarchingCubes(testing::cpu()).extract(l, field, {}, materials);
  for (std::size_t i = 0; i < s.materials.size(); ++i)
    EXPECT_EQ(s.materials[i], s.mesh.positions[i][0] < 6 ? 1U : 2U);
}

TEST(MarchingCubes, EmptyAndFull) {
  MarchingCubes mesher(testing::cpu());
  const Lattice l = cube(40);
  EXPECT_TRUE(mesher.extract(l, std::vector<float>(l.samples(), 0)).mesh.triangles.empty());
  const Surface full = mesher.extract(l, std::vector<float>(l.samples(), 1));
  EXPECT_TRUE(find_faults(full.mesh).none());
  EXPECT_NEAR(volume(full.mesh), 39.0 * 39 * 39, 1e-6 * 39 * 39 * 39);
  MarchOptions open;
  open.closed = false;
  EXPECT_TRUE(mesher.extract(l, std::vector<float>(l.samples(), 1), open).mesh.triangles.empty());
}

TEST(MarchingCubes, RefusesWhatIsNoVolume) {
  MarchingCubes mesher(testing::cpu());
  EXPECT_THROW(mesher.extract(Lattice{0, 4, 4, 1, 1, 1, 0, 0, 0}, std::vector<float>{}),
               UsageError);
  EXPECT_THROW(mesher.extract(cube(4), std::vector<float>(63)), UsageError);
  EXPECT_THROW(mesher.extract(Lattice{2, 2, 2, 1, -1, 1, 0, 0, 0}, std::vector<float>(8)),
               UsageError);
  MarchOptions bad;
  bad.isovalue = NAN;
  EXPECT_THROW(mesher.extract(cube(2), std::vector<float>(8), bad), UsageError);
}

// Voxels of several materials, with every kind of neighbourhood and at the box's edges.
std::vector<std::uint32_t> rough_voxels(const VoxelShape& shape, uint n) {
  std::vector<std::uint32_t> words;
  for (int z = 0; z < shape.nz; ++z)
    for (int y = 0; y < shape.ny; ++y)
      for (int x = 0; x < shape.nx; ++x) {
        const bool rock = noise(n, x / 4, y / 3, z / 5) < 0.5 && noise(n + 1, x, y, z) < 0.95;
        const auto amount = static_cast<std::uint32_t>(1 + noise(n + 2, x, y, z) * 2046);
        words.push_back(rock ? voxel_word(amount, 1 + (amount & 1U)) : 0U);
      }
  return words;
}

TEST(MarchingCubes, VoxelsHaveTheSurfaceOfTheirDensities) {
  const std::vector<VoxelMaterial> materials{{"a", 0, 0, false, {}}, {"b", 0, 0, false, {}}};
  for (const VoxelShape& shape :
       {VoxelShape{1, 1, 1, 1, {}}, VoxelShape{130, 9, 7, 0.5, {{1, 2, 3}}},
        VoxelShape{97, 20, 18, 1.1, {}}, VoxelShape{32, 3, 2, 1, {}}})
    for (const bool closed : {true, false}) {
      const std::vector<std::uint32_t> words = rough_voxels(shape, 5);
      std::vector<float> density;
      std::vector<std::uint32_t> kinds;
      for (const std::uint32_t word : words) {
        density.push_back(density_of(word));
        kinds.push_back(voxel_material(word));
      }
      const auto cell = static_cast<float>(shape.cell);
      const auto middle = [&](std::size_t d) {
        return static_cast<float>(shape.origin[d] + shape.cell / 2);
      };
      const Lattice lattice{shape.nx, shape.ny,  shape.nz,  cell,     cell,
                            cell,     middle(0), middle(1), middle(2)};
      const Surface expected =
          MarchingCubes(testing::cpu()).extract(lattice, density, {0.5F, closed}, kinds);
      for (const testing::Backend& backend : testing::all_backends()) {
        Voxels voxels(backend.device, shape, materials);
        voxels.set_words(words);
        MarchingCubes mesher(backend.device);
        const Surface found = mesher.download(mesher.extract(voxels, closed));
        ASSERT_EQ(found.mesh.triangles, expected.mesh.triangles) << backend.label;
        ASSERT_EQ(found.mesh.positions, expected.mesh.positions) << backend.label;
        ASSERT_EQ(found.mesh.normals, expected.mesh.normals) << backend.label;
        ASSERT_EQ(found.materials, expected.materials) << backend.label;
      }
    }
}

}  // namespace
}  // namespace scree::surface
