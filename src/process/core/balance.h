// The balance of something that is conserved, in one form for every terrain.
#pragma once

#include <string>
#include <vector>

namespace scree {

struct BalanceFlow {
  std::string name;      // rained, evaporated, left, edited, …
  long long amount = 0;  // what came in or went out by now; negative: the other way
  friend bool operator==(const BalanceFlow&, const BalanceFlow&) = default;
};

// Whole counts of a unit: start + all that came in = all that went out + now.
struct Balance {
  std::string name;  // water, solids, the names of materials that turn into each other, …
  std::string unit;  // what is counted: quanta (of a height on a cell), voxels, amount
  long long start = 0;
  std::vector<BalanceFlow> in = {}, out = {};
  long long held = 0;  // part of now: with a process, and not in the terrain
  long long now = 0;

  long long error() const {
    long long error = start - now;
    for (const BalanceFlow& flow : in) error += flow.amount;
    for (const BalanceFlow& flow : out) error -= flow.amount;
    return error;
  }
};

}  // namespace scree
