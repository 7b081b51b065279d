#include "rooms.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "io/file/atomic_file.h"

namespace scree::testing {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
using Names = std::set<std::string>;

bool is_test(const fs::path& file) { return file.stem().string().ends_with("_test"); }

// --- what CMakeLists.txt files say
// ----------------------------------------------------------------

struct Target {
  bool library = false;  // which without sources of its own has all that lie below its folder
  fs::path folder;       // that its CMakeLists.txt lies in
  Words sources;
  Names uses;          // its users have these too
  Names private_uses;  // for its own files alone
};

// Every command of a file with its words. Variables become what any line of the file puts into
// them, since a branch that is not taken here is taken elsewhere.
class CMakeFile {
 public:
  struct Command {
    std::string name;
    Words words;
  };

  explicit CMakeFile(const fs::path& path) {
    const std::string all = std::regex_replace(io::read_file(path), std::regex("#[^\n]*"), "");
    const std::regex command(R"(([a-z_]+)\s*\(([^()]*)\))");
    for (std::sregex_iterator i(all.begin(), all.end(), command), end; i != end; ++i) {
      std::istringstream stream((*i)[2]);
      Words words{std::istream_iterator<std::string>(stream), {}};
      remember((*i)[1], words);
      commands_.push_back({(*i)[1], words});
    }
    for (Command& one : commands_) one.words = expanded(one.words, 0);
  }
  const std::vector<Command>& commands() const { return commands_; }

 private:
  void remember(const std::string& command, const Words& words) {
    const std::size_t name = command == "set" ? 0 : 1;
    if ((command != "set" && command != "list" && command != "file") || words.size() <= name)
      return;
    Words& value = variables_[words[name]];
    value.insert(value.end(), words.begin() + static_cast<std::ptrdiff_t>(name) + 1, words.end());
  }

  Words expanded(const Words& words, int depth) const {
    Words all;
    for (const std::string& word : words) {
      const bool variable = word.starts_with("${") && word.ends_with("}");
      const auto found =
          variable ? variables_.find(word.substr(2, word.size() - 3)) : variables_.end();
      if (found == variables_.end() || depth > 4) {
        all.push_back(word);
        continue;
      }
      const Words inside = expanded(found->second, depth + 1);
      all.insert(all.end(), inside.begin(), inside.end());
    }
    return all;
  }

  std::vector<Command> commands_;
  std::map<std::string, Words> variables_;
};

// The words behind each of these keys; what comes before the first is under "".
std::map<std::string, Words> by_key(const Words& words, const Names& keys) {
  std::map<std::string, Words> parts;
  std::string key;
  for (std::size_t i = 1; i < words.size(); ++i)
    if (keys.contains(words[i]))
      key = words[i];
    else
      parts[key].push_back(words[i]);
  return parts;
}

class House {
 public:
  explicit House(const fs::path& root) {
    for (const char* part : {"src", "apps", "bench", "tests"}) {
      if (!fs::exists(root / part)) continue;
      for (const auto& entry : fs::recursive_directory_iterator(root / part))
        if (entry.path().filename() == "CMakeLists.txt")
          read(CMakeFile(entry.path()), entry.path().parent_path());
    }
    for (const auto& [name, target] : targets_)
      for (const fs::path& room : rooms_of(target)) rooms_[room].insert(name);
  }

  const std::map<fs::path, Names>& rooms() const { return rooms_; }

  // The nearest folder above that is some target's.
  std::optional<fs::path> room_of(const fs::path& file) const {
    for (fs::path folder = file.parent_path(); folder != folder.parent_path();
         folder = folder.parent_path())
      if (rooms_.contains(folder)) return folder;
    return {};
  }

  // The targets whose headers a file of this target may include.
  Names allowed(const std::string& name, bool in_test) const {
    const Target& target = targets_.at(name);
    Names found{name};
    for (const Names* part : {&target.uses, &target.private_uses})
      for (const std::string& used : *part) add_with_uses(used, found);
    if (!in_test) return found;
    const auto links = test_links_.find(target.folder);
    if (links == test_links_.end()) return found;
    for (const std::string& used : links->second) add_with_uses(used, found);
    return found;
  }

 private:
  void read(const CMakeFile& file, const fs::path& folder) {
    for (const auto& [name, words] : file.commands()) {
      if (words.empty()) continue;
      if (name == "scree_library") read_library(words, folder);
      if ((name == "add_library" || name == "add_executable") && words[0].starts_with("scree") &&
          words[0].find("::") == std::string::npos)
        make(words[0], folder).sources = words;
      if (name == "target_link_libraries" && targets_.contains(words[0])) read_links(words);
      if (name == "scree_test")
        link_tests(by_key(words, {"SOURCES", "LINKS", "LABEL", "COST"}), "LINKS", folder);
    }
  }

  void read_library(const Words& words, const fs::path& folder) {
    auto parts =
        by_key(words, {"SOURCES", "EXCEPT", "USES", "LINKS", "PRIVATE_LINKS", "TEST_LINKS"});
    Target& target = make("scree_" + words[0], folder);
    target.library = true;
    target.sources = parts["SOURCES"];
    for (const std::string& used : parts["USES"]) target.uses.insert("scree_" + used);
    target.uses.insert(parts["LINKS"].begin(), parts["LINKS"].end());
    target.private_uses.insert(parts["PRIVATE_LINKS"].begin(), parts["PRIVATE_LINKS"].end());
    link_tests(parts, "TEST_LINKS", folder);
  }

  void read_links(const Words& words) {
    Target& target = targets_.at(words[0]);
    for (const auto& [key, links] : by_key(words, {"PUBLIC", "INTERFACE", "PRIVATE"})) {
      Names& to = key == "PRIVATE" ? target.private_uses : target.uses;
      to.insert(links.begin(), links.end());
    }
  }

  void link_tests(const std::map<std::string, Words>& parts, const char* key,
                  const fs::path& folder) {
    const auto links = parts.find(key);
    if (links != parts.end())
      test_links_[folder].insert(links->second.begin(), links->second.end());
  }

  Target& make(const std::string& name, const fs::path& folder) {
    targets_[name].folder = folder;
    return targets_[name];
  }

  // The folder of its CMakeLists.txt; where that makes several targets, those of its sources. A
  // name for somebody else's library beside them has no folder.
  std::set<fs::path> rooms_of(const Target& target) const {
    if (target.library && folders_of(target).empty()) return {target.folder};
    std::size_t others = 0, others_with_sources = 0;
    for (const auto& [name, other] : targets_) {
      if (&other == &target || other.folder != target.folder) continue;
      ++others;
      if (!folders_of(other).empty()) ++others_with_sources;
    }
    const std::set<fs::path> own = folders_of(target);
    if (others == 0 || (others_with_sources == 0 && !own.empty())) return {target.folder};
    return own;
  }

  static std::set<fs::path> folders_of(const Target& target) {
    std::set<fs::path> folders;
    for (const std::string& source : target.sources)
      if (source.find('.') != std::string::npos && !source.starts_with("$"))
        folders.insert((target.folder / source).parent_path());
    return folders;
  }

  void add_with_uses(const std::string& name, Names& found) const {
    const auto target = targets_.find(name);
    if (target == targets_.end() || !found.insert(name).second) return;
    for (const std::string& used : target->second.uses) add_with_uses(used, found);
  }

  std::map<std::string, Target> targets_;
  std::map<fs::path, Names> test_links_;  // by folder
  std::map<fs::path, Names> rooms_;       // whose a folder is
};

// --- what source files include

bool is_source(const fs::path& file) {
  const std::string kind = file.extension().string();
  return kind == ".h" || kind == ".cpp" || kind == ".cl" || kind == ".def";
}

// `#include "x.h"`, and `#define SCREE_DEF "x.def"`, which is included by that name.
Words includes_of(const fs::path& file) {
  static const std::regex line(
      R"re((?:^|\n)[ \t]*#[ \t]*(?:include|define[ \t]+\w+)[ \t]+"([^"\n]+\.(?:h|def|cl))")re");
  const std::string all = io::read_file(file);
  Words found;
  for (std::sregex_iterator i(all.begin(), all.end(), line), end; i != end; ++i)
    found.push_back((*i)[1]);
  return found;
}

class Reader {
 public:
  Reader(const fs::path& root, const Words& known)
      : root_(root), house_(root), unseen_(known.begin(), known.end()), known_(unseen_) {
    for (const char* part : {"src", "apps"}) {
      if (!fs::exists(root / part)) continue;
      for (const auto& entry : fs::recursive_directory_iterator(root / part))
        if (entry.is_regular_file() && is_source(entry.path())) read(entry.path());
    }
    for (const std::string& fault : unseen_)
      report_.faults.push_back({fault, "", "is mended: take it off the list of known ones"});
    for (const auto& [target, ignored] : edges_) find_cycle({target});
  }
  IncludeReport report() const { return report_; }

 private:
  void read(const fs::path& file) {
    const std::optional<fs::path> room = house_.room_of(file);
    const std::string name = file.lexically_relative(root_).string();
    // Headers for everybody, such as src/scree.h, lie in no target's folder.
    if (!room && file.parent_path() == root_ / "src") return;
    if (!room || house_.rooms().at(*room).size() != 1) {
      report_.faults.push_back({name, "", "lies in the folder of no target, or of several"});
      return;
    }
    ++report_.files;
    const std::string target = *house_.rooms().at(*room).begin();
    const Names allowed = house_.allowed(target, is_test(file));
    for (const std::string& header : includes_of(file)) check(file, header, *room, target, allowed);
  }

  void check(const fs::path& file, const std::string& header, const fs::path& room,
             const std::string& target, const Names& allowed) {
    ++report_.includes;
    const std::string known = room.lexically_relative(root_).string() + ": " + header;
    const std::string name = file.lexically_relative(root_).string();
    const std::optional<fs::path> there = header_of(file, header, room);
    const std::optional<fs::path> its_room = there ? house_.room_of(*there) : std::nullopt;
    if (!its_room) {
      report_.faults.push_back({name, header, "is not there, or in the folder of no target"});
      return;
    }
    if (known_.contains(known)) {
      unseen_.erase(known);
      return;
    }
    const Names& owners = house_.rooms().at(*its_room);
    if (!is_test(file))
      for (const std::string& owner : owners)
        if (owner != target) edges_[target].insert(owner);
    if (std::none_of(owners.begin(), owners.end(),
                     [&](const std::string& owner) { return allowed.contains(owner); }))
      report_.faults.push_back(
          {name, header, "is of " + *owners.begin() + ", which " + target + " does not use"});
  }

  // As the compiler looks for it: beside the file, in src/, in folders that targets tell of.
  std::optional<fs::path> header_of(const fs::path& file, const std::string& header,
                                    const fs::path& room) const {
    std::vector<fs::path> folders{file.parent_path(), root_ / "src", room};
    for (const auto& [folder, owners] : house_.rooms()) folders.push_back(folder);
    for (const fs::path& folder : folders)
      if (fs::exists(folder / header)) return (folder / header).lexically_normal();
    return {};
  }

  // Walks on from the last target of a path; a cycle is told once, from its first name on.
  void find_cycle(const Words& path) {
    for (const std::string& next : edges_[path.back()]) {
      if (next == path.front() && next == *std::min_element(path.begin(), path.end())) {
        std::string cycle;
        for (const std::string& target : path) cycle += target + ", ";
        report_.cycles.push_back(cycle + next);
      } else if (std::find(path.begin(), path.end(), next) == path.end()) {
        Words longer = path;
        longer.push_back(next);
        find_cycle(longer);
      }
    }
  }

  fs::path root_;
  House house_;
  Names unseen_, known_;
  std::map<std::string, Names> edges_;  // which targets' headers the files of a target include
  IncludeReport report_;
};

}  // namespace

IncludeReport check_includes(const fs::path& root, const std::vector<std::string>& known) {
  return Reader(root, known).report();
}

}  // namespace scree::testing
