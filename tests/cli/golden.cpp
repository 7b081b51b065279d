#include "golden.h"

#include <cstdio>
#include <cstdlib>

#include "io/file/atomic_file.h"

namespace scree::testing {
namespace {

constexpr const char* machine = "(machine)";

void replace_all(std::string& text, const std::string& part, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size())
    text.replace(at, part.size(), by);
}

// Keys stay, so that a time that is no longer told is missed.
void mask_numbers(Json& value) {
  if (value.is_number()) value = "(number)";
  if (!value.is_structured()) return;
  for (Json& part : value) mask_numbers(part);
}

// Logarithms and powers of the library of mathematics differ in their last digits.
void round_numbers(Json& value) {
  if (value.is_number_float()) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value.get<double>());
    value = std::atof(text);
  }
  if (!value.is_structured()) return;
  for (Json& part : value) round_numbers(part);
}

}  // namespace

void GoldenCli::mask(const std::string& key, Json& value) const {
  if (key == "seconds") return mask_numbers(value);
  if (key == "hydrology") return round_numbers(value);
  if (key == "scree") value = "(version)";
  if (key == "memory_bytes") value = machine;
  // "cpu: AMD EPYC (v4, 2 threads)", or a selector alone.
  if (key == "device" && value.is_string()) {
    std::string text = value;
    const std::size_t end = text.find(": ");
    if (end != std::string::npos) value = text.substr(0, end + 2) + machine;
  }
  if (key == "devices")  // every machine has a CPU, which comes first
    while (value.size() > 1) value.erase(value.size() - 1);
  if (value.is_string()) {
    std::string text = value;
    replace_all(text, folder().string(), "(folder)");
    replace_all(text, SCREE_TEST_DATA, "(data)");
    value = text;
  }
  if (value.is_object() && (value.contains("selector") || value.contains("memory_bytes")))
    for (const char* of_machine : {"name", "detail"})
      if (value.contains(of_machine)) value[of_machine] = machine;
  if (value.is_object())
    for (const auto& [name, part] : value.items()) mask(name, part);
  if (value.is_array())
    for (Json& part : value) mask({}, part);
}

Json GoldenCli::masked(const Json& answer) const {
  Json copy = answer;
  mask({}, copy);
  return copy;
}

void GoldenCli::expect_golden_text(const std::string& name, const std::string& text) {
  const fs::path golden = fs::path(SCREE_ROOT) / "tests/golden" / name;
  if (std::getenv("SCREE_UPDATE_GOLDEN") != nullptr && !HasFailure()) {
    fs::create_directories(golden.parent_path());
    io::write_file(golden, text);
  }
  ASSERT_TRUE(fs::exists(golden)) << golden << ": SCREE_UPDATE_GOLDEN=1 writes it";
  EXPECT_EQ(io::read_file(golden), text)
      << golden << ": another answer than before; where that is meant, SCREE_UPDATE_GOLDEN=1";
}

void GoldenCli::expect_answer(const Call& call) const {
  SCOPED_TRACE(call.name);
  Words words = call.words;
  words.insert(words.begin() + 1, "--json");
  const Outcome outcome = scree(words);
  EXPECT_EQ(outcome.code, call.code) << outcome.err << outcome.out;
  const Json answer = outcome.json();
  ASSERT_FALSE(answer.is_discarded()) << outcome.out;
  // One object, as text, and nothing else.
  EXPECT_EQ(outcome.out, answer.dump(2) + "\n");
  expect_golden_text("answers/" + call.name + ".json", masked(answer).dump(2) + "\n");
}

void GoldenCli::expect_answers(const std::vector<Call>& calls) const {
  for (const Call& call : calls) expect_answer(call);
}

// Of heights, step 20 lies between a look at the deepest water and the step that takes it up.
const std::vector<KeptScene>& kept_scenes() {
  static const std::vector<KeptScene> scenes = {{"heights-four", "30"},   {"heights-eight", "20"},
                                                {"heights-scroll", "30"}, {"layers-water", "30"},
                                                {"layers-melt", "20"},    {"voxels", "6"},
                                                {"voxels-ground", "5"}};
  return scenes;
}

void copy_kept_scenes(const fs::path& folder) { fs::copy(data_file("checkpoints"), folder); }

}  // namespace scree::testing
