// Whatever is wrong: one line that says what, where and what was expected; the right exit code; and
// nothing written.
#include <unistd.h>

#include <cmath>
#include <limits>

#include "io/raster/npy.h"
#include "program.h"

namespace scree::testing {
namespace {

class BadInput : public Cli {
 protected:
  // A refused command leaves the folder as it was.
  void refuse(const Words& words, int code, const Words& parts) const {
    const std::vector<std::string> before = files();
    expect_failure(scree(words), code, parts);
    EXPECT_EQ(files(), before);
  }
};

TEST_F(BadInput, Commands) {
  refuse({}, 2, {"no command"});
  refuse({"erod"}, 2, {"unknown command 'erod'", "did you mean 'erode'?"});
  refuse({"xyzzy"}, 2, {"unknown command 'xyzzy'", "--help"});
  refuse({"--bogus"}, 2, {"--bogus"});
  refuse({"run"}, 2, {"run: ", "SCENE"});
  refuse({"erode", "a.tif"}, 2, {"erode: ", "--out"});
  refuse({"run", "alpine", "--stpes", "5"}, 2, {"'--stpes'", "did you mean '--steps'?"});
  refuse({"run", "alpine", "extra"}, 2, {"run: ", "'extra'"});
  refuse({"run", "alpine", "--steps"}, 2, {"--steps"});
  refuse({"params", "watr"}, 2, {"'watr'", "did you mean 'water'?"});
}

TEST_F(BadInput, Numbers) {
  refuse({"run", "alpine", "--steps", "many"}, 2, {"--steps 'many'", "whole number"});
  refuse({"run", "alpine", "--steps", "-4"}, 2, {"--steps '-4'", "whole number"});
  refuse({"run", "alpine", "--threads", "0"}, 2, {"--threads '0'"});
  refuse({"run", "alpine", "--seed", "1.5"}, 2, {"--seed '1.5'"});
  refuse({"run", "alpine", "--checkpoint-seconds", "3 m"}, 2, {"--checkpoint-seconds"});
  refuse({"erode", "a.png", "-o", "b.tif", "--cell", "0"}, 2, {"--cell '0'"});
  refuse({"erode", "a.png", "-o", "b.tif", "--cell", "3 s"}, 2, {"--cell"});
  refuse({"erode", "a.png", "-o", "b.tif", "--sea", "wet"}, 2, {"--sea 'wet'"});
  refuse({"erode", "a.png", "-o", "b.tif", "--height-range", "5"}, 2, {"--height-range '5'"});
  refuse({"erode", "a.png", "-o", "b.tif", "--height-range", "9,5"}, 2, {"--height-range '9,5'"});
}

TEST_F(BadInput, Sizes) {
  for (const char* size : {"0x0", "0x5", "5x", "x", "5x5x5", "-3x4", "70000x2", "wide"}) {
    refuse({"run", "alpine", "--size", size}, 2, {"--size", size, "WIDTHxHEIGHT"});
    refuse({"generate", "fbm", "-o", "a.tif", "--size", size}, 2, {"--size", size});
  }
  write_scene("a.toml");
  refuse({"run", "a.toml", "--set", "terrain.size=[0, 5]"}, 2, {"size"});
  refuse({"run", "a.toml", "--set", "terrain.size=[99999999, 5]"}, 2, {"size"});
}

// 46000 x 46000 cells overflow 32-bit indices too, so this also sees that they are not used. A
// machine with room for them is not asked to fill it.
TEST_F(BadInput, NotEnoughMemory) {
  if (::sysconf(_SC_PHYS_PAGES) * (::sysconf(_SC_PAGE_SIZE) >> 20) > 60000)
    GTEST_SKIP() << "this machine has the memory";
  refuse({"run", "alpine", "--size", "46000x46000"}, 1, {"46000x46000", "GiB"});
  refuse({"generate", "fbm", "-o", "a.tif", "--size", "46000x46000"}, 1, {"46000x46000", "GiB"});
}

TEST_F(BadInput, MissingFiles) {
  refuse({"run", "nowhere.toml"}, 1, {"nowhere.toml"});
  refuse({"run", "alpin"}, 1, {"alpin", "did you mean 'alpine'?"});
  refuse({"erode", "nowhere.tif", "-o", "b.tif"}, 1, {"nowhere.tif"});
  refuse({"info", "nowhere.tif"}, 1, {"nowhere.tif"});
  refuse({"compare", "nowhere.tif", "b.tif"}, 1, {"nowhere.tif"});
  refuse({"info", "."}, 1, {"report.json"});
  write_scene("a.toml", "[[output]]\nkind = \"height\"\n");
  refuse({"run", "a.toml", "--set", "terrain.source=nowhere.tif"}, 1, {"nowhere.tif"});
}

TEST_F(BadInput, BrokenRasters) {
  write("text.tif", "this is no raster\n");
  refuse({"erode", "text.tif", "-o", "b.tif"}, 1, {"text.tif"});
  refuse({"info", "text.tif"}, 1, {"text.tif"});
  write("empty.tif", "");
  refuse({"erode", "empty.tif", "-o", "b.tif"}, 1, {"empty.tif"});
  expect_success(scree({"generate", "fbm", "-o", "whole.tif", "--size", "200x200"}));
  const std::string whole = read("whole.tif");
  write("half.tif", whole.substr(0, whole.size() / 2));
  refuse({"erode", "half.tif", "-o", "b.tif"}, 1, {"half.tif"});
  expect_success(scree({"generate", "fbm", "-o", "whole.npy", "--size", "20x20"}));
  write("half.npy", read("whole.npy").substr(0, 300));
  refuse({"erode", "half.npy", "-o", "b.tif", "--cell", "5"}, 1, {"half.npy"});
  refuse({"compare", "whole.npy", "half.npy"}, 1, {"half.npy"});
  write("land.r16", std::string(1000, 'x'));
  refuse({"erode", "land.r16", "-o", "b.tif", "--cell", "5", "--height-range", "0,10", "--raw-size",
          "30x30"},
         1, {"land.r16"});
  refuse({"erode", "land.r16", "-o", "b.tif", "--cell", "5", "--height-range", "0,10"}, 2,
         {"land.r16", "--raw-size"});
}

TEST_F(BadInput, CellsThatAreNoNumbers) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> cells(12, 100.0F);
    cells[5] = bad;
    io::write_npy(path("bad.npy"), 4, 3, cells);
    refuse({"erode", "bad.npy", "-o", "b.tif", "--cell", "5"}, 1, {"bad.npy", "column 1", "row 1"});
  }
}

TEST_F(BadInput, ImagesThatDoNotSayEnough) {
  expect_success(scree({"generate", "fbm", "-o", "plain.png", "--size", "16x16"}));
  fs::remove(path("plain.png.json"));
  refuse({"erode", "plain.png", "-o", "b.tif", "--cell", "5"}, 2, {"plain.png", "--height-range"});
  refuse({"erode", "plain.png", "-o", "b.tif", "--height-range", "0,9"}, 2,
         {"plain.png", "--cell"});
  refuse({"info", "plain.png", "--hydrology"}, 2, {"plain.png", "--height-range"});
}

TEST_F(BadInput, Scenes) {
  write("broken.toml", "[scene\nsteps = 3\n");
  refuse({"run", "broken.toml"}, 2, {"broken.toml", "1"});
  write_scene("key.toml", "tallus = 40\n");
  refuse({"run", "key.toml"}, 2, {"key.toml", "'tallus'", "did you mean 'talus'?"});
  write_scene("table.toml", "[hydralic]\n");
  refuse({"run", "table.toml"}, 2, {"table.toml", "did you mean 'hydraulic'?"});
  write_scene("range.toml", "talus = 95\n");
  refuse({"run", "range.toml"}, 2, {"range.toml", "talus", "1 to 89"});
  write_scene("unit.toml", "talus = \"3 m\"\n");
  refuse({"run", "unit.toml"}, 2, {"unit.toml", "talus", "deg"});
  write_scene("kind.toml", "[[output]]\nkind = \"heigth\"\n");
  refuse({"run", "kind.toml"}, 2, {"kind.toml", "heigth"});
  write_scene("name.toml", "[[output]]\nkind = \"height\"\nfile = \"a.doc\"\n");
  refuse({"run", "name.toml"}, 2, {"name.toml", "a.doc", ".tif"});
}

TEST_F(BadInput, Overrides) {
  write_scene("a.toml");
  refuse({"run", "a.toml", "--set", "thermal.tallus=40"}, 2, {"tallus", "did you mean 'talus'?"});
  refuse({"run", "a.toml", "--set", "hydralic.capacity=2"}, 2, {"did you mean 'hydraulic'?"});
  refuse({"run", "a.toml", "--set", "thermal.talus=200"}, 2, {"talus", "1 to 89"});
  refuse({"run", "a.toml", "--set", "water.rain=3 kg"}, 2, {"rain", "m/s"});
  refuse({"run", "a.toml", "--set", "water.rain"}, 2, {"--set 'water.rain'", "key=value"});
  refuse({"generate", "fbm", "-o", "a.tif", "--set", "releif=3"}, 2, {"did you mean 'relief'?"});
  refuse({"generate", "fmb", "-o", "a.tif"}, 2, {"fmb", "ridged"});
  refuse({"erode", "a.tif", "-o", "b.tif", "--preset", "alpin"}, 2, {"did you mean 'alpine'?"});
}

TEST_F(BadInput, Devices) {
  write_scene("a.toml");
  refuse({"run", "a.toml", "--device", "opencl:99"}, 1, {"OpenCL device 99"});
  refuse({"run", "a.toml", "--device", "cuda"}, 2, {"'cuda'", "opencl"});
  refuse({"run", "a.toml", "--device", "opencl:x"}, 2, {"opencl:x"});
}

TEST_F(BadInput, Outputs) {
  write_scene("a.toml");
  write("file", "in the way");
  refuse({"run", "a.toml", "--out", "file/folder"}, 1, {"file/folder"});
  refuse({"run", "a.toml", "--out", "file"}, 1, {"file"});
  expect_success(scree({"generate", "fbm", "-o", "in.tif", "--size", "8x8"}));
  refuse({"erode", "in.tif", "-o", "file/out.tif", "--steps", "1"}, 1, {"file"});
  refuse({"erode", "in.tif", "-o", "out.doc"}, 2, {"out.doc", ".tif"});
  refuse({"generate", "fbm", "-o", "file/out.tif", "--size", "8x8"}, 1,
         {"file: cannot make this folder"});
  refuse({"generate", "fbm", "-o", "out"}, 2, {"out", ".tif"});
  refuse({"run", "a.toml", "--engine", "quake"}, 2, {"--engine 'quake'", "unreal"});
  refuse({"run", "a.toml", "--engine", "unrael"}, 2,
         {"--engine 'unrael'", "did you mean 'unreal'?"});
  refuse({"erode", "in.tif", "-o", "b.tif", "--engine", "unrael"}, 2,
         {"--engine 'unrael'", "did you mean 'unreal'?"});
}

// Not as they were passed on.
TEST_F(BadInput, FilesAreNamedAsTheyWereTyped) {
  write("file", "in the way");
  expect_success(scree({"generate", "fbm", "-o", "in.tif", "--size", "8x8"}));
  write("text.tif", "this is no raster\n");
  refuse({"erode", "nowhere.tif", "-o", "b.tif"}, 1, {"scree: nowhere.tif: "});
  refuse({"erode", "./text.tif", "-o", "b.tif", "--sea", "none"}, 1, {"scree: ./text.tif: "});
  refuse({"erode", "in.tif", "-o", "b.tif", "--cell", "5"}, 2, {"scree: in.tif: "});
  refuse({"erode", "in.tif", "-o", "b.tif", "--steps", "1", "--relief", "file/r.png"}, 1,
         {"scree: file: "});
}

TEST_F(BadInput, HydrologyOfNoRaster) {
  write_scene("a.toml");
  write("a.scree", "");
  write("report.json", "{}");
  refuse({"info", "alpine", "--hydrology"}, 2, {"alpine", "--hydrology takes a raster", "scene"});
  refuse({"info", "a.toml", "--hydrology"}, 2, {"a.toml", "--hydrology takes a raster", "scene"});
  refuse({"info", "a.scree", "--hydrology"}, 2, {"a.scree", "takes a raster", "checkpoint"});
  refuse({"info", "report.json", "--hydrology"}, 2, {"report.json", "takes a raster", "report"});
  refuse({"info", ".", "--hydrology"}, 2, {"takes a raster", "folder"});
}

TEST_F(BadInput, Meshes) {
  expect_success(scree({"generate", "fbm", "-o", "in.tif", "--size", "9x9"}));
  refuse({"mesh", "in.tif"}, 2, {"mesh: ", "--out"});
  refuse({"mesh", "in.tif", "-o", "out.fbx"}, 2, {"--out", "out.fbx", ".obj, .ply, .stl or .glb"});
  refuse({"mesh", "in.tif", "-o", "out.ply", "--level", "-1"}, 2, {"--level '-1'"});
  refuse({"mesh", "in.tif", "-o", "out.ply", "--level", "17"}, 2, {"--level '17'", "0 to 16"});
  refuse({"mesh", "in.tif", "-o", "out.ply", "--target-triangles", "0"}, 2,
         {"--target-triangles '0'"});
  refuse({"mesh", "in.tif", "-o", "out.ply", "--target-triangles", "5", "--level", "1"}, 2,
         {"--level and --target-triangles", "one of them"});
  refuse({"mesh", "nowhere.tif", "-o", "out.ply"}, 1, {"scree: nowhere.tif: "});
  refuse({"mesh", "nowhere.scree", "-o", "out.ply"}, 1, {"scree: nowhere.scree: "});
  refuse({"mesh", ".", "-o", "out.ply"}, 1, {"report.json", "checkpoint"});
  refuse({"mesh", "in.tif", "-o", "in.tif/out.ply"}, 1, {"in.tif: cannot make this folder"});
  write("text.tif", "this is no raster\n");
  refuse({"mesh", "text.tif", "-o", "out.ply"}, 1, {"text.tif"});
  expect_success(scree({"generate", "fbm", "-o", "row.tif", "--size", "9x1"}));
  refuse({"mesh", "row.tif", "-o", "out.ply"}, 1, {"row.tif", "2 x 2 cells", "9 x 1"});
  expect_success(scree({"generate", "fbm", "-o", "cells.npy", "--size", "9x9"}));
  refuse({"mesh", "cells.npy", "-o", "out.ply"}, 2, {"cells.npy", "--cell"});
  io::write_npy(path("nothing.npy"), 4, 3, std::vector<float>(12, 5.0F));
  refuse({"mesh", "nothing.npy", "-o", "out.ply", "--cell", "1", "--nodata", "5"}, 1,
         {"nothing.npy", "cells with data"});
  for (const char* report :
       {"{}", "{\"outputs\": [\"height.tif\"]}", "{\"files\": [7]}", "no report",
        "{\"files\": [{\"file\": 7, \"kind\": \"height\", \"step\": 1}]}"}) {
    write("report.json", report);
    refuse({"mesh", ".", "-o", "out.ply"}, 1, {"report.json", "\"files\""});
  }
  write("report.json", R"({"files": [{"file": "height.tif", "kind": "height", "step": 1}]})");
  refuse({"mesh", ".", "-o", "out.ply"}, 1, {"height.tif"});
  write("report.json", R"({"files": [{"file": "slope.tif", "kind": "mask", "step": 1}]})");
  refuse({"mesh", ".", "-o", "out.ply"}, 1, {"none of the run's outputs"});
  write("report.json", R"({"size": [8, 8, 8], "outputs": ["rock.glb"]})");
  refuse({"mesh", ".", "-o", "out.ply"}, 1, {"a run of voxels", ".vdb"});
  write("report.json", R"({"size": [8, 8, 8], "outputs": ["rock.vdb"]})");
  refuse({"mesh", ".", "-o", "out.ply"}, 1, {"./rock.vdb"});
  refuse({"mesh", ".", "-o", "out.ply", "--water"}, 2, {"--water", "./rock.vdb", "volume"});
}

TEST_F(BadInput, ColoursAndLevelsOfMeshes) {
  expect_success(scree({"generate", "fbm", "-o", "in.tif", "--size", "9x9"}));
  expect_success(scree({"generate", "fbm", "-o", "small.tif", "--size", "8x9"}));
  const auto no = [&](const Words& more, int code, const Words& parts) {
    Words words = {"mesh", "in.tif"};
    words.insert(words.end(), more.begin(), more.end());
    refuse(words, code, parts);
  };
  no({"-o", "a.ply", "--colour", "slop"}, 2,
     {"--colour 'slop'", "none, relief, height, slope, curvature", "did you mean 'slope'?"});
  no({"-o", "a.ply", "--colour", "small.tif"}, 1, {"small.tif", "9 x 9", "8 x 9"});
  no({"-o", "a.stl", "--colour", "relief"}, 2, {"--colour", "STL holds no colours"});
  no({"-o", "a.stl", "--palette", "plain"}, 2, {"--palette", "STL holds no colours"});
  no({"-o", "a.ply", "--palette", "dessert"}, 2, {"--palette 'dessert'", "did you mean 'desert'?"});
  no({"-o", "a.ply", "--palette", "desert", "--colour", "slope"}, 2, {"--palette", "slope"});
  no({"-o", "a.ply", "--water"}, 2, {"--water", "in.tif", "no water"});
  no({"-o", "a.ply", "--levels", "9"}, 2, {"--levels '9'", "1 to 8"});
  no({"-o", "a.ply", "--levels", "2", "--view", "1,2", "--level", "1"}, 2,
     {"--level and --levels and --view", "one of them"});
  for (const char* view : {"1", "1,2,3,4", "1,north", "1e12,0"})
    no({"-o", "a.ply", "--view", view}, 2, {"--view"});
  no({"-o", "a.ply", "--view", "0,0", "--detail", "0"}, 2, {"--detail '0'", "1 to 1000000"});
  no({"-o", "a.ply", "--view", "0,0", "--detail", "much"}, 2, {"--detail 'much'"});
  no({"-o", "a.ply", "--detail", "5"}, 2, {"--detail '5'", "--view"});
}

TEST_F(BadInput, BenchmarksThatAreNone) {
  refuse({"bench", "--device", "cpu", "--only", "zzz"}, 2,
         {"--only 'zzz'", "water, 4 neighbours", "thermal", "sheet", "Uniform"});
  refuse({"bench", "--voxels", "none", "--only", "Uniform"}, 2, {"--only 'Uniform'"});
  for (const char* box : {"64x64", "64x64x64x64"})
    refuse({"bench", "--voxels", box}, 2, {"--voxels", box, "512x512x256"});
  refuse({"bench", "--steps", "0"}, 2, {"--steps '0'"});
  refuse({"bench", "--only", "Uniform", "--voxels", "30000x30000x300"}, 2, {"30000 x 30000 x 300"});
}

TEST_F(BadInput, NothingIsOverwritten) {
  write("out.tif", "precious");
  expect_failure(scree({"erode", "nowhere.tif", "-o", "out.tif"}), 1, {"nowhere.tif"});
  write("text.tif", "no raster");
  expect_failure(scree({"erode", "text.tif", "-o", "out.tif"}), 1, {"text.tif"});
  expect_failure(scree({"generate", "fbm", "-o", "out.tif", "--set", "relief=-1"}), 2, {"relief"});
  EXPECT_EQ(read("out.tif"), "precious");
  write("out.ply", "precious");
  expect_failure(scree({"mesh", "text.tif", "-o", "out.ply"}), 1, {"text.tif"});
  EXPECT_EQ(read("out.ply"), "precious");
}

// A fixed dt that the water outgrows stops the run: the message has the limit and the checkpoint.
TEST_F(BadInput, UnstableStep) {
  write_scene("a.toml");
  const Outcome outcome = scree(
      {"run", "a.toml", "--set", "scene.dt=30", "--set", "water.rain=0.05", "--steps", "500"});
  expect_failure(outcome, 1, {"dt = 30 s", "the limit is", "checkpoint-", ".scree"});
  bool found = false;
  for (const std::string& name : files()) found |= name.ends_with(".scree");
  EXPECT_TRUE(found) << outcome.err;
  EXPECT_FALSE(fs::exists(path("out/a/report.json")));
}

}  // namespace
}  // namespace scree::testing
