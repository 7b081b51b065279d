#include "device/cpu/registry.h"

#include "base/error.h"

namespace scree::device {
namespace {

const CpuKernel*& first_kernel() {
  static const CpuKernel* first = nullptr;
  return first;
}

}  // namespace

CpuKernel::CpuKernel(const char* isa_, const char* name_, CpuFunction function_)
    : isa(isa_), name(name_), function(function_), next(first_kernel()) {
  first_kernel() = this;
}

CpuFunction find_cpu_kernel(std::string_view isa, std::string_view name) {
  link_cpu_units();
  for (const CpuKernel* kernel = first_kernel(); kernel != nullptr; kernel = kernel->next)
    if (kernel->isa == isa && kernel->name == name) return kernel->function;
  throw Error(text("no kernel '", name, "' was compiled for instruction set ", isa));
}

}  // namespace scree::device
