// What a renderer makes anew where something of a picture has changed, and where it draws.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "render/gl/gl.h"
#include "render/gl/renderer_test.h"

namespace scree::render {
namespace {

constexpr int pixels_across = 160, pixels_down = 100;

// Hills with a terrace whose edge is a cliff, a hole beside it, and a lake of so many metres, or
// none.
Ground hills(float level, float stream = 0) {
  constexpr int side = 90;
  Ground ground = flat(side, side);
  const auto cells = ground.bed.size();
  for (std::vector<float>* field : {&ground.water, &ground.deposit, &ground.wear, &ground.flow,
                                    &ground.velocity_x, &ground.velocity_y})
    field->assign(cells, 0.0f);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const auto i = static_cast<std::size_t>(side * y + x);
      float z = static_cast<float>(40 * std::sin(0.11 * x) * std::cos(0.09 * y));
      if (std::hypot(x - 60, y - 25) < 12) z += 60;
      const bool hole = std::hypot(x - 20, y - 70) < 9;
      ground.bed[i] = hole ? std::numeric_limits<float>::quiet_NaN() : z;
      if (!hole && level > 0) ground.water[i] = std::max(0.0f, level - 40 - z);
      ground.velocity_x[i] = stream;
      ground.deposit[i] = std::max(0.0f, -0.05f * z);
      ground.wear[i] = std::max(0.0f, 0.02f * z);
      ground.flow[i] = static_cast<float>(x) / side;
    }
  return ground;
}

std::vector<unsigned char> pixels_of(Renderer& of, const Camera& camera = {}) {
  return of.take(camera, pixels_across, pixels_down).rgb;
}

// What a renderer shows that has seen nothing else.
template <class... Shown>
std::vector<unsigned char> fresh(const Shown&... shown) {
  Renderer other;
  other.show(shown...);
  return pixels_of(other);
}

struct Count {
  Made made = renderer().made();
  std::size_t objects = gl::objects_made();
};

TEST(RendererChange, ANewCameraMakesNothing) {
  const std::vector<WaterOn> water(8, {0.5f, 2, 0, 0});
  for (const bool of_bodies : {false, true}) {
    if (of_bodies)
      renderer().show(box_mesh(20, 30, 10, {180, 90, 60, 255}), {}, water);
    else
      renderer().show(hills(25), {});
    pixels_of(renderer());
    const Count before;
    for (const double azimuth : {20.0, 110.0, 300.0}) {
      Camera camera;
      camera.azimuth = azimuth;
      pixels_of(renderer(), camera);
    }
    EXPECT_EQ(renderer().made(), before.made);
    EXPECT_EQ(gl::objects_made(), before.objects);
  }
}

TEST(RendererChange, ANewSunMakesWhatDependsOnItAlone) {
  const Ground ground = hills(25);
  renderer().show(ground, {});
  pixels_of(renderer());
  for (const auto& [azimuth, altitude, softness] :
       {std::tuple{80.0, 20.0, 1.6}, {200.0, 55.0, 1.6}, {200.0, 55.0, 6.0}}) {
    Look look;
    look.sun_azimuth = azimuth;
    look.sun_altitude = altitude;
    look.sun_softness = softness;
    Made expected = renderer().made();
    ++expected.sun_lights;
    expected.skies += softness > 2 ? 0 : 1;
    EXPECT_TRUE(renderer().change_look(look));
    EXPECT_EQ(pixels_of(renderer()), fresh(ground, look)) << azimuth << " " << softness;
    EXPECT_EQ(renderer().made(), expected);
  }
}

TEST(RendererChange, AnotherAirOrPaletteMakesNothing) {
  const Ground ground = hills(25);
  renderer().show(ground, {});
  pixels_of(renderer());
  const Made before = renderer().made();
  Look look;
  look.haze = 0.2;
  look.exposure = 1.5;
  look.relief.palette = Palette::desert;
  EXPECT_TRUE(renderer().change_look(look));
  EXPECT_EQ(pixels_of(renderer()), fresh(ground, look));
  EXPECT_EQ(renderer().made(), before);
}

TEST(RendererChange, WhatTakesTheTerrainItselfIsLeftAsItWas) {
  renderer().show(hills(25), {});
  const auto shown = pixels_of(renderer());
  std::vector<Look> others(6);
  others[0].exaggeration = 2;
  others[1].relief.show_water = false;
  others[2].relief.water_film = 0.7;
  others[3].relief.water_deep = 3;
  others[4].relief.tint_low = -5;
  others[5].relief.tint_high = 70;
  for (Look& look : others) {
    look.sun_azimuth = 10;
    EXPECT_FALSE(renderer().change_look(look));
    EXPECT_EQ(pixels_of(renderer()), shown);
  }
}

// Only how fast it runs: the surface stays.
TEST(RendererChange, WaterThatStandsAsHighMakesNoGround) {
  renderer().show(hills(25), {});
  pixels_of(renderer());
  Made expected = renderer().made();
  ++expected.waters;
  const Ground running = hills(25, 2);
  renderer().change_water(running);
  EXPECT_EQ(pixels_of(renderer()), fresh(running, Look{}));
  EXPECT_EQ(renderer().made(), expected);
}

// A lake that rises, falls dry and is filled again, and the sun moves on meanwhile.
TEST(RendererChange, OtherWaterIsThatOfANewRenderer) {
  renderer().show(hills(25), {});
  const auto first = pixels_of(renderer());
  Look look;
  for (const float level : {33.0f, 0.0f, 12.0f}) {
    const Ground other = hills(level);
    Made expected = renderer().made();
    for (int* count :
         {&expected.waters, &expected.forms, &expected.sky_lights, &expected.sun_lights})
      ++*count;
    renderer().change_water(other);
    EXPECT_EQ(pixels_of(renderer()), fresh(other, look)) << level;
    EXPECT_EQ(renderer().made(), expected);
    look.sun_azimuth += 40;
    EXPECT_TRUE(renderer().change_look(look));
    EXPECT_EQ(pixels_of(renderer()), fresh(other, look)) << level;
  }
  EXPECT_NE(pixels_of(renderer()), first);
}

TEST(RendererChange, ASunOverAMeshDrawsItsOwnShadowAlone) {
  const Mesh box = box_mesh(20, 30, 10, {180, 90, 60, 255});
  renderer().show(box, {});
  pixels_of(renderer());
  Look look;
  look.sun_azimuth = 120;
  look.exposure = 1.2;
  Made expected = renderer().made();
  ++expected.sun_lights;
  ++expected.skies;
  EXPECT_TRUE(renderer().change_look(look));
  EXPECT_EQ(pixels_of(renderer()), fresh(box, look));
  EXPECT_EQ(renderer().made(), expected);
  const auto shown = pixels_of(renderer());
  look.grain = 3;
  EXPECT_FALSE(renderer().change_look(look));
  EXPECT_EQ(pixels_of(renderer()), shown);
}

// Vertices that edges have split carry the water of those that they were.
TEST(RendererChange, OtherWaterOnAMeshLeavesTheMesh) {
  const Mesh box = box_mesh(20, 30, 10, {180, 90, 60, 255});
  const std::vector<WaterOn> low(8, {0.2f, 1, 0, 0});
  std::vector<WaterOn> high(8, {1, 3, 0.5f, 0});
  high[4].cover = 0;
  Look look;
  look.exaggeration = 1.5;
  renderer().show(box, look, low);
  const auto before = pixels_of(renderer());
  Made expected = renderer().made();
  ++expected.waters;
  const std::size_t objects = gl::objects_made();
  EXPECT_TRUE(renderer().change_water(high));
  EXPECT_EQ(gl::objects_made(), objects);
  EXPECT_EQ(renderer().made(), expected);
  EXPECT_EQ(pixels_of(renderer()), fresh(box, look, high));
  EXPECT_NE(pixels_of(renderer()), before);
  EXPECT_FALSE(renderer().change_water(std::vector<WaterOn>{}));
  renderer().show(box, look);
  EXPECT_FALSE(renderer().change_water(high)) << "it was dry";
}

// Each corner of a box belongs to three faces, and is a vertex of each: where its foot is wet, its
// top stays dry.
TEST(RendererChange, EdgesThatWereSplitAreAsWetAsTheyWere) {
  const Mesh box = box_mesh(20, 20, 10, {180, 150, 120, 255});
  std::vector<WaterOn> foot(8);
  for (std::size_t i = 0; i < 4; ++i) foot[i] = {1, 5, 0, 0};
  const auto seen = [&](double x, double y) {
    return colour_at(renderer().take({}, pixels_across, pixels_down),
                     renderer().view_of({}, pixels_across, pixels_down),
                     renderer().place_of({x, y, 10}));
  };
  renderer().show(box, {}, std::vector<WaterOn>(8));
  const std::array<Colour, 2> dry = {seen(16, -16), seen(-16, 16)};
  EXPECT_TRUE(renderer().change_water(foot));
  const std::array<Colour, 2> found = {seen(16, -16), seen(-16, 16)};
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(found[i].b / found[i].r, dry[i].b / dry[i].r, 0.05) << i;
}

TEST(RendererChange, WhatIsStoppedOrRefusedShowsNothing) {
  renderer();
  EXPECT_THROW((Renderer{}.change_look({})), Error);
  EXPECT_THROW((Renderer{}.change_water(hills(3))), Error);
  renderer().show(hills(25), {});
  EXPECT_THROW(renderer().change_water(std::vector<WaterOn>(3)), Error) << "no mesh";
  EXPECT_NO_THROW(pixels_of(renderer()));
  EXPECT_THROW(renderer().change_water(flat(20, 20)), UsageError);
  EXPECT_THROW(pixels_of(renderer()), Error);
  renderer().show(hills(25), {});
  CancelToken stop;
  stop.cancel();
  Look look;
  look.sun_azimuth = 5;
  {
    const CancelScope stopped(&stop);
    EXPECT_THROW(renderer().change_look(look), Cancelled);
  }
  EXPECT_THROW(pixels_of(renderer()), Error);
}

// ---- into a framebuffer

struct OwnFramebuffer {
  OwnFramebuffer(int width, int height) : texture(gl::make_texture(GL_TEXTURE_2D)) {
    glTextureStorage2D(texture.name(), 1, GL_RGBA8, width, height);
    glNamedFramebufferTexture(framebuffer.name(), GL_COLOR_ATTACHMENT0, texture.name(), 0);
    const GLfloat grey[] = {0.2f, 0.2f, 0.2f, 1};
    glClearNamedFramebufferfv(framebuffer.name(), GL_COLOR, 0, grey);
  }
  gl::Texture texture;
  gl::Framebuffer framebuffer = gl::make_framebuffer();
};

TEST(RendererTarget, APictureIsDrawnWhereItIsAskedForAndNowhereElse) {
  renderer().show(hills(25), {});
  const auto expected = pixels_of(renderer());
  const OwnFramebuffer window(200, 140);
  const Target all{window.framebuffer.name(), 0, 0, 200, 140},
      part{window.framebuffer.name(), 13, 27, pixels_across, pixels_down};
  renderer().draw({}, part);
  EXPECT_EQ(renderer().read(part).rgb, expected);
  const Picture picture = renderer().read(all);
  int untouched = 0;
  for (int y = 0; y < 140; ++y)
    for (int x = 0; x < 200; ++x) {
      const bool inside =
          x >= 13 && x < 13 + pixels_across && 139 - y >= 27 && 139 - y < 27 + pixels_down;
      const auto i = static_cast<std::size_t>(3 * (200 * y + x));
      if (!inside && picture.rgb[i] == 51 && picture.rgb[i + 2] == 51) ++untouched;
    }
  EXPECT_EQ(untouched, 200 * 140 - pixels_across * pixels_down);
}

// Parts of bodies are drawn with something around them, which is not to cover their neighbours.
TEST(RendererTarget, PartsOfAPictureLieSideBySide) {
  renderer().show(box_mesh(20, 30, 10, {180, 90, 60, 255}), {});
  const OwnFramebuffer window(200, 140);
  const Target target{window.framebuffer.name(), 5, 9, pixels_across, pixels_down};
  renderer().take_parts_of(130);
  renderer().draw({}, target);
  const auto in_parts = pixels_of(renderer());
  renderer().take_parts_of(1 << 20);
  EXPECT_EQ(renderer().read(target).rgb, in_parts);
  EXPECT_NE(in_parts, pixels_of(renderer())) << "of neighbours nothing is known";
}

// Whatever a window's owner has set, and it is set again afterwards.
TEST(RendererTarget, TheOwnersStateNeitherShowsNorIsLost) {
  renderer().show(hills(25), {});
  const auto expected = pixels_of(renderer());
  const OwnFramebuffer window(pixels_across, pixels_down);
  const Target target{window.framebuffer.name(), 0, 0, pixels_across, pixels_down};
  for (const GLenum name : {GL_BLEND, GL_CULL_FACE, GL_SCISSOR_TEST, GL_STENCIL_TEST,
                            GL_FRAMEBUFFER_SRGB, GL_POLYGON_OFFSET_FILL})
    glEnable(name);
  glCullFace(GL_FRONT_AND_BACK);
  glScissor(1, 2, 3, 4);
  glViewport(5, 6, 7, 8);
  glColorMask(GL_FALSE, GL_TRUE, GL_FALSE, GL_TRUE);
  glDepthMask(GL_FALSE);
  glDepthRange(0.3, 0.4);
  glBlendFunc(GL_ZERO, GL_ONE);
  glBlendEquation(GL_MAX);
  glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  glPixelStorei(GL_PACK_ROW_LENGTH, 1000);
  glPixelStorei(GL_UNPACK_SKIP_PIXELS, 3);
  glBindFramebuffer(GL_FRAMEBUFFER, window.framebuffer.name());
  renderer().draw({}, target);
  const auto found = renderer().read(target).rgb;
  Look look;
  look.sun_azimuth = 120;
  renderer().change_look(look);
  renderer().change_look({});
  const auto after_changes = pixels_of(renderer());
  std::array<GLint, 4> viewport{}, scissor{};
  glGetIntegerv(GL_VIEWPORT, viewport.data());
  glGetIntegerv(GL_SCISSOR_BOX, scissor.data());
  std::array<GLboolean, 4> mask{};
  glGetBooleanv(GL_COLOR_WRITEMASK, mask.data());
  GLint row_length = 0, bound = 0, equation = 0, clip = 0;
  glGetIntegerv(GL_PACK_ROW_LENGTH, &row_length);
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  glGetIntegerv(GL_BLEND_EQUATION_RGB, &equation);
  glGetIntegerv(GL_CLIP_DEPTH_MODE, &clip);
  for (const GLenum name : {GL_BLEND, GL_CULL_FACE, GL_SCISSOR_TEST, GL_STENCIL_TEST,
                            GL_FRAMEBUFFER_SRGB, GL_POLYGON_OFFSET_FILL}) {
    EXPECT_TRUE(glIsEnabled(name)) << name;
    glDisable(name);
  }
  glCullFace(GL_BACK);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDepthMask(GL_TRUE);
  glDepthRange(0, 1);
  glBlendFunc(GL_ONE, GL_ZERO);
  glBlendEquation(GL_FUNC_ADD);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(after_changes, expected);
  EXPECT_EQ(viewport, (std::array<GLint, 4>{5, 6, 7, 8}));
  EXPECT_EQ(scissor, (std::array<GLint, 4>{1, 2, 3, 4}));
  EXPECT_EQ(mask, (std::array<GLboolean, 4>{GL_FALSE, GL_TRUE, GL_FALSE, GL_TRUE}));
  EXPECT_EQ(row_length, 1000);
  EXPECT_EQ(bound, static_cast<GLint>(window.framebuffer.name()));
  EXPECT_EQ(equation, GL_MAX);
  EXPECT_EQ(clip, GL_NEGATIVE_ONE_TO_ONE);
}

TEST(RendererTarget, RefusesAFramebufferThatIsNone) {
  renderer().show(hills(25), {});
  // A context without a window has no framebuffer of its own.
  EXPECT_THROW(renderer().draw({}, {0, 0, 0, 20, 10}), Error);
  EXPECT_THROW(renderer().read({0, 0, 0, 20, 10}), Error);
  const gl::Framebuffer empty = gl::make_framebuffer();
  EXPECT_THROW(renderer().draw({}, {empty.name(), 0, 0, 20, 10}), Error);
  const OwnFramebuffer window(20, 10);
  EXPECT_THROW(renderer().draw({}, {window.framebuffer.name(), 0, 0, 0, 10}), UsageError);
  EXPECT_THROW(renderer().draw({}, {window.framebuffer.name(), 0, 0, 20, 10}, 9), UsageError);
  EXPECT_NO_THROW(renderer().draw({}, {window.framebuffer.name(), 0, 0, 20, 10}));
}

}  // namespace
}  // namespace scree::render
