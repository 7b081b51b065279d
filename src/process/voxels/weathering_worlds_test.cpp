// Random worlds of voxels, with all that weathering does at once: on every backend the same bits,
// counts of air that a walk over each bubble finds too, nothing lost, nothing loose in mid-air.
#include <gtest/gtest.h>

#include <random>

#include "process/voxels/weathering.h"
#include "testing.h"
#include "weathered.h"
#include "weathering_reference.h"

namespace scree {
namespace {

using Words = std::vector<std::uint32_t>;

struct World {
  VoxelShape shape;
  VoxelEdges edges;
  std::vector<VoxelMaterial> materials;
  std::vector<Bubble> bubbles;
  WeatheringParameters parameters;
  std::vector<WeatherRegion> regions;
  Words words;
  int steps = 0;
};

// Whole numbers alone: distributions of the standard library differ between its versions.
class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  double share() { return below(1001) / 1000.0; }

 private:
  std::mt19937 random_;
};

Bubble some_bubble(Dice& dice) {
  Bubble bubble;
  bubble.name = "random";
  const int kind = dice.below(4);
  const double radius = 1 + 4 * dice.share();
  if (kind == 0) bubble.offsets = sphere_offsets(radius);
  if (kind == 1) bubble.offsets = top_heavy_offsets(radius, dice.below(3));
  if (kind == 2) bubble.offsets = disc_offsets(radius, 1);
  for (int i = 0; i < 60 && kind == 3; ++i) {
    const Bubble::Offset o{dice.below(31) - 15, dice.below(31) - 15, dice.below(31) - 15};
    if (std::find(bubble.offsets.begin(), bubble.offsets.end(), o) == bubble.offsets.end())
      bubble.offsets.push_back(o);
  }
  bubble.rates = dice.one_in(4) ? cavernous_rates(bubble.offsets, 1)
                                : spheroidal_rates(bubble.volume(), 0.1 + 0.9 * dice.share());
  bubble.open_faces = dice.one_in(4);
  return bubble;
}

WeatherRegion some_region(Dice& dice, const VoxelShape& s) {
  WeatherRegion region;
  region.at = {s.nx * dice.share(), s.ny * dice.share(), s.nz * dice.share()};
  region.radius = 1 + 9 * dice.share();
  region.soft = dice.below(4);
  region.rate = dice.below(4);
  region.durability = dice.share() - 0.5;
  region.from_step = static_cast<std::uint64_t>(dice.below(3));
  return region;
}

World some_world(unsigned seed) {
  Dice dice(seed);
  World w;
  w.shape = {1 + dice.below(50), 1 + dice.below(36), 1 + dice.below(36), 1, {}};
  for (bool* rock : {&w.edges.rock_west, &w.edges.rock_east, &w.edges.rock_south,
                     &w.edges.rock_north, &w.edges.rock_bottom, &w.edges.rock_top})
    if (dice.one_in(3)) *rock = !*rock;
  const int bubbles = 1 + dice.below(3);
  for (int i = 0; i < bubbles; ++i) w.bubbles.push_back(some_bubble(dice));
  for (int i = 0; i < 5; ++i)
    w.materials.push_back({"random", dice.share(), dice.below(bubbles), i == 3, {}});
  w.parameters.colluvium = !dice.one_in(3);
  w.parameters.repose = 1 + dice.below(80);
  const VoxelEdges& e = w.edges;
  const bool ground =
      e.rock_west || e.rock_east || e.rock_south || e.rock_north || e.rock_bottom || e.rock_top;
  w.parameters.stability_every = ground ? dice.below(3) : 0;
  for (int i = dice.below(3); i > 0; --i) w.regions.push_back(some_region(dice, w.shape));
  const int lump = 1 + dice.below(7);
  for (int z = 0; z < w.shape.nz; ++z)
    for (int y = 0; y < w.shape.ny; ++y)
      for (int x = 0; x < w.shape.nx; ++x) {
        const std::uint32_t h = voxel_hash(seed, x / lump, y / lump, z / lump);
        w.words.push_back(
            (h >> 8) % 10 < 6 ? voxel_word(1 + (h >> 16) % VOXEL_FULL, 1 + (h >> 4) % 5) : 0);
      }
  w.steps = 2 + dice.below(4);
  return w;
}

void expect_counts_and_rest(const World& w, const Words& words) {
  Words bare = words;
  for (std::uint32_t& word : bare) word &= 0x7ffffU;
  const testing::NaiveWeathering naive(w.shape, w.edges, w.materials, w.bubbles, bare, 0);
  ASSERT_EQ(naive.words(), words) << "counts of air";
  if (!w.parameters.colluvium) return;
  const std::size_t slice =
      static_cast<std::size_t>(w.shape.nx) * static_cast<std::size_t>(w.shape.ny);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] != 0 && w.materials[voxel_material(words[i]) - 1].loose) {
      ASSERT_TRUE(i < slice ? w.edges.rock_bottom : words[i - slice] != 0) << "floats: " << i;
    }
}

TEST(WeatheringWorlds, AreTheSameOnEveryBackendAndLoseNothing) {
  long long fell = 0, deleted = 0, left = 0, cut_off = 0;
  for (unsigned seed = 1; seed <= 24; ++seed) {
    const World w = some_world(seed);
    Words first;
    for (const testing::Backend& backend : testing::all_backends()) {
      SCOPED_TRACE(backend.label + ", world " + std::to_string(seed));
      Voxels voxels(backend.device, w.shape, w.materials, w.edges);
      voxels.set_words(w.words);
      testing::Weathered weathering(voxels, w.bubbles, w.parameters, seed);
      weathering.set_regions(w.regions);
      for (int i = 0; i < w.steps; ++i) weathering.step();
      const WeatheringLedger ledger = weathering.ledger();
      ASSERT_EQ(ledger.voxel_error(), 0);
      ASSERT_EQ(ledger.amount_error(), 0);
      const Words now = voxels.words();
      if (first.empty()) {
        first = now;
        expect_counts_and_rest(w, now);
        fell += ledger.loose, deleted += ledger.deleted;
        left += ledger.left, cut_off += ledger.cut_off;
      }
      ASSERT_EQ(now, first);
    }
  }
  EXPECT_GT(std::min({fell, deleted, left, cut_off}), 1000) << "worlds in which too little happens";
}

}  // namespace
}  // namespace scree
