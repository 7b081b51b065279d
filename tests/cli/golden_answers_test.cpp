// Every command's --json, every kind of run's report.json and the CPU's pictures are what they
// were, on the CPU: keys, their order, and values. They are kept in tests/golden; after a change
// that is meant to change them, write them anew, look at what changed (git diff) and commit it:
//
//   SCREE_UPDATE_GOLDEN=1 build/release/test_cli --gtest_filter='*Golden*'
#include <algorithm>
#include <fstream>
#include <set>

#include "base/error.h"
#include "base/hash.h"
#include "golden.h"
#include "io/raster/raster.h"
#include "render_test.h"

namespace scree::testing {
namespace {

// In this order, each on what those before have written.
std::vector<Call> calls_on_rasters() {
  return {
      {"generate",
       {"generate", "mountain", "-o", "land.tif", "--size", "24x20", "--seed", "3", "--device",
        "cpu"}},
      {"erode",
       {"erode", "land.tif", "-o", "eroded.tif", "--steps", "20", "--relief", "relief.png",
        "--masks", "masks", "--engine", "unity", "--device", "cpu"}},
      {"mesh", {"mesh", "land.tif", "-o", "land.glb"}},
      {"mesh-simplified",
       {"mesh", "land.tif", "-o", "few.ply", "--target-triangles", "200", "--colour", "slope"}},
      {"mesh-levels", {"mesh", "eroded.tif", "-o", "land.obj", "--levels", "2"}},
      {"mesh-view", {"mesh", "land.tif", "-o", "near.stl", "--view", "20,30", "--colour", "none"}},
      {"render-relief",
       {"render", "land.tif", "-o", "map.png", "--pixels", "160x120", "--view", "relief"}},
      {"info-raster", {"info", "eroded.tif"}},
      {"generate-fbm",
       {"generate", "fbm", "-o", "wide.tif", "--size", "160x120", "--seed", "3", "--device",
        "cpu"}},
      {"info-hydrology", {"info", "wide.tif", "--hydrology"}},
      {"info-dem", {"info", data_file("jacksboro_coast.tif")}},
      {"info-preset", {"info", "alpine"}},
      {"compare-same", {"compare", "land.tif", "land.tif"}},
      {"compare-other", {"compare", "land.tif", "eroded.tif"}, 1},
  };
}

std::vector<Call> calls_without_files() {
  return {
      {"params", {"params"}},
      {"params-hydraulic", {"params", "hydraulic"}},
      {"fields", {"fields"}},
      {"devices", {"devices"}},
      {"error-file", {"info", "nothing.tif"}, 1},
      {"error-value", {"generate", "mountain", "-o", "a.tif", "--size", "0x4"}, 2},
  };
}

std::vector<Call> calls_on_checkpoints() {
  const auto file = [](std::size_t scene) { return kept_scenes().at(scene).checkpoint(); };
  return {
      {"compare-heights", {"compare", file(0), file(0)}},
      {"compare-layers", {"compare", file(3), file(4)}, 1},
      {"compare-voxels", {"compare", file(5), file(5)}},
      {"mesh-heights", {"mesh", file(1), "-o", "heights.glb", "--water"}},
      {"mesh-layers",
       {"mesh", file(3), "-o", "layers.ply", "--cut", "0,12,27,12", "--cell-z", "1"}},
      {"mesh-voxels", {"mesh", file(5), "-o", "voxels.ply"}},
      {"render-section",
       {"render", file(3), "-o", "cut.png", "--pixels", "160x120", "--view", "section"}},
  };
}

#ifdef SCREE_WITH_VDB
std::vector<Call> calls_on_volumes() {
  return {
      {"weather", {"weather", "rock.toml", "--out", "rock", "--device", "cpu"}},
      {"info-volume", {"info", "rock/rock.vdb"}},
      {"mesh-volume", {"mesh", "rock/rock.vdb", "-o", "rock.glb"}},
      {"mesh-volume-levels", {"mesh", "rock/rock.vdb", "-o", "rock.ply", "--levels", "2"}},
  };
}
#endif

// A run of its scene, and what is told of the run, of the scene and of its kept checkpoint.
std::vector<Call> calls_of(const KeptScene& kept) {
  return {
      {"run-" + kept.name,
       {"run", kept.scene(), "--out", "out", "--device", "cpu", "--checkpoint-every", kept.step}},
      {"info-run-" + kept.name, {"info", "out"}},
      {"info-scene-" + kept.name, {"info", kept.scene()}},
      {"info-checkpoint-" + kept.name, {"info", kept.checkpoint()}},
  };
}

TEST_F(GoldenCli, AnswersOnRasters) { expect_answers(calls_on_rasters()); }

TEST_F(GoldenCli, AnswersWithoutFiles) { expect_answers(calls_without_files()); }

TEST_F(GoldenCli, AnswersOnCheckpoints) {
  copy_kept_scenes(folder());
  expect_answers(calls_on_checkpoints());
}

#ifdef SCREE_WITH_VDB
TEST_F(GoldenCli, AnswersOnVolumes) {
  write("rock.toml", softer_rock("0.6", 4));
  expect_answers(calls_on_volumes());
  expect_golden_text("reports/rock.json",
                     masked(Json::parse(read("rock/report.json"))).dump(2) + "\n");
}
#endif

// What a benchmark measures is another number each time; which numbers there are is not.
TEST_F(GoldenCli, AnswersOfABenchmark) {
#ifndef SCREE_WITH_BENCH
  GTEST_SKIP() << "built without benchmarks";
#endif
  const Outcome outcome = scree({"bench", "--json", "--size", "64", "--seconds", "0.001", "--only",
                                 "sheet", "--device", "cpu", "--voxels", "none"});
  expect_success(outcome);
  Json answer = outcome.json();
  answer["copy_bandwidth"] = Json::array({answer["copy_bandwidth"].size()});
  for (Json& line : answer["lines"]) {
    line["device"] = "(machine)";
    for (auto& [key, value] : line.items())
      if (value.is_number_float()) value = "(number)";
  }
  expect_golden_text("answers/bench.json", answer.dump(2) + "\n");
}

class GoldenRun : public GoldenCli, public ::testing::WithParamInterface<KeptScene> {
 protected:
  GoldenRun() { copy_kept_scenes(folder()); }
  Json report() const { return Json::parse(read("out/report.json"), nullptr, false); }
};

TEST_P(GoldenRun, AnswersAndReportsAsBefore) {
  expect_answers(calls_of(GetParam()));
  const Json found = report();
  EXPECT_EQ(read("out/report.json"), found.dump(2) + "\n");
  expect_golden_text("reports/" + GetParam().name + ".json", masked(found).dump(2) + "\n");
  // The run came by the very state that the kept checkpoint holds.
  expect_success(
      scree({"compare", GetParam().checkpoint(), "out/checkpoint-" + GetParam().step + ".scree"}));
}

// Checkpoints that a program of before wrote are gone on from by every later one, to the bits of
// the run that was not interrupted. They are never written anew.
TEST_P(GoldenRun, AKeptCheckpointGoesOn) {
  fs::create_directories(path("out"));
  fs::copy_file(path(GetParam().checkpoint()),
                path("out/checkpoint-" + GetParam().step + ".scree"));
  expect_success(scree({"run", GetParam().scene(), "--out", "out", "--device", "cpu", "--resume"}));
  const fs::path golden =
      fs::path(SCREE_ROOT) / "tests/golden/reports" / (GetParam().name + ".json");
  const Json expected = Json::parse(std::ifstream(golden), nullptr, false);
  EXPECT_EQ(report()["resumed_from"], std::stoi(GetParam().step));
  EXPECT_EQ(report()["hashes"], expected["hashes"]);
  EXPECT_EQ(report()["ledger"], expected["ledger"]);
}

INSTANTIATE_TEST_SUITE_P(Kept, GoldenRun, ::testing::ValuesIn(kept_scenes()), [](const auto& kept) {
  std::string name = kept.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// Size and hash of a picture's pixels, however the file packs them.
std::string pixels_of(const fs::path& file) {
  Hash64 hash;
  Raster plane;
  for (int band = 1; band <= 3; ++band) {
    io::ReadOptions options;
    options.band = band;
    plane = io::read_raster(file, options);
    for (const float value : plane.values) {
      const auto byte = static_cast<unsigned char>(value);
      hash.update(&byte, 1);
    }
  }
  return text(plane.width, "x", plane.height, " ", hash_text(hash.digest()));
}

// What `scree render` draws without OpenGL, of each kind of terrain.
struct View {
  const char* name;
  std::string in;
  Words words;
};

std::vector<View> views() {
  const auto file = [](std::size_t scene) { return kept_scenes().at(scene).checkpoint(); };
  return {
      {"raster-relief", "land.tif", {"relief", "--contours", "50", "--glyphs", "normals"}},
      {"raster-slope", "land.tif", {"field:slope"}},
      {"raster-section", "land.tif", {"section", "--line", "-80:-60,90:50"}},
      {"heights-relief", file(1), {"relief", "--glyphs", "velocity"}},
      {"heights-water", file(1), {"field:water", "--log"}},
      {"heights-section", file(1), {"section"}},
      {"layers-relief", file(3), {"relief"}},
      {"layers-mud", file(3), {"field:thickness.mud"}},
      {"layers-section", file(3), {"section"}},
      {"voxels-relief", file(5), {"relief"}},
      {"voxels-height", file(5), {"field:height"}},
      {"voxels-section", file(5), {"section"}},
  };
}

TEST_F(GoldenCli, PicturesOfTheCpuToTheByte) {
  copy_kept_scenes(folder());
  expect_success(scree(calls_on_rasters().front().words));
  Json pixels = Json::object();
  for (const View& view : views()) {
    Words words = {"render", view.in, "-o", "view.png", "--pixels", "160x120", "--view"};
    words.insert(words.end(), view.words.begin(), view.words.end());
    expect_success(scree(words));
    pixels[view.name] = pixels_of(path("view.png"));
  }
  for (const std::size_t scene : {0, 3}) {
    const std::string name = kept_scenes()[scene].name;
    expect_success(scree({"run", name + ".toml", "--out", name, "--device", "cpu"}));
    pixels["output-" + name] = pixels_of(path(name + "/relief.png"));
  }
  expect_golden_text("pictures.json", pixels.dump(2) + "\n");
}

std::set<std::string> names_in(const fs::path& folder, const std::string& ending) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ending) names.insert(entry.path().stem().string());
  return names;
}

// A golden file, or a checkpoint, that no test reads would keep nobody from anything.
TEST(GoldenFiles, EachIsCompared) {
  std::vector<std::vector<Call>> all = {calls_on_rasters(), calls_without_files(),
                                        calls_on_checkpoints()};
#ifdef SCREE_WITH_VDB
  all.push_back(calls_on_volumes());
#endif
  std::set<std::string> answers{"bench"}, reports{"rock"}, checkpoints;
  for (const KeptScene& kept : kept_scenes()) {
    all.push_back(calls_of(kept));
    reports.insert(kept.name);
    checkpoints.insert(fs::path(kept.checkpoint()).stem().string());
  }
  for (const std::vector<Call>& calls : all)
    for (const Call& call : calls) answers.insert(call.name);
  const fs::path golden = fs::path(SCREE_ROOT) / "tests/golden";
  EXPECT_EQ(names_in(golden / "answers", ".json"), answers);
  EXPECT_EQ(names_in(golden / "reports", ".json"), reports);
  EXPECT_EQ(names_in(data_file("checkpoints"), ".scree"), checkpoints);
}

}  // namespace
}  // namespace scree::testing
