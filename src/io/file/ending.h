// How the name of a file ends, in whatever case it was typed.
#pragma once

#include <filesystem>
#include <string>

namespace scree::io {

// ".png" of "A.PNG"; empty where it has none.
inline std::string ending_of(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return ending;
}

}  // namespace scree::io
