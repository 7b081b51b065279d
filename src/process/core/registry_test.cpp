#include "process/core/registry.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "process/heights/sheet.h"
#include "process/heights/simulation.h"
#include "process/heights/thermal.h"
#include "process/heights/water.h"
#include "process/layers/layer_process.h"
#include "process/voxels/weathering.h"
#include "testing.h"

namespace scree {
namespace {

std::unique_ptr<Heightfield> slope() {
  device::DeviceOptions options;
  options.selector = "cpu";
  std::vector<float> heights;
  for (int i = 0; i < 20 * 12; ++i) heights.push_back(static_cast<float>(i % 20 * 9 + i % 7 * 4));
  return std::make_unique<Heightfield>(device::open_device(options), HeightfieldShape{20, 12, 5, 5},
                                       heights, Borders::all(BorderKind::open));
}

TEST(Registry, KnowsEveryProcessInTheOrderOfAStep) {
  std::vector<std::string> names;
  for (const ProcessKind& kind : process_kinds())
    if (kind.terrain == "heightfield") names.push_back(kind.name);
  const auto place = [&](const char* name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  EXPECT_LT(place("water"), place("hydraulic"));
  EXPECT_LT(place("hydraulic"), place("sheet"));
  EXPECT_LT(place("sheet"), place("thermal"));
  EXPECT_LT(place("thermal"), static_cast<std::ptrdiff_t>(names.size()));
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << "two of one name";
}

TEST(Registry, EveryProcessSaysWhatPagesNeed) {
  for (const ProcessKind& kind : process_kinds()) {
    EXPECT_FALSE(kind.title.empty() || kind.help.empty()) << kind.name;
    EXPECT_FALSE(kind.parameters->list().empty()) << kind.name;
    for (const FieldSpec& field : kind.fields)
      EXPECT_FALSE(std::string(field.help).empty()) << field.name;
  }
}

// What it adds to a terrain is what it declared, and what it does conserves.
TEST(Registry, EveryProcessRunsAloneAndDeclaresItsFields) {
  for (const ProcessKind& kind : process_kinds()) {
    if (kind.terrain != "heightfield") continue;
    SCOPED_TRACE(kind.name);
    Landscape land(slope());
    std::vector<std::string> known = land.single().field_names();
    for (const FieldSpec& field : kind.fields) known.emplace_back(field.name);
    for (const ProcessKind& other : process_kinds())  // whose step may do its work
      for (const FieldSpec& field : other.fields) known.emplace_back(field.name);
    for (const FieldSpec& field : {flow_field, wear_field, deposit_field, wetness_field})
      known.emplace_back(field.name);
    std::vector<ProcessPtr> made = make_processes(ProcessSet().use(kind.name));
    ASSERT_EQ(made.size(), 1U);
    made[0]->track = true;
    Simulation simulation(land, std::move(made));
    simulation.run(20);
    EXPECT_EQ(simulation.ledger().water_error(), 0);
    EXPECT_EQ(simulation.ledger().solids_error(), 0);
    for (const std::string& name : land.single().field_names())
      EXPECT_NE(std::find(known.begin(), known.end(), name), known.end()) << name;
  }
}

TEST(Registry, MakesWhatIsSwitchedOn) {
  ProcessSet set;
  EXPECT_TRUE(make_processes(set).empty());
  set.use("thermal", "talus", "0.5 rad").use("hydraulic");
  set["thermal"].every = 3;
  const std::vector<ProcessPtr> made = make_processes(set);
  ASSERT_EQ(made.size(), 2U);
  EXPECT_NE(dynamic_cast<Water*>(made[0].get()), nullptr) << "it does the work of hydraulic";
  EXPECT_NE(dynamic_cast<ThermalWeathering*>(made[1].get()), nullptr);
  EXPECT_EQ(made[1]->every, 3);
  EXPECT_EQ(set.names(), (std::vector<std::string>{"hydraulic", "thermal"}));
  EXPECT_NEAR(set["thermal"].as<ThermalParameters>().talus, 28.648, 1e-3);
}

// Settings are values: a copy that changes leaves its original alone.
TEST(Registry, SettingsAreCopied) {
  ProcessSet set;
  set["water"].lists["spring"].emplace_back(SpringParameters{});
  ProcessSet copy = set;
  copy.use("water", "rain", 0.01);
  copy["water"].lists["spring"][0]->set("rate", 7.0);
  EXPECT_EQ(set["water"].as<WaterParameters>().rain, WaterParameters{}.rain);
  EXPECT_EQ(set["water"].list<SpringParameters>("spring")[0].rate, SpringParameters{}.rate);
  EXPECT_EQ(copy["water"].list<SpringParameters>("spring")[0].rate, 7);
  EXPECT_FALSE(set.on("water"));
}

// Every process is made for the terrain that it is at home on, and for no other.
TEST(Registry, MakesProcessesByTerrain) {
  ProcessSet set;
  set.use("thermal")
      .use("water")
      .use("slippage")
      .use("weathering", WeatheringPlan{{sphere_bubble(2, 1)}, {}});
  const auto names = [](const auto& made) {
    std::vector<std::string> all;
    for (const auto& process : made) all.push_back(process->name());
    return all;
  };
  EXPECT_EQ(names(make_processes(set)), (std::vector<std::string>{"water", "thermal"}));
  EXPECT_EQ(names(make_processes<LayerProcess>(set)),
            (std::vector<std::string>{"water", "slippage"}));
  EXPECT_EQ(names(make_processes<VoxelProcess>(set)), std::vector<std::string>{"weathering"});
  for (const ProcessKind& kind : process_kinds()) EXPECT_EQ(kind.physics, 1) << kind.name;
}

// A checkpoint names its fields and not their types: whatever a process may add is known.
TEST(Registry, KnowsTheTypeOfEveryField) {
  std::vector<ProcessPtr> made =
      make_processes(ProcessSet().use("water").use("hydraulic", "loosening", 1.0).use("thermal"));
  for (const ProcessPtr& process : made) process->track = true;
  Landscape land(slope());
  testing::add_maps(land.single());
  const Simulation simulation(land, std::move(made));
  int counts = 0;
  for (const std::string& name : land.single().field_names()) {
    EXPECT_EQ(field_type(name), land.single().field(name).type()) << name;
    counts += field_type(name) == device::FieldType::int32 ? 1 : 0;
  }
  EXPECT_EQ(counts, 7) << "bed, water, sediment, floor, sink, wear, deposit";
}

TEST(Registry, WeatheringNeedsItsBubbles) {
  EXPECT_THROW(make_processes<VoxelProcess>(ProcessSet().use("weathering")), UsageError);
}

TEST(Registry, NamesWhatItDoesNotKnow) {
  const auto said = [](auto&& what) -> std::string {
    try {
      what();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(said([] { ProcessSet().use("thermla"); }).find("did you mean 'thermal'"),
            std::string::npos);
  EXPECT_NE(said([] { ProcessSet().use("thermal", "tallus", 30.0); }).find("'talus'"),
            std::string::npos);
  EXPECT_NE(said([] { ProcessSet().use("thermal", "talus", 100.0); }).find("1 to 89"),
            std::string::npos);
}

}  // namespace
}  // namespace scree
