// What a run writes as it goes is the same after any interruption, on every terrain.
#include "run/run_loop.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "io/file/atomic_file.h"
#include "io/file/io_test.h"
#include "picture/photographer.h"
#include "render/gl/renderer.h"
#include "run/memory.h"
#include "run/run_folder.h"
#include "run/runner.h"
#include "run/scene_test.h"

namespace scree {
namespace {

using io::testing::error_of;
using io::testing::TemporaryFolder;
using testing::cpu;
using testing::options_in;
using testing::StopAfter;
namespace fs = std::filesystem;

struct Terrain {
  const char* name;
  const char* toml;
};

constexpr Terrain terrains[] = {{"heights", R"(
[scene]
steps = 9
[terrain]
size = [24, 20]
[terrain.generate]
kind = "fbm"
relief = 300
[water]
rain = 1e-3
[hydraulic]
)"},
                                {"layers", R"(
[scene]
steps = 9
[terrain]
kind = "layers"
size = [24, 20]
cell = 2
bedrock = "marl"
generate = { kind = "mountain", relief = 30 }
[[terrain.layer]]
material = "sand"
thickness = 4
[[material]]
name = "marl"
talus = 70
[[material]]
name = "sand"
talus = 20
[slippage]
)"},
                                {"voxels", R"(
[scene]
steps = 9
[terrain]
kind = "voxels"
size = [16, 12, 10]
cell = 1
[[terrain.rock]]
name = "chalk"
durability = 0.9
[[terrain.form]]
kind = "block"
rock = "chalk"
at = [8, 6, 0]
size = [10, 8, 8]
)"}};

// Any of them, by the same words.
std::vector<fs::path> run_any(const std::string& toml, const RunOptions& options) {
  if (toml.find("\"voxels\"") != std::string::npos)
    return run_scene(parse_scene(toml, "s.toml"), options).outputs;
  return run_scene(parse_scene(toml, "s.toml"), options).outputs;
}

void interrupt(const std::string& toml, RunOptions options, long long step) {
  StopAfter stop(step);
  options.progress = &stop;
  options.cancel = &stop.token;
  EXPECT_THROW(run_any(toml, options), Cancelled);
}

// A stand-in on the PATH that makes a film by putting its pictures behind each other.
class WithFfmpeg {
 public:
  WithFfmpeg() : paths_(std::getenv("PATH")) {
    io::write_file(
        folder_.path() / "ffmpeg",
        "#!/bin/sh\nfor last; do :; done\nPATH=/usr/bin:/bin\ncat > \"${last#file:}\"\n");
    fs::permissions(folder_.path() / "ffmpeg", fs::perms::owner_all);
    ::setenv("PATH", folder_.path().c_str(), 1);
  }
  ~WithFfmpeg() { ::setenv("PATH", paths_.c_str(), 1); }
  WithFfmpeg(const WithFfmpeg&) = delete;
  WithFfmpeg& operator=(const WithFfmpeg&) = delete;

 private:
  TemporaryFolder folder_;
  std::string paths_;
};

std::string picture(const std::string& file, const std::string& more) {
  return "[[output]]\nkind = \"picture\"\npixels = [32, 24]\nfile = \"" + file + "\"\n" + more;
}
const std::string lapse = picture("film.mp4", "view = \"relief\"\nevery = 2\n");

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(RunLoop, AFilmIsWholeAfterAnyInterruption) {
  const WithFfmpeg ffmpeg;
  for (const Terrain& terrain : terrains) {
    const std::string toml = terrain.toml + lapse;
    const TemporaryFolder folder;
    run_any(toml, options_in(folder.path() / "whole"));
    const std::string expected = io::read_file(folder.path() / "whole/film.mp4");
    EXPECT_EQ(names_in(folder.path() / "whole"),
              (std::vector<std::string>{"film.mp4", "report.json"}))
        << terrain.name;
    for (const long long stop : {1, 4, 5, 8}) {
      const std::string what = text(terrain.name, " stopped at ", stop);
      RunOptions options = options_in(folder.path() / text("stopped-", stop));
      interrupt(toml, options, stop);
      options.resume = true;
      const std::vector<fs::path> outputs = run_any(toml, options);
      ASSERT_EQ(outputs.size(), 1U) << what;
      EXPECT_EQ(io::read_file(options.out / "film.mp4"), expected) << what;
      // Again from a checkpoint of a run that is over: nothing may be lost by that.
      run_any(toml, options);
      EXPECT_EQ(io::read_file(options.out / "film.mp4"), expected) << what << ", again";
    }
  }
}

TEST(RunLoop, AFilmThatKnowsMoreThanItsPicturesIsKept) {
  const WithFfmpeg ffmpeg;
  for (const Terrain& terrain : terrains) {
    const std::string toml = terrain.toml + lapse;
    const TemporaryFolder folder;
    RunOptions options = options_in(folder.path());
    options.checkpoint_every = 4;
    run_any(toml, options);
    const std::string whole = io::read_file(folder.path() / "film.mp4");
    ASSERT_TRUE(fs::remove(folder.path() / "film-000002.png")) << terrain.name;
    options.resume = true;
    const std::string error = error_of([&] { run_any(toml, options); });
    EXPECT_NE(error.find("film.mp4: its picture of step 2"), std::string::npos) << error;
    EXPECT_EQ(io::read_file(folder.path() / "film.mp4"), whole) << terrain.name;
    fs::remove(folder.path() / "film.mp4");
    run_any(toml, options);
    EXPECT_LT(io::read_file(folder.path() / "film.mp4").size(), whole.size()) << terrain.name;
  }
}

// ---- the end of a run, where an output cannot be written

// A picture that is larger than a checkpoint of these terrains, and two outputs that are not.
std::string three_outputs(const Terrain& terrain) {
  const std::string small = "pixels = [40, 30]\nview = \"relief\"\n";
  const std::string large = "pixels = [900, 700]\nview = \"relief\"\n";
  const auto one = [](const std::string& file, const std::string& more) {
    return "[[output]]\nkind = \"picture\"\nfile = \"" + file + "\"\n" + more;
  };
  return terrain.toml + one("first.png", small) + one("large.png", large) + one("last.png", small);
}

nlohmann::json report_in(const fs::path& folder) {
  return nlohmann::json::parse(io::read_file(folder / "report.json"));
}

// All but what it took.
nlohmann::json lasting(nlohmann::json report) {
  report.erase("seconds");
  report.erase("resumed_from");
  return report;
}

// The checkpoint of the end, and no picture of that size, may be written.
rlim_t room_for_a_checkpoint(const std::string& toml, const fs::path& folder) {
  RunOptions options = options_in(folder);
  options.checkpoint_every = 8;
  run_any(toml, options);
  const auto size = fs::file_size(folder / "checkpoint-8.scree");
  EXPECT_GT(fs::file_size(folder / "large.png"), size + 4096) << "or the test shows nothing";
  return size + 2048;
}

std::string fill_the_disk(const std::string& toml, const RunOptions& options, rlim_t room) {
  const io::testing::FullDisk full(room);
  return error_of([&] { run_any(toml, options); });
}

TEST(RunLoop, AFullDiskCostsAnOutputAndNotTheRun) {
  for (const Terrain& terrain : terrains) {
    const std::string toml = three_outputs(terrain);
    const TemporaryFolder folder;
    const fs::path whole = folder / "whole", cut = folder / "cut";
    run_any(toml, options_in(whole));
    const rlim_t room = room_for_a_checkpoint(toml, folder / "measured");
    RunOptions options = options_in(cut);
    const std::string line = fill_the_disk(toml, options, room);
    EXPECT_NE(line.find("large.png: cannot be written"), std::string::npos) << line;
    EXPECT_NE(line.find("the state is in " + (cut / "checkpoint-9.scree").string()),
              std::string::npos)
        << line;
    EXPECT_EQ(names_in(cut), (std::vector<std::string>{"checkpoint-9.scree", "first.png",
                                                       "last.png", "report.json"}))
        << terrain.name;
    EXPECT_EQ(report_in(cut)["missing"], nlohmann::json({"large.png"}));
    EXPECT_EQ(report_in(cut)["outputs"], nlohmann::json({"first.png", "last.png"}));
    EXPECT_EQ(report_in(cut)["hashes"], report_in(whole)["hashes"]);
    // What is there already is not written again.
    io::write_file(cut / "first.png", "touched");
    options.resume = true;
    run_any(toml, options);
    EXPECT_EQ(io::read_file(cut / "first.png"), "touched") << terrain.name;
    for (const char* name : {"large.png", "last.png"})
      EXPECT_EQ(io::read_file(cut / name), io::read_file(whole / name)) << terrain.name;
    EXPECT_EQ(names_in(cut), names_in(whole)) << terrain.name;
    EXPECT_EQ(report_in(cut)["resumed_from"], 9);
    EXPECT_EQ(lasting(report_in(cut)), lasting(report_in(whole))) << terrain.name;
  }
}

TEST(RunLoop, ResumingWritesWhatIsWantedNow) {
  const std::string toml = three_outputs(terrains[0]);
  const TemporaryFolder folder;
  const rlim_t room = room_for_a_checkpoint(toml, folder / "measured");
  RunOptions options = options_in(folder / "cut");
  fill_the_disk(toml, options, room);
  io::write_file(options.out / "first.png", "touched");
  fs::remove(options.out / "last.png");
  std::string other = toml;
  other.replace(other.find("[40, 30]"), 8, "[50, 30]");
  options.resume = true;
  run_any(other, options);
  EXPECT_NE(io::read_file(options.out / "first.png"), "touched") << "other pixels are wanted";
  EXPECT_TRUE(fs::exists(options.out / "last.png")) << "it was not there any more";
}

TEST(RunLoop, AFilmIsMadeOnceWhereALaterOneFails) {
  const WithFfmpeg ffmpeg;
  for (const Terrain& terrain : terrains) {
    const std::string toml = three_outputs(terrain) + lapse;
    const TemporaryFolder folder;
    run_any(toml, options_in(folder / "whole"));
    const rlim_t room = room_for_a_checkpoint(toml, folder / "measured");
    RunOptions options = options_in(folder / "cut");
    fill_the_disk(toml, options, room);
    EXPECT_EQ(report_in(options.out)["missing"], nlohmann::json({"large.png"}));
    EXPECT_TRUE(fs::exists(options.out / "film-000002.png")) << "a run may go on from here";
    io::write_file(options.out / "film.mp4", "touched");
    options.resume = true;
    run_any(toml, options);
    EXPECT_EQ(io::read_file(options.out / "film.mp4"), "touched");
    EXPECT_EQ(names_in(options.out), names_in(folder / "whole")) << terrain.name;
    EXPECT_EQ(lasting(report_in(options.out)), lasting(report_in(folder / "whole")));
  }
}

// Where not even the checkpoint of the end can be written, the run goes on as far as it can.
TEST(RunLoop, WithoutRoomForACheckpointOutputsAreWrittenAllTheSame) {
  const std::string toml =
      std::string(terrains[0].toml) + "[[output]]\nkind = \"relief\"\nfile = \"small.png\"\n";
  const TemporaryFolder folder;
  RunOptions options = options_in(folder / "cut");
  {
    const io::testing::FullDisk full(8192);
    run_any(toml, options);
  }
  EXPECT_EQ(names_in(options.out), (std::vector<std::string>{"report.json", "small.png"}));
  EXPECT_FALSE(report_in(options.out).contains("missing"));
}

TEST(RunLoop, AWholeRunLeavesNoMoreThanItsOutputs) {
  for (const Terrain& terrain : terrains) {
    const TemporaryFolder folder;
    RunOptions options = options_in(folder.path());
    options.checkpoint_every = 2;
    run_any(terrain.toml + picture("a.png", "view = \"relief\"\n"), options);
    EXPECT_EQ(names_in(folder.path()),
              (std::vector<std::string>{"a.png", "checkpoint-6.scree", "checkpoint-8.scree",
                                        "report.json"}))
        << terrain.name;
  }
}

TEST(RunLoop, ACancelledRunSaysSoInItsReport) {
  for (const Terrain& terrain : terrains) {
    const std::string toml = terrain.toml + picture("a.png", "view = \"relief\"\n") +
                             picture("often.png", "view = \"relief\"\nevery = 2\n");
    const TemporaryFolder folder;
    RunOptions options = options_in(folder.path());
    run_any(toml, options);
    EXPECT_FALSE(report_in(folder.path()).contains("cancelled"));
    interrupt(toml, options, 5);
    const nlohmann::json report = report_in(folder.path());
    EXPECT_EQ(report["cancelled"], true) << terrain.name;
    EXPECT_EQ(report["steps"], 5);
    EXPECT_EQ(report["checkpoint"], "checkpoint-5.scree");
    EXPECT_FALSE(report.contains("missing")) << "its steps are not done";
    EXPECT_EQ(report["outputs"], nlohmann::json({"often-000002.png", "often-000004.png"}));
    options.resume = true;
    run_any(toml, options);
    EXPECT_FALSE(report_in(folder.path()).contains("cancelled"));
    EXPECT_EQ(report_in(folder.path())["steps"], 9);
  }
}

// In the middle of the outputs of its end.
TEST(RunLoop, ARunThatIsStoppedAtItsEndMissesItsOutputs) {
  const std::string toml = three_outputs(terrains[0]);
  const TemporaryFolder folder;
  RunOptions options = options_in(folder.path());
  interrupt(toml, options, 9);
  const nlohmann::json report = report_in(folder.path());
  EXPECT_EQ(report["cancelled"], true);
  EXPECT_EQ(report["missing"], nlohmann::json({"first.png", "large.png", "last.png"}));
  options.resume = true;
  EXPECT_EQ(run_any(toml, options).size(), 3U);
  EXPECT_EQ(names_in(folder.path()),
            (std::vector<std::string>{"first.png", "large.png", "last.png", "report.json"}));
}

// A run that fails or is killed in its steps has none yet, and keeps none of another run.
TEST(RunLoop, NoOldReportLiesBesideNewFiles) {
  class Watch : public Progress {
   public:
    explicit Watch(fs::path report) : report_(std::move(report)) {}
    void update(long long done, long long /*total*/, std::string_view /*what*/) override {
      if (done > 0 && done < 9) there |= fs::exists(report_);
    }
    bool there = false;

   private:
    fs::path report_;
  };
  const TemporaryFolder folder;
  const std::string toml = terrains[0].toml + picture("a.png", "view = \"relief\"\n");
  RunOptions options = options_in(folder.path());
  options.checkpoint_every = 4;
  run_any(toml, options);
  for (const bool resume : {false, true}) {
    std::string more = toml;
    if (resume) more.replace(more.find("steps = 9"), 9, "steps = 12");
    Watch watch(folder / "report.json");
    options.progress = &watch;
    options.resume = resume;
    ASSERT_TRUE(fs::exists(folder / "report.json"));
    run_any(more, options);
    EXPECT_FALSE(watch.there) << resume;
  }
}

// Turns at every other step, as pictures: names and bytes.
TEST(RunLoop, TurnsAreWholeAfterAnInterruption) {
  if (!render::can_render()) GTEST_SKIP() << "built without OpenGL";
  const std::string turns = picture("turn.png", "turntable = 2\nevery = 4\n");
  const auto contents = [](const std::vector<fs::path>& files) {
    std::map<std::string, std::string> all;
    for (const fs::path& file : files) all[file.filename().string()] = io::read_file(file);
    return all;
  };
  const std::string toml = terrains[2].toml + turns;
  const TemporaryFolder folder;
  const auto expected = contents(run_any(toml, options_in(folder.path() / "whole")));
  ASSERT_EQ(expected.size(), 4U);
  EXPECT_TRUE(expected.contains("turn-000008-001.png"));
  RunOptions options = options_in(folder.path() / "cut");
  interrupt(toml, options, 5);
  options.resume = true;
  EXPECT_EQ(contents(run_any(toml, options)), expected);
}

TEST(PictureMemory, TooLittleIsSaidBeforeThePicture) {
  PictureSettings settings;
  settings.width = settings.height = render::most_pixels_a_side;
  settings.view.kind = render::ViewKind::relief;
  constexpr std::size_t gibibyte = std::size_t{1} << 30;
  const std::string error =
      error_of([&] { check_picture_memory(settings, 1024 * 1024, 2 * gibibyte); });
  EXPECT_NE(error.find("16384 x 16384 pixels of 1048576 cells needs 9"), std::string::npos)
      << error;
  EXPECT_NE(error.find("2 GiB is free: choose fewer pixels"), std::string::npos) << error;
  EXPECT_NO_THROW(check_picture_memory(settings, 1024 * 1024, 16 * gibibyte));
  EXPECT_NO_THROW(check_picture_memory(settings, 1024 * 1024, 0)) << "nobody knows";
  const device::DevicePtr& device = cpu();
  const VoxelShape rock{1024, 1024, 512, 1};
  EXPECT_EQ(error_of([&] { check_voxel_memory(*device, rock, false, 4 * gibibyte); }).substr(0, 29),
            "1024 x 1024 x 512 voxels need");
  EXPECT_NO_THROW(check_voxel_memory(*device, rock, false, 16 * gibibyte));
  EXPECT_NO_THROW(check_voxel_memory(*device, rock, false, 0));
  settings.width = settings.height = 800;
  settings.view.kind = render::ViewKind::beauty;
  EXPECT_NO_THROW(check_picture_memory(settings, 1024 * 1024, 2 * gibibyte));
  EXPECT_NE(error_of([&] {
              check_picture_memory(settings, 16384 * 16384, 2 * gibibyte);
            }).find("choose a smaller terrain"),
            std::string::npos);
}

TEST(RunLoop, NamesAreInTheOrderOfTheirNumbers) {
  EXPECT_EQ(numbered("a/b.png", 7, 99, 3), "a/b-007.png");
  EXPECT_EQ(numbered("a/b.png", 7, 999, 3), "a/b-007.png");
  EXPECT_EQ(numbered("a/b.png", 7, 1000, 3), "a/b-0007.png");
  PictureSettings settings;
  settings.turntable = 1001;
  const std::vector<fs::path> turn = picture_files(settings, "t.png");
  ASSERT_EQ(turn.size(), 1001U);
  EXPECT_TRUE(std::is_sorted(turn.begin(), turn.end()));
  EXPECT_EQ(turn.back(), "t-1000.png");
  OutputSettings output = output_of(OutputKind::picture, "p.png");
  output.every = 1;
  EXPECT_EQ(output_path("out", output, 20, 100), "out/p-000020.png");
  EXPECT_LT(output_path("out", output, 999999, 2000000),
            output_path("out", output, 2000000, 2000000));
}

}  // namespace
}  // namespace scree
