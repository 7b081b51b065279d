// Turns and time-lapses as films.
#include <signal.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

#include "io/film/film.h"
#include "render_test.h"

namespace scree::testing {
namespace {

// Rock that is soft enough to be gone at the end: the film goes on over the empty plain, and a mesh
// of nothing is not written.
TEST_F(RenderCommand, AFilmOfRockThatWeathersAway) {
  std::string soft = softer_rock("0", 30);
  soft.resize(soft.find("[[output]]"));
  write("rock.toml", soft +
                         "[[output]]\nkind = \"picture\"\npixels = [32, 20]\nevery = 15\n"
                         "[[output]]\nkind = \"mesh\"\nfile = \"rock.ply\"\n");
  const Outcome outcome = scree({"run", "rock.toml", "--out", "run", "--json"});
  expect_success(outcome);
  EXPECT_EQ(outcome.json()["rock"], 0) << "nothing is left";
  EXPECT_EQ(io::read_raster(path("run/picture-000030.png")).width, 32);
  EXPECT_FALSE(fs::exists(path("run/rock.ply")));
  EXPECT_TRUE(contains(outcome.json()["lines"][0], "rock.ply: not written, no rock is left"));
  EXPECT_TRUE(fs::exists(path("run/report.json")));
  expect_success(scree({"render", "rock.toml", "-o", "gone.png", "--pixels", "32x20"}));
}

// A stand-in that keeps what it was given.
TEST_F(RenderCommand, FilmsWhereFfmpegIs) {
  const Words turn = {"render",   "land.tif", "-o",          "turn.mp4",
                      "--pixels", "32x20",    "--turntable", "3"};
  const std::string paths = std::getenv("PATH");
  ::setenv("PATH", path("none").c_str(), 1);
  const Outcome without = scree(turn);
  expect_success(without);
  EXPECT_TRUE(contains(without.err, "ffmpeg is not installed")) << without.err;
  EXPECT_TRUE(fs::exists(path("turn-002.png")));
  EXPECT_FALSE(fs::exists(path("turn.mp4")));
  fs::create_directory(path("bin"));
  write("bin/ffmpeg",
        "#!/bin/sh\nfor last; do :; done\nPATH=/usr/bin:/bin\ncat > \"${last#file:}\"\n");
  fs::permissions(path("bin/ffmpeg"), fs::perms::owner_all);
  ::setenv("PATH", path("bin").c_str(), 1);
  const std::string frames = read("turn-000.png") + read("turn-001.png") + read("turn-002.png");
  expect_success(scree(turn));
  EXPECT_EQ(read("turn.mp4"), frames) << "all pictures, in order";
  EXPECT_EQ(read("turn-000.png") + read("turn-001.png") + read("turn-002.png"), frames)
      << "those of another turn are left alone";
  EXPECT_FALSE(fs::exists(path("turn.mp4.work")));
  write_scene("hills.toml",
              "[[output]]\nkind = \"picture\"\npixels = [32, 20]\nevery = 20\nfile = \"a.mp4\"\n");
  expect_success(scree({"run", "hills.toml", "--out", "run"}));
  EXPECT_TRUE(fs::exists(path("run/a.mp4")));
  EXPECT_FALSE(fs::exists(path("run/a-000020.png")));
  write("bin/ffmpeg", "#!/bin/sh\necho one >&2\necho out of film >&2\nexit 3\n");
  fs::permissions(path("bin/ffmpeg"), fs::perms::owner_all);
  expect_failure(scree(turn), 1, {"ffmpeg failed: out of film; its 3"});
  EXPECT_TRUE(fs::exists(path("turn.mp4.work/turn-000.png"))) << "not lost";
  ::setenv("PATH", paths.c_str(), 1);
}

// Killed again and again in the middle of a time-lapse, and resumed: every picture is in the film.
TEST_F(RenderCommand, AFilmOfARunThatWasKilledIsWhole) {
  const std::string paths = std::getenv("PATH");
  fs::create_directory(path("bin"));
  write("bin/ffmpeg",
        "#!/bin/sh\nfor last; do :; done\nPATH=/usr/bin:/bin\ncat > \"${last#file:}\"\n");
  fs::permissions(path("bin/ffmpeg"), fs::perms::owner_all);
  ::setenv("PATH", path("bin").c_str(), 1);
  write_scene("hills.toml",
              "[[output]]\nkind = \"picture\"\nview = \"relief\"\npixels = [48, 40]\nevery = 5\n"
              "file = \"a.mp4\"\n");
  const auto words = [](const std::string& out, bool resume) {
    Words all = {"run", "hills.toml", "--out",  out,        "--steps", "200", "--checkpoint-every",
                 "7",   "--size",     "128x96", "--device", "cpu"};
    if (resume) all.emplace_back("--resume");
    return all;
  };
  expect_success(scree(words("whole", false)));
  int killed = 0;
  for (const char* picture : {"a-000030.png", "a-000080.png", "a-000145.png"}) {
    Running running(words("cut", killed > 0), folder());
    for (int i = 0; i < 6000 && !fs::exists(path("cut") / picture) && !running.ended(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    running.send(SIGKILL);
    killed += running.wait().signal == SIGKILL ? 1 : 0;
    EXPECT_FALSE(fs::exists(path("cut/a.mp4"))) << picture;
  }
  EXPECT_EQ(killed, 3);
  const Outcome resumed = scree(words("cut", true));
  ::setenv("PATH", paths.c_str(), 1);
  expect_success(resumed);
  EXPECT_GT(Json::parse(read("cut/report.json"))["resumed_from"], 100);
  EXPECT_EQ(read("cut/a.mp4").size(), read("whole/a.mp4").size());
  EXPECT_TRUE(read("cut/a.mp4") == read("whole/a.mp4")) << "every picture, in order, once";
}

// Frames, size and seconds of a film as the program that came with ffmpeg tells them.
std::string probed(const fs::path& film) {
  const std::string command =
      "ffprobe -v error -count_frames -select_streams v:0 -show_entries "
      "stream=codec_name,width,height,nb_read_frames,r_frame_rate -of csv=p=0 '" +
      film.string() + "' 2>&1";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::array<char, 256> line{};
  return pipe && std::fgets(line.data(), line.size(), pipe.get()) != nullptr ? line.data() : "";
}

TEST_F(RenderCommand, FilmsThatARealFfmpegMakes) {
  if (!io::can_film() || std::system("ffprobe -version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "ffmpeg is not installed";
  expect_success(
      scree({"render", "land.tif", "-o", "turn.mp4", "--pixels", "65x40", "--turntable", "5"}));
  EXPECT_EQ(probed(path("turn.mp4")), "h264,66,40,25/1,5\n") << "an odd side gains a column";
  EXPECT_FALSE(fs::exists(path("turn-000.png")));
  expect_success(
      scree({"render", "land.tif", "-o", "a:b.MP4", "--pixels", "32x20", "--turntable", "3"}));
  EXPECT_EQ(probed("file:" + path("a:b.MP4").string()), "h264,32,20,25/1,3\n");
  write_scene("hills.toml",
              "[[output]]\nkind = \"picture\"\npixels = [32, 20]\nevery = 20\nfile = \"a.mp4\"\n");
  expect_success(scree({"run", "hills.toml", "--out", "run"}));
  EXPECT_EQ(probed(path("run/a.mp4")), "h264,32,20,25/1,2\n");
  write("rock.toml", std::string(rock_scene) +
                         "[[output]]\nkind = \"picture\"\npixels = [32, 20]\nturntable = 3\n"
                         "file = \"b.mp4\"\n");
  expect_success(scree({"run", "rock.toml", "--out", "run"}));
  EXPECT_EQ(probed(path("run/b.mp4")), "h264,32,20,25/1,3\n");
}

}  // namespace
}  // namespace scree::testing
