// Where compiled kernels are found by name, one table an instruction set.
#pragma once

#include <string_view>

#include "kernel/common/compat.h"

namespace scree::device {

// arguments[i] points at the value of argument i; range is the part this call visits.
using CpuFunction = void (*)(const void* const* arguments, const Range& range);

struct CpuKernel {
  CpuKernel(const char* isa, const char* name, CpuFunction function);
  const char* isa;
  const char* name;
  CpuFunction function;
  const CpuKernel* next;
};

// Defined in a generated file that names every kernel unit.
void link_cpu_units();

CpuFunction find_cpu_kernel(std::string_view isa, std::string_view name);

}  // namespace scree::device
