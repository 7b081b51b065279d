#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/suggest.h"
#include "io/file/atomic_file.h"
#include "run/build/build_layers.h"

namespace scree {
namespace {

const std::vector<std::string> columns = {"name", "x", "y", "from", "to", "material", "z"};
constexpr std::size_t longest_line = 4096;  // more is no table

std::string trimmed(const std::string& word) {
  const auto first = word.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return word.substr(first, word.find_last_not_of(" \t") - first + 1);
}

// The cell whose opening quote is at `at`, which moves on to the comma after it or to the end.
std::string quoted(const std::string& line, std::size_t& at, const std::string& where) {
  std::string word;
  for (bool open = true; open; ++at) {
    const std::size_t quote = line.find('"', at + 1);
    if (quote == std::string::npos)
      throw UsageError(
          text(where, ": a quote is not closed: expected another before the end of the line"));
    word += line.substr(at + 1, quote - at - 1);
    at = quote;
    open = quote + 1 < line.size() && line[quote + 1] == '"';  // two of them are one in the cell
    if (open) word += '"';
  }
  at = std::min(line.find_first_not_of(" \t", at), line.size());
  if (at < line.size() && line[at] != ',')
    throw UsageError(text(where, ": expected a comma after the quote that ends '", word, "'"));
  return word;
}

// Cells of a line of CSV (RFC 4180): bare, or in quotes where they have commas or quotes.
std::vector<std::string> split(const std::string& line, const std::string& where) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const std::size_t first = line.find_first_not_of(" \t", at);
    if (first != std::string::npos && line[first] == '"') {
      at = first;
      words.push_back(trimmed(quoted(line, at, where)));
      continue;
    }
    const std::size_t end = std::min(line.find(',', at), line.size());
    words.push_back(trimmed(line.substr(at, end - at)));
    if (words.back().find('"') != std::string::npos)
      throw UsageError(text(where, ": '", words.back(),
                            "': expected quotes around all of it, and doubled ones inside"));
    at = end;
  }
  return words;
}

double number_of(const std::string& word, const std::string& key, const std::string& where) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value))
    throw UsageError(text(where, ": ", key, " = '", word, "': expected a number of metres"));
  return value;
}

// A depth or a height: one that is absurd would make the quantum of everything coarse.
double checked_column(double metres, const std::string& key, const std::string& where) {
  if (!(std::abs(metres) <= tallest_column))
    throw UsageError(
        text(where, ": ", key, " = ", metres, ": expected at most ", tallest_column, " m"));
  return metres;
}

// Text with lines that end in \n, whichever system wrote them, and without the mark that some put
// before it.
std::string lines_of(std::string content, const std::string& file) {
  if (content.starts_with("\xef\xbb\xbf")) content.erase(0, 3);
  std::string lines;
  int line = 1;
  for (std::size_t i = 0; i < content.size(); ++i) {
    const char c = content[i];
    const bool ends = c == '\n' || c == '\r';
    if (!ends && c != '\t' && static_cast<unsigned char>(c) < ' ')
      throw UsageError(
          text(file, ":", line, ": expected text in UTF-8, found a byte of ", static_cast<int>(c)));
    if (c == '\r' && i + 1 < content.size() && content[i + 1] == '\n') continue;
    lines += ends ? '\n' : c;
    line += ends ? 1 : 0;
  }
  return lines;
}

// Where each column stands; those that must be there are.
std::vector<int> read_header(const std::vector<std::string>& words, const std::string& where) {
  std::vector<int> place(columns.size(), -1);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto known = std::find(columns.begin(), columns.end(), words[i]);
    if (known == columns.end())
      throw UsageError(text(where, ": column '", words[i],
                            "': expected name, x, y, from, to, material and perhaps z",
                            did_you_mean(words[i], columns)));
    int& at = place[static_cast<std::size_t>(known - columns.begin())];
    if (at >= 0) throw UsageError(text(where, ": column '", words[i], "': expected it once"));
    at = static_cast<int>(i);
  }
  for (std::size_t i = 0; i + 1 < columns.size(); ++i)
    if (place[i] < 0)
      throw UsageError(text(where, ": no column '", columns[i],
                            "': expected name, x, y, from, to, material and perhaps z"));
  return place;
}

// One line of a CSV by the names of its columns.
class CsvLine {
 public:
  CsvLine(std::vector<std::string> words, const std::vector<int>& place, std::string where)
      : words_(std::move(words)), place_(place), where_(std::move(where)) {
    const auto named =
        place_.size() - static_cast<std::size_t>(std::count(place_.begin(), place_.end(), -1));
    for (std::size_t i = named; i < words_.size(); ++i)
      if (!words_[i].empty())
        throw UsageError(text(where_, ": '", words_[i], "' in column ", i + 1,
                              ": expected no more than the ", named, " that the first line names"));
  }

  const std::string& where() const { return where_; }
  std::string word(std::size_t column) const {
    const int at = place_[column];
    return at >= 0 && static_cast<std::size_t>(at) < words_.size()
               ? words_[static_cast<std::size_t>(at)]
               : std::string();
  }
  double metres(std::size_t column) const {
    return number_of(word(column), columns[column], where_);
  }
  double upright(std::size_t column) const {
    return checked_column(metres(column), columns[column], where_);
  }

 private:
  std::vector<std::string> words_;
  const std::vector<int>& place_;
  std::string where_;
};

void add_line(const CsvLine& line, std::map<std::string, std::size_t>& known,
              std::vector<Borehole>& holes, MaterialTable& materials) {
  const std::string name = line.word(0);
  if (name.empty()) throw UsageError(text(line.where(), ": name: expected one"));
  const double x = line.metres(1), y = line.metres(2);
  const auto [found, first] = known.try_emplace(name, holes.size());
  if (first) holes.push_back({name, x, y, {}, {}, line.where()});
  Borehole& hole = holes[found->second];
  if (hole.x != x || hole.y != y)
    throw UsageError(text(line.where(), ": borehole '", name, "': at ", x, ", ", y, " m, and at ",
                          hole.x, ", ", hole.y, " m before"));
  if (!line.word(6).empty()) {
    const double z = line.upright(6);
    if (hole.z && *hole.z != z)
      throw UsageError(
          text(line.where(), ": borehole '", name, "': z = ", z, " m, and ", *hole.z, " m before"));
    hole.z = z;
  }
  hole.intervals.push_back({line.upright(3), line.upright(4),
                            materials.number(line.word(5), line.where()), line.where()});
}

std::vector<Borehole> from_csv(const std::string& content, const std::string& file,
                               MaterialTable& materials) {
  std::vector<Borehole> holes;
  std::map<std::string, std::size_t> known;  // by name
  std::stringstream lines(content);
  std::vector<int> place;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string where = text(file, ":", ++number);
    if (line.size() > longest_line)
      throw UsageError(text(where, ": ", line.size(), " characters: expected at most ",
                            longest_line, " in a line"));
    if (trimmed(line).empty() || line[0] == '#') continue;
    if (place.empty())
      place = read_header(split(line, where), where);
    else
      add_line(CsvLine(split(line, where), place, where), known, holes, materials);
  }
  return holes;
}

// Reads characters and counts lines for all its copies.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, int& line) : at_(at), line_(&line) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    // The line goes on up to its end.
    if (at_ != begin_ && at_[-1] == '\n') ++*line_;
    ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  const char* begin_ = at_;
  int* line_;
};

// What a JSON's own values do not keep: in each object, under this name, the line it begins in.
const char* const line_key = "\n";

nlohmann::json json_with_lines(const std::string& content, const std::string& file) {
  struct Open {
    int line;
    std::set<std::string> keys;
  };
  std::vector<Open> open;
  int line = 1;
  const auto note = [&](int /*depth*/, nlohmann::json::parse_event_t event,
                        nlohmann::json& parsed) {
    using Event = nlohmann::json::parse_event_t;
    if (event == Event::object_start) open.push_back({line, {}});
    if (event == Event::key && !open.back().keys.insert(parsed.get<std::string>()).second)
      throw UsageError(
          text(file, ":", line, ": \"", parsed.get<std::string>(), "\": expected it once"));
    if (event == Event::object_end) {
      parsed[line_key] = open.back().line;
      open.pop_back();
    }
    return true;
  };
  try {
    const char* const end = content.data() + content.size();
    return nlohmann::json::parse(CountingIterator(content.data(), line),
                                 CountingIterator(end, line), note);
  } catch (const nlohmann::json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: what is wrong"
    const std::string said = error.what();
    const auto column = said.find(", column ");
    const auto what = column == std::string::npos ? said.find("] ") : said.find(": ", column);
    throw UsageError(text(
        file, ":", line, ": not JSON: ", what == std::string::npos ? said : said.substr(what + 2)));
  }
}

// An object of a JSON, with no other keys than those that are known.
class JsonObject {
 public:
  JsonObject(const nlohmann::json& object, const std::vector<std::string>& keys,
             const std::string& what, const std::string& file, int line_around)
      : object_(object) {
    where_ = text(file, ":", object.is_object() ? object[line_key].get<int>() : line_around);
    if (!object.is_object()) throw UsageError(text(where_, ": expected ", what));
    for (const auto& [key, unused] : object.items())
      if (key != line_key && std::find(keys.begin(), keys.end(), key) == keys.end())
        throw UsageError(
            text(where_, ": unknown key '", key, "': expected ", what, did_you_mean(key, keys)));
  }

  const std::string& where() const { return where_; }
  int line() const { return object_[line_key].get<int>(); }
  bool has(const char* key) const { return object_.contains(key); }
  double metres(const char* key) const {
    if (!has(key) || !object_[key].is_number())
      throw UsageError(text(where_, ": ", key, ": expected a number of metres"));
    return object_[key].get<double>();
  }
  double upright(const char* key) const { return checked_column(metres(key), key, where_); }
  std::string word(const char* key) const {
    if (!has(key) || !object_[key].is_string() || object_[key].get<std::string>().empty())
      throw UsageError(text(where_, ": ", key, ": expected a name"));
    return object_[key].get<std::string>();
  }
  const nlohmann::json& list(const char* key, const char* expected) const {
    if (!has(key) || !object_[key].is_array())
      throw UsageError(text(where_, ": expected ", expected));
    return object_[key];
  }

 private:
  const nlohmann::json& object_;
  std::string where_;
};

std::vector<Borehole> from_json(const std::string& content, const std::string& file,
                                MaterialTable& materials) {
  const char* const a_list = "\"intervals\": [{\"from\": …, \"to\": …, \"material\": …}]";
  const std::string a_hole = text("{\"name\": …, \"x\": …, \"y\": …, \"z\": …, ", a_list, "}");
  const nlohmann::json root = json_with_lines(content, file);
  if (!root.is_array())
    throw UsageError(text(file, ": expected a list of boreholes: [", a_hole, "]"));
  std::vector<Borehole> holes;
  std::set<std::string> names;
  int line = 1;
  for (const auto& entry : root) {
    const JsonObject from(entry, {"name", "x", "y", "z", "intervals"}, a_hole, file, line);
    Borehole hole{
        std::to_string(holes.size() + 1), from.metres("x"), from.metres("y"), {}, {}, from.where()};
    if (from.has("name")) hole.name = from.word("name");
    if (from.has("name") && !names.insert(hole.name).second)
      throw UsageError(text(from.where(), ": borehole '", hole.name, "': expected each name once"));
    if (from.has("z")) hole.z = from.upright("z");
    line = from.line();
    for (const auto& item : from.list("intervals", a_list)) {
      const JsonObject part(item, {"from", "to", "material"},
                            "{\"from\": …, \"to\": …, \"material\": …}", file, line);
      hole.intervals.push_back({part.upright("from"), part.upright("to"),
                                materials.number(part.word("material"), part.where()),
                                part.where()});
      line = part.line();
    }
    holes.push_back(std::move(hole));
  }
  return holes;
}

}  // namespace

std::vector<Borehole> read_boreholes(const std::filesystem::path& file, MaterialTable& materials) {
  const std::string content = lines_of(io::read_file(file), file.string());
  // By its name, or by how it begins: no table does so.
  const auto first = content.find_first_not_of(" \t\n");
  const bool json =
      file.extension() == ".json" ||
      (first != std::string::npos && (content[first] == '[' || content[first] == '{'));
  std::vector<Borehole> holes = json ? from_json(content, file.string(), materials)
                                     : from_csv(content, file.string(), materials);
  if (holes.empty()) throw UsageError(text(file.string(), ": expected at least one borehole"));
  for (Borehole& hole : holes)
    std::stable_sort(
        hole.intervals.begin(), hole.intervals.end(),
        [](const BoreholeInterval& a, const BoreholeInterval& b) { return a.from < b.from; });
  return holes;
}

}  // namespace scree
