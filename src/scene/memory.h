// Inside scene: is there room, asked before anything large is allocated.
#pragma once

#include <cstddef>

#include "device/device.h"

namespace scree {

// What this machine can still give out, in bytes; 0 where it does not say.
std::size_t available_memory();

// Error unless `bytes` fit on the device, and they (where the device shares this machine's memory)
// with what the host needs beside them fit here.
void check_memory(std::size_t bytes, int width, int height, const device::Device& device);

}  // namespace scree
