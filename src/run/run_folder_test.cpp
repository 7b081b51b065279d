// A run's folder: what is in it, who is at work in it, and what may be written into it.
#include "run/run_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "io/file/atomic_file.h"
#include "io/file/io_test.h"
#include "run/output_places.h"
#include "run/scene_test.h"

namespace scree {
namespace {

using io::testing::error_of;
using io::testing::put;
using io::testing::TemporaryFolder;
using testing::options_in;
namespace fs = std::filesystem;

const std::string hills =
    "[scene]\nsteps = 2\n[terrain]\nsize = [16, 12]\n[terrain.generate]\nkind = "
    "\"fbm\"\n[thermal]\n";

std::string output(const std::string& kind, const std::string& file, const std::string& more = {}) {
  return "[[output]]\nkind = \"" + kind + "\"\nfile = \"" + file + "\"\n" + more;
}

// ---- what is there

TEST(RunFolder, AReportSaysWhereThingsAre) {
  const TemporaryFolder folder;
  const RunFolder empty(folder.path());
  EXPECT_FALSE(empty.report().is_there());
  EXPECT_TRUE(empty.report().outputs().empty());
  EXPECT_NE(error_of([&] { empty.report().hashes(); }).find("report.json"), std::string::npos);

  const Scene scene =
      parse_scene(hills + output("height", "h.npy", "every = 1\n") +
                      output("mask", "masks/slope.npy", "mask = \"slope\"\nnormalise = true\n"),
                  "s.toml");
  const RunResult result = run_scene(scene, options_in(folder.path()));
  const RunFolder run(folder.path());
  const std::vector<ReportedFile> files = run.report().files();
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[1].path, folder / "h-000002.npy");
  EXPECT_EQ(files[1].kind, "height");
  EXPECT_EQ(files[1].step, 2U);
  EXPECT_EQ(files[2].path, folder.path() / "masks/slope.npy");
  EXPECT_EQ(files[2].name, "slope");
  EXPECT_TRUE(files[2].normalised);
  EXPECT_EQ(run.report().outputs(), result.outputs);
  EXPECT_EQ(run.report().steps(), 2U);
  EXPECT_FALSE(run.report().unfinished());
  EXPECT_TRUE(run.report().hashes().contains("bed"));
}

TEST(RunFolder, AReportThatIsNoneSaysNothing) {
  const TemporaryFolder folder;
  put(folder / "report.json", "");
  EXPECT_NE(error_of([&] { RunFolder(folder.path()).report().files(); }).find("is empty"),
            std::string::npos);
  for (const char* words : {"no report", "[1, 2]", "{\"hashes\": 3, \"files\": [7]}"}) {
    put(folder / "report.json", words);
    const RunFolder run(folder.path());
    EXPECT_TRUE(run.report().is_there()) << words;
    EXPECT_FALSE(run.report().steps()) << words;
    EXPECT_NE(error_of([&] { run.report().hashes(); }).find("\"hashes\""), std::string::npos);
    EXPECT_NE(error_of([&] { run.report().files(); }).find("\"files\""), std::string::npos);
  }
}

TEST(RunFolder, WhatARunThatIsNotWholeSaysIsReadAgain) {
  const TemporaryFolder folder;
  Unfinished said;
  said.cancelled = said.stepped = true;
  said.checkpoint = "checkpoint-7.scree";
  said.missing = {"a.tif", "b/c.png"};
  said.written["d.tif"] = {"words", {folder / "d.tif"}, {"a line"}};
  put(folder / "report.json", unfinished_report("{\"steps\": 7}", said, folder.path()));
  const RunFolder run(folder.path());
  const std::optional<Unfinished> read = run.report().unfinished();
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->cancelled);
  EXPECT_TRUE(read->stepped);
  EXPECT_EQ(read->missing, said.missing);
  ASSERT_TRUE(read->written.contains("d.tif"));
  EXPECT_EQ(read->written.at("d.tif").wording, "words");
  EXPECT_EQ(read->written.at("d.tif").files, said.written["d.tif"].files);
  EXPECT_EQ(read->written.at("d.tif").lines, said.written["d.tif"].lines);
  EXPECT_EQ(run.report().steps(), 7U);
  EXPECT_FALSE(run.unfinished_state()) << "the checkpoint is not there";
  put(folder / "checkpoint-7.scree", "");
  EXPECT_EQ(run.unfinished_state(), folder / "checkpoint-7.scree");
}

TEST(RunFolder, TheNewestWholeCheckpointIsTaken) {
  const TemporaryFolder folder;
  RunFolder run(folder.path());
  for (const std::uint64_t step : {4U, 8U, 12U})
    run.write_checkpoint(step, 1, [](io::CheckpointWriter&) {});
  put(folder / "checkpoint-12.scree", "torn");
  put(folder / "checkpoint-x.scree", "none");
  EXPECT_EQ(run.checkpoints().size(), 3U);
  ASSERT_TRUE(run.newest_checkpoint());
  EXPECT_EQ(run.newest_checkpoint()->integer("step"), 8);
  EXPECT_EQ(
      run.newest_checkpoint([](const auto& file) { return file.integer("step") < 8; })->path(),
      folder / "checkpoint-4.scree");
  run.keep_checkpoints(8, true);
  EXPECT_EQ(run.checkpoints().size(), 2U);
  run.keep_checkpoints(8, false);
  EXPECT_EQ(run.checkpoints().size(), 1U);
}

// ---- one run at a time

TEST(RunFolder, ASecondRunIsToldWhoIsAtWork) {
  const TemporaryFolder folder;
  const RunOptions options = options_in(folder.path());
  const Scene scene = parse_scene(hills + output("height", "h.npy"), "s.toml");
  {
    const FolderLock held(folder.path());
    const std::string line = error_of([&] { run_scene(scene, options); });
    EXPECT_TRUE(line.starts_with(folder.path().string() + ": another run is at work")) << line;
    EXPECT_NE(line.find(text("process ", ::getpid(), " on ")), std::string::npos) << line;
    EXPECT_NE(line.find(" since 20"), std::string::npos) << line;
    EXPECT_EQ(folder.count(), 1U) << "the lock alone";
  }
  EXPECT_EQ(folder.count(), 0U);
  run_scene(scene, options);
  EXPECT_FALSE(fs::exists(folder / FolderLock::file_name));
}

TEST(RunFolder, ALockOfADeadProcessIsTakenOver) {
  const TemporaryFolder folder;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const FolderLock held(folder.path());
    (void)!::write(ready[1], "1", 1);
    for (;;) ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_NE(error_of([&] {
              const FolderLock second(folder.path());
            }).find(text("process ", child, " on ")),
            std::string::npos);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(ready[0]), ::close(ready[1]);
  EXPECT_TRUE(fs::exists(folder / FolderLock::file_name)) << "as a killed process leaves it";
  { EXPECT_NO_THROW(const FolderLock taken(folder.path())); }
  EXPECT_EQ(folder.count(), 0U);
}

TEST(RunFolder, TemporaryFilesOfDeadProcessesGo) {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  fs::create_directory(folder / "masks");
  const std::vector<fs::path> dead = {folder / text(".scree-", child, "-0.tmp"),
                                      folder / text("masks/.scree-", child, "-3.tmp"),
                                      folder / text(".scree-", ::getpid(), "-900.tmp")};
  const std::vector<fs::path> living = {folder / text(".scree-", ::getppid(), "-0.tmp"),
                                        folder / text(".scree-", ::getpid(), "-901.tmp"),
                                        folder / ".scree-notes.txt"};
  for (const fs::path& file : dead) put(file, "half");
  for (const fs::path& file : living) put(file, "mine");
  // In a container the next process may well have the number of the one before it.
  fs::last_write_time(dead[2], fs::file_time_type::clock::now() - std::chrono::hours(24));
  const Scene scene =
      parse_scene(hills + output("mask", "masks/slope.npy", "mask = \"slope\"\n"), "s.toml");
  run_scene(scene, options_in(folder.path()));
  for (const fs::path& file : dead) EXPECT_FALSE(fs::exists(file)) << file;
  for (const fs::path& file : living) EXPECT_TRUE(fs::exists(file)) << file;
}

// ---- outputs stay inside

struct Refusal {
  std::string outputs, part;
};

TEST(RunFolder, OutputsThatLeaveTheFolderAreRefusedBeforeAnythingIsDone) {
  const TemporaryFolder folder;
  const fs::path out = folder / "out", precious = folder / "precious.npy";
  put(precious, "precious");
  fs::create_directories(out / "inside");
  fs::create_symlink(precious, out / "link.npy");
  fs::create_symlink(precious, out / "often-000002.npy");
  fs::create_symlink(folder.path(), out / "way");
  fs::create_symlink(out / "inside", out / "near");
  const std::vector<Refusal> refusals = {
      {output("height", "../precious.npy"), "leads out of the run's folder"},
      {output("height", "inside/../../precious.npy"), "leads out of the run's folder"},
      {output("height", precious.string()), "leads out of the run's folder"},
      {output("height", "way/precious.npy"), "leads out of the run's folder"},
      {output("tiles", "way.r16", "tile = [9, 9]\n"), "leads out of the run's folder"},
      {output("height", "link.npy"), "link.npy is a link that leads out"},
      {output("height", "often.npy", "every = 1\n"), "often-000002.npy is a link that leads out"}};
  for (const Refusal& refusal : refusals) {
    const Scene scene = parse_scene(hills + refusal.outputs, "s.toml");
    const std::string line = error_of([&] { run_scene(scene, options_in(out)); });
    EXPECT_TRUE(line.starts_with(text("s.toml:8: file = '", scene.outputs[0].file, "': "))) << line;
    EXPECT_NE(line.find(refusal.part), std::string::npos) << line;
    EXPECT_NE(line.find("--allow-outside"), std::string::npos) << line;
    EXPECT_EQ(io::read_file(precious), "precious");
    EXPECT_FALSE(fs::exists(out / "report.json"));
  }
  RunOptions allowed = options_in(out);
  allowed.allow_outside = true;
  for (const char* file : {"../new.npy", "way/other.npy", "link.npy"}) {
    const Scene scene = parse_scene(hills + output("height", file), "s.toml");
    EXPECT_NO_THROW(run_scene(scene, allowed)) << file;
  }
  EXPECT_NE(io::read_file(precious), "precious") << "as was asked for, over the link";
  for (const char* file : {"near/a.npy", "inside/../b.npy", "./c.npy", "new/d.npy"}) {
    const Scene scene = parse_scene(hills + output("height", file), "s.toml");
    EXPECT_NO_THROW(run_scene(scene, options_in(out))) << file;
  }
  fs::remove(out / "report.json");
  fs::create_symlink(precious, out / "report.json");
  const Scene scene = parse_scene(hills + output("height", "a.npy"), "s.toml");
  EXPECT_NE(error_of([&] { run_scene(scene, options_in(out)); }).find("report.json: is a link"),
            std::string::npos);
}

TEST(RunFolder, TwoOutputsOfOneNameAreRefused) {
  const TemporaryFolder folder;
  const std::vector<std::string> pairs = {
      output("height", "x.npy") + output("field", "./x.npy", "field = \"bed\"\n"),
      output("height", "x.npy") + output("field", "a/../x.npy", "field = \"bed\"\n"),
      output("height", "x.npy", "every = 1\n") + output("field", "x.npy", "field = \"bed\"\n"),
      output("picture", "f.png", "every = 1\nview = \"relief\"\n") +
          output("picture", "f.mp4", "every = 1\nview = \"relief\"\n"),
      output("relief", "unreal.png") + output("engine", "unreal", "engine = \"unreal\"\n"),
      output("height", "x.npy") +
          output("field", (folder / "out/x.npy").string(), "field = \"bed\"\n")};
  RunOptions options = options_in(folder / "out");
  options.allow_outside = true;
  for (const std::string& pair : pairs) {
    const Scene scene = parse_scene(hills + pair, "s.toml");
    EXPECT_NE(error_of([&] { run_scene(scene, options); }).find("another output has this name"),
              std::string::npos)
        << pair;
  }
  EXPECT_FALSE(fs::exists(folder / "out"));
  const Scene apart = parse_scene(
      hills + output("height", "x.npy") + output("field", "x-1.npy", "field = \"bed\"\n"),
      "s.toml");
  EXPECT_NO_THROW(run_scene(apart, options));
}

TEST(RunFolder, ARunDoesNotWriteOverWhatItReads) {
  const TemporaryFolder folder;
  Raster raster = io::testing::bumpy(16, 12);
  io::write_raster(folder / "dem.tif", raster);
  const std::string before = io::read_file(folder / "dem.tif");
  RunOptions options = options_in(folder.path());
  options.allow_outside = true;  // no option permits this
  fs::create_symlink("dem.tif", folder / "alias.tif");
  const std::string from_dem = "[scene]\nsteps = 2\n[terrain]\nsource = \"dem.tif\"\n[thermal]\n";
  for (const char* file : {"dem.tif", "./dem.tif", "alias.tif"}) {
    const Scene scene = parse_scene(from_dem + output("height", file), "s.toml", folder.path());
    const std::string line = error_of([&] { run_scene(scene, options); });
    EXPECT_NE(line.find("is what this run reads"), std::string::npos) << line;
    EXPECT_TRUE(line.starts_with(text("s.toml:6: file = '", file, "'"))) << line;
  }
  const Scene by_map = parse_scene(
      hills + "[terrain.maps]\nerodibility = \"dem.tif\"\n" + output("height", "dem.tif"), "s.toml",
      folder.path());
  EXPECT_NE(error_of([&] { run_scene(by_map, options); }).find("is what this run reads"),
            std::string::npos);
  EXPECT_EQ(io::read_file(folder / "dem.tif"), before);
  // The folder of another run as ground is not to be this run's own.
  EXPECT_NE(error_of([&] {
              check_places(folder.path(), {output_of(OutputKind::mesh, "a.glb")}, {folder.path()},
                           true);
            }).find("is the folder that this run reads"),
            std::string::npos);
  const OutputSettings stones = output_of(OutputKind::stones, "report.json");
  EXPECT_NE(error_of([&] { check_places(folder.path(), {stones}, {}, true); }).find("report"),
            std::string::npos);
}

TEST(RunFolder, EverySourceOfASceneIsKnown) {
  Scene scene;
  scene.file = "s.toml";
  scene.folder = "d";
  scene.terrain.source = TerrainSettings::Source::file;
  scene.terrain.file = "ground.tif";
  scene.terrain.maps["rain"].file = "rain.tif";
  LayerRules& rules = scene.terrain.layers.emplace();
  rules.materials_file = "rocks.toml";
  rules.strata.fold.map = "fold.png";
  rules.strata.beds.emplace_back().thickness.map = "bed.png";
  rules.layers.emplace_back().thickness.map = "sand.png";
  rules.stamps.emplace_back().map = "stamp.png";
  rules.caves.emplace_back().wider.map = "wide.png";
  rules.boreholes.emplace().file = "holes.csv";
  EXPECT_EQ(sources_of(scene),
            (std::vector<fs::path>{"s.toml", "d/ground.tif", "d/rain.tif", "d/rocks.toml",
                                   "d/fold.png", "d/bed.png", "d/sand.png", "d/stamp.png",
                                   "d/wide.png", "d/holes.csv"}));
  scene.terrain.layers.reset();
  scene.terrain.maps.clear();
  scene.terrain.source = TerrainSettings::Source::mask;
  scene.terrain.mask.source = "letters.png";
  EXPECT_EQ(sources_of(scene), (std::vector<fs::path>{"s.toml", "d/letters.png"}));
  Scene voxels;
  voxels.file = "v.toml";
  VoxelRules& rock = voxels.terrain.voxels.emplace();
  rock.ground.emplace().file = "run";
  rock.solids.emplace_back().file = "rock.ply";
  rock.regions.emplace_back().file = "rate.tif";
  EXPECT_EQ(sources_of(voxels), (std::vector<fs::path>{"v.toml", "run", "rock.ply", "rate.tif"}));
}

TEST(RunFolder, ANameDoesNotLeadOutOfOut) {
  EXPECT_EQ(default_folder("hills", "s.toml", false), "out/hills");
  EXPECT_EQ(default_folder("a/b", "s.toml", false), "out/a/b");
  for (const char* name : {"../../evil", "..", "/evil", "a/../../evil"}) {
    const std::string line = error_of([&] { default_folder(name, "s.toml", false); });
    EXPECT_TRUE(line.starts_with(text("s.toml: [scene] name = '", name, "': "))) << line;
    EXPECT_NE(line.find("--out DIR"), std::string::npos) << line;
    EXPECT_NO_THROW(default_folder(name, "s.toml", true));
  }
}

}  // namespace
}  // namespace scree
