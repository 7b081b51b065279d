// Kernels on any OpenCL 1.2 device that rounds correctly.
#pragma once

#include <vector>

#include "device/device.h"

namespace scree::device {

DevicePtr open_opencl(int index, bool inexact);
std::vector<DeviceInfo> list_opencl();

}  // namespace scree::device
