// What the program answered before, kept as text in tests/golden: a change that is not meant to
// change an answer changes no letter of it. With SCREE_UPDATE_GOLDEN set they are written anew.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "program.h"

namespace scree::testing {

// A call of the program, and the file under tests/golden/answers that keeps its --json.
struct Call {
  std::string name;
  Words words;
  int code = 0;
};

class GoldenCli : public Cli {
 protected:
  // The answer without what another run or machine would have in its place: times, the names of
  // machine and folders, the version.
  Json masked(const Json& answer) const;
  void expect_answer(const Call& call) const;
  void expect_answers(const std::vector<Call>& calls) const;
  // Compares with tests/golden/NAME, or writes it.
  static void expect_golden_text(const std::string& name, const std::string& text);

 private:
  void mask(const std::string& key, Json& value) const;
};

// A small scene of tests/data/checkpoints that switches on much of its kind, and the step at which
// its checkpoint was written.
struct KeptScene {
  std::string name;
  std::string step;

  std::string scene() const { return name + ".toml"; }
  std::string checkpoint() const { return name + "-" + step + ".scree"; }
};
// How a test's name shows its scene.
inline void PrintTo(const KeptScene& kept, std::ostream* out) { *out << kept.name; }
const std::vector<KeptScene>& kept_scenes();
// Copies those, and the checkpoints, into a folder.
void copy_kept_scenes(const fs::path& folder);

}  // namespace scree::testing
