// Whether a run's ledger closes, in words: one line, or nothing where it does.
#pragma once

#include <string>

#include "process/heights/simulation.h"
#include "process/layers/layer_simulation.h"
#include "process/voxels/weathering.h"

namespace scree {

std::string astray(const std::string& scene, const Ledger& ledger);
std::string astray(const std::string& scene, const LayerLedger& ledger);
std::string astray(const std::string& scene, const WeatheringLedger& ledger);

}  // namespace scree
