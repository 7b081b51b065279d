// What a kernel was called with, for those that unpack it themselves (kernel/NAME_cpu.h).
#pragma once

namespace scree::device {

// Values and pointers alike, in the order of the call.
template <class... Values>
void take_arguments(const void* const* arguments, Values&... values) {
  ((values = *static_cast<const Values*>(*arguments++)), ...);
}

}  // namespace scree::device
