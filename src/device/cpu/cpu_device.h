// Kernels on the machine's own cores: rows are vectorised, blocks of rows go to threads.
#pragma once

#include <string>
#include <vector>

#include "device/device.h"

namespace scree::device {

// Instruction sets this program was compiled for and this machine has, best first.
std::vector<std::string> usable_isas();
// The one that was asked for, here or in the environment (SCREE_ISA), or else the best.
std::string chosen_isa(const std::string& asked);

DevicePtr open_cpu(int threads, const std::string& isa);
DeviceInfo describe_cpu();

}  // namespace scree::device
