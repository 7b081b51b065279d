// Names of code that the pages for developers mention are names of the code: types, calls, macros,
// files. A name that went away is told with its page.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <regex>
#include <set>

#include "io/checkpoint/checkpoint.h"
#include "io/file/atomic_file.h"
#include "pages.h"

namespace scree::testing {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

const char* const pages_of_names[] = {"CONTRIBUTING.md", "docs/architecture.md"};

// Every match, or of each its first group where there is one.
Names matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  Names found;
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end; ++i)
    found.insert((*i)[i->size() > 1 ? 1 : 0]);
  return found;
}

bool is_source(const fs::path& file) {
  const std::string kind = file.extension().string();
  return kind == ".h" || kind == ".cpp" || kind == ".cl" || kind == ".def" || kind == ".glsl" ||
         kind == ".frag" || kind == ".vert" || file.filename() == "CMakeLists.txt";
}

void add_words(const std::string& text, Names& words) {
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
    } else if (!word.empty()) {
      words.insert(word);
      word.clear();
    }
  }
}

// Words and files of the source, and the words in files' names, without the tests of the pages:
// those speak of names that are not there.
class Code {
 public:
  Code() {
    for (const char* folder : {"src", "apps", "bench", "tests", "docs", "examples", "cmake"}) {
      files_.insert(std::string("/") + folder + "/");
      for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        const std::string name = name_of(entry.path());
        files_.insert("/" + name + (entry.is_directory() ? "/" : ""));
        if (!name.starts_with("tests/docs/")) add_words(name, words_);
        if (entry.is_regular_file() && is_source(entry.path()) && !name.starts_with("tests/docs/"))
          add_words(io::read_file(entry.path()), words_);
      }
    }
  }
  const Names& words() const { return words_; }

  // A path from the root, from src/ or from a folder that the page speaks of; NAME and * are any
  // name.
  bool has_file(const std::string& path) const {
    std::string pattern = std::regex_replace(path, std::regex(R"([.+])"), "\\$&");
    pattern = std::regex_replace(pattern, std::regex(R"(\*|\b[A-Z]{3,}(?=[._/]|\\|$))"), "[^/]*");
    const std::regex ending("/" + pattern + "/?$");
    return std::any_of(files_.begin(), files_.end(),
                       [&](const std::string& file) { return std::regex_search(file, ending); });
  }

 private:
  Names words_, files_;
};

const Code& code() {
  static const Code all;
  return all;
}

// Code spans, and blocks in no language: drawings.
std::vector<std::string> spans_of(const std::string& page) {
  std::vector<std::string> spans;
  for (const CodeBlock& block : code_blocks(page))
    if (block.language.empty()) spans.push_back(block.code);
  const Names inline_code = matches(prose_of(page), "`([^`\n]+)`");
  spans.insert(spans.end(), inline_code.begin(), inline_code.end());
  return spans;
}

// What is no name of the code: frost, the process that CONTRIBUTING.md adds as an example, words
// with a place for a name in them, how names are spelt, and how names of long tests begin.
bool stands_for_another(const std::string& name) {
  static const std::regex example("[Ff]rost|NAME|PROCESS|STEP|PRESET");
  static const Names others{"CamelCase", "snake_case", "Long"};
  return std::regex_search(name, example) || others.contains(name);
}

Names names_in(const std::string& span) {
  Names names;
  for (const char* pattern : {R"(\b(SCREE_[A-Z0-9_]+)\b)",               // macros
                              R"(\b([A-Za-z_]\w*)(?:<\w*>)?\()",         // calls
                              R"(\b([A-Z][a-z0-9]+(?:[A-Z]\w*)*)\b)",    // types
                              R"(\b([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\b)",  // anything of two words
                              R"(\b\w+::(\w+)\b)"})
    names.merge(matches(span, pattern));
  return names;
}

std::vector<std::string> unknown_names(const std::string& page) {
  static const std::regex command(R"(^(\./dev|scree|npm|cmake|ctest|git) )");
  static const std::regex path(
      R"(^(src/\S*|[\w*./-]+\.(h|cpp|cl|def|glsl|frag|vert|toml|md)|\w+/\S*)$)");
  std::vector<std::string> unknown;
  for (const std::string& span : spans_of(page)) {
    if (std::regex_search(span, command) || span.starts_with("build/") || span.starts_with("-"))
      continue;
    if (std::regex_match(span, path)) {
      const std::string plain = span.ends_with("/") ? span.substr(0, span.size() - 1) : span;
      const bool made_up = span.find("frost") != std::string::npos;
      if (!made_up && !code().has_file(plain)) unknown.push_back(span);
      continue;
    }
    for (const std::string& name : names_in(span))
      if (!stands_for_another(name) && !code().words().contains(name)) unknown.push_back(name);
  }
  return unknown;
}

TEST(Names, ThePagesNameWhatTheCodeHas) {
  for (const char* page : pages_of_names)
    for (const std::string& name : unknown_names(io::read_file(root / page)))
      ADD_FAILURE() << page << ": " << name << " is nowhere in the code";
}

TEST(Names, WhatTheCodeDoesNotHaveIsFound) {
  const std::vector<std::string> none = {"CellProcess",
                                         "make_processes<CellProcess>(settings)",
                                         "NoSuchType",
                                         "no_such_call()",
                                         "SCREE_NO_SUCH_MACRO",
                                         "src/kernel/no_such.h",
                                         "kernel/no_such.h",
                                         "src/no_such",
                                         "Simulation::no_such_step",
                                         "no_such_test_*.cpp",
                                         "src/no_such/NAME.cpp",
                                         "Simulation.nosuch()",
                                         "src/*/no_such_test.cpp"};
  for (const std::string& span : none)
    EXPECT_EQ(unknown_names("It is `" + span + "`.\n").size(), 1U) << span;
  EXPECT_EQ(unknown_names("```\nScene ──► NoSuchType\n```\n").size(), 1U);
  const std::vector<std::string> known = {"Simulation",
                                          "make_processes<LayerProcess>(settings)",
                                          "Simulation::step",
                                          "SCREE_KERNEL_n",
                                          "src/kernel/heights/NAME.def",
                                          "kernel/common/random.h",
                                          "slip_inside.cl",
                                          "src/io/raster/codec_*.cpp",
                                          "cpu/",
                                          "scree devices",
                                          "NAME_cell(x, y, …)",
                                          "src/**/*_test.cpp"};
  for (const std::string& span : known)
    EXPECT_TRUE(unknown_names("It is `" + span + "`.\n").empty()) << span;
}

// A span that goes on over the end of its line is one whose end was lost.
TEST(Names, CodeSpansEndOnTheirLine) {
  for (const fs::path& page : pages()) {
    std::istringstream prose(prose_of(io::read_file(page)));
    for (std::string line; std::getline(prose, line);)
      EXPECT_EQ(std::count(line.begin(), line.end(), '`') % 2, 0) << name_of(page) << ": " << line;
  }
}

TEST(Names, TheCheckpointsVersionIsTheCodes) {
  const std::string page = io::read_file(root / "docs/architecture.md");
  EXPECT_EQ(matches(page, R"(`u32` version \((\d+)\))"),
            Names{std::to_string(io::checkpoint_version)});
}

}  // namespace
}  // namespace scree::testing
