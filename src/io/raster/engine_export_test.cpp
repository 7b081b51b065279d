#include "io/raster/engine_export.h"

#include "io/file/io_test.h"

namespace scree::io {
namespace {

using namespace testing;

std::string value_of(const EngineExport& plan, const std::string& key) {
  for (const auto& [name, value] : plan.values)
    if (name == key) return value;
  return "none";
}

double number_of(const EngineExport& plan, const std::string& key) {
  return std::stod(value_of(plan, key));
}

Raster ramp(int width, int height, double low, double high) {
  Raster raster;
  raster.width = width;
  raster.height = height;
  raster.dx = raster.dy = 2;
  for (int i = 0; i < width * height; ++i)
    raster.values.push_back(
        static_cast<float>(low + (high - low) * i / std::max(1, width * height - 1)));
  return raster;
}

TEST(EngineExport, UnrealSizes) {
  for (const auto& [cells, side] :
       {std::pair{1, 127}, {128, 127}, {256, 253}, {512, 505}, {1024, 1009}, {2048, 2017}}) {
    const EngineExport plan = plan_export(Engine::unreal, ramp(cells, 64, 0, 512));
    EXPECT_EQ(plan.raster.width, side);
    EXPECT_EQ(plan.raster.height, 127);
    EXPECT_EQ((plan.raster.width - 1) % 126, 0);
  }
  EXPECT_EQ(plan_export(Engine::unreal, ramp(8192, 2, 0, 1)).raster.width, 8129);
  EXPECT_FALSE(plan_export(Engine::unreal, ramp(505, 127, 0, 1)).resampled);
}

TEST(EngineExport, UnrealNumbers) {
  const Raster raster = ramp(1009, 505, 100, 612);
  const EngineExport plan = plan_export(Engine::unreal, raster);
  EXPECT_DOUBLE_EQ(number_of(plan, "scale_x"), 200);
  EXPECT_DOUBLE_EQ(number_of(plan, "scale_y"), 200);
  EXPECT_DOUBLE_EQ(number_of(plan, "scale_z"), 100);  // 512 m
  EXPECT_EQ(number_of(plan, "components_x"), 8);
  EXPECT_EQ(number_of(plan, "components_y"), 4);
  // What Unreal makes of sample 0: location + (0 - 32768) / 128 * scale, in centimetres.
  const double bottom = number_of(plan, "location_z") - 32768.0 / 128 * number_of(plan, "scale_z");
  EXPECT_NEAR(bottom / 100, 100, 0.01);
  const EngineExport shrunk = plan_export(Engine::unreal, ramp(1024, 1024, 0, 1));
  EXPECT_TRUE(shrunk.resampled);
  EXPECT_NEAR(number_of(shrunk, "scale_x") * 1008, 200.0 * 1023, 1e-6);
}

TEST(EngineExport, UnityNumbersAndRows) {
  const TemporaryFolder folder;
  const EngineExport plan = plan_export(Engine::unity, ramp(60, 33, -10, 90));
  EXPECT_EQ(plan.raster.width, 65);
  EXPECT_EQ(plan.raster.height, 65);
  EXPECT_NEAR(number_of(plan, "terrain_width"), 118, 1e-9);
  EXPECT_NEAR(number_of(plan, "terrain_length"), 64, 1e-9);
  EXPECT_NEAR(number_of(plan, "terrain_height"), 100, 1e-9);
  EXPECT_NEAR(number_of(plan, "position_y"), -10, 1e-9);
  const auto files = write_engine(folder / "alps", plan);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].filename(), "alps.r16");
  const std::string bytes = get(files[0]);
  EXPECT_EQ(bytes.size(), 65u * 65 * 2);
  // The ramp is highest in its last, southern cell, and Unity's first row is the southern one.
  EXPECT_EQ(bytes.substr(64 * 2, 2), "\xff\xff");
  EXPECT_EQ(bytes.substr(64 * 65 * 2, 2), std::string(2, '\0'));
  const std::string json = get(files[1]);
  EXPECT_NE(json.find("\"engine\": \"unity\""), std::string::npos);
  EXPECT_NE(json.find("\"terrain_height\": 100"), std::string::npos);
  EXPECT_NE(json.find("Flip Vertically: off"), std::string::npos);
  EXPECT_NEAR(read_raster(files[0]).values.back(), 90, 1e-3);
}

TEST(EngineExport, UnitySizes) {
  for (const auto& [cells, side] : {std::pair{2, 33}, {64, 65}, {1024, 1025}, {1500, 1025}})
    EXPECT_EQ(plan_export(Engine::unity, ramp(cells, 2, 0, 1)).raster.width, side);
  EXPECT_EQ(plan_export(Engine::unity, ramp(9000, 2, 0, 1)).raster.width, 4097);
}

TEST(EngineExport, GodotHasSquareCells) {
  Raster raster = ramp(11, 11, 5, 25);
  raster.dy = 4;
  EngineExport plan = plan_export(Engine::godot, raster);
  EXPECT_EQ(plan.raster.width, 11);
  EXPECT_EQ(plan.raster.height, 21);
  EXPECT_EQ(plan.format, Format::exr);
  EXPECT_EQ(value_of(plan, "height_scale"), "1");
  EngineOptions options;
  options.format = Format::raw16;
  plan = plan_export(Engine::godot, raster, options);
  EXPECT_NEAR(number_of(plan, "height_scale"), 20, 1e-6);
  EXPECT_NEAR(number_of(plan, "height_offset"), 5, 1e-6);
}

TEST(EngineExport, FlatLandAndNodata) {
  Raster raster = ramp(127, 127, 7, 7);
  EXPECT_GT(number_of(plan_export(Engine::unreal, raster), "scale_z"), 0);
  raster.values[3] = nan_height;
  raster.values[4] = 9;
  const EngineExport plan = plan_export(Engine::unreal, raster);
  EXPECT_EQ(plan.raster.values[3], 7);
  EXPECT_NE(plan.lines[0].find("1 nodata"), std::string::npos);
}

TEST(EngineExport, RefusesWhatCannotBe) {
  Raster raster = ramp(4, 4, 0, 1);
  EngineOptions options;
  options.format = Format::npy;
  for (const Engine engine : {Engine::unreal, Engine::unity, Engine::godot})
    expect_line(error_of([&] { plan_export(engine, raster, options); }), "", ".npy");
  raster.dx = 0;
  expect_line(error_of([&] { plan_export(Engine::unity, raster); }), "", "cell size");
  expect_line(error_of([&] { engine_from_name("quake"); }), "quake", "unreal, unity, godot");
}

}  // namespace
}  // namespace scree::io
