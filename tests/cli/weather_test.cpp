// `scree weather` as a person uses it: what it writes, what it refuses, and that it goes on where
// it was killed.
#include <fmt/format.h>
#include <signal.h>

#include <chrono>
#include <random>
#include <set>
#include <thread>

#include "io/mesh/mesh_test.h"
#include "program.h"

namespace scree::testing {
namespace {

class WeatherCli : public Cli {
 protected:
  WeatherCli() { write("rock.toml", scene("steps = 30", "size = [96, 80, 48]")); }

  static std::string scene(const std::string& schedule, const std::string& size,
                           const std::string& more = {}) {
    return "[scene]\nseed = 4\n" + schedule + "\n[terrain]\nkind = \"voxels\"\n" + size + R"(
cell = 0.5
[[terrain.rock]]
name = "sandstone"
durability = 0.8
noise = 0.1
noise_size = "3 m"
[[terrain.rock]]
name = "debris"
durability = 0.5
loose = true
[[terrain.layer]]
rock = "sandstone"
[[terrain.form]]
kind = "block"
at = [24, 20, 0]
size = [48, 40, 2]
[[terrain.form]]
kind = "column"
at = [24, 20, 2]
size = [16, 14, 20]
top = 1.4
noise = "1 m"
[weathering]
colluvium = true
stability_every = 4
[[weathering.bubble]]
radius_voxels = 5
)" + more;
  }

  Json report(const std::string& out) const { return Json::parse(read(out + "/report.json")); }
};

TEST_F(WeatherCli, RunsAndSaysWhatItDid) {
  const Outcome run = scree({"weather", "rock.toml", "--out", "out"});
  expect_success(run);
  EXPECT_TRUE(contains(run.out, "96 x 80 x 48 voxels of 0.5 m")) << run.out;
  EXPECT_TRUE(contains(run.out, "0 astray")) << run.out;
  EXPECT_TRUE(fs::exists(path("out/rock.glb")));
  const Json ledger = report("out").at("ledger");
  EXPECT_EQ(ledger.at("voxels").at("error"), 0);
  EXPECT_EQ(ledger.at("amount").at("error"), 0);
  EXPECT_GT(ledger.at("voxels").at("colluvium"), 100);
  // `scree run` knows what kind of scene it is, and gives the same.
  const Outcome again = scree({"run", "rock.toml", "--out", "again", "--json"});
  expect_success(again);
  EXPECT_EQ(again.json().at("hashes"), report("out").at("hashes"));
}

TEST_F(WeatherCli, WordsOverrideTheScene) {
  const Outcome run =
      scree({"weather", "rock.toml", "--out", "out", "--size", "48x40x24", "--steps", "3", "--seed",
             "9", "--set", "weathering.colluvium=false", "--json"});
  expect_success(run);
  EXPECT_EQ(run.json().at("size"), Json({48, 40, 24}));
  EXPECT_EQ(run.json().at("steps"), 3);
  EXPECT_EQ(run.json().at("colluvium"), 0);
  EXPECT_DOUBLE_EQ(run.json().at("cell"), 1.0);
}

TEST_F(WeatherCli, AKilledRunGoesOnToTheSameBits) {
  const Words words = {"weather", "rock.toml", "--steps", "120", "--device", "cpu"};
  const auto with = [&](const std::string& out, bool resume) {
    Words all = words;
    all.insert(all.end(), {"--out", out, "--checkpoint-every", "3"});
    if (resume) all.emplace_back("--resume");
    return all;
  };
  const auto start = std::chrono::steady_clock::now();
  expect_success(scree(with("whole", false)));
  const std::chrono::duration<double> duration = std::chrono::steady_clock::now() - start;
  std::mt19937 random(5);
  int killed = 0;
  for (int round = 0; round < 4; ++round) {
    Running running(with("cut", round > 0), folder());
    std::this_thread::sleep_for(duration * (20 + random() % 40) / 100);
    running.send(SIGKILL);
    killed += running.wait().signal == SIGKILL ? 1 : 0;
  }
  EXPECT_GT(killed, 0);
  const Outcome last = scree(with("cut", true));
  expect_success(last);
  EXPECT_EQ(report("cut").at("hashes"), report("whole").at("hashes"));
  EXPECT_EQ(report("cut").at("ledger"), report("whole").at("ledger"));
  for (const std::string& name : files()) EXPECT_FALSE(name.ends_with(".tmp")) << name;
}

TEST_F(WeatherCli, CtrlCLeavesACheckpoint) {
  Running running({"weather", "rock.toml", "--steps", "1000000", "--out", "cut",
                   "--checkpoint-every", "2", "--device", "cpu"},
                  folder());
  for (int i = 0; i < 6000 && !running.ended(); ++i) {
    std::error_code none_yet;
    bool there = false;
    for (const fs::directory_entry& entry : fs::directory_iterator(path("cut"), none_yet))
      there |= entry.path().string().ends_with(".scree");
    if (there) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  running.send(SIGINT);
  const Outcome stopped = running.wait();
  EXPECT_NE(stopped.code, 0);
  EXPECT_EQ(stopped.signal, 0) << "ended by the signal";
  EXPECT_TRUE(contains(stopped.err, "checkpoint-")) << stopped.err;
}

TEST_F(WeatherCli, ACheckpointIsMeshedAsTheRunWouldBe) {
  expect_success(scree({"weather", "rock.toml", "--steps", "9", "--checkpoint-every", "6", "--out",
                        "out", "--quiet"}));
  expect_success(scree({"weather", "rock.toml", "--steps", "6", "--out", "six", "--quiet"}));
  const auto triangles = [&](const std::string& in) {
    const Outcome meshed = scree({"mesh", in, "-o", "a.ply", "--json"});
    expect_success(meshed);
    return Json::parse(meshed.out).at("triangles").get<long long>();
  };
  const long long of_file = triangles("out/checkpoint-6.scree");
  EXPECT_GT(of_file, 1000);
  fs::remove(path("out/report.json"));
  EXPECT_EQ(triangles("out"), of_file) << "a run's folder: its newest checkpoint";
  const std::string ply = read("a.ply"), glb = read("six/rock.glb");
  const auto number_after = [](const std::string& text, const std::string& word) {
    return std::stoll(text.substr(text.find(word) + word.size()));
  };
  EXPECT_EQ(number_after(ply, "element face "), of_file);
  // The run's own mesh of that step has as many corners.
  EXPECT_TRUE(contains(glb, fmt::format("\"count\":{}", 3 * of_file))) << of_file;
  expect_failure(scree({"mesh", "out/checkpoint-6.scree", "-o", "b.ply", "--grid", "density"}), 2,
                 {"has no grids"});
}

TEST_F(WeatherCli, ItsSceneItsFolderAndItsCheckpointsAreDescribedAndCompared) {
  const auto run = [&](const std::string& out, const std::string& steps) {
    expect_success(scree({"weather", "rock.toml", "--size", "48x40x24", "--steps", steps,
                          "--checkpoint-every", "3", "--out", out, "--quiet"}));
  };
  run("out", "7"), run("six", "6");
  const Outcome of_scene = scree({"info", "rock.toml"});
  expect_success(of_scene);
  EXPECT_TRUE(contains(of_scene.out, "96 x 80 x 48 voxels of 0.5 m")) << of_scene.out;
  EXPECT_TRUE(contains(of_scene.out, "sandstone, debris")) << of_scene.out;
  const Outcome of_folder = scree({"info", "out"});
  EXPECT_TRUE(contains(of_folder.out, "0 voxels and 0 of their amounts astray")) << of_folder.out;
  const Json checkpoint = scree({"info", "out/checkpoint-6.scree", "--json"}).json();
  EXPECT_EQ(checkpoint.at("terrain"), "voxels");
  EXPECT_EQ(checkpoint.at("step"), 6);
  EXPECT_EQ(checkpoint.at("size"), Json({48, 40, 24}));
  EXPECT_EQ(checkpoint.at("hashes"), report("six").at("hashes"));
  const Json voxels = report("six").at("ledger").at("voxels");
  EXPECT_EQ(checkpoint.at("rock"),
            voxels.at("rock").get<long long>() + voxels.at("colluvium").get<long long>());
  const auto compare = [&](const std::string& a, const std::string& b) {
    return scree({"compare", a, b});
  };
  expect_success(compare("out/checkpoint-3.scree", "six/checkpoint-3.scree"));
  const Outcome other = compare("out/checkpoint-3.scree", "out/checkpoint-6.scree");
  EXPECT_EQ(other.code, 1);
  EXPECT_TRUE(contains(other.out, "step 3 against 6")) << other.out;
  EXPECT_TRUE(contains(other.out, "of 46080 voxels differ, the first at")) << other.out;
}

// To the byte what the run itself writes, in the colours of its rocks and not of their numbers.
TEST_F(WeatherCli, ACheckpointAndAVolumeKeepTheColoursOfTheirScene) {
  std::string outputs = "[[output]]\nkind = \"mesh\"\nfile = \"rock.ply\"\n";
#ifdef SCREE_WITH_VDB
  outputs += "[[output]]\nkind = \"volume\"\nfile = \"rock.vdb\"\n";
#endif
  std::string toml = scene("steps = 6", "size = [96, 80, 48]", outputs);
  toml.insert(toml.find("noise = 0.1"), "colour = \"#123456\"\n");
  write("red.toml", toml);
  expect_success(scree({"weather", "red.toml", "--out", "six", "--quiet"}));
  expect_success(scree({"weather", "red.toml", "--steps", "7", "--checkpoint-every", "6", "--out",
                        "out", "--quiet"}));
  expect_success(scree({"mesh", "out/checkpoint-6.scree", "-o", "a.ply", "--quiet"}));
  const std::string run = read("six/rock.ply");
  EXPECT_TRUE(contains(run, "\x12\x34\x56"));
  EXPECT_EQ(read("a.ply") == run, true);
#ifdef SCREE_WITH_VDB
  expect_success(scree({"mesh", "six/rock.vdb", "-o", "b.ply", "--quiet"}));
  const Mesh own = io::testing::read_ply(path("six/rock.ply")),
             meshed = io::testing::read_ply(path("b.ply"));
  const std::set<Mesh::Colour> rocks(own.colours.begin(), own.colours.end());
  EXPECT_EQ(rocks.count({0x12, 0x34, 0x56, 255}), 1U);
  EXPECT_EQ(std::set(meshed.colours.begin(), meshed.colours.end()), rocks);
#endif
}

TEST_F(WeatherCli, BadScenesGetOneLineThatSaysWhere) {
  const auto refused = [&](const std::string& name, const std::string& toml, const Words& parts) {
    write(name, toml);
    expect_failure(scree({"weather", name, "--out", "out"}), 2, parts);
  };
  refused("heights.toml", "[terrain]\nsize = [8, 8]\n", {"heights.toml", "kind = \"voxels\""});
  refused("word.toml", scene("stepz = 3", "size = [8, 8, 8]"), {"word.toml:3", "stepz", "steps"});
  refused("size.toml", scene("steps = 3", "size = [8, 8]"), {"size.toml:6", "[x, y, z]"});
  refused("bubble.toml",
          scene("steps = 3", "size = [8, 8, 8]", "[[weathering.bubble]]\nradius_voxels = 14\n"),
          {"bubble.toml:", "8191"});
  refused("form.toml",
          scene("steps = 3", "size = [8, 8, 8]", "[[terrain.form]]\nkind = \"pyramid\"\n"),
          {"form.toml:", "pyramid", "arch"});
  refused("stable.toml", scene("steps = 3", "size = [8, 8, 8]\nrock_beyond = []"),
          {"stability", "ground"});
  refused("output.toml",
          scene("steps = 3", "size = [8, 8, 8]", "[[output]]\nkind = \"mesh\"\nfile = \"a.fbx\"\n"),
          {"a.fbx", ".obj"});
  expect_failure(scree({"weather", "none.toml"}), 1, {"none.toml"});
  expect_failure(scree({"weather", "rock.toml", "--size", "1x2"}), 2, {"--size", "512x512x256"});
  EXPECT_FALSE(fs::exists(path("out/rock.glb")));
}

// What cannot be held is refused before anything is allocated (and what a device has no memory for:
// terrain/voxels/voxels_test.cpp).
TEST_F(WeatherCli, BoxesThatCannotBeHeldAreRefusedAtOnce) {
  write("endless.toml", scene("steps = 1", "size = [32768, 32768, 32768]"));
  expect_failure(scree({"weather", "endless.toml", "--out", "out"}), 2, {"32768", "at most"});
  write("huge.toml", scene("steps = 1", "size = [1280, 1280, 1300]"));
  expect_failure(scree({"weather", "huge.toml", "--out", "out"}), 2,
                 {"1280 x 1280 x 1300", "2^30"});
}

}  // namespace
}  // namespace scree::testing
