// Rock is drawn as finely as its picture needs, and without cracks.
#include "picture/voxels/rock_pictures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "base/error.h"
#include "render/gl/context.h"
#include "render/gl/renderer.h"
#include "scene/read/picture_choices.h"

namespace scree {
namespace {

// A ball with a dent, of two materials.
RockSubject ball(int side) {
  RockSubject rock;
  rock.name = "ball";
  rock.volume.shape.size = {side, side, side};
  rock.volume.shape.cell = {1, 1, 1};
  rock.materials = {{"none", 0}, {"red", 0xc03020}, {"blue", 0x2030c0}};
  const double middle = (side - 1) / 2.0;
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        const double depth = 0.4 * side - std::hypot(x - middle, y - middle, z - middle) -
                             0.8 * std::sin(0.7 * x) * std::sin(0.6 * y);
        rock.volume.density.push_back(static_cast<float>(std::clamp(0.5 + depth, 0.0, 1.0)));
        rock.volume.materials.push_back(z > middle ? 1 : 2);
      }
  return rock;
}

// Edges that do not belong to two triangles.
std::size_t open_edges(const Mesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
  for (const Mesh::Triangle& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) ++uses[std::minmax(t[i], t[(i + 1) % 3])];
  return static_cast<std::size_t>(
      std::count_if(uses.begin(), uses.end(), [](const auto& use) { return use.second != 2; }));
}

PictureSettings pixels(int width) {
  PictureSettings settings;
  settings.width = width;
  settings.height = width;
  return settings;
}

TEST(RockPictures, BlocksAreAsFineAsThePictureNeedsAndMeet) {
  const RockSubject rock = ball(96);
  const RockSurface large = seen_surface(rock, pixels(900), 900);
  EXPECT_TRUE(large.blocks.empty()) << "every sample";
  EXPECT_EQ(open_edges(large.mesh), 0U);
  std::size_t last = large.mesh.triangles.size();
  for (const int width : {100, 50}) {
    const RockSurface small = seen_surface(rock, pixels(width), width);
    ASSERT_GT(small.blocks.size(), 1U) << width;
    EXPECT_GT(std::accumulate(small.blocks.begin() + 1, small.blocks.end(), std::size_t{0}), 0U);
    EXPECT_LT(2 * small.mesh.triangles.size(), last) << width;
    EXPECT_EQ(open_edges(small.mesh), 0U) << width;
    EXPECT_EQ(small.mesh.colours.size(), small.mesh.positions.size());
    last = small.mesh.triangles.size();
  }
}

TEST(RockPictures, NearBlocksAreFinerThanFarOnes) {
  PictureSettings settings = pixels(50);
  settings.camera.from = render::Vec3{0, -55, 45};
  settings.camera.at = render::Vec3{0, 0, 40};
  settings.camera.field = 60;
  const RockSurface seen = seen_surface(ball(96), settings, 50);
  ASSERT_GT(seen.blocks.size(), 1U);
  EXPECT_GT(seen.blocks[0], 0U);
  EXPECT_GT(seen.blocks[1], 0U);
  EXPECT_EQ(open_edges(seen.mesh), 0U) << "where they meet";
}

// Who stands on top sees it as finely as who is as high above the foot of the volume.
TEST(RockPictures, AnEyeAboveTheRockIsAboveItsTop) {
  PictureSettings settings = pixels(50);
  settings.camera.field = 60;
  settings.camera.at = render::Vec3{0, 0, 0};
  const auto blocks = [&](double z, bool above) {
    settings.camera.from = render::Vec3{0, 0.5, z};
    settings.camera.above_ground = above;
    return seen_surface(ball(96), settings, 50).blocks;
  };
  constexpr double top = 47.5 + 0.4 * 96;
  EXPECT_EQ(blocks(20, true), blocks(top + 20, false));
  EXPECT_NE(blocks(20, true), blocks(20, false));
}

TEST(RockPictures, AMapShowsWhatIsSeenFromAbove) {
  const RockSubject rock = ball(32);
  const render::ViewField height = view_fields(rock)("height");
  ASSERT_EQ(height.values.size(), 32U * 32);
  EXPECT_NEAR(height.values[16 * 32 + 16], 15.5 + 0.4 * 32, 1.5);
  EXPECT_TRUE(std::isnan(height.values[0])) << "beside it is nothing";
  PictureSettings settings = pixels(200);
  settings.view.kind = render::ViewKind::field;
  settings.view.field = "slope";
  EXPECT_EQ(photograph(rock, settings, 200)->take(0).width, 200);
  settings.view.field = "water";
  EXPECT_THROW(photograph(rock, settings, 200), UsageError);
}

TEST(RockPictures, WhatRockDoesNotHaveIsSaidInALine) {
  const auto said = [](const render::ViewChoice& view) -> std::string {
    try {
      check_rock_view("rock.vdb", view);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  render::ViewChoice view;
  view.kind = render::ViewKind::relief;
  EXPECT_EQ(said(view), "");
  view.glyphs = render::Glyphs::velocity;
  EXPECT_EQ(said(view), "rock.vdb: glyphs: rock has no velocity to draw arrows of");
  view = {};
  view.kind = render::ViewKind::field;
  view.field = "water";
  EXPECT_EQ(said(view),
            "rock.vdb: view 'field:water': of rock, as it is seen from above, expected height, "
            "slope, curvature or material");
}

// The plain that it stood on, and empty sheets: a run goes on.
TEST(RockPictures, WhatIsGoneIsDrawnAsNothing) {
  RockSubject rock = ball(16);
  EXPECT_TRUE(has_rock(rock));
  rock.volume.density.assign(rock.volume.density.size(), 0.0F);
  EXPECT_FALSE(has_rock(rock));
  EXPECT_FALSE(stage_of(rock).has_value());
  EXPECT_TRUE(seen_surface(rock, pixels(100), 100).mesh.triangles.empty());
  PictureSettings settings = pixels(210);
  for (const char* view : {"relief", "section", "field:height", "field:material"}) {
    render::set_view("view", view, settings.view);
    EXPECT_EQ(photograph(rock, settings, 210)->take(0).width, 210) << view;
  }
  if (!render::can_render()) GTEST_SKIP() << "built without OpenGL";
  std::optional<render::OffscreenContext> context;
  try {
    context.emplace();
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  for (const char* view : {"beauty", "wireframe"}) {
    render::set_view("view", view, settings.view);
    const render::Picture empty = photograph(rock, settings, 210)->take(0);
    ASSERT_EQ(empty.rgb.size(), 3U * 210 * 210) << view;
    const render::Picture full = photograph(ball(16), settings, 210)->take(0);
    std::size_t differ = 0;
    for (std::size_t i = 0; i < full.rgb.size(); i += 3)
      if (std::abs(full.rgb[i] - empty.rgb[i]) > 12) ++differ;
    EXPECT_GT(differ, 2000U) << view << ": the ball is in one of them alone";
  }
}

// What is left of rock stays where it was in the picture.
TEST(RockPictures, FilmsStandStill) {
  RockSubject rock = ball(32);
  const std::optional<RockSubject::Stage> stage = stage_of(rock);
  ASSERT_TRUE(stage.has_value());
  EXPECT_NEAR(stage->high[0] - stage->low[0], 0.8 * 32, 3);
  for (std::size_t i = 0; i < rock.volume.density.size(); ++i)
    if (i % 32 != 8 || i / 32 % 32 != 16 || i / 1024 > 16) rock.volume.density[i] = 0;
  rock.stage = stage;
  if (!render::can_render()) GTEST_SKIP() << "built without OpenGL";
  std::optional<render::OffscreenContext> context;
  try {
    context.emplace();
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  PictureSettings settings = pixels(64);
  settings.camera = {.azimuth = 180, .altitude = 0, .field = 20};
  const render::Picture left = photograph(rock, settings, 64)->take(0);
  rock.stage.reset();
  const render::Picture alone = photograph(rock, settings, 64)->take(0);
  EXPECT_NE(left.rgb, alone.rgb) << "what is left of it does not fill the picture";
}

TEST(RockPictures, MaterialsHaveTheirNames) {
  const render::ViewField material = view_fields(ball(16))("material");
  ASSERT_EQ(material.kinds.size(), 3U);
  EXPECT_EQ(material.kinds[1].name, "red");
  EXPECT_EQ(material.values[8 * 16 + 8], 1.0F) << "the upper half is red";
  EXPECT_TRUE(std::isnan(material.values[0]));
}

}  // namespace
}  // namespace scree
