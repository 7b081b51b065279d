// A run that is stopped or killed at any moment and resumed ends like one that was not.
#include <signal.h>

#include <chrono>
#include <functional>
#include <random>
#include <thread>

#include "base/error.h"
#include "program.h"

namespace scree::testing {
namespace {

using std::chrono::milliseconds;

class Interrupted : public Cli {
 protected:
  Interrupted() {
    write_scene("a.toml", "[[output]]\nkind = \"height\"\nevery = 150\n");
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(scree(words("whole", "cpu")).code, 0);
    duration_ = std::chrono::steady_clock::now() - start;
    expected_ = hashes("whole");
  }

  // A second or two of work.
  Words words(const std::string& out, const std::string& device, bool resume = false) const {
    Words all = {"run",
                 "a.toml",
                 "--size",
                 "256x200",
                 "--steps",
                 "600",
                 "--out",
                 out,
                 "--device",
                 device,
                 "--checkpoint-every",
                 "20"};
    if (resume) all.emplace_back("--resume");
    return all;
  }

  void expect_whole(const std::string& out) const {
    EXPECT_EQ(hashes(out), expected_);
    for (const std::string& name : files()) EXPECT_FALSE(name.ends_with(".tmp")) << name;
    for (const fs::directory_entry& entry : fs::directory_iterator(path("whole"))) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with(".tif")) continue;
      EXPECT_EQ(scree({"compare", text("whole/", name), text(out, "/", name)}).code, 0) << name;
    }
  }

  // Kills the run again and again, each time after some part of its duration.
  void kill_often(const std::function<Words(int)>& next, unsigned seed) const {
    std::mt19937 random(seed);
    int killed = 0;
    for (int round = 0; round < 6; ++round) {
      Running running(next(round), folder());
      std::this_thread::sleep_for(duration_ * (5 + random() % 40) / 100);
      running.send(SIGKILL);
      killed += running.wait().signal == SIGKILL;
    }
    EXPECT_GT(killed, 1);
  }

  Json expected_;
  std::chrono::duration<double> duration_{};
};

TEST_F(Interrupted, CtrlCStopsWithACheckpointAndResumeGoesOn) {
  Running running(words("cut", "cpu"), folder());
  ASSERT_TRUE(running.leaves(path("cut"), ".scree"));
  running.send(SIGINT);
  const Outcome outcome = running.wait();
  expect_failure(outcome, 130, {"stopped after", ".scree", "--resume"});
  EXPECT_EQ(Json::parse(read("cut/report.json"))["cancelled"], true);
  const Outcome resumed = scree(words("cut", "cpu", true));
  expect_success(resumed);
  EXPECT_GT(Json::parse(read("cut/report.json"))["resumed_from"], 0);
  expect_whole("cut");
}

TEST_F(Interrupted, ErodeStopsAndResumesToo) {
  expect_success(scree({"generate", "ridged", "-o", "in.tif", "--size", "300x300"}));
  const Words erode = {"erode", "in.tif", "-o", "out.tif", "--steps", "1000"};
  Running running(erode, folder());
  for (int i = 0; i < 6000 && !fs::exists(path("out.tif.work")) && !running.ended(); ++i)
    std::this_thread::sleep_for(milliseconds(5));
  std::this_thread::sleep_for(milliseconds(50));
  running.send(SIGTERM);
  expect_failure(running.wait(), 143, {"stopped after", ".scree", "--resume"});
  EXPECT_FALSE(fs::exists(path("out.tif")));
  Words again = erode;
  again.emplace_back("--resume");
  expect_success(scree(again));
  EXPECT_FALSE(fs::exists(path("out.tif.work")));
  Words fresh = erode;
  fresh[3] = "fresh.tif";
  expect_success(scree(fresh));
  EXPECT_EQ(scree({"compare", "out.tif", "fresh.tif"}).code, 0);
}

TEST_F(Interrupted, KilledAnywhereAndResumedOnTheSameDevice) {
  kill_often([&](int round) { return words("cut", "cpu", round > 0); }, 2012);
  expect_success(scree(words("cut", "cpu", true)));
  expect_whole("cut");
}

TEST_F(Interrupted, KilledAnywhereAndResumedOnAnotherDevice) {
  const char* const devices[] = {"cpu", "opencl"};
  // Where OpenCL is PoCL, the rest of a run would take it most of a minute: it makes the start.
  Words start = words("cut", "opencl");
  start[5] = "100";
  expect_success(scree(start));
  ASSERT_TRUE(fs::exists(path("cut/checkpoint-80.scree")));
  kill_often([&](int round) { return words("cut", devices[round % 2], true); }, 2019);
  expect_success(scree(words("cut", "cpu", true)));
  EXPECT_GE(Json::parse(read("cut/report.json"))["resumed_from"], 80);
  expect_whole("cut");
}

// Resume passes over a checkpoint that is not whole, and refuses one of another scene.
TEST_F(Interrupted, BrokenAndForeignCheckpoints) {
  Words part = words("cut", "cpu");
  part[5] = "50";
  expect_success(scree(part));
  ASSERT_TRUE(fs::exists(path("cut/checkpoint-40.scree")));
  fs::resize_file(path("cut/checkpoint-40.scree"), 1000);
  expect_success(scree(words("cut", "cpu", true)));
  expect_whole("cut");
  Words other = words("cut", "cpu", true);
  other.insert(other.end(), {"--seed", "99"});
  expect_failure(scree(other), 2, {"checkpoint-", "other settings"});
}

TEST_F(Interrupted, ResumeWithoutACheckpointStartsAfresh) {
  expect_success(scree(words("new", "cpu", true)));
  expect_whole("new");
}

}  // namespace
}  // namespace scree::testing
