// Every example of voxels gives the bits that it gave before, on every backend.
//
// golden/voxels.json holds the hash of the voxels and the ledger at the end of a short run of each
// scene. After a change that is meant to change them, or to a scene, write the file anew, look at
// what changed (git diff) and commit it with the change:
//
//   SCREE_UPDATE_GOLDEN=1 build/release/test_golden_voxels
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

// Small and short, but long enough for rock to go, fall and be cut off.
constexpr int fewer = 5;  // times, along each side
constexpr std::uint64_t steps = 8;

using Golden = std::map<std::string, std::string>;  // of a scene: what, and its number

std::map<std::string, std::filesystem::path> examples() {
  std::map<std::string, std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(SCREE_EXAMPLES "/voxels"))
    if (entry.path().extension() == ".toml") files[entry.path().stem().string()] = entry.path();
  return files;
}

Golden short_run(const std::filesystem::path& file, const device::DevicePtr& device) {
  const io::testing::TemporaryFolder folder;
  Scene scene = load_scene(file);
  scene.set_size(scene.terrain.voxels->shape.nx / fewer, scene.terrain.voxels->shape.ny / fewer,
                 scene.terrain.voxels->shape.nz / fewer);
  scene.steps = steps;
  scene.outputs = {output_of(OutputKind::mesh, "rock.ply")};
  RunOptions options;
  options.out = folder.path() / "out";
  options.opened = device;
  const RunResult result = run_scene(scene, options);
  EXPECT_EQ(result.weathering->voxel_error(), 0);
  EXPECT_EQ(result.weathering->amount_error(), 0);
  return {{"voxels", hash_text(result.hashes.at("voxels"))},
          {"rock", std::to_string(result.weathering->rock)},
          {"colluvium", std::to_string(result.weathering->loose)}};
}

// The scene on every device; the CPU's numbers, which the others must share.
Golden agreed(const std::filesystem::path& file) {
  Golden first;
  for (const testing::Backend& backend : testing::all_backends()) {
    SCOPED_TRACE(backend.label);
    const Golden now = short_run(file, backend.device);
    if (first.empty()) first = now;
    EXPECT_EQ(now, first) << "devices disagree";
  }
  return first;
}

TEST(GoldenVoxels, ExamplesGiveTheBitsTheyGave) {
  ASSERT_FALSE(is_cpu(testing::all_backends().back()))
      << "no OpenCL device (pocl-opencl-icd is one)";
  std::map<std::string, Golden> now;
  for (const auto& [name, file] : examples()) {
    SCOPED_TRACE(name);
    now[name] = agreed(file);
  }
  const bool update = std::getenv("SCREE_UPDATE_GOLDEN") != nullptr;
  if (update && !HasFailure()) {
    const nlohmann::json text = {{"fewer", fewer}, {"steps", steps}, {"scenes", now}};
    io::write_file(SCREE_GOLDEN, text.dump(2) + "\n");
  }
  const auto golden = nlohmann::json::parse(io::read_file(SCREE_GOLDEN));
  EXPECT_EQ(golden.at("fewer"), fewer);
  EXPECT_EQ(golden.at("steps"), steps);
  const auto before = golden.at("scenes").get<std::map<std::string, Golden>>();
  for (const auto& [name, numbers] : before)
    EXPECT_TRUE(now.contains(name)) << name << ": in the file, but no longer among the examples";
  for (const auto& [name, numbers] : now) {
    const auto known = before.find(name);
    EXPECT_EQ(known == before.end() ? Golden{} : known->second, numbers)
        << name << ": other bits than before; where that is meant, SCREE_UPDATE_GOLDEN=1";
  }
}

}  // namespace
}  // namespace scree
