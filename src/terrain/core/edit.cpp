#include "terrain/core/edit.h"

#include <algorithm>

#include "base/error.h"

namespace scree {
namespace {

// From where, and how many: an end may lie beyond what an int holds.
bool within(int from, int size, int begin, int room) {
  return from >= begin && size >= 0 &&
         static_cast<long long>(from) + size <= static_cast<long long>(begin) + room;
}

}  // namespace

bool Box::contains(const Box& other) const {
  return within(other.x, other.width, x, width) && within(other.y, other.height, y, height) &&
         within(other.z, other.depth, z, depth);
}

Box Box::common(const Box& other) const {
  Box both;
  both.x = std::max(x, other.x), both.y = std::max(y, other.y), both.z = std::max(z, other.z);
  both.width = std::min(x + width, other.x + other.width) - both.x;
  both.height = std::min(y + height, other.y + other.height) - both.y;
  both.depth = std::min(z + depth, other.z + other.depth) - both.z;
  return both.empty() ? Box{both.x, both.y, both.z, 0, 0, 0} : both;
}

void check_box(const Box& terrain, const Box& box) {
  if (terrain.contains(box)) return;
  const auto said = [](const Box& b) {
    const std::string size = text(b.width, "x", b.height);
    return b.depth == 1 && b.z == 0 ? text(size, " at ", b.x, ",", b.y)
                                    : text(size, "x", b.depth, " at ", b.x, ",", b.y, ",", b.z);
  };
  throw UsageError(text("a box of ", said(box), ": expected one within ", said(terrain)));
}

void check_edit(const Box& terrain, const Box& box, std::size_t count) {
  check_box(terrain, box);
  if (count != box.cells())
    throw UsageError(text("a box of ", box.cells(), " cells got ", count, " values"));
}

}  // namespace scree
