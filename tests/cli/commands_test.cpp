// Every command once, on something tiny.
#include "program.h"

namespace scree::testing {
namespace {

using Commands = Cli;

TEST_F(Commands, VersionAndHelp) {
  const Outcome version = scree({"--version"});
  expect_success(version);
  EXPECT_TRUE(version.out.starts_with("scree ")) << version.out;
  const Outcome help = scree({"--help"});
  expect_success(help);
  for (const char* name : {"run", "erode", "generate", "mesh", "info", "devices", "fields",
                           "params", "compare", "bench"}) {
    EXPECT_TRUE(contains(help.out, name)) << name;
    const Outcome own = scree({name, "--help"});
    expect_success(own);
    EXPECT_TRUE(contains(own.out, "--json")) << own.out;
    EXPECT_TRUE(own.err.empty()) << own.err;
  }
}

TEST_F(Commands, DevicesNameTheCpu) {
  const Outcome text = scree({"devices"});
  expect_success(text);
  EXPECT_TRUE(contains(text.out, "cpu")) << text.out;
  const Json json = scree({"devices", "--json"}).json();
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["devices"][0]["device"], "cpu");
}

TEST_F(Commands, FieldsAndMasksHaveUnits) {
  const Outcome text = scree({"fields"});
  expect_success(text);
  for (const char* name : {"bed", "water", "sediment", "flow", "wear", "deposit", "slope"})
    EXPECT_TRUE(contains(text.out, name)) << name;
  const Json json = scree({"fields", "--json"}).json();
  ASSERT_TRUE(json.is_object());
  for (const Json& field : json["fields"]) EXPECT_FALSE(field["unit"].get<std::string>().empty());
}

// The list of fields is the program's own: what a run hashes must be in it.
TEST_F(Commands, FieldsNameWhatRunsHash) {
  write_scene("a.toml", "wetness_influence = 0.5\n[[output]]\nkind = \"mask\"\nmask = \"flow\"\n");
  expect_success(scree({"run", "a.toml", "--steps", "2", "--set", "hydraulic.loosening=1"}));
  const std::string known = scree({"fields", "--json"}).json()["fields"].dump();
  const Json found = hashes("out/a");
  for (const auto& [field, unused] : found.items())
    EXPECT_TRUE(contains(known, "\"" + field + "\"")) << field;
}

TEST_F(Commands, ParamsInThreeForms) {
  const Words names = {"water",    "spring",   "hydraulic", "thermal", "sheet",  "weathering",
                       "generate", "slippage", "slumping",  "melt",    "stones", "stone"};
  for (const std::string& name : names) {
    const Outcome text = scree({"params", name});
    expect_success(text);
    EXPECT_TRUE(contains(text.out, "default")) << text.out;
    const Outcome markdown = scree({"params", name, "--markdown"});
    expect_success(markdown);
    EXPECT_TRUE(markdown.out.starts_with("| ")) << markdown.out;
    EXPECT_TRUE(scree({"params", name, "--json"}).json().contains(name));
  }
  EXPECT_EQ(scree({"params", "--json"}).json().size(), names.size());
}

TEST_F(Commands, GenerateInfoAndHydrology) {
  const Words kind = {"generate", "ridged", "-o", "land.tif", "--size", "96x64", "--cell", "20"};
  expect_success(scree(kind));
  const Outcome info = scree({"info", "land.tif", "--hydrology"});
  expect_success(info);
  for (const char* part : {"96 x 64", "20 x 20 m", "concavity", "below outlet"})
    EXPECT_TRUE(contains(info.out, part)) << part << "\n" << info.out;
  const Json json = scree({"info", "land.tif", "--hydrology", "--json"}).json();
  EXPECT_EQ(json["width"], 96);
  EXPECT_EQ(json["dx"], 20.0);
  EXPECT_EQ(json["nodata_cells"], 0);
  EXPECT_TRUE(json["hydrology"].contains("cells_below_outlet"));
}

TEST_F(Commands, GenerateDependsOnSeedAndParametersAlone) {
  const auto make = [&](const std::string& out, const Words& more) {
    Words words = {"generate", "fbm", "--size", "33x17", "-o", out};
    words.insert(words.end(), more.begin(), more.end());
    expect_success(scree(words));
  };
  make("a.tif", {"--device", "cpu", "--threads", "1"});
  make("b.tif", {"--device", "opencl"});
  make("c.tif", {"--seed", "2"});
  make("d.npy", {"--set", "relief=1.2 km"});
  EXPECT_EQ(scree({"compare", "a.tif", "b.tif"}).code, 0);
  EXPECT_EQ(scree({"compare", "a.tif", "c.tif"}).code, 1);
  EXPECT_EQ(scree({"compare", "a.tif", "d.npy"}).code, 1);
}

TEST_F(Commands, FoldersThatAreNotThereAreMade) {
  expect_success(scree({"generate", "fbm", "-o", "new/first/land.tif", "--size", "9x9"}));
  expect_success(scree({"mesh", "new/first/land.tif", "-o", "new/second/land.ply"}));
  expect_success(
      scree({"mesh", "new/first/land.tif", "-o", "new/levels/land.ply", "--level", "1"}));
  expect_success(
      scree({"erode", "new/first/land.tif", "-o", "new/third/land.tif", "--steps", "1"}));
  for (const char* file : {"second/land.ply", "levels/land.ply", "third/land.tif"})
    EXPECT_TRUE(fs::exists(path("new/" + std::string(file)))) << file;
}

TEST_F(Commands, RunWritesItsFolder) {
  write_scene("hills.toml");
  const Outcome outcome = scree({"run", "hills.toml"});
  expect_success(outcome);
  for (const char* part : {"device", "ledger", "out/hills/height.tif", "out/hills/report.json"})
    EXPECT_TRUE(contains(outcome.out, part)) << part << "\n" << outcome.out;
  EXPECT_TRUE(fs::exists(path("out/hills/height.tif")));
  EXPECT_TRUE(fs::exists(path("out/hills/relief.png")));
  const Json report = Json::parse(read("out/hills/report.json"));
  EXPECT_EQ(report["steps"], 40);
  EXPECT_TRUE(report["hashes"].contains("bed"));
  expect_success(scree({"info", "out/hills"}));
  expect_success(scree({"info", "hills.toml"}));
}

TEST_F(Commands, RunTakesItsOptions) {
  write_scene("a.toml");
  const Outcome outcome = scree({"run",
                                 "a.toml",
                                 "--out",
                                 "b",
                                 "--json",
                                 "--steps",
                                 "3",
                                 "--size",
                                 "20x30",
                                 "--seed",
                                 "9",
                                 "--threads",
                                 "1",
                                 "--device",
                                 "cpu",
                                 "--set",
                                 "hydraulic.capacity=2",
                                 "--set",
                                 "water.rain=10 mm/h",
                                 "--checkpoint-every",
                                 "2",
                                 "--checkpoint-seconds",
                                 "60"});
  expect_success(outcome);
  EXPECT_TRUE(outcome.err.empty()) << outcome.err;
  const Json json = outcome.json();
  ASSERT_TRUE(json.is_object()) << outcome.out;
  EXPECT_EQ(json["steps"], 3);
  EXPECT_EQ(json["width"], 20);
  EXPECT_EQ(json["height"], 30);
  EXPECT_EQ(json["dx"], 24.0) << "the extent in metres stays";
  EXPECT_EQ(json["water_error"], 0);
  EXPECT_EQ(json["solids_error"], 0);
  EXPECT_EQ(json["hashes"], hashes("b"));
  EXPECT_TRUE(fs::exists(path("b/checkpoint-2.scree")));
  EXPECT_EQ(Json::parse(read("b/report.json"))["seed"], 9);
}

TEST_F(Commands, PresetsRunByName) {
  for (const char* name : {"alpine", "canyon", "desert", "volcanic", "soft-hills"}) {
    expect_success(scree({"run", name, "--size", "48x48", "--steps", "5"}));
    EXPECT_TRUE(fs::exists(path(std::string("out/") + name + "/report.json"))) << name;
    expect_success(scree({"info", name}));
  }
}

TEST_F(Commands, RunForEngines) {
  write_scene("a.toml");
  for (const char* engine : {"unreal", "unity", "godot"}) {
    const Outcome outcome =
        scree({"run", "a.toml", "--steps", "1", "--engine", engine, "--out", engine});
    expect_success(outcome);
    EXPECT_TRUE(contains(outcome.out, std::string(engine) + "/" + engine + ".")) << outcome.out;
  }
}

TEST_F(Commands, ErodeWritesWhatItsOptionsSay) {
  expect_success(scree({"generate", "mountain", "-o", "in.tif", "--size", "64x48"}));
  const std::string before = read("in.tif");
  const Outcome outcome = scree({"erode", "in.tif", "-o", "result.tif", "--steps", "10", "--relief",
                                 "p/r.png", "--masks", "masks", "--engine", "unreal", "--preset",
                                 "canyon", "--set", "thermal.talus=40 deg", "--threads", "2"});
  expect_success(outcome);
  EXPECT_EQ(read("in.tif"), before);
  for (const char* name : {"result.tif", "p/r.png", "masks/flow.tif", "masks/wear.tif",
                           "masks/deposit.tif", "masks/slope.tif", "result_unreal.png"})
    EXPECT_TRUE(fs::exists(path(name))) << name;
  EXPECT_FALSE(fs::exists(path("result.tif.work"))) << "no traces";
  EXPECT_EQ(scree({"compare", "in.tif", "result.tif"}).code, 1) << "it has eroded";
}

TEST_F(Commands, ErodeReadsAndWritesEveryFormat) {
  expect_success(scree({"generate", "fbm", "-o", "in.png", "--size", "32x32", "--cell", "5"}));
  for (const char* out : {"a.tif", "a.png", "a.r16", "a.r32", "a.exr", "a.npy"}) {
    expect_success(scree({"erode", "in.png", "-o", out, "--steps", "2"}));
    EXPECT_TRUE(fs::exists(path(out))) << out;
  }
  expect_success(scree({"erode", "a.npy", "-o", "b.tif", "--steps", "2", "--cell", "5 m"}));
  fs::remove(path("a.r16.json"));
  expect_success(scree({"erode", "a.r16", "-o", "c.tif", "--steps", "2", "--cell", "5",
                        "--raw-size", "32x32", "--height-range", "-10,600"}));
}

TEST_F(Commands, CompareSaysWhereAndByHowMuch) {
  write("a.npy", "");
  expect_success(scree({"generate", "flat", "-o", "a.tif", "--size", "8x4"}));
  expect_success(scree({"generate", "flat", "-o", "b.tif", "--size", "8x4", "--set", "base=2"}));
  expect_success(scree({"generate", "flat", "-o", "c.tif", "--size", "4x4"}));
  const Outcome same = scree({"compare", "a.tif", "a.tif"});
  expect_success(same);
  EXPECT_TRUE(same.out.starts_with("same")) << same.out;
  const Outcome other = scree({"compare", "a.tif", "b.tif"});
  EXPECT_EQ(other.code, 1);
  EXPECT_TRUE(other.err.empty()) << other.err;
  EXPECT_TRUE(contains(other.out, "32 of 32 cells differ")) << other.out;
  EXPECT_TRUE(contains(other.out, "column 0, row 0")) << other.out;
  EXPECT_TRUE(contains(other.out, "at most by 2, root mean square over all cells 2")) << other.out;
  const Json json = scree({"compare", "a.tif", "b.tif", "--json"}).json();
  EXPECT_EQ(json["same"], false);
  EXPECT_EQ(json["largest"], 2.0);
  const Outcome size = scree({"compare", "a.tif", "c.tif"});
  EXPECT_EQ(size.code, 1);
  EXPECT_TRUE(contains(size.out, "8 x 4 cells against 4 x 4")) << size.out;
}

TEST_F(Commands, CompareFoldersAndCheckpoints) {
  write_scene("a.toml");
  const auto run = [&](const std::string& out, const std::string& device, const std::string& seed) {
    expect_success(scree({"run", "a.toml", "--out", out, "--device", device, "--seed", seed,
                          "--checkpoint-every", "30"}));
  };
  run("one", "cpu", "7");
  run("two", "opencl", "7");
  run("three", "cpu", "8");
  expect_success(scree({"compare", "one", "two"}));
  expect_success(scree({"compare", "one/checkpoint-30.scree", "two/checkpoint-30.scree"}));
  const Outcome other = scree({"compare", "one", "three"});
  EXPECT_EQ(other.code, 1);
  EXPECT_TRUE(contains(other.out, "bed: ")) << other.out;
  EXPECT_TRUE(contains(other.out, "height.tif: ")) << other.out;
  const Outcome checkpoints =
      scree({"compare", "one/checkpoint-30.scree", "three/checkpoint-30.scree"});
  EXPECT_EQ(checkpoints.code, 1);
  EXPECT_TRUE(contains(checkpoints.out, "bed: ")) << checkpoints.out;
  const Outcome info = scree({"info", "one/checkpoint-30.scree"});
  expect_success(info);
  EXPECT_TRUE(contains(info.out, "48 x 40")) << info.out;
}

TEST_F(Commands, JsonIsOneObjectAlsoInFailure) {
  const Outcome outcome = scree({"info", "nowhere.tif", "--json"});
  expect_failure(outcome, 1, {"nowhere.tif"});
  const Json json = outcome.json();
  ASSERT_TRUE(json.is_object()) << outcome.out;
  EXPECT_TRUE(contains(json["error"].get<std::string>(), "nowhere.tif"));
  EXPECT_EQ(json["exit"], 1);
}

TEST_F(Commands, Bench) {
  const Outcome outcome = scree({"bench", "--device", "cpu", "--size", "64", "--seconds", "0.01",
                                 "--voxels", "64x64x32", "--steps", "4", "--json"});
  expect_success(outcome);
  EXPECT_FALSE(outcome.json()["lines"].empty()) << outcome.out;
  const Json runs = outcome.json()["weathering"];
  ASSERT_EQ(runs.size(), 4U) << "the configurations of Farley 2011";
  for (const Json& run : runs) {
    EXPECT_EQ(run["steps"], 4);
    EXPECT_EQ(run["voxels"], Json({64, 64, 32}));
    EXPECT_GE(run["rock"], run["rock_left"]) << run;
    EXPECT_GT(run["triangles"], 1000);
    for (const char* part : {"built", "counted", "step", "surface", "total", "uncached"})
      EXPECT_GT(run[part], 0) << part;
    EXPECT_EQ(run["published"]["step"].size(), 2U);
  }
}

// One configuration alone, on any device; the bits are the same.
TEST_F(Commands, BenchOfWeatheringIsTheSameOnEveryDevice) {
  const std::vector<std::string> words = {"bench",   "--only", "Noisy",  "--voxels", "64x64x32",
                                          "--steps", "4",      "--json", "--device"};
  std::vector<Json> runs;
  for (const char* device : {"cpu", "opencl"}) {
    std::vector<std::string> all = words;
    all.emplace_back(device);
    const Outcome outcome = scree(all);
    expect_success(outcome);
    EXPECT_TRUE(outcome.json()["lines"].empty()) << outcome.out;
    ASSERT_EQ(outcome.json()["weathering"].size(), 1U) << outcome.out;
    runs.push_back(outcome.json()["weathering"][0]);
  }
  EXPECT_GT(runs[0]["rock"], runs[0]["rock_left"]);
  EXPECT_EQ(runs[0]["hash"], runs[1]["hash"]);
  EXPECT_EQ(runs[0]["triangles"], runs[1]["triangles"]);
  EXPECT_EQ(runs[1]["uncached"], 0) << "only a CPU walks";
}

}  // namespace
}  // namespace scree::testing
