#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/suggest.h"
#include "io/atomic_file.h"
#include "scene/build_layers.h"

namespace scree {
namespace {

const std::vector<std::string> columns = {"name", "x", "y", "from", "to", "material", "z"};

std::string trimmed(const std::string& word) {
  const auto first = word.find_first_not_of(" \t\r\"");
  if (first == std::string::npos) return {};
  return word.substr(first, word.find_last_not_of(" \t\r\"") - first + 1);
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words;
  std::stringstream rest(line);
  for (std::string word; std::getline(rest, word, ',');) words.push_back(trimmed(word));
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

// Where each column stands; those that must be there are.
std::vector<int> read_header(const std::vector<std::string>& words, const std::string& where) {
  std::vector<int> place(columns.size(), -1);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto known = std::find(columns.begin(), columns.end(), words[i]);
    if (known == columns.end())
      throw UsageError(text(where, ": column '", words[i],
                            "': expected name, x, y, from, to, material and perhaps z",
                            did_you_mean(words[i], columns)));
    place[static_cast<std::size_t>(known - columns.begin())] = static_cast<int>(i);
  }
  for (std::size_t i = 0; i + 1 < columns.size(); ++i)
    if (place[i] < 0)
      throw UsageError(text(where, ": no column '", columns[i],
                            "': expected name, x, y, from, to, material and perhaps z"));
  return place;
}

std::vector<Borehole> from_csv(const std::string& content, const std::string& file,
                               MaterialTable& materials) {
  std::vector<Borehole> holes;
  std::stringstream lines(content);
  std::vector<int> place;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string where = text(file, ":", ++number);
    if (trimmed(line).empty() || line[0] == '#') continue;
    const std::vector<std::string> words = split(line);
    if (place.empty()) {
      place = read_header(words, where);
      continue;
    }
    const auto word = [&](std::size_t column) -> std::string {
      const int at = place[column];
      return at >= 0 && static_cast<std::size_t>(at) < words.size()
                 ? words[static_cast<std::size_t>(at)]
                 : std::string();
    };
    const auto metres = [&](std::size_t column) {
      return number_of(word(column), columns[column], where);
    };
    const auto upright = [&](std::size_t column) {
      return checked_column(metres(column), columns[column], where);
    };
    const std::string name = word(0);
    auto hole =
        std::find_if(holes.begin(), holes.end(), [&](const Borehole& h) { return h.name == name; });
    if (hole == holes.end()) {
      holes.push_back({name, metres(1), metres(2), {}, {}, where});
      hole = holes.end() - 1;
      if (!word(6).empty()) hole->z = upright(6);
    }
    if (hole->x != metres(1) || hole->y != metres(2))
      throw UsageError(text(where, ": borehole '", name, "': at ", metres(1), ", ", metres(2),
                            " m, and at ", hole->x, ", ", hole->y, " m before"));
    hole->intervals.push_back({upright(3), upright(4), materials.number(word(5), where)});
  }
  return holes;
}

std::vector<Borehole> from_json(const std::string& content, const std::string& file,
                                MaterialTable& materials) {
  const auto root = nlohmann::json::parse(content, nullptr, false);
  if (!root.is_array())
    throw UsageError(text(file,
                          ": expected a list of boreholes: [{\"name\": …, \"x\": …, \"y\": …, "
                          "\"intervals\": [{\"from\": …, \"to\": …, \"material\": …}]}]"));
  std::vector<Borehole> holes;
  for (const auto& entry : root) {
    const std::string where = text(file, ": borehole ", holes.size() + 1);
    const auto metres = [&](const nlohmann::json& from, const char* key) {
      if (!from.is_object() || !from.contains(key) || !from[key].is_number())
        throw UsageError(text(where, ": ", key, ": expected a number of metres"));
      return from[key].get<double>();
    };
    const auto upright = [&](const nlohmann::json& from, const char* key) {
      return checked_column(metres(from, key), key, where);
    };
    Borehole hole{
        std::to_string(holes.size() + 1), metres(entry, "x"), metres(entry, "y"), {}, {}, where};
    if (entry.contains("name") && entry["name"].is_string()) hole.name = entry["name"];
    if (entry.contains("z")) hole.z = upright(entry, "z");
    if (!entry.contains("intervals") || !entry["intervals"].is_array())
      throw UsageError(text(where,
                            ": expected \"intervals\": [{\"from\": …, \"to\": …, "
                            "\"material\": …}]"));
    for (const auto& part : entry["intervals"]) {
      const double from = upright(part, "from"), to = upright(part, "to");
      if (!part.contains("material") || !part["material"].is_string())
        throw UsageError(text(where, ": material: expected a name"));
      hole.intervals.push_back(
          {from, to, materials.number(part["material"].get<std::string>(), where)});
    }
    holes.push_back(std::move(hole));
  }
  return holes;
}

}  // namespace

std::vector<Borehole> read_boreholes(const std::filesystem::path& file, MaterialTable& materials) {
  const std::string content = io::read_file(file);
  std::vector<Borehole> holes = file.extension() == ".json"
                                    ? from_json(content, file.string(), materials)
                                    : from_csv(content, file.string(), materials);
  if (holes.empty()) throw UsageError(text(file.string(), ": expected at least one borehole"));
  for (Borehole& hole : holes)
    std::stable_sort(
        hole.intervals.begin(), hole.intervals.end(),
        [](const BoreholeInterval& a, const BoreholeInterval& b) { return a.from < b.from; });
  return holes;
}

}  // namespace scree
