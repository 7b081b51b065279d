// What a run writes as it goes is the same after any interruption, on every terrain.
#include "run/run_loop.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "base/error.h"
#include "io/file/atomic_file.h"
#include "io/file/io_test.h"
#include "picture/photographer.h"
#include "render/gl/renderer.h"
#include "run/checkpoints.h"
#include "run/memory.h"
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
