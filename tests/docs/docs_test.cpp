// The pages against the program: parameter tables, the example in C++, scenes, links and pictures.
//
// With SCREE_UPDATE_DOCS set, generated text is written into the pages instead of compared.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "io/file/atomic_file.h"
#include "pages.h"
#include "scene/scene.h"

namespace scree::testing {
namespace {

namespace fs = std::filesystem;

bool updating() { return std::getenv("SCREE_UPDATE_DOCS") != nullptr; }

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string out;
  std::array<char, 4096> part{};
  while (pipe && std::fgets(part.data(), part.size(), pipe.get()) != nullptr) out += part.data();
  return out;
}

// What stands between two marks of a page, which must each be there.
struct Between {
  std::size_t begin = std::string::npos;
  std::size_t end = std::string::npos;
  bool found() const { return begin != std::string::npos && end != std::string::npos; }
};

Between between(const std::string& page, const std::string& first, const std::string& last,
                std::size_t from = 0) {
  Between part;
  const std::size_t at = page.find(first, from);
  if (at == std::string::npos) return part;
  part.begin = at + first.size();
  part.end = page.find(last, part.begin);
  return part;
}

// Compares a part of a page with what it should be, or puts it there.
void check_part(const fs::path& page, const Between& part, const std::string& expected) {
  std::string content = io::read_file(page);
  const std::string found = content.substr(part.begin, part.end - part.begin);
  if (updating() && found != expected)
    io::write_file(page, content.replace(part.begin, part.end - part.begin, expected));
  else
    EXPECT_EQ(found, expected) << name_of(page) << ": mend it with ./dev docs";
}

std::string without_inline_code(const std::string& prose) {
  return std::regex_replace(prose, std::regex("`[^`\n]*`"), "");
}

// As GitHub names the heading "## Water, and `what` it does": water-and-what-it-does.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_' || byte >= 128)
      anchor += static_cast<char>(std::tolower(byte));
    else if (c == ' ')
      anchor += '-';
  }
  return anchor;
}

std::set<std::string> anchors_of(const fs::path& page) {
  std::set<std::string> anchors;
  const std::string prose = prose_of(io::read_file(page));
  const std::regex heading("(^|\n)#+ ([^\n]+)");
  for (std::sregex_iterator i(prose.begin(), prose.end(), heading), end; i != end; ++i)
    anchors.insert(anchor_of((*i)[2]));
  return anchors;
}

std::vector<std::string> links_of(const fs::path& page) {
  const std::string prose = without_inline_code(prose_of(io::read_file(page)));
  std::vector<std::string> links;
  for (const char* pattern : {R"(\]\(([^)\s]+)\))", R"#((?:src|href)="([^"]+)")#"}) {
    const std::regex link(pattern);
    for (std::sregex_iterator i(prose.begin(), prose.end(), link), end; i != end; ++i)
      links.push_back((*i)[1]);
  }
  return links;
}

// Width and height: of a PNG big-endian, from byte 16 on; of a lossy WebP little-endian, of 14 bits
// each, from byte 26 on.
std::string size_of(const fs::path& picture) {
  const std::string bytes = io::read_file(picture);
  if (bytes.size() < 30) return "no picture";
  const auto byte = [&](std::size_t at) -> unsigned {
    return static_cast<unsigned char>(bytes[at]);
  };
  if (bytes.starts_with("RIFF") && bytes.substr(8, 8) == "WEBPVP8 ") {
    const auto side = [&](std::size_t at) { return (byte(at) | byte(at + 1) << 8) & 0x3fff; };
    return std::to_string(side(26)) + "x" + std::to_string(side(28));
  }
  if (bytes.substr(1, 3) != "PNG") return "no picture";
  const auto side = [&](std::size_t at) {
    return byte(at) << 24 | byte(at + 1) << 16 | byte(at + 2) << 8 | byte(at + 3);
  };
  return std::to_string(side(16)) + "x" + std::to_string(side(20));
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

// What follows an option, or nothing.
std::string after(const std::vector<std::string>& words, const std::string& option) {
  const auto at = std::find(words.begin(), words.end(), option);
  return at == words.end() || at + 1 == words.end() ? "" : at[1];
}

using Command = std::vector<std::string>;

// The commands of a line: all of it in a block, what stands between backticks elsewhere. `./dev
// run` runs the program, too.
std::vector<Command> commands_of(const std::string& line, bool in_block) {
  std::vector<std::string> texts;
  if (in_block) {
    texts.push_back(line);
  } else {
    const std::regex code("`([^`]*)`");
    for (std::sregex_iterator i(line.begin(), line.end(), code), end; i != end; ++i)
      texts.push_back((*i)[1]);
  }
  std::vector<Command> commands;
  for (const std::string& text : texts) {
    const std::regex part(R"((?:^|&& )\s*(?:scree|\./dev(?= run ))( [a-z]+ [^&]*))");
    for (std::sregex_iterator i(text.begin(), text.end(), part), end; i != end; ++i)
      commands.push_back(words_of((*i)[1]));
  }
  return commands;
}

// Each line of a page with its commands.
struct PageLine {
  std::string text;
  std::vector<Command> commands;
};

std::vector<PageLine> lines_of(const fs::path& page) {
  std::istringstream stream(io::read_file(page));
  std::vector<PageLine> lines;
  bool inside = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("```"))
      inside = !inside;
    else
      lines.push_back({line, commands_of(line, inside)});
  }
  return lines;
}

TEST(Docs, ParameterTablesAreTheProgramsOwn) {
  for (const std::string& table : parameter_tables()) {
    SCOPED_TRACE(table);
    const std::string expected =
        "\n" + output_of(std::string(SCREE_PROGRAM) + " params " + table + " --markdown");
    ASSERT_NE(expected.find("| --- |"), std::string::npos) << expected;
    int places = 0;
    for (const fs::path& page : pages()) {
      const Between part = between(io::read_file(page), "\n<!-- parameters:" + table + " -->",
                                   "<!-- /parameters -->");
      if (!part.found()) continue;
      ++places;
      check_part(page, part, expected);
    }
    EXPECT_EQ(places, 1) << "expected <!-- parameters:" << table << " --> on one page";
  }
}

// A row for each process, from what it says of itself.
TEST(Docs, TheReadmeListsEveryProcess) {
  const fs::path readme = root / "README.md";
  const Between part =
      between(io::read_file(readme), "<!-- processes -->\n", "<!-- /processes -->");
  ASSERT_TRUE(part.found());
  std::string expected = "| | |\n| --- | --- |\n";
  for (const ProcessKind& kind : process_kinds())
    expected += "| [" + kind.title + "](docs/process/" + kind.name + ".md) | " + kind.help + " |\n";
  check_part(readme, part, expected);
}

TEST(Docs, TheReadmesExampleIsTheOneThatIsTested) {
  const fs::path readme = root / "README.md";
  const Between part = between(io::read_file(readme), "```cpp\n", "```");
  ASSERT_TRUE(part.found());
  check_part(readme, part, io::read_file(root / "examples/cpp/world.cpp"));
}

// The walk of CONTRIBUTING.md as files, whose lines a newcomer will copy.
TEST(Docs, TheWalkCompiles) {
  std::vector<std::string> parts;
  for (const CodeBlock& block : code_blocks(io::read_file(root / "CONTRIBUTING.md")))
    if (block.language == "c" || block.language == "cpp") parts.push_back(block.code);
  ASSERT_EQ(parts.size(), 4U)
      << "expected frost.def, kernel/heights/frost.h, process/heights/frost.h, frost.cpp";
  const fs::path folder = fs::temp_directory_path() / ("scree-walk-" + std::to_string(getpid()));
  fs::create_directories(folder / "kernel/heights");
  fs::create_directories(folder / "process/heights");
  io::write_file(folder / "kernel/heights/frost.def", parts[0]);
  io::write_file(folder / "kernel/heights/frost.h", "#pragma once\n" + parts[1]);
  io::write_file(folder / "process/heights/frost.h", "#pragma once\n" + parts[2]);
  io::write_file(folder / "process/heights/frost.cpp", parts[3]);
  io::write_file(folder / "unit.cpp",
                 "#define SCREE_ISA plain\n#include \"device/cpu/unit.h\"\n#include "
                 "\"kernel/heights/frost.h\"\n");
  const std::string compile = std::string(SCREE_COMPILER) + " -std=c++20 -fsyntax-only -w -I" +
                              folder.string() + " -I" + (root / "src").string() + " ";
  for (const char* file : {"unit.cpp", "process/heights/frost.cpp"})
    EXPECT_EQ(output_of(compile + (folder / file).string() + " 2>&1"), "") << file;
  fs::remove_all(folder);
}

TEST(Docs, ScenesInThePagesAreScenes) {
  int scenes = 0;
  for (const fs::path& page : pages())
    for (const CodeBlock& block : code_blocks(io::read_file(page))) {
      if (block.language != "toml") continue;
      ++scenes;
      const std::string place = name_of(page) + ", block at line " + std::to_string(block.line);
      EXPECT_NO_THROW(parse_scene(block.code, place)) << place;
    }
  EXPECT_GT(scenes, 0);
}

TEST(Docs, LinksAndPicturesLeadSomewhere) {
  for (const fs::path& page : pages())
    for (const std::string& link : links_of(page)) {
      if (link.find("://") != std::string::npos || link.starts_with("mailto:")) continue;
      const std::size_t hash = link.find('#');
      const std::string file = link.substr(0, hash);
      const fs::path target = file.empty() ? page : page.parent_path() / file;
      if (!fs::exists(target)) {
        ADD_FAILURE() << name_of(page) << ": " << link << " is not there";
        continue;
      }
      if (hash == std::string::npos || target.extension() != ".md") continue;
      EXPECT_TRUE(anchors_of(target).contains(link.substr(hash + 1)))
          << name_of(page) << ": " << link << ": no such heading";
    }
}

// Every scene has its picture in the gallery, and the one command that makes it.
TEST(Docs, TheGalleryShowsEveryScene) {
  const fs::path page = root / "docs/gallery.md";
  const std::string gallery = io::read_file(page);
  const std::regex entry(R"(!\[[^\]]+\]\(([^)]+)\)\n\n```sh\nscree render (\S+) ([^\n]*)\n```)");
  std::set<std::string> shown;
  for (std::sregex_iterator i(gallery.begin(), gallery.end(), entry), end; i != end; ++i) {
    const fs::path picture = page.parent_path() / (*i)[1].str();
    ASSERT_TRUE(fs::exists(picture)) << picture;
    // The picture is of the size that its command asks for.
    const std::string size = size_of(picture);
    EXPECT_EQ(size, after(words_of((*i)[3]), "--pixels")) << picture;
    EXPECT_GE(std::stoi(size), 640) << picture;
    if (!picture.filename().string().starts_with("view-")) shown.insert((*i)[2]);
  }
  for (const auto& file : fs::recursive_directory_iterator(root / "examples")) {
    const std::string name = file.path().lexically_relative(root).string();
    // Ground that another scene stands on is in that one's picture.
    if (file.path().extension() == ".toml" && name.find("/ground/") == std::string::npos) {
      EXPECT_TRUE(shown.contains(name)) << "docs/gallery.md: no picture of " << name;
    }
  }
}

// What the pages of pictures tell a person to type: the scene is there, or an earlier command on
// the page made the file; and the program takes the words, since all that it misses is a file that
// is not there.
TEST(Docs, CommandsBesidePicturesWork) {
  const fs::path folder = fs::temp_directory_path() / ("scree-docs-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::set<std::string> tried;  // pages share commands, and each takes a start of the program
  for (const char* name :
       {"docs/gallery.md", "docs/figures.md", "docs/rendering.md", "docs/process/weathering.md"}) {
    std::set<std::string> made;
    int commands = 0;
    for (const PageLine& line : lines_of(root / name))
      for (Command words : line.commands) {
        SCOPED_TRACE(std::string(name) + ": " + line.text);
        ASSERT_GE(words.size(), 2U);
        ++commands;
        const std::string in = words[1];
        // Itself, or a folder that it lies in.
        bool known = fs::exists(root / in);
        for (fs::path part = in; !part.empty(); part = part.parent_path())
          known = known || made.contains(part.string());
        EXPECT_TRUE(known) << in << " is not there, nor does a command above make it";
        if (words[0] == "run" || words[0] == "weather")
          made.insert(after(words, "--out").empty() ? "out/" + fs::path(in).stem().string()
                                                    : after(words, "--out"));
        made.insert(after(words, "-o"));
        words[1] = (folder / "nowhere").replace_extension(fs::path(in).extension());
        std::string line_typed = "cd " + folder.string() + " && " + SCREE_PROGRAM;
        for (const std::string& word : words) line_typed += " '" + word + "'";
        if (!tried.insert(line_typed).second) continue;
        const std::string said = output_of(line_typed + " 2>&1");
        EXPECT_TRUE(said.starts_with("scree: " + words[1])) << said;
      }
    EXPECT_GT(commands, 0) << name;
  }
  fs::remove_all(folder);
}

// In a row of the figures, each command that says how large its picture is has it beside it.
TEST(Docs, FiguresHaveTheSizesOfTheirCommands) {
  const fs::path page = root / "docs/figures.md";
  int checked = 0;
  for (const PageLine& line : lines_of(page)) {
    std::vector<std::string> asked, shown;
    for (const Command& words : line.commands)
      if (const std::string size = after(words, "--pixels"); !size.empty()) asked.push_back(size);
    const std::regex picture(R"(!\[[^\]]+\]\(([^)]+)\))");
    for (std::sregex_iterator i(line.text.begin(), line.text.end(), picture), end; i != end; ++i)
      shown.push_back(size_of(page.parent_path() / (*i)[1].str()));
    if (asked.empty()) continue;
    ++checked;
    EXPECT_EQ(shown, asked) << line.text;
  }
  EXPECT_GT(checked, 0);
}

TEST(Docs, EveryPictureIsShown) {
  std::set<fs::path> shown;
  for (const fs::path& page : pages())
    for (const std::string& link : links_of(page))
      shown.insert((page.parent_path() / link).lexically_normal());
  for (const auto& file : fs::directory_iterator(root / "docs/pictures"))
    EXPECT_TRUE(shown.contains(file.path())) << name_of(file.path()) << ": on no page";
}

// A page with dozens of them is read on a telephone, too, and a clone has them all.
TEST(Docs, PicturesAreSmall) {
  std::uintmax_t all = 0;
  for (const auto& file : fs::directory_iterator(root / "docs/pictures")) {
    EXPECT_LE(file.file_size(), 150'000U) << name_of(file.path());
    all += file.file_size();
  }
  EXPECT_GT(all, 0U);
}

// One page a process, and every page can be found from the README.
TEST(Docs, EveryPageIsLinked) {
  std::set<fs::path> linked{root / "README.md"};
  for (const fs::path& page : pages())
    for (const std::string& link : links_of(page))
      linked.insert((page.parent_path() / link.substr(0, link.find('#'))).lexically_normal());
  for (const fs::path& page : pages())
    EXPECT_TRUE(linked.contains(page)) << name_of(page) << ": no page links to it";
}

}  // namespace
}  // namespace scree::testing
