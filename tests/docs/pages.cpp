#include "pages.h"

#include <algorithm>

namespace scree::testing {

namespace fs = std::filesystem;

std::string name_of(const fs::path& page) { return page.lexically_relative(root).string(); }

std::vector<fs::path> pages() {
  std::vector<fs::path> found{root / "README.md", root / "CONTRIBUTING.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<CodeBlock> code_blocks(const std::string& page) {
  std::vector<CodeBlock> blocks;
  bool inside = false;
  int number = 0;
  std::size_t at = 0;
  while (at < page.size()) {
    const std::size_t end = std::min(page.find('\n', at), page.size());
    const std::string line = page.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.starts_with("```")) {
      if (!inside) blocks.push_back({line.substr(3), "", number});
      inside = !inside;
    } else if (inside) {
      blocks.back().code += line + "\n";
    }
  }
  return blocks;
}

std::string prose_of(const std::string& page) {
  std::string prose;
  bool inside = false;
  std::size_t at = 0;
  while (at < page.size()) {
    const std::size_t end = std::min(page.find('\n', at), page.size());
    const std::string line = page.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("```"))
      inside = !inside;
    else if (!inside)
      prose += line + "\n";
  }
  return prose;
}

}  // namespace scree::testing
