// `scree render` where it cannot, or is not to go on: one line, and no picture.
#include <signal.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "render_test.h"

namespace scree::testing {
namespace {

// Ctrl-C in the middle of the run: no state, no half of a film.
TEST_F(RenderCommand, AStoppedRunForAPictureLeavesNothing) {
  write_scene("hills.toml");
  std::string longer = read("hills.toml");
  longer.replace(longer.find("steps = 40"), 10, "steps = 10000000");
  write("hills.toml", longer);
  write("rock.toml", std::string(rock_scene).replace(8, 9, "steps = 10000000"));
  const std::vector<std::string> before = files();
  for (const char* scene : {"hills.toml", "rock.toml"}) {
    Running running({"render", scene, "-o", "a.mp4", "--pixels", "32x20", "--turntable", "2"},
                    folder());
    for (int i = 0; i < 6000 && !fs::exists(path("a.mp4.work")) && !running.ended(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    running.send(SIGINT);
    const Outcome outcome = running.wait();
    expect_failure(outcome, 130, {"stopped after"});
    EXPECT_FALSE(contains(outcome.err, ".scree")) << outcome.err;
    EXPECT_EQ(files(), before) << scene;
  }
}

TEST_F(RenderCommand, RefusesInOneLine) {
  write("bad.ply", "ply\nformat ascii 1.0\nend_header\n");
  refuses({"render", "bad.ply", "-o", "no.png"}, 1, "triangle");
  expect_success(scree({"generate", "ridged", "-o", "row.tif", "--size", "5x1"}));
  refuses({"render", "row.tif", "-o", "no.png"}, 1, "row.tif: expected at least 2 x 2 cells");
  write("far.obj", "v 0 0 0\nv 1e30 0 0\nv 0 1 1e38\nf 1 2 3\n");
  refuses({"render", "far.obj", "-o", "no.png"}, 1, "far.obj: position of vertex 2: expected");
  write("flat.obj", "v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\nf 1 1 1\n");
  refuses({"render", "flat.obj", "-o", "no.png"}, 1,
          "flat.obj: expected triangles with an area, all 2 have none");
  write("none.obj", "v 0 0 0\nv 1 0 0\nv 0 1 1\nf 1 2 4\n");
  refuses({"render", "none.obj", "-o", "no.png"}, 1,
          "triangle 1: expected vertices 1 to 3, found 4");
  refuses({"render", "nowhere.tif", "-o", "no.png"}, 1, "nowhere.tif");
  const std::string head = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n";
  write("high.asc", head + "1 2\n3 1e38\n");
  refuses({"render", "high.asc", "-o", "no.png"}, 1,
          "high.asc: expected heights within 1e12 m of 0, found 1e+38 at column 1, row 1");
  refuses({"render", "high.asc", "-o", "no.png", "--view", "relief"}, 1, "within 1e12 m");
  write("empty.asc", head + "NODATA_value 7\n7 7\n7 7\n");
  for (const char* view : {"beauty", "relief", "section", "field:slope"})
    refuses({"render", "empty.asc", "-o", "no.png", "--view", view}, 1,
            "empty.asc: no cell of the ground holds data");
  write("wide.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1e30\n1 2\n3 4\n");
  refuses({"render", "wide.asc", "-o", "no.png"}, 1, "wide.asc: expected at most 1e12 m");
  refuses({"render", "land.tif", "-o", "no.gif"}, 2, "ends in .png");
  refuses({"render", "land.tif", "-o", "no.png", "--cut", "0,5,9,5"}, 2, "a terrain of layers");
  refuses({"render", "land.tif", "-o", "no.png", "--pixels", "100"}, 2, "--pixels");
  refuses({"render", "land.tif", "-o", "no.png", "--pixels", "0x10"}, 2, "--pixels");
  refuses({"render", "land.tif", "-o", "no.png", "--pixels", "99999x10"}, 2, "16384");
  refuses({"render", "land.tif", "-o", "no.png", "--camera", "azimut=3"}, 2, "azimuth");
  refuses({"render", "land.tif", "-o", "no.png", "--camera", "altitude=100"}, 2, "-90 to 90");
  refuses({"render", "land.tif", "-o", "no.png", "--camera", "from=1:2"}, 2, "X:Y:Z");
  refuses({"render", "land.tif", "-o", "no.png", "--camera", "top,low"}, 2, "'top' says altitude");
  refuses({"render", "land.tif", "-o", "no.png", "--camera", "azimuth=1,azimuth=2"}, 2,
          "'azimuth=2': 'azimuth=1' says azimuth already");
  refuses({"render", "land.tif", "-o", "no.png", "--camera", "low,from=9:9:9"}, 2,
          "'low': says where the camera stands, and so does from");
  refuses({"render", "land.tif", "-o", "no.png", "--sun", "300"}, 2, "AZIMUTH,ALTITUDE");
  refuses({"render", "land.tif", "-o", "no.png", "--palette", "dessert"}, 2, "desert");
  refuses({"render", "land.tif", "-o", "no.png", "--samples", "5"}, 2, "--samples");
  refuses({"render", "land.tif", "-o", "land.tif/no.png"}, 1, "land.tif: cannot make this folder");
  refuses({"render", "land.tif", "-o", "no.png", "--camera", "from=1:2:3,at=1:2:3"}, 2,
          "--camera from: the camera stands where it looks");
  refuses({"render", "land.tif", "-o", "no.png", "--view", "section", "--turntable", "3"}, 2,
          "--turntable: expected --view beauty or wireframe");
  refuses({"render", "land.tif", "-o", "no.png", "--view", "section", "--line", "900:0,999:0"}, 2,
          "runs beside the terrain, which reaches 240 m");
  refuses({"render", "land.tif", "-o", "no.png", "--view", "releif"}, 2, "relief");
  refuses({"render", "land.tif", "-o", "no.png", "--view", "field:slop"}, 2, "slope");
  refuses({"render", "alpine", "-o", "no.png", "--view", "field:slop"}, 2,
          "alpine: view = 'field:slop': expected one of");
  refuses({"render", "land.tif", "-o", "no.png", "--view", "relief", "--log"}, 2, "field:NAME");
  refuses({"render", "land.tif", "-o", "no.png", "--view", "field:height", "--range", "9,5"}, 2,
          "lowest below the highest");
  refuses({"render", "land.tif", "-o", "no.png", "--line", "0:0,9:9"}, 2, "--view section");
  refuses({"render", "land.tif", "-o", "no.png", "--view", "section", "--line", "0:0"}, 2, "X:Y");
  refuses({"render", "land.tif", "-o", "no.png", "--view", "section", "--line", "5:5,5:5"}, 2,
          "--line: expected two places, found one");
  refuses({"render", "land.tif", "-o", "no.png", "--view", "relief", "--glyphs", "velocity"}, 2,
          "velocity");
  refuses({"render", "land.tif", "-o", "no.png", "--before", "nowhere.tif"}, 1, "nowhere.tif");
  expect_success(scree({"generate", "ridged", "-o", "fine.tif", "--size", "96x80", "--cell", "5"}));
  refuses({"render", "land.tif", "-o", "no.png", "--before", "fine.tif"}, 1,
          "--before: fine.tif: expected 48 x 40 cells of 10 x 10 m as land.tif has, found 96 x 80 "
          "cells of 5 x 5 m");
  expect_success(scree({"mesh", "land.tif", "-o", "land.ply", "--level", "3"}));
  refuses({"render", "land.tif", "-o", "no.png", "--before", "land.ply"}, 2,
          "--before: land.ply: expected a terrain as land.tif is, found a mesh");
  refuses({"render", "land.ply", "-o", "no.png", "--before", "land.tif"}, 2,
          "--before: land.tif: expected a mesh as land.ply is, found a terrain");
  refuses({"render", "land.tif", "-o", "no.mp4"}, 2, "--turntable");
}

TEST_F(RenderCommand, NanIsNodataWhereItIsSaid) {
  const std::string head = "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n";
  write("holes.asc", head + "NODATA_value -9999\n1 2 3\n4 nan 6\n7 8 -9999\n");
  refuses({"render", "holes.asc", "-o", "no.png"}, 1, "holes.asc");
  for (const char* word : {"nan", "NaN", "NAN"})
    expect_success(scree({"render", "holes.asc", "-o", "a.png", "--view", "relief", "--pixels",
                          "64x48", "--nodata", word}));
  const Outcome told = scree({"info", "holes.asc", "--nodata", "nan", "--json"});
  expect_success(told);
  EXPECT_EQ(told.json()["nodata_cells"], 2) << told.out;
  refuses({"render", "holes.asc", "-o", "no.png", "--nodata", "nam"}, 2, "--nodata");
  write("holes.toml",
        "[scene]\nsteps = 1\n[terrain]\nsource = \"holes.asc\"\nnodata = nan\n[thermal]\n");
  expect_success(scree({"run", "holes.toml", "--out", "run"}));
  write("text.toml",
        "[scene]\nsteps = 1\n[terrain]\nsource = \"holes.asc\"\nnodata = \"NaN\"\n[thermal]\n");
  expect_success(scree({"run", "text.toml", "--out", "run"}));
}

// A picture that takes minutes: whoever has seen enough does not wait for its end.
TEST_F(RenderCommand, StopsInTheMiddleOfAPicture) {
  const std::vector<std::string> before = files();
  const auto stop = [&](const Words& words, int code) {
    Running running(words, folder());
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    EXPECT_FALSE(running.ended()) << words[1] << ": takes longer than this";
    const auto start = std::chrono::steady_clock::now();
    running.send(code == 130 ? SIGINT : SIGTERM);
    const Outcome outcome = running.wait();
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
    // About a second; more where other tests have the machine. The picture takes minutes.
    EXPECT_LT(waited.count(), 15);
    expect_failure(outcome, code, {"stopped"});
    return outcome;
  };
  const std::string pixels = "16000x10000";
  stop({"render", "land.tif", "-o", "a.png", "--pixels", pixels}, 143);
  EXPECT_EQ(files(), before);
  stop({"render", "land.tif", "-o", "a.png", "--pixels", pixels, "--view", "relief"}, 130);
  EXPECT_EQ(files(), before);
  // A run that is stopped while it draws goes on from the state that it was to show.
  write_scene("hills.toml", "[[output]]\nkind = \"picture\"\npixels = [16000, 10000]\n");
  const Outcome run = stop({"run", "hills.toml", "--steps", "2", "--out", "run"}, 143);
  EXPECT_TRUE(contains(run.err, "the state is in run/checkpoint-2.scree")) << run.err;
  EXPECT_FALSE(fs::exists(path("run/picture.png")));
}

// Under a limit of the shell's, as `ulimit -v` sets it.
TEST_F(RenderCommand, APictureThatMemoryCannotHoldIsRefusedBeforeTheWork) {
  write("rock.toml", std::string(rock_scene));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  rlimit less = before;
  less.rlim_cur = rlim_t{6} << 30;
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &less), 0);
  write_scene("hills.toml");
  for (const char* in : {"land.tif", "hills.toml", "rock.toml"})
    refuses({"render", in, "-o", "no.png", "--view", "relief", "--pixels", "16384x16384"}, 1,
            std::string(in) == "rock.toml" ? "MiB of memory is free" : "GiB is free");
  const Outcome small =
      scree({"render", "land.tif", "-o", "a.png", "--view", "relief", "--pixels", "300x300"});
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  expect_success(small);
}

// A driver that runs out of addresses ends the program: it is not begun with.
TEST_F(RenderCommand, ADriverThatHasNoRoomIsNotStarted) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  rlimit less = before;
  less.rlim_cur = rlim_t{900} << 20;
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &less), 0);
  refuses({"render", "land.tif", "-o", "no.png"}, 1, "are left: raise the limit (ulimit -v)");
  const Outcome map =
      scree({"render", "land.tif", "-o", "a.png", "--view", "relief", "--pixels", "300x300"});
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  expect_success(map);
}

// Under `ulimit -f`, or where a disk is full: no part of a picture is left.
TEST_F(RenderCommand, APictureThatCannotBeWrittenWholeIsNotThere) {
  const std::vector<std::string> before_files = files();
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit less = before;
  less.rlim_cur = 4096;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &less), 0);
  const Outcome outcome =
      scree({"render", "land.tif", "-o", "no.png", "--view", "relief", "--pixels", "400x300"});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  expect_failure(outcome, 1, {"no.png: cannot be written"});
  EXPECT_EQ(files(), before_files);
}

TEST_F(RenderCommand, SaysWhatIsMissingWhereThereIsNoOpenGl) {
  // A vendor-neutral EGL that knows no vendor.
  ::setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent.json", 1);
  refuses({"render", "land.tif", "-o", "no.png"}, 1, "OpenGL 4.5");
  ::unsetenv("__EGL_VENDOR_LIBRARY_FILENAMES");
  // An EGL that finds no driver says so on stderr, unless it is told not to.
  ::setenv("LIBGL_DRIVERS_PATH", "/nonexistent", 1);
  refuses({"render", "land.tif", "-o", "no.png"}, 1, "OpenGL 4.5");
  ::unsetenv("LIBGL_DRIVERS_PATH");
}

// GDAL unpacks tiles on threads of its own: what it says there is in our one line.
TEST_F(RenderCommand, RefusesHalfAGeoTiff) {
  expect_success(scree({"generate", "ridged", "-o", "whole.tif", "--size", "600x500"}));
  write("half.tif", read("whole.tif").substr(0, 20000));
  refuses({"render", "half.tif", "-o", "no.png"}, 1, "half.tif: expected 600 x 500 whole samples");
  const Outcome outcome = scree({"info", "half.tif"});
  EXPECT_FALSE(contains(outcome.err, "no reason")) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

}  // namespace
}  // namespace scree::testing
