// "unknown key 'raine', did you mean 'rain'?"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scree {

// Letters to insert, delete, replace or swap with their neighbour to turn one word into the other
// (Damerau–Levenshtein, each pair swapped at most once). Case and '-' against '_' do not count.
int edit_distance(std::string_view from, std::string_view to);

// The known word that was most likely meant: the nearest within a third of its letters, else the
// only one that `word` begins or that begins `word`. Empty when nothing is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

// ", did you mean 'rain'?", or nothing: the end of an error message.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace scree
