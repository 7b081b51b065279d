// Worlds of every kind: what is done to them is exact, booked, kept, and the same on every device.
#include "run/world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/error.h"
#include "io/file/io_test.h"
#include "io/raster/raster.h"
#include "run/scene_test.h"

namespace scree {
namespace {

using io::testing::TemporaryFolder;
using testing::cpu;
using testing::open_selected;

struct Kind {
  const char* name;
  const char* toml;
  const char* field;  // to write
  double least, most;
  std::vector<std::pair<const char*, std::vector<const char*>>> settings;  // to change
};

const Kind heights{"heights",
                   R"([scene]
seed = 5
[terrain]
size = [40, 24]
cell = 15
generate = { kind = "ridged", relief = 300 }
borders = "open"
[water]
rain = "90 mm/h"
[hydraulic]
[thermal]
[[output]]
kind = "mask"
mask = "flow"
file = "flow.npy"
)",
                   "bed",
                   0,
                   300,
                   {{"hydraulic.capacity", {"0.5", "2"}},
                    {"water.rain", {"'10 mm/h'", "'200 mm/h'"}},
                    {"thermal.talus", {"20", "40"}},
                    {"thermal.enabled", {"false", "true"}},
                    {"hydraulic.loosening", {"0", "1"}},
                    {"water.neighbours", {"'4'", "'8'"}}}};

const Kind layers{"layers",
                  R"([scene]
seed = 5
[terrain]
kind = "layers"
size = [24, 20]
cell = 3
bedrock = "limestone"
generate = { kind = "pyramid", relief = 40 }
[[terrain.layer]]
material = "sand"
thickness = 3
[water]
rain = "40 mm/h"
[hydraulic]
[slippage]
[slumping]
[[terrain.cave]]
path = [[20, 30, 12], [50, 30, 12]]
radius = 4
)",
                  "bed",
                  20,
                  45,
                  {{"slippage.rate", {"0.5", "2"}},
                   {"slumping.every", {"1", "3"}},
                   {"hydraulic.capacity", {"1", "3"}},
                   {"hydraulic.loosening", {"0", "1"}}}};

const Kind voxels{
    "voxels", R"([scene]
seed = 5
[terrain]
kind = "voxels"
size = [36, 24, 28]
cell = 0.25
[[terrain.rock]]
name = "sandstone"
durability = 0.2
[[terrain.rock]]
name = "debris"
loose = true
[[terrain.form]]
kind = "column"
at = [4.5, 3, 0]
size = [5, 4, 6]
rock = "sandstone"
[weathering]
colluvium = true
stability_every = 3
[[weathering.bubble]]
radius_voxels = 3
)",
    "amount", 0,
    1,        {{"weathering.repose", {"25", "40"}}, {"weathering.stability_every", {"2", "5"}}}};

World world_of(const Kind& kind, const device::DevicePtr& device = cpu()) {
  return World::open(parse_scene(kind.toml, kind.name), {.opened = device});
}

void expect_closed(const World& world) {
  ASSERT_FALSE(world.balances().empty());
  for (const Balance& balance : world.balances()) EXPECT_EQ(balance.error(), 0) << balance.name;
}

// A random box of a field, and values for it: part of them are what is there.
WriteCommand random_write(const Kind& kind, const World& world, std::mt19937& draw) {
  const Fields fields = world.fields();
  const Box& all = field_of(fields, kind.field).shape;
  const auto below = [&](int n) { return static_cast<int>(draw() % static_cast<unsigned>(n)); };
  Box box{below(all.width), below(all.height), below(all.depth), 1, 1, 1};
  box.width += below(std::min(6, all.width - box.x));
  box.height += below(std::min(6, all.height - box.y));
  box.depth += below(std::min(6, all.depth - box.z));
  std::vector<double> values = world.snapshot({kind.field}, box).view(kind.field).values();
  for (double& value : values)
    if (draw() % 3 != 0 && !std::isnan(value))
      value = std::clamp(value + (kind.most - kind.least) / 8 * ((draw() % 201) / 100.0 - 1),
                         kind.least, kind.most);
  return {kind.field, box, std::move(values)};
}

// Steps, writes and settings, drawn at random.
void play(const Kind& kind, World& world, int moves, std::uint32_t seed) {
  std::mt19937 draw(seed);
  for (int i = 0; i < moves; ++i) {
    if (draw() % 3 == 0) {
      ASSERT_EQ(world.step(1 + draw() % 3), Stepped::done) << world.failure();
    } else if (draw() % 4 == 0) {
      const auto& [key, values] = kind.settings[draw() % kind.settings.size()];
      world.set(key, values[draw() % values.size()]);
    } else {
      const WriteCommand write = random_write(kind, world, draw);
      world.write(write.field, write.box, write.values);
    }
    if (i % 16 == 0) expect_closed(world);
  }
  expect_closed(world);
}

class Worlds : public ::testing::TestWithParam<Kind> {};
std::string kind_name(const ::testing::TestParamInfo<Kind>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(EveryKind, Worlds, ::testing::Values(heights, layers, voxels), kind_name);

TEST_P(Worlds, GoOnFromWhatWasKeptInMemoryAndInAFile) {
  const TemporaryFolder folder;
  World world = world_of(GetParam());
  play(GetParam(), world, 12, 3);
  const WorldState kept = world.save();
  world.save(folder / "world.scree");
  const auto then = world.hashes();
  play(GetParam(), world, 20, 4);
  const auto later = world.hashes();
  EXPECT_NE(then, later);

  world.restore(kept);
  EXPECT_EQ(world.hashes(), then);
  play(GetParam(), world, 20, 4);
  EXPECT_EQ(world.hashes(), later);

  World other = world_of(GetParam());
  other.restore(folder / "world.scree");
  EXPECT_EQ(other.commands(), kept.commands);
  play(GetParam(), other, 20, 4);
  EXPECT_EQ(other.hashes(), later);
  EXPECT_EQ(other.steps_done(), world.steps_done());
}

TEST_P(Worlds, ManyRandomChangesAreBookedAndAClonePlaysAlike) {
  World world = world_of(GetParam());
  play(GetParam(), world, 10, 1);
  World clone = world.clone();
  EXPECT_EQ(clone.hashes(), world.hashes());
  play(GetParam(), world, 120, 2);
  play(GetParam(), clone, 120, 2);
  EXPECT_EQ(clone.hashes(), world.hashes());
  EXPECT_EQ(clone.commands(), world.commands());
}

// The long form: a thousand of each.
TEST_P(Worlds, LongThousandRandomChanges) {
  World world = world_of(GetParam());
  World clone = world.clone();
  play(GetParam(), world, 1000, 7);
  play(GetParam(), clone, 1000, 7);
  EXPECT_EQ(clone.hashes(), world.hashes());
}

TEST_P(Worlds, ALogOfCommandsIsASessionOnEveryDevice) {
  World world = world_of(GetParam());
  play(GetParam(), world, 30, 11);
  world.step(3);
  for (const device::DeviceInfo& info : device::list_devices()) {
    if (!info.exact) continue;
    World again = world_of(GetParam(), open_selected(info.selector));
    for (const Command& command : world.commands()) {
      again.step(command.step - again.steps_done());
      again.apply(command_from(command_text(command)));
    }
    again.step(world.steps_done() - again.steps_done());
    EXPECT_EQ(again.hashes(), world.hashes()) << info.selector;
  }
}

TEST_P(Worlds, ByTurnsOnOneDeviceTheyGiveWhatTheyGiveAlone) {
  World alone = world_of(GetParam());
  play(GetParam(), alone, 20, 21);
  const auto expected = alone.hashes();
  World one = world_of(GetParam()), other = world_of(GetParam());
  play(GetParam(), one, 10, 22);
  play(GetParam(), other, 20, 21);
  play(GetParam(), one, 10, 23);
  EXPECT_EQ(other.hashes(), expected);
}

TEST_P(Worlds, SnapshotsStayAndChangeNothing) {
  World plain = world_of(GetParam()), watched = world_of(GetParam());
  std::vector<std::string> all;
  for (const FieldInfo& field : watched.fields()) all.push_back(field.id);
  const Snapshot first = watched.snapshot(all);
  const std::vector<double> before = first.view(GetParam().field).values();
  for (int step = 0; step < 100; ++step) {
    plain.step();
    watched.step();
    watched.snapshot(all);
  }
  EXPECT_EQ(watched.hashes(), plain.hashes());
  EXPECT_EQ(first.view(GetParam().field).values(), before);
  EXPECT_NE(watched.snapshot(all).view(GetParam().field).values(), before);
  EXPECT_EQ(first.step(), 0U);
}

TEST_P(Worlds, AWrittenFieldReadsAsItWasWritten) {
  World world = world_of(GetParam());
  world.step(2);
  const Box box{3, 2, 1 % std::max(1, field_of(world.fields(), GetParam().field).shape.depth),
                2, 3, 1};
  const double value = 0.5 * (GetParam().least + GetParam().most);
  const Receipt receipt =
      world.write(GetParam().field, box, std::vector<double>(box.cells(), value));
  EXPECT_EQ(receipt.box, box);
  EXPECT_GT(receipt.changed, 0U);
  const FieldView view = world.snapshot({GetParam().field}, box).view(GetParam().field);
  for (const double found : view.values()) EXPECT_NEAR(found, value, view.info().quantum);
  expect_closed(world);
}

TEST_P(Worlds, WhatCannotBeIsRefusedAndChangesNothing) {
  World world = world_of(GetParam());
  world.step(2);
  const auto before = world.hashes();
  const Box cell{1, 1, 0, 1, 1, 1};
  const auto refused = [&](const auto& change) {
    EXPECT_THROW(change(), UsageError);
    EXPECT_EQ(world.hashes(), before);
  };
  refused([&] { world.write(GetParam().field, cell, {std::nan("")}); });
  refused([&] { world.write(GetParam().field, cell, {1e9}); });
  refused([&] { world.write(GetParam().field, cell, {0.5, 0.5}); });
  refused([&] { world.write(GetParam().field, {-1, 0, 0, 1, 1, 1}, {0.5}); });
  refused([&] { world.write("no-such-field", cell, {0.5}); });
  refused([&] { world.set("nothing.at_all", "1"); });
  refused([&] { world.apply({99, WriteCommand{GetParam().field, cell, {0.5}}}); });
  EXPECT_TRUE(world.commands().empty());
  EXPECT_EQ(world.set("terrain.cell", "7"), Effect::new_world);
  EXPECT_EQ(world.set("scene.steps", "7"), Effect::live);
  EXPECT_EQ(world.scene().steps, 7U);
}

TEST(World, GoesBackToBeforeASettingThatAddedFields) {
  World world = world_of(heights);
  world.step(3);
  const WorldState kept = world.save();
  const auto then = world.hashes();
  world.set("water.neighbours", "'8'");
  world.set("hydraulic.loosening", 1);
  world.step(3);
  EXPECT_GT(world.hashes().size(), then.size());
  world.restore(kept);
  EXPECT_EQ(world.hashes(), then);
  World twin = world.clone();
  world.step(3), twin.step(3);
  EXPECT_EQ(world.hashes(), twin.hashes());
}

TEST(World, GoesBackToBeforeAnErosionOfLayers) {
  Scene scene = parse_scene(layers.toml, "dry");
  scene.apply_override("hydraulic.enabled=false");
  World world = World::open(scene, {.opened = cpu()});
  world.step(3);
  const WorldState kept = world.save();
  const auto then = world.hashes();
  world.set("hydraulic.enabled", "true");
  world.step(20);
  world.restore(kept);
  EXPECT_EQ(world.hashes(), then);
  expect_closed(world);
}

TEST(World, WaterOfLayersIsNotSwitchedOffUnbooked) {
  Scene scene = parse_scene(layers.toml, "rain alone");
  scene.apply_override("hydraulic.enabled=false");
  World world = World::open(scene, {.opened = cpu()});
  world.step(5);
  const auto before = world.hashes();
  EXPECT_THROW(world.set("water.enabled", "false"), UsageError);
  EXPECT_EQ(world.hashes(), before);
  expect_closed(world);
}

TEST(World, ASettingOfAnotherTerrainIsRefused) {
  World world = world_of(heights);
  EXPECT_THROW(world.set("slippage.rate", 2), UsageError);
  EXPECT_FALSE(world.scene().processes.on("slippage"));
  EXPECT_EQ(world_of(voxels).set("weathering.bubble", "[{ radius_voxels = 2 }]"),
            Effect::new_world);
}

TEST(World, CellsWithoutDataAreNotANumber) {
  Scene scene = parse_scene(heights.toml, "holes");
  const TemporaryFolder folder;
  Raster dem;
  dem.width = 12, dem.height = 9, dem.dx = dem.dy = 10, dem.has_nodata = true;
  for (int i = 0; i < 12 * 9; ++i)
    dem.values.push_back(i == 40 ? std::nanf("") : static_cast<float>(100 + i % 7));
  io::write_raster(folder / "dem.npy", dem);
  scene.apply_override("terrain.source=" + (folder / "dem.npy").string());
  scene.apply_override("terrain.nodata='nan'");
  scene.apply_override("terrain.size=[12, 9]");
  World world = World::open(scene, {.opened = cpu()});
  world.step(2);
  const Snapshot shot = world.snapshot({"bed", "water"});
  for (const char* field : {"bed", "water"}) {
    const std::vector<double> values = shot.view(field).values();
    EXPECT_TRUE(std::isnan(values[40])) << field;
    EXPECT_EQ(std::count_if(values.begin(), values.end(), [](double v) { return std::isnan(v); }),
              1);
    world.write(field, shot.view(field).box(), values);
  }
}

TEST(World, CancelledStaysWholeAndHarmsNoOther) {
  CancelToken token;
  World plain = world_of(heights);
  World stopped =
      World::open(parse_scene(heights.toml, "stopped"), {.opened = cpu(), .cancel = &token});
  stopped.step(5);
  plain.step(5);
  token.cancel();
  EXPECT_EQ(stopped.step(5), Stepped::cancelled);
  EXPECT_EQ(stopped.clone().hashes(), stopped.hashes());
  EXPECT_EQ(plain.step(5), Stepped::done);
  World other = world_of(heights);
  other.restore(stopped.save());
  other.step(5);
  EXPECT_EQ(other.hashes(), plain.hashes());
  token.reset();
  EXPECT_EQ(stopped.step(5), Stepped::done);
  EXPECT_EQ(stopped.hashes(), plain.hashes());
}

TEST(World, UnstableCanOnlyBeRestored) {
  Scene scene = parse_scene(heights.toml, "fixed");
  scene.dt = 0.5;
  World world = World::open(scene, {.opened = cpu()});
  world.step(4);
  const WorldState kept = world.save();
  const auto then = world.hashes();
  const Box pond{5, 5, 0, 3, 3, 1};
  world.write("water", pond, std::vector<double>(9, 120.0));
  EXPECT_EQ(world.step(2), Stepped::unstable);
  EXPECT_NE(world.failure().find("too long"), std::string::npos);
  EXPECT_THROW(world.step(), UsageError);
  EXPECT_THROW(world.clone().step(), UsageError);
  EXPECT_THROW(world.set("hydraulic.capacity", 1), UsageError);
  world.restore(kept);
  EXPECT_EQ(world.hashes(), then);
  EXPECT_EQ(world.step(2), Stepped::done);
}

TEST(World, PouredWaterShortensTheNextStep) {
  World world = world_of(heights);
  world.step(5);
  const double before = world.dt();
  world.write("water", {10, 10, 0, 6, 6, 1}, std::vector<double>(36, 50.0));
  EXPECT_EQ(world.step(40), Stepped::done);
  EXPECT_LT(world.dt(), before);
  expect_closed(world);
}

TEST(World, RoomLetsAWriteGoHigher) {
  Scene scene = parse_scene(heights.toml, "tall");
  const Box cell{5, 5, 0, 1, 1, 1};
  World plain = World::open(scene, {.opened = cpu()});
  try {
    plain.write("bed", cell, {2500});
    FAIL() << "expected a refusal";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("room"), std::string::npos) << error.what();
  }
  scene.apply_override("terrain.room=3 km");
  World tall = World::open(scene, {.opened = cpu()});
  EXPECT_EQ(tall.write("bed", cell, {2500}).changed, 1U);
}

TEST(World, AnothersStateIsRefused) {
  World world = world_of(heights);
  Scene other = parse_scene(heights.toml, "other");
  other.apply_override("hydraulic.capacity=3.5");
  EXPECT_THROW(world.restore(World::open(other, {.opened = cpu()}).save()), UsageError);
}

TEST(World, SaysWhatItSaysToItsOwner) {
  std::vector<std::string> said;
  Scene scene = parse_scene(heights.toml, "thermal");
  scene.apply_override("thermal.talus=1");
  World loud = World::open(scene, {.opened = cpu(), .log = [&](LogLevel, const std::string& line) {
                                     said.push_back(line);
                                   }});
  World silent = world_of(heights);
  const std::size_t own = said.size();
  silent.step(3);
  EXPECT_EQ(said.size(), own);
}

TEST(Command, IsTheSameAfterItsText) {
  const Command write{7, WriteCommand{"bed", {1, 2, 0, 2, 1, 1}, {0.1, -1e-300}}};
  EXPECT_EQ(command_from(command_text(write)), write);
  const Command set{9, SetCommand{"water.rain", "'30 mm/h'"}};
  EXPECT_EQ(command_from(command_text(set)), set);
  for (const char* bad :
       {"", "{}", "[]", R"({"step": 1})", R"({"step": -1, "set": "a", "value": 1})"})
    EXPECT_THROW(command_from(bad), UsageError) << bad;
}

}  // namespace
}  // namespace scree
