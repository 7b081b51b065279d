// The folder of a run as a person meets it: what is refused, who is at work, what is missing.
#include <signal.h>
#include <sys/resource.h>

#include <chrono>
#include <thread>

#include "program.h"

namespace scree::testing {
namespace {

class FolderCli : public Cli {
 protected:
  static std::string output(const std::string& file) {
    return "[[output]]\nkind = \"height\"\nfile = \"" + file + "\"\n";
  }
  Json report(const std::string& out) const { return Json::parse(read(out + "/report.json")); }

  // Waits until the folder holds that file.
  Words forever(const std::string& out) const {
    return {"run",      "a.toml", "--steps",
            "1000000",  "--out",  out,
            "--device", "cpu",    "--checkpoint-every",
            "5"};
  }
};

TEST_F(FolderCli, OutputsStayInTheirFolder) {
  write("precious.tif", "precious");
  write_scene("a.toml", output("../precious.tif"));
  expect_failure(scree({"run", "a.toml", "--out", "out"}), 2,
                 {"a.toml:", "file = '../precious.tif'", "--allow-outside"});
  EXPECT_EQ(read("precious.tif"), "precious");
  EXPECT_FALSE(fs::exists(path("out"))) << "nothing was begun";
  expect_success(scree({"run", "a.toml", "--out", "out", "--allow-outside", "--steps", "1"}));
  EXPECT_NE(read("precious.tif"), "precious");
  write_scene("b.toml", output("x.tif") + output("./x.tif"));
  expect_failure(scree({"run", "b.toml"}), 2, {"b.toml:", "./x.tif", "another output"});
}

TEST_F(FolderCli, ANameIsNoWayOut) {
  write_scene("a.toml");
  expect_failure(scree({"run", "a.toml", "--set", "scene.name=../../evil"}), 2,
                 {"a.toml", "name = '../../evil'", "--out DIR"});
  EXPECT_FALSE(fs::exists(folder() / "../../evil"));
  expect_success(
      scree({"run", "a.toml", "--set", "scene.name=../../evil", "--out", "good", "--steps", "1"}));
}

TEST_F(FolderCli, ARunDoesNotWriteOverItsSource) {
  expect_success(scree({"generate", "fbm", "-o", "dem.tif", "--size", "32x32"}));
  const std::string before = read("dem.tif");
  write("a.toml",
        "[scene]\nsteps = 2\n[terrain]\nsource = \"dem.tif\"\n[thermal]\n" + output("dem.tif"));
  expect_failure(scree({"run", "a.toml", "--out", "."}), 2, {"file = 'dem.tif'", "reads"});
  expect_failure(scree({"erode", "dem.tif", "-o", "./dem.tif", "--steps", "2"}), 2,
                 {"dem.tif", "reads", "another name"});
  EXPECT_EQ(read("dem.tif"), before);
}

TEST_F(FolderCli, ASecondRunIsToldWhoIsAtWorkAndADeadOneIsNobody) {
  write_scene("a.toml");
  Running running(forever("out"), folder());
  ASSERT_TRUE(running.leaves(path("out"), ".scree"));
  expect_failure(scree({"run", "a.toml", "--out", "out", "--steps", "1"}), 1,
                 {"another run is at work", "process ", " since "});
  EXPECT_FALSE(fs::exists(path("out/report.json")));
  running.send(SIGKILL);
  running.wait();
  write("out/.scree-999999999-0.tmp", "half a file");
  expect_success(scree({"run", "a.toml", "--out", "out", "--steps", "1"}));
  for (const fs::directory_entry& entry : fs::directory_iterator(path("out")))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path();
}

TEST_F(FolderCli, ACancelledRunSaysSo) {
  write_scene("a.toml");
  expect_success(scree({"run", "a.toml", "--out", "out", "--steps", "1"}));
  Running running(forever("out"), folder());
  ASSERT_TRUE(running.leaves(path("out"), ".scree"));
  EXPECT_FALSE(fs::exists(path("out/report.json"))) << "that of the run before";
  running.send(SIGINT);
  running.wait();
  EXPECT_EQ(report("out")["cancelled"], true);
  EXPECT_GE(report("out")["steps"], 5);
  const Outcome info = scree({"info", "out"});
  expect_success(info);
  EXPECT_TRUE(contains(info.out, "the run was stopped")) << info.out;
  EXPECT_TRUE(contains(info.out, report("out")["checkpoint"].get<std::string>())) << info.out;
  const Json mesh = scree({"mesh", "out", "-o", "a.ply", "--json"}).json();
  EXPECT_TRUE(contains(mesh["source"].get<std::string>(), "checkpoint-")) << mesh;
}

// A mesh that the run wrote on its way is older than the state in which it stopped.
TEST_F(FolderCli, OfACancelledRunOfVoxelsItsStateIsTaken) {
  write("rock.toml", R"(
[terrain]
kind = "voxels"
size = [24, 20, 16]
cell = 1
[[terrain.rock]]
name = "chalk"
durability = 0.9
[[terrain.form]]
kind = "block"
rock = "chalk"
at = [12, 10, 0]
size = [16, 12, 12]
[[output]]
kind = "mesh"
file = "early.ply"
every = 3
)");
  Running running({"run", "rock.toml", "--steps", "1000000", "--out", "out", "--device", "cpu",
                   "--checkpoint-every", "5"},
                  folder());
  ASSERT_TRUE(running.leaves(path("out"), ".scree"));
  running.send(SIGINT);
  running.wait();
  ASSERT_FALSE(report("out")["outputs"].empty());
  const Json mesh = scree({"mesh", "out", "-o", "a.ply", "--json"}).json();
  EXPECT_EQ(mesh["source"], "out/" + report("out")["checkpoint"].get<std::string>());
}

TEST_F(FolderCli, AFullDiskCostsAnOutput) {
  write_scene("a.toml", output("h.tif") +
                            "[[output]]\nkind = \"picture\"\nview = \"relief\"\npixels = "
                            "[1600, 1200]\nfile = \"large.png\"\n");
  const Words words = {"run", "a.toml", "--out", "out", "--steps", "9", "--checkpoint-every", "8"};
  expect_success(scree(words));
  const auto state = fs::file_size(path("out/checkpoint-8.scree"));
  ASSERT_GT(fs::file_size(path("out/large.png")), state + 4096);
  const Json whole = hashes("out");
  fs::remove_all(path("out"));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit less = before;
  less.rlim_cur = state + 2048;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &less), 0);
  const Outcome full = scree(words);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  expect_failure(full, 1, {"large.png: cannot be written", "checkpoint-9.scree", "missing"});
  EXPECT_EQ(report("out")["missing"], Json({"large.png"}));
  EXPECT_TRUE(contains(scree({"info", "out"}).out, "large.png"));
  Words again = words;
  again.emplace_back("--resume");
  expect_success(scree(again));
  EXPECT_TRUE(fs::exists(path("out/large.png")));
  EXPECT_FALSE(fs::exists(path("out/checkpoint-9.scree")));
  EXPECT_FALSE(report("out").contains("missing"));
  EXPECT_EQ(hashes("out"), whole);
}

}  // namespace
}  // namespace scree::testing
