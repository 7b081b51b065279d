// How much more a process may map.
#pragma once

#include <cstddef>

namespace scree {

// What is left of `ulimit -v`, in bytes; 0 where there is no limit.
std::size_t addresses_left();

}  // namespace scree
