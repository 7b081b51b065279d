// The house as its CMakeLists.txt files describe it: which folder is which target's, which targets
// a target uses, and which includes do not keep to that.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace scree::testing {

// An include that its target has no right to, or that leads nowhere.
struct IncludeFault {
  std::string file;    // from the root: src/kernel/heights/flow_cpu.h
  std::string header;  // as it is written there
  std::string why;
};

struct IncludeReport {
  std::vector<IncludeFault> faults;
  std::vector<std::string> cycles;  // of targets: "scree_a, scree_b, scree_a"
  int files = 0;
  int includes = 0;
};

// Reads every source file of src/ and apps/. Faults that `known` names, as "FOLDER: HEADER", are
// passed over; each of those must be found, or it is a fault itself.
IncludeReport check_includes(const std::filesystem::path& root,
                             const std::vector<std::string>& known = {});

}  // namespace scree::testing
