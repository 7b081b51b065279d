#include "process/heights/thermal.h"

#include <gtest/gtest.h>

#include "base/log.h"
#include "process/heights/simulation.h"

namespace scree {
namespace {

std::vector<std::string> notes_of(double rate, int steps) {
  device::DeviceOptions options;
  options.selector = "cpu";
  const std::vector<float> heights = {0, 30, 0, 30, 0, 30};
  Landscape land(std::make_unique<Heightfield>(device::open_device(options),
                                               HeightfieldShape{3, 2, 10, 10}, heights,
                                               Borders::all(BorderKind::closed)));
  ThermalParameters parameters;
  parameters.rate = rate;
  std::vector<ProcessPtr> processes;
  processes.push_back(std::make_unique<ThermalWeathering>(parameters));
  std::vector<std::string> notes;
  const LogScope listens([&](LogLevel, const std::string& note) { notes.push_back(note); });
  Simulation simulation(land, std::move(processes), {.dt = 2});
  simulation.run(static_cast<std::uint64_t>(steps));
  return notes;
}

// On squares of 10 m a step moves at most 0.48 / (10/3 / 100) = 14.4 m2.
TEST(ThermalWeathering, SaysOnceWhereTheGridStaysSlowerThanItsRate) {
  EXPECT_TRUE(notes_of(7.1, 600).empty());
  EXPECT_TRUE(notes_of(20, 5).empty());
  EXPECT_EQ(notes_of(20, 600),
            (std::vector<std::string>{"thermal: rate = 20 m2/s is more than a step of 2 s takes on "
                                      "cells of this size: slopes creep at 7.2 m2/s"}));
}

}  // namespace
}  // namespace scree
