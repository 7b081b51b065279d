#include "run/runner.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/hash.h"
#include "io/file/atomic_file.h"
#include "io/file/io_test.h"
#include "run/build/build.h"
#include "run/checkpoints.h"
#include "run/run_folder.h"
#include "run/scene_test.h"

namespace scree {
namespace {

using io::testing::error_of;
using io::testing::TemporaryFolder;
using testing::cpu;
using testing::options_for;
using testing::StopAfter;

// Everything at once on a small odd grid; open borders, so that halos matter.
const char* const everything = R"(
[scene]
seed = 5
steps = 60
[terrain]
size = [37, 29]
cell = [20, 30]
[terrain.generate]
kind = "fbm"
relief = 300
[water]
rain = 1e-4
rain_shape = "disc"
rain_radius = 400
drop_rain = 1e-3
evaporation = 1e-4
[[water.spring]]
rate = 5
[hydraulic]
loosening = 0.5
[thermal]
every = 3
wetness_influence = 0.5
[[output]]
kind = "mask"
mask = "flow"
file = "flow.npy"
[[output]]
kind = "height"
file = "height.npy"
every = 20
)";

const char* const scrolling = R"(
[scene]
steps = 40
[terrain]
size = [33, 40]
[terrain.generate]
kind = "simplex"
relief = 100
feature_size = 200
[sheet]
rain_shape = "strip"
rain_radius = 100
[thermal]
[scroll]
every = 7
cells = [2, -3]
[[output]]
kind = "height"
file = "height.npy"
)";

RunResult interrupted_and_resumed(const Scene& scene, RunOptions options, long long stop_at,
                                  const device::DevicePtr& other) {
  StopAfter stop(stop_at);
  options.progress = &stop;
  options.cancel = &stop.token;
  EXPECT_THROW(run_scene(scene, options), Cancelled);
  options.progress = nullptr;
  options.cancel = nullptr;
  options.resume = true;
  options.opened = other;
  RunResult result = run_scene(scene, options);
  EXPECT_EQ(result.resumed_from, static_cast<std::uint64_t>(stop_at));
  return result;
}

void expect_same_end(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(a.hashes, b.hashes);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.ledger.rained, b.ledger.rained);
  EXPECT_EQ(a.ledger.solids_left, b.ledger.solids_left);
  EXPECT_EQ(a.ledger.scrolled_solids, b.ledger.scrolled_solids);
  EXPECT_EQ(b.ledger.water_error(), 0);
  EXPECT_EQ(b.ledger.solids_error(), 0);
  ASSERT_EQ(a.outputs.size(), b.outputs.size());
  for (std::size_t i = 0; i < a.outputs.size(); ++i) {
    EXPECT_EQ(a.outputs[i].filename(), b.outputs[i].filename());
    EXPECT_EQ(io::read_file(a.outputs[i]), io::read_file(b.outputs[i])) << a.outputs[i];
  }
}

TEST(Runner, AResumedRunEndsLikeAnUninterruptedOne) {
  for (const char* toml : {everything, scrolling}) {
    const Scene scene = parse_scene(toml, "s.toml");
    const TemporaryFolder whole;
    const RunResult expected = run_scene(scene, options_for(whole));
    for (const long long stop : {1, 22, 35}) {
      const TemporaryFolder part;
      expect_same_end(expected, interrupted_and_resumed(scene, options_for(part), stop, cpu()));
    }
  }
}

TEST(Runner, EveryTransportAndBorderResumes) {
  for (const char* change :
       {"hydraulic.transport=euler", "hydraulic.transport=maccormack", "terrain.borders=closed",
        "terrain.borders=wrap", "terrain.borders=level", "water.neighbours=4"}) {
    Scene scene = parse_scene(everything, "s.toml");
    scene.apply_override(change);
    scene.steps = 40;
    const TemporaryFolder whole, part;
    const RunResult expected = run_scene(scene, options_for(whole));
    const RunResult resumed = interrupted_and_resumed(scene, options_for(part), 25, cpu());
    EXPECT_EQ(expected.hashes, resumed.hashes) << change;
  }
}

TEST(Runner, ARunGoesOnOnAnotherDevice) {
  device::DevicePtr other;
  try {
    other = testing::open_selected("opencl");
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  for (const char* toml : {everything, scrolling}) {
    const Scene scene = parse_scene(toml, "s.toml");
    const TemporaryFolder whole, part;
    const RunResult expected = run_scene(scene, options_for(whole));
    expect_same_end(expected, interrupted_and_resumed(scene, options_for(part), 25, other));
  }
}

TEST(Runner, ABrokenCheckpointFallsBackToAnOlderOne) {
  const Scene scene = parse_scene(everything, "s.toml");
  const TemporaryFolder whole, part;
  const RunResult expected = run_scene(scene, options_for(whole));
  RunOptions options = options_for(part);
  options.checkpoint_every = 16;
  run_scene(scene, options);
  std::vector<CheckpointFile> files = RunFolder(options.out).checkpoints();
  ASSERT_EQ(files.size(), 2U) << "the newest two are kept";
  EXPECT_EQ(files[0].step, 48U);
  EXPECT_EQ(files[1].step, 32U);
  options.resume = true;

  std::string bytes = io::read_file(files[0].path);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  io::testing::put(files[0].path, bytes);
  options.checkpoint_every = 0;
  RunResult resumed = run_scene(scene, options);
  EXPECT_EQ(resumed.resumed_from, 32U);
  EXPECT_EQ(resumed.hashes, expected.hashes);

  std::filesystem::resize_file(files[1].path, 1000);
  resumed = run_scene(scene, options);
  EXPECT_EQ(resumed.resumed_from, 0U) << "nothing whole is left: afresh";
  EXPECT_EQ(resumed.hashes, expected.hashes);
}

TEST(Runner, ResumeRefusesAnotherSceneAndAnEarlierEnd) {
  Scene scene = parse_scene(everything, "s.toml");
  const TemporaryFolder folder;
  RunOptions options = options_for(folder);
  options.checkpoint_every = 50;
  run_scene(scene, options);
  options.resume = true;
  const std::string path = (options.out / "checkpoint-50.scree").string();
  Scene other = scene;
  other.apply_override("hydraulic.capacity=2");
  EXPECT_EQ(error_of([&] { run_scene(other, options); }),
            path +
                ": belongs to a scene with other settings; run without resume to start afresh, "
                "or choose another folder");
  scene.steps = 10;
  EXPECT_TRUE(error_of([&] {
                run_scene(scene, options);
              }).starts_with(options.out.string() + ": its checkpoint is of step 50"));
}

TEST(Runner, ARunThatStartsAfreshDropsOlderCheckpoints) {
  Scene scene = parse_scene(everything, "s.toml");
  const TemporaryFolder folder;
  RunOptions options = options_for(folder);
  options.checkpoint_every = 25;
  run_scene(scene, options);
  scene.seed = 77;
  options.checkpoint_every = 20;
  scene.steps = 21;
  run_scene(scene, options);
  ASSERT_EQ(RunFolder(options.out).checkpoints().size(), 1U);
  EXPECT_EQ(RunFolder(options.out).checkpoints()[0].step, 20U);
}

// Else a later resume would go on from a run that is none of its own.
TEST(Runner, ARunThatStartsAfreshDropsThemEvenWhereItWritesNone) {
  const Scene scene = parse_scene(everything, "s.toml");
  const TemporaryFolder folder;
  RunOptions options = options_for(folder);
  options.checkpoint_every = 25;
  run_scene(scene, options);
  ASSERT_FALSE(RunFolder(options.out).checkpoints().empty());
  // What fails before its first step leaves them alone.
  Scene bad = scene;
  bad.outputs.clear();
  options.engine = "none of them";
  EXPECT_NE(error_of([&] { run_scene(bad, options); }), "");
  EXPECT_FALSE(RunFolder(options.out).checkpoints().empty());
  options.engine.clear();
  options.checkpoint_every = 0;
  Scene other = scene;
  other.apply_override("hydraulic.capacity=2");
  run_scene(other, options);
  EXPECT_TRUE(RunFolder(options.out).checkpoints().empty());
  options.resume = true;
  EXPECT_EQ(run_scene(other, options).resumed_from, 0U);
}

TEST(Runner, CancelSaysWhereTheStateIs) {
  const Scene scene = parse_scene(everything, "s.toml");
  const TemporaryFolder folder;
  RunOptions options = options_for(folder);
  StopAfter stop(9);
  options.progress = &stop;
  options.cancel = &stop.token;
  EXPECT_EQ(
      error_of([&] { run_scene(scene, options); }),
      "stopped after 9 steps; the state is in " + (options.out / "checkpoint-9.scree").string());
  EXPECT_TRUE(RunFolder(options.out).report().unfinished().value_or(Unfinished{}).cancelled);
}

TEST(Runner, AnUnstableStepLeavesACheckpoint) {
  const Scene scene = parse_scene(
      "[scene]\ndt = 100\nsteps = 5\n[terrain]\nsize = [16, 16]\n[terrain.maps]\nwater = "
      "50\n[water]\n",
      "s.toml");
  const TemporaryFolder folder;
  const RunOptions options = options_for(folder);
  const std::string line = error_of([&] { run_scene(scene, options); });
  const std::string path = (options.out / "checkpoint-0.scree").string();
  EXPECT_TRUE(line.starts_with("dt = 100 s is too long in step 0")) << line;
  EXPECT_TRUE(line.ends_with("; the state is in " + path)) << line;
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST(Runner, ReportSaysWhatWasDone) {
  const Scene scene = parse_scene(everything, "s.toml");
  const TemporaryFolder folder;
  const RunResult result = run_scene(scene, options_for(folder));
  const auto report = nlohmann::json::parse(io::read_file(result.report));
  EXPECT_EQ(report["scene"], "s");
  EXPECT_EQ(report["seed"], 5);
  EXPECT_EQ(report["device"]["selector"], "cpu");
  EXPECT_EQ(report["size"], nlohmann::json({37, 29}));
  EXPECT_EQ(report["cell"], nlohmann::json({20.0, 30.0}));
  EXPECT_EQ(report["steps"], 60);
  EXPECT_EQ(report["quantum"]["k"], result.quantum.k);
  EXPECT_EQ(report["ledger"]["quanta"]["water_error"], 0);
  EXPECT_EQ(report["ledger"]["quanta"]["solids_error"], 0);
  EXPECT_GT(report["ledger"]["cubic_metres"]["rained"], 0);
  EXPECT_TRUE(report["seconds"]["processes"].contains("water + hydraulic"));
  EXPECT_EQ(report["hashes"]["bed"], hash_text(result.hashes.at("bed")));
  for (const char* field : {"bed", "water", "sediment", "flux.x", "flux.sw", "flow", "wetness"})
    EXPECT_TRUE(report["hashes"].contains(field)) << field;
  EXPECT_FALSE(report["hashes"].contains("source"));
  EXPECT_EQ(report["outputs"], nlohmann::json({"height-000020.npy", "height-000040.npy",
                                               "height-000060.npy", "flow.npy"}));
  ASSERT_EQ(report["files"].size(), 4U);
  EXPECT_EQ(report["files"][1],
            nlohmann::json({{"file", "height-000040.npy"}, {"kind", "height"}, {"step", 40}}));
  EXPECT_EQ(report["files"][3], nlohmann::json({{"file", "flow.npy"},
                                                {"kind", "mask"},
                                                {"name", "flow"},
                                                {"normalised", false},
                                                {"step", 60}}));
}

TEST(Runner, ReportSaysWhatEveryKindOfFileHolds) {
  const Scene scene = parse_scene(
      "[scene]\nsteps = 2\n[terrain]\nsize = [16, 16]\n[water]\n"
      "[[output]]\nkind = \"relief\"\npalette = \"desert\"\ntint_high = 900\n"
      "[[output]]\nkind = \"field\"\nfield = \"water\"\nnormalise = true\nfile = \"w.npy\"\n"
      "[[output]]\nkind = \"tiles\"\ntile = [9, 9]\nfile = \"t.r16\"\n",
      "s.toml");
  const TemporaryFolder folder;
  const auto files =
      nlohmann::json::parse(run_scene(scene, options_for(folder)).report_text).at("files");
  ASSERT_EQ(files.size(), 2U + 4);
  EXPECT_EQ(files[0].at("palette"), "desert");
  EXPECT_EQ(files[0].at("tint_high"), 900);
  EXPECT_EQ(files[0].at("water"), true);
  EXPECT_EQ(files[1].at("name"), "water");
  EXPECT_EQ(files[1].at("normalised"), true);
  EXPECT_EQ(files[5],
            nlohmann::json({{"file", "t/tile_x1_y1.r16"}, {"kind", "tiles"}, {"step", 2}}));
}

// What a program needs to know where a checkpoint lies, without the scene.
TEST(Runner, CheckpointsKnowTheirCellsAndTheirPlace) {
  const TemporaryFolder folder;
  RunOptions options = options_for(folder);
  options.checkpoint_every = 25;
  const auto newest = [&](const Scene& scene) {
    run_scene(scene, options);
    return read_frame(io::CheckpointReader(RunFolder(options.out).checkpoints().at(0).path));
  };
  const Raster plain = newest(parse_scene(everything, "s.toml"));
  EXPECT_EQ(plain.width, 37);
  EXPECT_EQ(plain.height, 29);
  EXPECT_EQ(plain.dx, 20);
  EXPECT_EQ(plain.dy, 30);
  EXPECT_FALSE(plain.geo.present);
  // Step 25: the window has moved three times, by 2 cells east and 3 north.
  const Raster moved = newest(parse_scene(scrolling, "s.toml"));
  ASSERT_TRUE(moved.geo.present);
  EXPECT_EQ(moved.geo.transform[0], 6 * moved.dx);
  EXPECT_EQ(moved.geo.transform[3], (40 + 9) * moved.dy);
}

// A checkpoint from before it said so.
TEST(Runner, ACheckpointWithoutCellsIsReadAsOne) {
  const TemporaryFolder folder;
  io::CheckpointWriter writer(folder / "old.scree");
  writer.add_integer("width", 4);
  writer.add_integer("height", 3);
  writer.commit();
  const Raster frame = read_frame(io::CheckpointReader(folder / "old.scree"));
  EXPECT_EQ(frame.width, 4);
  EXPECT_EQ(frame.dx, 0);
  EXPECT_FALSE(frame.geo.present);
}

TEST(Runner, SimulatedTimeEndsARun) {
  const Scene scene = parse_scene(
      "[scene]\ntime = \"1 min\"\n[terrain]\nsize = [8, 8]\n[water]\n[[output]]\nkind = "
      "\"height\"\n"
      "file = \"h.npy\"\n",
      "s.toml");
  const TemporaryFolder folder;
  const RunResult result = run_scene(scene, options_for(folder));
  EXPECT_GE(result.time, 60);
  EXPECT_LT(result.time - result.dt, 60);
}

TEST(Runner, BadOutputsAreFoundBeforeAnythingRuns) {
  const TemporaryFolder folder;
  RunOptions options = options_for(folder);
  Scene scene = parse_scene(
      "[scene]\nsteps = 1\n[terrain]\nsize = [8, 8]\n[[output]]\nkind = \"field\"\n"
      "field = \"bad\"\nfile = \"h.npy\"\n",
      "s.toml");
  EXPECT_EQ(error_of([&] { run_scene(scene, options); }),
            "s.toml:5: field = 'bad': expected one of bed, flux.x, flux.y, sediment, water");
  EXPECT_FALSE(std::filesystem::exists(options.out));
  scene.outputs[0].name = "velocity.east";
  EXPECT_TRUE(
      error_of([&] { run_scene(scene, options); }).ends_with("; as a mask: kind = \"mask\""));

  io::testing::put(folder / "out", "a file, not a folder");
  scene.apply_override("scene.steps=2");
  scene.outputs[0].name = "bed";
  EXPECT_TRUE(error_of([&] {
                run_scene(scene, options);
              }).starts_with(options.out.string() + ": cannot make this folder"));
  EXPECT_EQ(io::testing::get(folder / "out"), "a file, not a folder");
}

TEST(Runner, TooLittleMemoryIsSaidBeforeAllocating) {
  const TemporaryFolder folder;
  const Scene scene = parse_scene("[terrain]\nsize = [46000, 46000]\n[water]\n", "s.toml");
  const std::string line = error_of([&] { run_scene(scene, options_for(folder)); });
  EXPECT_TRUE(line.starts_with("a terrain of 46000x46000 cells needs ")) << line;
  const std::string advice = ": choose a smaller size, such as ";
  ASSERT_NE(line.find(advice), std::string::npos) << line;
  const int side = std::stoi(line.substr(line.find(advice) + advice.size()));
  EXPECT_TRUE(side > 64 && side < 46000 && side % 64 == 0) << line;
  const auto bytes = [&](int cells) { return scene_bytes(scene, cells, cells); };
  EXPECT_LT(static_cast<double>(bytes(side)), 0.95 * static_cast<double>(bytes(46000))) << line;
  EXPECT_EQ(error_of([] { device::make_grid(65536, 65536, 1, 1); }),
            "size 65536x65536: a field holds at most 2^31 cells: choose a smaller size, such as "
            "46272x46272");
  EXPECT_NO_THROW(device::make_grid(46272, 46272, 1, 1));
}

TEST(Runner, MapsReachTheTerrain) {
  const TemporaryFolder folder;
  Raster map;
  map.width = 2;
  map.height = 1;
  map.values = {1, -1};
  io::write_raster(folder / "e.npy", map);
  const std::string start = "[scene]\nsteps = 0\n[terrain]\nsize = [4, 2]\n[terrain.maps]\n";
  const std::string end =
      "\n[[output]]\nkind = \"field\"\nfield = \"erodibility\"\nfile = \"o.npy\"\n";
  const Scene bad = parse_scene(start + "erodibility = \"e.npy\"" + end, "s.toml", folder.path());
  EXPECT_EQ(error_of([&] { run_scene(bad, options_for(folder)); }),
            "s.toml:6: erodibility: e.npy holds -1: expected nothing below 0");
  const Scene good =
      parse_scene(start + "erodibility = { file = \"e.npy\", scale = 0.5, offset = 1 }" + end,
                  "s.toml", folder.path());
  const RunResult result = run_scene(good, options_for(folder));
  const Raster out = io::read_raster(result.outputs.at(0));
  EXPECT_EQ(out.values.front(), 1.5F);
  EXPECT_EQ(out.values.back(), 0.5F);
}

// Rain on a cone that stands in the sea: the island wears, the sea floor stays, nothing is lost.
TEST(Runner, TheSeaStaysAsItIs) {
  const Scene scene = parse_scene(R"(
[scene]
steps = 50
[terrain]
size = [32, 32]
borders = "closed"
sea = 0
[terrain.generate]
kind = "cone"
relief = 200
[water]
rain = 1e-3
[hydraulic]
[thermal]
talus = 20
[[output]]
kind = "height"
file = "h.npy"
)",
                                  "s.toml");
  const TemporaryFolder folder;
  const RunResult result = run_scene(scene, options_for(folder));
  const Raster out = io::read_raster(result.outputs.at(0));
  EXPECT_EQ(out.values.front(), 0);
  EXPECT_EQ(out.values.back(), 0);
  EXPECT_GT(result.ledger.water_left, 0);
  EXPECT_GT(result.ledger.solids_left, 0);
  EXPECT_EQ(result.ledger.water_error(), 0);
  EXPECT_EQ(result.ledger.solids_error(), 0);
}

TEST(Runner, APlainImageNeedsItsNumbers) {
  const TemporaryFolder folder;
  io::testing::put(folder / "a.r16", std::string("\0\0\xff\xff", 4));
  const auto line = [&](const std::string& more) {
    const Scene scene = parse_scene(
        "[scene]\nsteps = 0\n[terrain]\nsource = \"a.r16\"\nraw = { width = 2, height = 1 }\n" +
            more + "[[output]]\nkind = \"height\"\nfile = \"h.npy\"\n",
        "s.toml", folder.path());
    return error_of([&] { run_scene(scene, options_for(folder)); });
  };
  const std::string path = (folder / "a.r16").string();
  EXPECT_EQ(line(""),
            path + ": a plain image: expected terrain.height_range = [lowest, highest], metres");
  EXPECT_EQ(line("height_range = [0, 100]\n"),
            path + ": says nothing of its cells: expected terrain.cell, metres");
}

}  // namespace
}  // namespace scree
