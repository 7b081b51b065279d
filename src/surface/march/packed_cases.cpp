#include "surface/march/packed_cases.h"

#include "kernel/surface/blocks.h"
#include "surface/march/cases.h"

namespace scree::surface {
namespace {

void append_cells(std::vector<std::uint32_t>& words) {
  for (const auto& one : cube_cases) {
    const std::size_t first = words.size();
    words.resize(first + MARCH_CASE_WORDS);
    words[first] = static_cast<std::uint32_t>(one.triangles);
    for (std::size_t k = 0; k < one.corners.size(); ++k)
      words[first + (k + 1) / 4] |= static_cast<std::uint32_t>(one.corners[k]) << 8 * ((k + 1) % 4);
  }
}

void append_faces(std::vector<std::uint32_t>& words) {
  for (const FaceCase& one : face_cases) {
    const std::size_t first = words.size();
    words.resize(first + FACE_CASE_WORDS);
    for (std::size_t e = 0; e < one.next.size(); ++e)
      words[first + e / 8] |= (static_cast<std::uint32_t>(one.next[e]) & 15U) << 4 * (e % 8);
  }
}

template <class Cases>
void append_pieces(std::vector<std::uint32_t>& words, const Cases& cases) {
  for (const auto& one : cases) {
    const std::size_t first = words.size();
    words.resize(first + PIECE_CASE_WORDS);
    words[first] = static_cast<std::uint32_t>(one.triangles);
    for (std::size_t k = 0; k < one.corners.size(); ++k)
      words[first + (k + 1) / 8] |= static_cast<std::uint32_t>(one.corners[k]) << 4 * ((k + 1) % 8);
  }
}

}  // namespace

const std::vector<std::uint32_t>& packed_cases() {
  static const std::vector<std::uint32_t> words = [] {
    std::vector<std::uint32_t> all;
    append_cells(all);
    append_faces(all);
    append_pieces(all, pyramid_cases);
    append_pieces(all, gore_cases);
    return all;
  }();
  return words;
}

}  // namespace scree::surface
