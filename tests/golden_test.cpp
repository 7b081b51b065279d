// Every example gives the bits that it gave before, on every backend.
//
// golden/examples.json holds the hashes of all fields at the end of a short run of each scene,
// golden/layers.json those of the scenes of layers.
// After a change that is meant to change them, or to a scene, write the file anew, look at what
// changed (git diff) and commit it with the change:
//
//   SCREE_UPDATE_GOLDEN=1 build/release/test_golden
//
// Nothing is written where two devices disagree.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "io/file/atomic_file.h"
#include "io/file/io_test.h"
#include "run/runner.h"
#include "testing.h"

namespace scree {
namespace {

// The hashes of a scene by field; ordered, so that the file is.
using Hashes = std::map<std::string, std::string>;

// Scenes of one folder. Small and short, but long enough for water to gather, soil to move and a
// window to scroll.
struct Scenes {
  const char* folder;
  const char* golden;
  int cells;
  std::uint64_t steps;
};
constexpr Scenes of_heights{SCREE_EXAMPLES, SCREE_GOLDEN "/examples.json", 64, 120};
constexpr Scenes of_layers{SCREE_EXAMPLES "/layers", SCREE_GOLDEN "/layers.json", 32, 12};

std::map<std::string, std::filesystem::path> examples(const Scenes& scenes) {
  std::map<std::string, std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(scenes.folder))
    if (entry.path().extension() == ".toml") files[entry.path().stem().string()] = entry.path();
  return files;
}

RunResult short_run(const Scenes& scenes, const std::filesystem::path& file,
                    const device::DevicePtr& device) {
  const io::testing::TemporaryFolder folder;
  Scene scene = load_scene(file);
  scene.set_size(scenes.cells, scenes.cells);
  scene.steps = scenes.steps;
  scene.time = 0;
  if (scene.terrain.layers) scene.outputs.clear();  // solids and their pictures take long
  RunOptions options;
  options.out = folder.path() / "out";
  options.opened = device;
  return run_scene(scene, options);
}

Hashes hashes_of(const RunResult& result) {
  Hashes hashes;
  for (const auto& [field, hash] : result.hashes) hashes[field] = hash_text(hash);
  return hashes;
}

// The scene on every device; the CPU's hashes, which the others must share.
Hashes agreed_hashes(const Scenes& scenes, const std::filesystem::path& file) {
  Hashes first;
  for (const testing::Backend& backend : testing::all_backends()) {
    SCOPED_TRACE(backend.label);
    const RunResult result = short_run(scenes, file, backend.device);
    EXPECT_EQ(result.ledger.water_error(), 0);
    EXPECT_EQ(result.ledger.solids_error(), 0);
    EXPECT_EQ(result.layers ? result.layers->error() : 0, 0);
    if (first.empty()) first = hashes_of(result);
    EXPECT_EQ(hashes_of(result), first) << "devices disagree";
  }
  return first;
}

void check(const Scenes& scenes) {
  ASSERT_FALSE(is_cpu(testing::all_backends().back()))
      << "no OpenCL device (pocl-opencl-icd is one)";
  std::map<std::string, Hashes> now;
  for (const auto& [name, file] : examples(scenes)) {
    SCOPED_TRACE(name);
    now[name] = agreed_hashes(scenes, file);
    EXPECT_FALSE(now[name].empty());
  }
  const bool update = std::getenv("SCREE_UPDATE_GOLDEN") != nullptr;
  if (update && !::testing::Test::HasFailure()) {
    const nlohmann::json text = {{"cells", scenes.cells}, {"steps", scenes.steps}, {"scenes", now}};
    io::write_file(scenes.golden, text.dump(2) + "\n");
  }
  const auto golden = nlohmann::json::parse(io::read_file(scenes.golden));
  EXPECT_EQ(golden.at("cells"), scenes.cells);
  EXPECT_EQ(golden.at("steps"), scenes.steps);
  const auto before = golden.at("scenes").get<std::map<std::string, Hashes>>();
  for (const auto& [name, hashes] : before)
    EXPECT_TRUE(now.contains(name)) << name << ": in the file, but no longer among the examples";
  for (const auto& [name, hashes] : now) {
    const auto known = before.find(name);
    EXPECT_EQ(known == before.end() ? Hashes{} : known->second, hashes)
        << name << ": other bits than before; where that is meant, SCREE_UPDATE_GOLDEN=1";
  }
}

TEST(Golden, ExamplesGiveTheBitsTheyGave) { check(of_heights); }
TEST(Golden, LayersGiveTheBitsTheyGave) { check(of_layers); }

}  // namespace
}  // namespace scree
