#include "base/suggest.h"

#include <algorithm>
#include <cstddef>

namespace scree {
namespace {

std::string folded(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-') c = '_';
  }
  return result;
}

// A long key that was cut short ("erod") is far away in letters, yet clear when it fits one word
// only.
std::string only_completion(const std::string& word, const std::vector<std::string>& known) {
  constexpr std::size_t shortest_hint = 3;
  std::string found;
  for (const std::string& candidate : known) {
    const std::string other = folded(candidate);
    const bool fits = (word.size() >= shortest_hint && other.starts_with(word)) ||
                      (other.size() >= shortest_hint && word.starts_with(other));
    if (!fits || candidate == found) continue;
    if (!found.empty()) return {};
    found = candidate;
  }
  return found;
}

}  // namespace

int edit_distance(std::string_view from, std::string_view to) {
  const std::string a = folded(from);
  const std::string b = folded(to);
  // Three rows of the table are alive at a time: a swap looks two rows back.
  std::vector<int> before(b.size() + 1);
  std::vector<int> above(b.size() + 1);
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  const std::string* best = nullptr;
  int best_distance = 0;
  for (const std::string& candidate : known) {
    const int distance = edit_distance(word, candidate);
    const int allowed = std::max(1, static_cast<int>(std::max(word.size(), candidate.size()) / 3));
    // A distance of the whole word is no resemblance, however short the word.
    const bool resembles = distance < static_cast<int>(std::min(word.size(), candidate.size()));
    if (distance > allowed || !resembles || (best != nullptr && distance >= best_distance))
      continue;
    best = &candidate;
    best_distance = distance;
  }
  return best != nullptr ? *best : only_completion(folded(word), known);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string guess = nearest(word, known);
  return guess.empty() ? guess : ", did you mean '" + guess + "'?";
}

}  // namespace scree
