// Rectangles of heights, read and written: as on a plain copy, booked, in tiles as on the whole.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "process/core/state.h"
#include "process/heights/thermal.h"
#include "process/heights/water.h"
#include "testing.h"

namespace scree::testing {
namespace {

constexpr float none = std::numeric_limits<float>::quiet_NaN();

// A box of at least one cell of a terrain of this size.
Box any_box(int width, int height) {
  Box box;
  box.x = *rc::gen::inRange(0, width), box.width = *rc::gen::inRange(1, width - box.x + 1);
  box.y = *rc::gen::inRange(0, height), box.height = *rc::gen::inRange(1, height - box.y + 1);
  return box;
}

const Backend& any_backend() {
  const std::vector<Backend>& all = all_backends();
  return all[*rc::gen::inRange<std::size_t>(0, all.size())];
}

std::size_t cell_of(const Heightfield& terrain, int x, int y) { return terrain.box().index(x, y); }

// All words of one of a field's two buffers.
std::vector<std::int32_t> words_of(const Heightfield& terrain, const device::BufferPtr& buffer) {
  std::vector<std::int32_t> words(buffer->bytes() / 4);
  terrain.device().read(*buffer, 0, words.data(), buffer->bytes());
  return words;
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(WriteHeights, AnyRectangleIsAsOnAPlainCopy) {
  EXPECT_TRUE(rc::check([] {
    const Backend& backend = any_backend();
    const int width = *rc::gen::inRange(1, 40), height = *rc::gen::inRange(1, 30);
    std::vector<float> heights = rough_heights(width, height, 300, 7);
    for (float& h : heights)
      if (*rc::gen::inRange(0, 8) == 0) h = none;
    Heightfield terrain(backend.device, {width, height, 5, 4}, heights, {});
    terrain.ensure("erodibility", device::FieldType::float32, false, 1);
    terrain.ensure(wear_field);
    for (const std::string name : {"bed", "water", "sediment", "wear", "erodibility", "flux.x"}) {
      std::vector<double> plain = terrain.values(name, terrain.box());
      const Box box = any_box(width, height);
      std::vector<double> values(box.cells());
      std::size_t changed = 0;
      const FieldUnits units = terrain.units(name);
      const bool counts = terrain.field(name).type() == device::FieldType::int32;
      double moved = 0;
      for (int y = box.y; y < box.y + box.height; ++y)
        for (int x = box.x; x < box.x + box.width; ++x) {
          double& old = plain[cell_of(terrain, x, y)];
          double now = *rc::gen::inRange(0, 100000) / 1000.0;
          if (*rc::gen::inRange(0, 3) == 0) now = old;
          if (std::isnan(old)) now = old;
          values[box.index(x, y)] = now;
          if (std::isnan(old)) continue;
          // What is kept: the nearest count, or the nearest float.
          const double kept = (now - units.offset) / units.scale;
          const double read =
              counts ? std::floor(kept + 0.5) : static_cast<double>(static_cast<float>(kept));
          moved += counts ? read - std::round((old - units.offset) / units.scale) : 0;
          changed += read * units.scale + units.offset != old ? 1 : 0;
          old = read * units.scale + units.offset;
        }
      terrain.fill_halo();
      const HeightEdits before = terrain.edited();
      const long long sum = counts ? terrain.sum(name) : 0;
      const Receipt receipt = terrain.write(name, box, values);
      RC_ASSERT(receipt.box == box);
      RC_ASSERT(receipt.changed == changed);
      RC_ASSERT(terrain.halo_stale() == (changed > 0 && terrain.field(name).double_buffered()));
      const std::vector<double> found = terrain.values(name, terrain.box());
      for (std::size_t i = 0; i < plain.size(); ++i)
        RC_ASSERT((std::isnan(plain[i]) ? std::isnan(found[i]) : plain[i] == found[i]));
      if (counts) RC_ASSERT(terrain.sum(name) - sum == static_cast<long long>(moved));
      const bool solid = name == "bed" || name == "sediment", water = name == "water";
      RC_ASSERT(
          (terrain.edited().solids - before.solids == (solid ? static_cast<long long>(moved) : 0)));
      RC_ASSERT(
          (terrain.edited().water - before.water == (water ? static_cast<long long>(moved) : 0)));
      RC_ASSERT((receipt.edited.size() == (solid || water ? 1U : 0U)));
      if (solid || water)
        RC_ASSERT(receipt.edited.at(solid ? "solids" : "water") == static_cast<long long>(moved));
      const device::Field& field = terrain.field(name);
      const std::vector<std::int32_t> words[] = {words_of(terrain, field.front()),
                                                 words_of(terrain, field.back())};
      for (int y = box.y; y < box.y + box.height && changed > 0; ++y)
        for (int x = box.x; x < box.x + box.width; ++x) {
          const auto at = static_cast<std::size_t>(cell_index(terrain.grid(), x, y));
          RC_ASSERT(words[0][at] == words[1][at]);
        }
    }
  }));
}

Heightfield small(const Borders& borders = {}) {
  std::vector<float> heights(12, 100);
  heights[5] = none;
  heights[11] = 300;
  return {cpu(), {4, 3, 10, 10}, heights, borders};
}

TEST(WriteHeights, WhatNoQuantumHoldsIsRefusedAsAWhole) {
  Heightfield terrain = small();
  terrain.write("water", {3, 2, 0, 1, 1}, {10});
  const auto before = terrain.hashes();
  const HeightEdits edits = terrain.edited();
  const auto said = [&](const std::string& field, const Box& box,
                        const std::vector<double>& values) {
    const std::string words = refusal([&] { terrain.write(field, box, values); });
    EXPECT_EQ(terrain.hashes(), before) << words;
    EXPECT_EQ(terrain.edited(), edits) << words;
    EXPECT_EQ(words.find('\n'), std::string::npos);
    return words;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  // 2^20 quanta a metre: 752 m about the datum of 200.
  EXPECT_EQ(said("bed", {0, 0, 0, 2, 1}, {50, 1000}),
            "field 'bed', cell 1,0: 1000 m: expected -552 to 952 m with a quantum of 2^-20 m; "
            "[terrain] room gives more");
  EXPECT_EQ(said("bed", {3, 2, 0, 1, 1}, {945}),
            "field 'bed', cell 3,2: 945 m: expected -552 to 942 m with a quantum of 2^-20 m; "
            "[terrain] room gives more")
      << "with the water on it";
  EXPECT_EQ(said("water", {0, 0, 0, 1, 2}, {2, 853}),
            "field 'water', cell 0,1: 853 m: expected 0 to 852 m with a quantum of 2^-20 m; "
            "[terrain] room gives more");
  EXPECT_EQ(said("water", {0, 0, 0, 1, 1}, {-0.001}),
            "field 'water', cell 0,0: -0.001 m: expected 0 to 852 m with a quantum of 2^-20 m; "
            "[terrain] room gives more");
  EXPECT_EQ(said("sediment", {2, 0, 0, 1, 1}, {513}),
            "field 'sediment', cell 2,0: 513 m: expected 0 to 512 m with a quantum of 2^-20 m");
  EXPECT_EQ(said("bed", {0, 0, 0, 1, 1}, {nan}),
            "field 'bed', cell 0,0: nan: expected a number of m");
  EXPECT_EQ(said("water", {0, 0, 0, 1, 1}, {infinite}),
            "field 'water', cell 0,0: inf: expected a number of m");
  EXPECT_EQ(said("bed", {1, 1, 0, 1, 1}, {5}),
            "field 'bed', cell 1,1: 5 m where there is nodata: expected nan, which leaves it");
  EXPECT_EQ(
      said("flux.x", {1, 1, 0, 1, 1}, {5}),
      "field 'flux.x', cell 1,1: 5 m3/s where there is nodata: expected nan, which leaves it");
  EXPECT_NE(said("flux.x", {0, 0, 0, 1, 1}, {nan}).find("cell 0,0: nan: expected a number of m3/s"),
            std::string::npos);
  EXPECT_NE(said("flux.x", {0, 0, 0, 1, 1}, {1e300}).find("expected a number"), std::string::npos);
  EXPECT_EQ(said("bed", {3, 0, 0, 2, 1}, {1, 2}),
            "a box of 2x1 at 3,0: expected one within 4x3 at 0,0");
  EXPECT_EQ(said("bed", {0, 0, 1, 1, 1}, {1}),
            "a box of 1x1x1 at 0,0,1: expected one within 4x3 at 0,0");
  EXPECT_EQ(said("bed", {0, 0, 0, 2, 1}, {1}), "a box of 2 cells got 1 values");
  EXPECT_NE(said("snow", {0, 0, 0, 1, 1}, {1}).find("no field 'snow'"), std::string::npos);
  terrain.ensure("sink", device::FieldType::int32, false);
  EXPECT_NE(refusal([&] {
              terrain.write("sink", {0, 0, 0, 1, 1}, {1});
            }).find("cannot be written"),
            std::string::npos);
  EXPECT_THROW(terrain.values("bed", {0, 0, 0, 5, 1}), UsageError);
  // The very limits are taken, and what is beyond them already may be written as it is.
  EXPECT_EQ(terrain.write("bed", {0, 0, 0, 1, 1}, {952}).changed, 1U);
  EXPECT_EQ(terrain.write("water", {0, 1, 0, 1, 1}, {852}).changed, 1U);
  terrain.field("water").write(*cpu(), terrain.grid(), {0, 0, 1, 1},
                               std::vector<std::int32_t>{SCREE_LEVEL_LIMIT});
  EXPECT_EQ(terrain.write("water", terrain.box(), terrain.values("water", terrain.box())).changed,
            0U);
}

std::vector<ProcessPtr> rain_and_slides() {
  WaterParameters water;
  water.rain = 2e-3;
  water.neighbours = "8";
  HydraulicParameters erosion;
  erosion.loosening = 0.1;
  return process_list(std::make_unique<Water>(water, std::vector<SpringParameters>{}, erosion),
                      std::make_unique<ThermalWeathering>(ThermalParameters{}));
}

// Pours, digs and piles up, over the borders of tiles.
std::vector<Receipt> edit(Landscape& land) {
  const auto changed = [&](const std::string& field, const Box& box, double add) {
    std::vector<double> values = land.values(field, box);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] += add * static_cast<double>(1 + i % 3) / 3;
    return land.write(field, box, values);
  };
  return {
      changed("water", {5, 3, 0, 20, 17}, 4),        changed("bed", {0, 11, 0, 37, 6}, -7),
      changed("bed", {17, 0, 0, 3, 29}, 9),          changed("sediment", {12, 8, 0, 11, 10}, 0.2),
      changed("looseness", {9, 9, 0, 20, 20}, 0.25), changed("flux.x", {1, 1, 0, 30, 20}, 0.5)};
}

bool same(const Receipt& a, const Receipt& b) {
  return a.box == b.box && a.changed == b.changed && a.edited == b.edited;
}

TEST(WriteHeights, TilesGiveTheHashesOfTheWhole) {
  const HeightfieldShape shape{37, 29, 8, 8};
  Borders borders = Borders::all(BorderKind::wrap);
  borders.north = BorderKind::open, borders.south = BorderKind::closed;
  for (const Backend& backend : one_of_each_kind()) {
    std::vector<float> heights = rough_heights(37, 29, 60, 3);
    heights[29 * 15] = none;
    Landscape whole = land_of(backend.device, shape, heights, borders);
    Landscape tiled(whole.single(), 3, 2);
    Simulation one(whole, rain_and_slides()), many(tiled, rain_and_slides());
    for (int round = 0; round < 3; ++round) {
      one.run(7), many.run(7);
      const std::vector<Receipt> receipts = edit(whole), in_tiles = edit(tiled);
      for (std::size_t i = 0; i < receipts.size(); ++i) {
        EXPECT_TRUE(same(receipts[i], in_tiles[i])) << i;
        EXPECT_GT(receipts[i].changed, 0U) << i;
      }
      one.run(5), many.run(5);
      for (const std::string& name : whole.single().field_names())
        EXPECT_EQ(tiled.hash(name), whole.hash(name)) << backend.label << ", " << name;
    }
    EXPECT_EQ(whole.edited(), tiled.edited());
    EXPECT_NE(whole.edited().water, 0);
    // All or nothing, though the cell that cannot be lies in the last tile.
    const std::uint64_t before = tiled.hash("water");
    std::vector<double> values = tiled.values("water", tiled.box());
    values[0] += 1, values.back() = -1;
    EXPECT_EQ(refusal([&] { tiled.write("water", tiled.box(), values); }),
              refusal([&] { whole.write("water", whole.box(), values); }));
    EXPECT_EQ(tiled.hash("water"), before);
  }
}

// A terrain that was written to steps on as one that was made so; and every quantum is booked.
TEST(WriteHeights, StepsAfterAWriteAreThoseOfATerrainMadeSo) {
  const HeightfieldShape shape{41, 29, 8, 8};
  const std::vector<float> heights = rough_heights(41, 29, 80, 5);
  for (const BorderKind kind : {BorderKind::closed, BorderKind::open, BorderKind::wrap})
    for (const Backend& backend : one_of_each_kind()) {
      Landscape land = land_of(backend.device, shape, heights, Borders::all(kind));
      Simulation simulation(land, rain_and_slides());
      simulation.run(20);
      edit(land);
      Landscape twin = land_of(backend.device, shape, heights, Borders::all(kind));
      Simulation other(twin, rain_and_slides());
      for (const std::string& name : land.single().field_names()) {
        const device::Field &from = land.single().field(name), &to = twin.single().field(name);
        const std::vector<std::int32_t> words = words_of(land.single(), from.front());
        for (const device::BufferPtr& buffer : {to.front(), to.back()})
          backend.device->write(*buffer, 0, words.data(), buffer->bytes());
      }
      restore_state(other, save_state(simulation));
      simulation.run(6), other.run(6);
      EXPECT_EQ(land.single().hashes(), twin.single().hashes()) << backend.label;
      const Ledger l = simulation.ledger();
      const HeightEdits edits = land.edited();
      EXPECT_EQ(l.water_start + l.rained + l.dissolved + edits.water,
                l.water_now + l.evaporated + l.water_left);
      EXPECT_EQ(l.solids_start + l.advected + edits.solids, l.solids_now + l.solids_left);
    }
}

TEST(WriteHeights, TheFieldsSayWhatTheyAre) {
  Heightfield terrain = small();
  for (const ProcessPtr& process : rain_and_slides()) process->prepare(terrain);
  const Fields fields = terrain.fields();
  EXPECT_EQ(fields.size(), terrain.field_names().size());
  for (const FieldInfo& field : fields) {
    const FieldUnits units = terrain.units(field.id);
    EXPECT_EQ(field.unit, units.unit);
    EXPECT_EQ(field.scale, units.scale);
    EXPECT_EQ(field.offset, units.offset);
    EXPECT_EQ(field.type, terrain.field(field.id).type());
    EXPECT_EQ(field.shape, terrain.box());
    EXPECT_NE(field.help, "") << field.id;
  }
  const FieldInfo& bed = field_of(fields, "bed");
  EXPECT_EQ(bed.quantum, std::ldexp(1.0, -20));
  EXPECT_EQ(bed.offset, 200);
  EXPECT_TRUE(bed.writable);
  EXPECT_EQ(field_of(fields, "flux.se").name, "flux se");
  EXPECT_EQ(field_of(fields, "flux.se").scale, bed.quantum * 100);
  EXPECT_EQ(field_of(fields, "looseness").quantum, 0);
  EXPECT_EQ(refusal([&] { field_of(fields, "sedment"); }),
            "this terrain has no field 'sedment', did you mean 'sediment'?");
  // Tiles know what the whole knows of its fields.
  Landscape tiled(Heightfield(cpu(), {8, 8, 1, 1}, std::vector<float>(64, 1), {}), 2, 2);
  EXPECT_EQ(field_of(tiled.fields(), "water").shape, (Box{0, 0, 0, 8, 8, 1}));
}

TEST(Quanta, HaveTheRoomThatIsAskedFor) {
  const Quantum usual = Quantum::for_range(0, 100), roomy = Quantum::for_range(0, 100, 2000);
  EXPECT_EQ(usual.k, 20);
  EXPECT_EQ(roomy.k, 18);
  EXPECT_EQ(roomy.datum, usual.datum);
  EXPECT_EQ(Quantum::for_heights({30, none, 0, 100}, 2000).k, 18);
  EXPECT_EQ(Quantum::for_heights({30, none, 0, 100}).k, usual.k);
  const std::vector<float> heights(16, 50);
  Heightfield terrain(cpu(), {4, 4, 1, 1}, heights, {}, roomy);
  EXPECT_EQ(terrain.write("bed", {0, 0, 0, 2, 1}, {2050, -1950}).changed, 2U);
  Heightfield small(cpu(), {4, 4, 1, 1}, heights, {}, usual);
  EXPECT_THROW(small.write("bed", {0, 0, 0, 2, 1}, {2050, -1950}), UsageError);
}

}  // namespace
}  // namespace scree::testing
