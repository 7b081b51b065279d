// A run whose ledger does not close says so and exits with 1, whatever its terrain. No fault of
// the engine is at hand, so a checkpoint is made to lie: it says of the start what was not so.
#include <cstring>

#include "base/hash.h"
#include "program.h"

namespace scree::testing {
namespace {

constexpr const char* heights = "[terrain]\nsize = [24, 20]\n[water]\nrain = 1e-5\n[thermal]\n";
constexpr const char* layers =
    "[terrain]\nkind = \"layers\"\nsize = [24, 20]\n[[terrain.layer]]\nmaterial = \"mud\"\n"
    "thickness = { value = 1, noise = 1, noise_size = 4 }\n[slippage]\n";
constexpr const char* voxels =
    "[terrain]\nkind = \"voxels\"\nsize = [16, 12, 10]\ncell = 1\n[[terrain.rock]]\nname = \"a\"\n"
    "[[terrain.layer]]\nrock = \"a\"\n[[terrain.form]]\nkind = \"block\"\nat = [8, 6, 0]\n"
    "size = [8, 6, 5]\n[weathering]\n[[weathering.bubble]]\nradius_voxels = 2\n";

class LedgerCli : public Cli {
 protected:
  Outcome run(const char* terrain, const Words& more) const {
    write("land.toml", std::string("[scene]\nsteps = 6\n") + terrain);
    Words all = {"run", "land.toml", "--out", "out", "--device", "cpu", "--checkpoint-every", "4"};
    all.insert(all.end(), more.begin(), more.end());
    return scree(all);
  }

  // Adds to a number of the checkpoint, and makes the file whole again.
  void forge(const std::string& block, std::int64_t more) const {
    std::string bytes = read("out/checkpoint-4.scree");
    std::string begin(4, '\0');
    const auto length = static_cast<std::uint32_t>(block.size());
    std::memcpy(begin.data(), &length, sizeof length);
    const std::size_t found = bytes.find(begin + block);
    ASSERT_NE(found, std::string::npos) << block;
    char* const at = bytes.data() + found + begin.size() + block.size() + sizeof(std::uint64_t);
    std::int64_t value = 0;
    std::memcpy(&value, at, sizeof value);
    value += more;
    std::memcpy(at, &value, sizeof value);
    Hash64 hash;
    hash.update(bytes.data(), bytes.size() - sizeof(std::uint64_t));
    const std::uint64_t digest = hash.digest();
    std::memcpy(bytes.data() + bytes.size() - sizeof digest, &digest, sizeof digest);
    write("out/checkpoint-4.scree", bytes);
  }
};

TEST_F(LedgerCli, ARunWithQuantaAstrayFails) {
  const struct {
    const char *terrain, *block, *line;
  } cases[] = {{heights, "ledger.water_start", "5 quanta of water astray"},
               {heights, "ledger.solids_start", "5 quanta of solids astray"},
               {layers, "start.0.quanta", "5 quanta of granite"},
               {voxels, "booked.start", "5 voxels astray"},
               {voxels, "booked.start_amount", "5 / 2047 of a voxel astray"}};
  for (const auto& [terrain, block, line] : cases) {
    expect_success(run(terrain, {"--resume"}));
    forge(block, 5);
    fs::remove(path("out/report.json"));
    const Outcome outcome = run(terrain, {"--resume", "--json"});
    expect_failure(outcome, 1, {"land: the ledger does not close: ", line, "expected 0"});
    EXPECT_TRUE(fs::exists(path("out/report.json"))) << line;
    EXPECT_TRUE(contains(outcome.json().value("error", ""), line)) << outcome.out;
    EXPECT_EQ(outcome.json().value("exit", 0), 1);
    EXPECT_EQ(outcome.json().value("steps", 0), 6) << "the answer is there all the same";
    fs::remove_all(path("out"));
  }
}

}  // namespace
}  // namespace scree::testing
