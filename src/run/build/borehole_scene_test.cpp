// Boreholes in scenes: what they found reappears, and what cannot be meant is refused.
#include <gtest/gtest.h>

#include "io/file/atomic_file.h"
#include "io/file/io_test.h"
#include "run/build/build_layers.h"
#include "run/scene_test.h"

namespace scree {
namespace {

using io::testing::error_of;
using io::testing::TemporaryFolder;
using testing::cpu;
using testing::material;

const char* const flat = R"(
[terrain]
kind = "layers"
size = [20, 10]
cell = 10
boreholes = "cores.csv"
[[output]]
kind = "height"
file = "height.npy"
[scene]
steps = 0
)";

Scene with_cores(const TemporaryFolder& folder, const std::string& name, const std::string& cores) {
  io::write_file(folder.path() / name, cores);
  std::string words = flat;
  words.replace(words.find("cores.csv"), 9, name);
  return parse_scene(words, "s.toml", folder.path());
}

TEST(BoreholeScene, BoreholesReappear) {
  const TemporaryFolder folder;
  const std::string csv =
      "name,x,y,from,to,material,z\n"
      "# west\n"
      "A, 15, 45, 0, 3.25, loam, 50\n"
      "A, 15, 45, 3.25, 9, clay, 50\n"
      "A, 15, 45, 9, 9.5, void, 50\n"
      "A, 15, 45, 9.5, 20, shale, 50\n"
      "B, 185, 45, 0, 8, clay, 60\n"
      "B, 185, 45, 8, 12, shale, 60\n";
  const LoadedLayers land = load_layers(with_cores(folder, "cores.csv", csv), cpu());
  const Layers& layers = *land.layers;
  const Stack stack = layers.stacks()[5 * 20 + 1];  // 45 m from the south: row 5 from the north
  ASSERT_EQ(stack.size(), 5U);
  const auto part = [&](std::size_t from_top) { return stack[stack.size() - 1 - from_top]; };
  const int q = static_cast<int>(1 / layers.shape().quantum);
  EXPECT_EQ(part(0), (Layer{material(layers, "loam"), q * 13 / 4}));
  EXPECT_EQ(part(1), (Layer{material(layers, "clay"), q * 23 / 4}));
  EXPECT_EQ(part(2), (Layer{0, q / 2}));
  EXPECT_EQ(part(3), (Layer{material(layers, "shale"), q * 21 / 2}));
  EXPECT_NEAR(layers.heights()[5 * 20 + 1], 50, 0.01);
  EXPECT_NEAR(layers.heights()[5 * 20 + 18], 60, 0.01);
  const std::string json = R"([
    {"name": "A", "x": 15, "y": 45, "z": 50, "intervals": [
      {"from": 0, "to": 3.25, "material": "loam"}, {"from": 3.25, "to": 9, "material": "clay"},
      {"from": 9, "to": 9.5, "material": "void"}, {"from": 9.5, "to": 20, "material": "shale"}]},
    {"name": "B", "x": 185, "y": 45, "z": 60, "intervals": [
      {"from": 0, "to": 8, "material": "clay"}, {"from": 8, "to": 12, "material": "shale"}]}])";
  for (const char* name : {"cores.json", "cores.JSON", "cores.txt"})
    EXPECT_EQ(load_layers(with_cores(folder, name, json), cpu()).layers->hash(), layers.hash())
        << name;
}

TEST(BoreholeScene, BadBoreholesAreToldInOneLine) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "cores.csv").string();
  const auto said = [&](const std::string& lines) {
    return error_of([&] { load_layers(with_cores(folder, "cores.csv", lines), cpu()); });
  };
  const std::string head = "name,x,y,from,to,material\n";
  EXPECT_EQ(said("name,x,y,frm,to,material\n"),
            file +
                ":1: column 'frm': expected name, x, y, from, to, material and perhaps z, did "
                "you mean 'from'?");
  EXPECT_EQ(said("name,x,y,to,material\n"),
            file + ":1: no column 'from': expected name, x, y, from, to, material and perhaps z");
  EXPECT_EQ(said(head + "A,1,1,0,two,loam\n"),
            file + ":2: to = 'two': expected a number of metres");
  EXPECT_EQ(said(head + "A,1,1,0,2,laom\n"),
            file +
                ":2: material 'laom': expected one of [[material]] or a preset, did you mean "
                "'loam'?");
  EXPECT_EQ(said(head + "A,1,1,0,2,loam\nA,1,1,1,3,clay\n"),
            file + ":3: borehole 'A': from 1 m overlaps what ends at 2 m");
  EXPECT_EQ(said(head + "A,1,1,0,2,loam\nB,5,5,0,1,loam\nA,1,1,3,4,clay\n"),
            file +
                ":4: borehole 'A': nothing between 2 and 3 m: expected an interval there (material "
                "\"void\" where the hole met one)");
  EXPECT_EQ(said(head + "A,1,1,-1,2,loam\n"),
            file + ":2: borehole 'A': from -1 m: expected a depth of 0 or more");
  EXPECT_EQ(said(head + "A,1,1,0,-2,loam\n"),
            file + ":2: borehole 'A': from 0 to -2 m: expected a thickness above 0");
  EXPECT_EQ(said(head + "A,1,1,0,2,loam\nA,2,1,2,3,clay\n"),
            file + ":3: borehole 'A': at 2, 1 m, and at 1, 1 m before");
  EXPECT_EQ(said(head), file + ": expected at least one borehole");
  // One absurd number would make the quantum of everything coarse.
  EXPECT_EQ(said(head + "A,1,1,0,2,loam\nA,1,1,2,1e30,clay\n"),
            file + ":3: to = 1e+30: expected at most 100000 m");
  EXPECT_EQ(said("name,x,y,from,to,material,z\nA,1,1,0,2,loam,-2e5\n"),
            file + ":2: z = -200000: expected at most 100000 m");
  const std::string json =
      R"([{"x": 1, "y": 1, "intervals": [{"from": 0, "to": 1e30, "material": "loam"}]}])";
  EXPECT_EQ(error_of([&] { load_layers(with_cores(folder, "cores.json", json), cpu()); }),
            (folder.path() / "cores.json").string() + ":1: to = 1e+30: expected at most 100000 m");
}

// What spreadsheets add and what typing makes of a table.
TEST(BoreholeScene, TablesOfBoreholesAreReadStrictly) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "cores.csv").string();
  const auto load = [&](const std::string& lines) {
    return load_layers(with_cores(folder, "cores.csv", lines), cpu()).layers->hash();
  };
  const auto said = [&](const std::string& lines) { return error_of([&] { load(lines); }); };
  const std::string head = "name,x,y,from,to,material", rest = "\nA,1,1,0,2,loam\nA,1,1,2,3,clay\n";
  const std::uint64_t expected = load(head + rest);
  EXPECT_EQ(load("\xef\xbb\xbf" + head + rest), expected) << "a mark before UTF-8";
  EXPECT_EQ(load(head + "\r\nA,1,1,0,2,loam,\r\n\r\nA,1,1,2,3,clay,,\r\n"), expected);
  EXPECT_EQ(load(head + "\rA,1,1,0,2,loam\r\"A\",1,1,2,3,clay\r"), expected);
  EXPECT_EQ(said("name,x,y,from,to,material,x" + rest), file + ":1: column 'x': expected it once");
  EXPECT_EQ(said(head + "\nA,1,1,0,2,loam,50\n"),
            file + ":2: '50' in column 7: expected no more than the 6 that the first line names");
  EXPECT_EQ(said(head + "\n,1,1,0,2,loam\n"), file + ":2: name: expected one");
  EXPECT_EQ(said(head + ",z\nA,1,1,0,2,loam,5\nA,1,1,2,3,clay,6\n"),
            file + ":3: borehole 'A': z = 6 m, and 5 m before");
  EXPECT_EQ(said(head + "\nA,1,1,0,2,loam\n" + std::string("\xff\xfe\0A", 4)),
            file + ":3: expected text in UTF-8, found a byte of 0");
  EXPECT_EQ(said(std::string(5000, 'x')),
            file + ":1: 5000 characters: expected at most 4096 in a line");
}

// As spreadsheets write them.
TEST(BoreholeScene, QuotesOfATableAreHonoured) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "cores.csv").string();
  const auto load = [&](const std::string& lines) {
    return load_layers(with_cores(folder, "cores.csv", lines), cpu()).layers->hash();
  };
  const auto said = [&](const std::string& lines) { return error_of([&] { load(lines); }); };
  const std::string head = "name,x,y,from,to,material\n";
  const std::uint64_t expected = load(head + "A,1,1,0,2,loam\nB,55,1,0,3,clay\n");
  EXPECT_EQ(load(head + "\"A, north\",1,1,0,2,loam\n\"A, south\",55,1,0,3,clay\n"), expected);
  EXPECT_EQ(load("\"name\",\"x\",\"y\",\"from\",\"to\",\"material\"\n"
                 "\"A\", \"1\" ,1,0,2,\"loam\"\n\" B \",55,1,0,3,\"clay\",\"\"\n"),
            expected);
  EXPECT_EQ(said(head + "\"the \"\"old\"\" one, north\",1,1,0,-2,loam\n"),
            file +
                ":2: borehole 'the \"old\" one, north': from 0 to -2 m: expected a thickness "
                "above 0");
  EXPECT_EQ(said(head + "\"\"\"\",1,1,0,-2,loam\n"),
            file + ":2: borehole '\"': from 0 to -2 m: expected a thickness above 0");
  EXPECT_EQ(said(head + "\"\",1,1,0,2,loam\n"), file + ":2: name: expected one");
  EXPECT_EQ(said(head + "A,1,1,0,2,\"loam, wet\"\n"),
            file +
                ":2: material 'loam, wet': expected one of [[material]] or a preset, did you mean "
                "'loam'?");
  const std::string open = ": a quote is not closed: expected another before the end of the line";
  EXPECT_EQ(said(head + "A,1,1,0,2,loam\n\"A, north,1,1,0,2,loam\n\"B\",5,5,0,2,loam\n"),
            file + ":3" + open);
  EXPECT_EQ(said(head + "A,1,1,0,2,\""), file + ":2" + open);
  EXPECT_EQ(said(head + "A,1,1,0,2,\"loam\"\"\n"), file + ":2" + open);
  EXPECT_EQ(said(head + "\"A\" north,1,1,0,2,loam\n"),
            file + ":2: expected a comma after the quote that ends 'A'");
  EXPECT_EQ(
      said(head + "A \"the north, far\",1,1,0,2,loam\n"),
      file + ":2: 'A \"the north': expected quotes around all of it, and doubled ones inside");
}

TEST(BoreholeScene, BadJsonIsToldWithItsLine) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "cores.json").string();
  const auto said = [&](const std::string& words) {
    return error_of([&] { load_layers(with_cores(folder, "cores.json", words), cpu()); });
  };
  const std::string a_list = R"("intervals": [{"from": …, "to": …, "material": …}])";
  const std::string a_hole = R"({"name": …, "x": …, "y": …, "z": …, )" + a_list + "}";
  const std::string first = "[\n{\"x\": 1, \"y\": 1, \"intervals\": [\n";
  const std::string loam = R"({"from": 0, "to": 2, "material": "loam"})";
  EXPECT_EQ(said(first + loam + "\n" + loam + "]}]").substr(0, file.size() + 13),
            file + ":4: not JSON:");
  EXPECT_EQ(said(first + "\n").substr(0, file.size() + 13), file + ":3: not JSON:");
  EXPECT_EQ(said("[{\"x\": 1e999}]"), file + ":1: not JSON: number overflow parsing '1e999'");
  EXPECT_EQ(said(" "), file +
                           ":1: not JSON: syntax error while parsing value - unexpected end of "
                           "input; expected '[', '{', or a literal");
  EXPECT_EQ(said("{}"), file + ": expected a list of boreholes: [" + a_hole + "]");
  EXPECT_EQ(said("[\n7]"), file + ":1: expected " + a_hole);
  EXPECT_EQ(said("[\n{\"x\": 1, \"y\": 1, \"depht\": 3}]"),
            file + ":2: unknown key 'depht': expected " + a_hole);
  EXPECT_EQ(said(first + loam + ",\n{\"form\": 2, \"to\": 3, \"material\": \"clay\"}]}]"),
            file +
                ":4: unknown key 'form': expected {\"from\": …, \"to\": …, \"material\": …}, "
                "did you mean 'from'?");
  EXPECT_EQ(said(first + loam + ",\n{\"from\": 3, \"to\": 4, \"material\": \"clay\"}]}]"),
            file +
                ":4: borehole '1': nothing between 2 and 3 m: expected an interval there (material "
                "\"void\" where the hole met one)");
  EXPECT_EQ(said("[{\"x\": 1,\n\"x\": 2}]"), file + ":2: \"x\": expected it once");
  EXPECT_EQ(said("[{\"x\": 1, \"y\": 1, \"name\": 7, \"intervals\": []}]"),
            file + ":1: name: expected a name");
  EXPECT_EQ(said("[{\"x\": 1, \"y\": 1}]"), file + ":1: expected " + a_list);
  const std::string named = "{\"name\": \"A\", \"y\": 5, \"intervals\": [" + loam + "], \"x\": ";
  EXPECT_EQ(said("[" + named + "5},\n" + named + "60}]"),
            file + ":2: borehole 'A': expected each name once");
}

// What a hole has met is there in its cell, or the scene is refused: nothing is cut off in silence.
TEST(BoreholeScene, BoreholesThatWouldNotReappearAreRefused) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "cores.csv").string();
  const auto said = [&](const std::string& lines, const char* override) {
    Scene scene = with_cores(folder, "cores.csv", "name,x,y,from,to,material\n" + lines);
    if (*override != 0) scene.apply_override(override);
    return error_of([&] { load_layers(scene, cpu()); });
  };
  const std::string two = "A,1,1,0,3,loam\nA,1,1,3,20,clay\n";
  EXPECT_EQ(
      said(two, "terrain.bottom=-5"),
      file + ":3: borehole 'A': goes down to -20 m: expected terrain.bottom = -5 m below that");
  EXPECT_EQ(said(two, "terrain.quantum=8"),
            file +
                ":2: borehole 'A': from 0 to 3 m: thinner than the quantum of 8 m: expected a "
                "thicker interval, or a finer terrain.quantum");
  std::string many;
  for (int i = 0; i < 20; ++i)
    many += text("A,1,1,", i, ",", i + 1, i % 2 == 0 ? ",loam\n" : ",clay\n");
  EXPECT_EQ(said(many, ""),
            file + ":2: borehole 'A': 20 beds, one on another: expected at most 16");
}

// In quanta that are too fine for it a deep hole is refused, not wrapped around.
TEST(BoreholeScene, ABoreholeThatNoWordHoldsIsRefused) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "cores.csv").string();
  Scene scene = with_cores(folder, "cores.csv", "name,x,y,from,to,material\nA,1,1,0,9000,loam\n");
  scene.apply_override("terrain.quantum=1e-6");
  EXPECT_EQ(error_of([&] { load_layers(scene, cpu()); }),
            file +
                ":2: borehole 'A': down to 9000 m: expected at most 1073.74 m with a quantum of "
                "1e-06 m");
}

// z counts where the scene says nothing of its ground, and nowhere else.
TEST(BoreholeScene, GroundThatTheSceneGivesStays) {
  const TemporaryFolder folder;
  const std::string plain = "name,x,y,from,to,material\nA,15,45,0,3,loam\n";
  const std::string high = "name,x,y,from,to,material,z\nA,15,45,0,3,loam,50\n";
  const auto height = [&](const std::string& cores, const std::string& ground) {
    Scene scene = with_cores(folder, "cores.csv", cores);
    if (!ground.empty()) scene.apply_override(ground);
    const std::vector<float> heights = load_layers(scene, cpu()).layers->heights();
    EXPECT_EQ(heights.front(), heights.back());
    return heights.front();
  };
  const std::string flat_at_100 = "terrain.generate={kind=\"flat\", base=100}";
  EXPECT_EQ(height(plain, ""), 0);
  EXPECT_EQ(height(high, ""), 50);
  EXPECT_EQ(height(plain, flat_at_100), 100);
  EXPECT_EQ(height(high, flat_at_100), 100);
}

// The edges of the terrain belong to it: all four.
TEST(BoreholeScene, AHoleOnAnEdgeLiesInTheLastCell) {
  const TemporaryFolder folder;
  const auto top_at = [&](const std::string& place, std::size_t cell) {
    const Scene scene = with_cores(
        folder, "cores.csv",
        "name,x,y,from,to,material,z\nA," + place + ",0,3,loam,5\nB,105,55,0,3,clay,9\n");
    const LoadedLayers land = load_layers(scene, cpu());
    return land.layers->stacks()[cell].back().material == material(*land.layers, "loam") &&
           land.layers->heights()[cell] == 5;
  };
  EXPECT_TRUE(top_at("200,45", 5 * 20 + 19));
  EXPECT_TRUE(top_at("15,100", 1));
  EXPECT_TRUE(top_at("200,100", 19));
  EXPECT_TRUE(top_at("0,0", 9 * 20));
  EXPECT_NE(error_of([&] {
              top_at("200.5,45", 0);
            }).find("expected 0 to 200 m eastward and 0 to 100 m northward"),
            std::string::npos);
}

TEST(BoreholeScene, AFileThatIsNotThereIsNamedWithTheLineThatAsksForIt) {
  const TemporaryFolder folder;
  const auto said = [&](const std::string& words) {
    const Scene scene = parse_scene("[terrain]\nkind = \"layers\"\nsize = [8, 8]\n" + words,
                                    "s.toml", folder.path());
    return error_of([&] { load_layers(scene, cpu()); });
  };
  const auto absent = [&](const char* line, const char* name) {
    return std::string(line) + (folder.path() / name).string() + ": no such file";
  };
  EXPECT_EQ(said("boreholes = \"none.csv\"\n"), absent("s.toml:4: ", "none.csv"));
  EXPECT_EQ(said("[[terrain.layer]]\nmaterial = \"loam\"\nthickness = { map = \"none.png\" }\n"),
            absent("s.toml:6: ", "none.png"));
  EXPECT_EQ(said("[[terrain.stamp]]\nmaterial = \"loam\"\nmap = \"w.png\"\nto = 2\n"),
            absent("s.toml:4: ", "w.png"));
  EXPECT_EQ(said("[terrain.maps]\nrain = \"rain.tif\"\n"), absent("s.toml:5: ", "rain.tif"));
  EXPECT_EQ(error_of([&] {
              parse_scene("materials = \"m.toml\"\n[terrain]\nkind = \"layers\"\n", "s.toml",
                          folder.path());
            }),
            absent("s.toml:1: ", "m.toml"));
}

}  // namespace
}  // namespace scree
