// Stands in for simplify.cpp in a build without meshoptimizer.
#include "base/error.h"
#include "surface/mesh/simplify.h"

namespace scree::surface {

bool can_simplify() { return false; }

Simplified simplify(const Mesh&, std::size_t) {
  throw Error("fewer triangles need meshoptimizer, and scree was built without meshoptimizer");
}

}  // namespace scree::surface
