#include "surface/packed_cases.h"

#include "kernel/blocks.h"
#include "surface/cases.h"

namespace scree::surface {
namespace {

template <class Cases>
void append_packed(const Cases& cases, std::size_t words_each, std::vector<std::uint32_t>& words) {
  for (const auto& one : cases) {
    const std::size_t first = words.size();
    words.resize(first + words_each);
    words[first] = static_cast<std::uint32_t>(one.triangles);
    for (std::size_t k = 0; k < one.corners.size(); ++k)
      words[first + (k + 1) / 4] |= static_cast<std::uint32_t>(one.corners[k]) << 8 * ((k + 1) % 4);
  }
}

}  // namespace

const std::vector<std::uint32_t>& packed_cases() {
  static const std::vector<std::uint32_t> words = [] {
    std::vector<std::uint32_t> all;
    append_packed(cube_cases, MARCH_CASE_WORDS, all);
    append_packed(transition_cases, TRANSITION_CASE_WORDS, all);
    return all;
  }();
  return words;
}

}  // namespace scree::surface
