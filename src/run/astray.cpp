#include "run/astray.h"

#include <utility>
#include <vector>

#include "base/error.h"

namespace scree {
namespace {

using Count = std::pair<long long, std::string>;  // how many, and of what

std::string line_of(const std::string& scene, const std::vector<Count>& counts) {
  std::string wrong;
  for (const auto& [count, what] : counts)
    if (count != 0) wrong += text(wrong.empty() ? "" : ", ", count, " ", what);
  if (wrong.empty()) return {};
  return text(scene, ": the ledger does not close: ", wrong,
              " astray, expected 0; the outputs are written, but something was lost or made");
}

}  // namespace

std::string astray(const std::string& scene, const Ledger& ledger) {
  return line_of(scene, {{ledger.water_error(), "quanta of water"},
                         {ledger.solids_error(), "quanta of solids"}});
}

std::string astray(const std::string& scene, const LayerLedger& ledger) {
  std::vector<Count> counts;
  for (const LayerBalance& balance : ledger.balances) {
    std::string names;
    for (const std::string& name : balance.of) names += (names.empty() ? "" : " + ") + name;
    counts.emplace_back(balance.error(), "quanta of " + names);
  }
  return line_of(scene, counts);
}

std::string astray(const std::string& scene, const WeatheringLedger& ledger) {
  return line_of(scene, {{ledger.voxel_error(), "voxels"},
                         {ledger.amount_error(), text("/ ", VOXEL_FULL, " of a voxel")}});
}

}  // namespace scree
