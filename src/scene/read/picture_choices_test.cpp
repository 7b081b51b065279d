// What makes no sense together is refused when it is read, in a scene as on the command line.
#include "scene/read/picture_choices.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "io/file/io_test.h"
#include "process/core/registry.h"
#include "scene/scene.h"
#include "terrain/heights/derive.h"

namespace scree {
namespace {

using io::testing::error_of;

struct Refused {
  const char* keys;
  const char* says;
};
constexpr Refused refused[] = {
    {"view = \"section\"\nturntable = 3\n", ":5: turntable: expected view beauty or wireframe"},
    {"glyphs = \"normals\"\n", ":4: glyphs: expected view field:NAME or relief"},
    {"view = \"relief\"\nlog = true\n", ":5: log: expected view field:NAME"},
    {"view = \"relief\"\nrange = [1, 2]\n", "range: expected view field:NAME"},
    {"view = \"field:slope\"\nrange = [2, 1]\n", "lowest below the highest, found 2 and 1"},
    {"view = \"field:slope\"\nlog = true\nrange = [0, 9]\n", "range: expected a lowest above 0"},
    {"view = \"section\"\ncontours = 5\n", "contours: expected view relief"},
    {"line = [[0, 0], [1, 1]]\n", "line: expected view section beside it, found beauty"},
    {"view = \"section\"\nline = [[1, 1], [1, 1]]\n", ":5: line: expected two places, found one"},
    {"from = [1, 2, 3]\nat = [1, 2, 3]\n", ":4: from: the camera stands where it looks"},
    {"from = [1, 2, 3]\nazimuth = 20\n", ":5: azimuth: says where the camera stands"},
    {"from = [1, 2]\n", "from"},
    {"samples = 5\n", "samples"},
    {"zoom = 0\n", "zoom"}};

TEST(PictureChoices, AreCheckedWhenASceneIsRead) {
  for (const Refused& one : refused) {
    const std::string output = text("\n[[output]]\nkind = \"picture\"\n", one.keys);
    for (const bool voxels : {false, true}) {
      const std::string error = error_of([&] {
        if (voxels)
          parse_scene(output + "[terrain]\nkind = \"voxels\"\n", "s.toml");
        else
          parse_scene(output, "s.toml");
      });
      EXPECT_NE(error.find("s.toml:"), std::string::npos) << one.keys << error;
      EXPECT_NE(error.find(one.says), std::string::npos) << one.keys << error;
    }
  }
}

TEST(PictureChoices, AreCalledAsTheyWereTyped) {
  PictureSettings settings;
  const auto error = [&](const std::string& given) {
    return error_of([&] { check_choices(settings, {given}, {}); });
  };
  EXPECT_EQ(error("log"), "--log: expected --view field:NAME beside it, found beauty");
  settings.view.kind = render::ViewKind::relief;
  EXPECT_EQ(error("cut"), "--cut: expected --view beauty or wireframe beside it, found relief");
  settings.camera.from = settings.camera.at = render::Vec3{1, 2, 3};
  EXPECT_EQ(error("from"),
            "--camera from: the camera stands where it looks; expected another place than "
            "--camera at");
}

TEST(PictureChoices, ASceneHasTheCommandsCamera) {
  const Scene scene = parse_scene(
      "[[output]]\nkind = \"picture\"\nfrom = [1, 2, 3]\nat = [4, 5, 6]\nsamples = 4\n", "s.toml");
  const PictureSettings& picture = scene.outputs[0].picture;
  ASSERT_TRUE(picture.camera.from && picture.camera.at);
  EXPECT_EQ(picture.camera.from->y, 2);
  EXPECT_EQ(picture.camera.at->z, 6);
  EXPECT_EQ(picture.samples, 4);
}

// A title says what is shown, not how it is written in a scene.
TEST(PictureChoices, EveryFieldHasATitleInWords) {
  std::vector<std::string> names = {"bed",  "water",    "sediment", "flux.x", "flux.y",
                                    "rain", "strength", "floor",    "sink",   "height"};
  for (const ProcessKind& kind : process_kinds())
    for (const FieldSpec& field : kind.fields) names.emplace_back(field.name);
  for (const FieldSpec& field : {wetness_field, flow_field, wear_field, deposit_field})
    names.emplace_back(field.name);
  for (const MaskInfo& mask : mask_list()) names.emplace_back(mask.name);
  for (const char* of_layers : {"layers", "voids", "material"}) names.emplace_back(of_layers);
  for (const std::string& name : names) {
    const std::string words = render::field_words(name);
    const bool says_it_itself = name == "slope" || name == "curvature" || name == "rain" ||
                                name == "height" || name == "erodibility";
    EXPECT_TRUE(says_it_itself || words != name) << name;
    EXPECT_EQ(words.find('.'), std::string::npos) << name;
  }
  EXPECT_EQ(render::field_words("thickness.clay"), "thickness of clay");
  EXPECT_EQ(render::field_words("mine.tif"), "mine.tif");
}

}  // namespace
}  // namespace scree
