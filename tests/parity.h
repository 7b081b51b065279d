// Every process and all together as runs on any size, whose hashes the parity tests compare.
#pragma once

#include <map>

#include "testing.h"

namespace scree::testing {

struct ParitySize {
  int width, height;
  double dx, dy;
  Borders borders;
};

struct ParityCase {
  std::string name;
  std::function<std::vector<ProcessPtr>()> processes;
  // Erodibility, strength, rain, a floor and a sea by place.
  bool has_maps = false;
};

// How a test's name shows its case.
void PrintTo(const ParityCase& c, std::ostream* out);

// Water, erosion by every transport, with 4 and 8 neighbours; slopes, sheets; all of it at once,
// with every map.
std::vector<ParityCase> parity_cases();

// Sizes that are odd, tiny, oblong and larger than a tile, each with borders of its own.
std::vector<ParitySize> parity_sizes();

// Runs the case on every backend and expects equal hashes of all fields, and ledgers that close.
void expect_parity(const ParityCase& c, const ParitySize& size, int steps);

}  // namespace scree::testing
