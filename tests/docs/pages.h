// The pages as text: which there are, and what in them is code.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace scree::testing {

inline const std::filesystem::path root = SCREE_ROOT;

// From the root: docs/scenes.md.
std::string name_of(const std::filesystem::path& page);
std::vector<std::filesystem::path> pages();

struct CodeBlock {
  std::string language;
  std::string code;
  int line = 0;
};
std::vector<CodeBlock> code_blocks(const std::string& page);

// Without code blocks, in which a bracket is no link and a # no heading.
std::string prose_of(const std::string& page);

}  // namespace scree::testing
