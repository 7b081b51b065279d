#include "io/raster/raster.h"

#include <rapidcheck.h>

#include <algorithm>

#include "base/log.h"
#include "io/file/io_test.h"

namespace scree::io {
namespace {

using namespace testing;

// Largest difference over the cells, in steps of the format.
double error_in_quanta(const Raster& a, const Raster& b, double low, double high) {
  double worst = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    worst = std::max(worst, std::fabs(static_cast<double>(a.values[i]) - b.values[i]));
  return worst / ((high - low) / 65535);
}

TEST(Raster, SixteenBitsRoundTripWithinHalfAQuantum) {
  const TemporaryFolder folder;
  for (const char* name : {"a.r16", "a.raw", "a.png"})
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 7}, {7, 1}, {17, 33}, {64, 64}}) {
      if (!can_write(format_of(name))) continue;
      SCOPED_TRACE(std::string(name) + " " + std::to_string(width));
      const Raster raster = bumpy(width, height);
      write_raster(folder / name, raster);
      const Raster back = read_raster(folder / name);
      ASSERT_EQ(back.width, width);
      ASSERT_EQ(back.height, height);
      EXPECT_TRUE(back.heights_known);
      EXPECT_EQ(back.dx, 30);
      EXPECT_EQ(back.dy, 20);
      const auto [low, high] = height_range(raster);
      if (low < high) {
        EXPECT_LE(error_in_quanta(raster, back, low, high), 0.501);
      } else {
        expect_same_cells(raster, back);
      }
    }
}

TEST(Raster, SixteenBitsUseTheFullRange) {
  const TemporaryFolder folder;
  for (const char* name : {"a.r16", "a.png"}) {
    if (!can_write(format_of(name))) continue;
    write_raster(folder / name, bumpy(17, 33));
    ReadOptions options;
    options.sidecar = false;
    options.width = 17;
    options.height = 33;
    const Raster samples = read_raster(folder / name, options);
    EXPECT_FALSE(samples.heights_known);
    EXPECT_EQ(samples.sample_min, 0);
    EXPECT_EQ(samples.sample_max, 65535);
    EXPECT_EQ(height_range(samples).low, 0);
    EXPECT_EQ(height_range(samples).high, 65535);
  }
}

TEST(Raster, ScaleToRangeIsTheInverseOfWriting) {
  EXPECT_TRUE(rc::check([](unsigned short sample) {
    Raster raster;
    raster.width = raster.height = 1;
    raster.values = {static_cast<float>(sample)};
    raster.heights_known = false;
    raster.sample_max = 65535;
    scale_to_range(raster, -100, 300);
    RC_ASSERT(raster.heights_known);
    RC_ASSERT(std::fabs(raster.values[0] - (-100 + 400.0 * sample / 65535)) < 1e-4);
  }));
}

TEST(Raster, RawBytesLieWhereTheyShould) {
  const TemporaryFolder folder;
  Raster raster;
  raster.width = 2;
  raster.height = 2;
  raster.values = {0, 65535, 258, 1};
  WriteOptions options;
  options.range = HeightRange{0, 65535};
  write_raster(folder / "a.r16", raster, options);
  EXPECT_EQ(get(folder / "a.r16"), std::string("\x00\x00\xff\xff\x02\x01\x01\x00", 8));
  options.byte_order = ByteOrder::big;
  write_raster(folder / "a.r16", raster, options);
  EXPECT_EQ(get(folder / "a.r16"), std::string("\x00\x00\xff\xff\x01\x02\x00\x01", 8));
  expect_same_cells(read_raster(folder / "a.r16"), raster);
  options.flip_rows = true;
  write_raster(folder / "a.r16", raster, options);
  EXPECT_EQ(get(folder / "a.r16"), std::string("\x01\x02\x00\x01\x00\x00\xff\xff", 8));
  expect_same_cells(read_raster(folder / "a.r16"), raster);
  raster.values = {1.5f, -2, 0, 1};
  write_raster(folder / "a.r32", raster, options);
  EXPECT_EQ(get(folder / "a.r32").substr(8, 4), std::string("\x3f\xc0\x00\x00", 4));
  expect_same_cells(read_raster(folder / "a.r32"), raster);
}

TEST(Raster, RawReadsDeclaredTypes) {
  const TemporaryFolder folder;
  put(folder / "a.raw", std::string("\xff\xfe\x00\x05", 4));
  ReadOptions options;
  options.width = 2;
  options.height = 1;
  options.sample = SampleType::i16;
  options.byte_order = ByteOrder::big;
  EXPECT_EQ(read_raster(folder / "a.raw", options).values, (std::vector<float>{-2, 5}));
  options.sample = SampleType::u8;
  options.width = 4;
  EXPECT_EQ(read_raster(folder / "a.raw", options).values, (std::vector<float>{255, 254, 0, 5}));
  EXPECT_EQ(read_raster(folder / "a.raw", options).sample_max, 255);
}

TEST(Raster, Raw32IsExactAndKeepsNodata) {
  const TemporaryFolder folder;
  Raster raster = bumpy(17, 33);
  raster.values[40] = nan_height;
  write_raster(folder / "a.r32", raster);
  const Raster back = read_raster(folder / "a.r32");
  expect_same_cells(back, raster);
  EXPECT_TRUE(back.has_nodata);
}

TEST(Raster, NodataIsSampleZeroAndComesBack) {
  const TemporaryFolder folder;
  for (const char* name : {"a.r16", "a.png"}) {
    if (!can_write(format_of(name))) continue;
    Raster raster = bumpy(9, 5);
    raster.values[7] = nan_height;
    write_raster(folder / name, raster);
    const Raster back = read_raster(folder / name);
    EXPECT_TRUE(back.has_nodata);
    for (std::size_t i = 0; i < raster.values.size(); ++i)
      EXPECT_EQ(std::isnan(back.values[i]), i == 7) << i;
    EXPECT_NE(get(folder / (std::string(name) + ".json")).find("\"nodata_cells\": 1"),
              std::string::npos);
  }
}

TEST(Raster, RawRefusesAWrongSize) {
  const TemporaryFolder folder;
  const auto path = folder / "a.r16";
  put(path, "12345678");
  expect_line(error_of([&] { read_raster(path); }), path, "--raw-size WxH");
  ReadOptions options;
  options.width = 3;
  options.height = 2;
  const std::string message = error_of([&] { read_raster(path, options); });
  expect_line(message, path, "expected 12 bytes");
  expect_line(message, path, "found 8");
  options.width = -1;
  expect_line(error_of([&] { read_raster(path, options); }), path, "-1 x 2");
  options.width = 65537;
  expect_line(error_of([&] { read_raster(path, options); }), path, "65537 x 2");
  options.width = 65536;
  options.height = 65536;
  const auto started = std::filesystem::file_time_type::clock::now();
  expect_line(error_of([&] { read_raster(path, options); }), path, "65536");
  EXPECT_LT(std::filesystem::file_time_type::clock::now() - started, std::chrono::seconds(2));
}

TEST(Raster, Raw32RefusesInfinity) {
  const TemporaryFolder folder;
  put(folder / "a.r32", std::string("\0\0\0\0\0\0\x80\x7f", 8));
  ReadOptions options;
  options.width = 1;
  options.height = 2;
  expect_line(error_of([&] { read_raster(folder / "a.r32", options); }), "a.r32",
              "column 0, row 1");
}

TEST(Raster, MissingFileFolderAndEmptyFile) {
  const TemporaryFolder folder;
  for (const char* name : {"a.tif", "a.png", "a.r16", "a.exr", "a.npy", "a.asc", "a"}) {
    expect_line(error_of([&] { read_raster(folder / name); }), name, "no such file");
    put(folder / name, "");
    expect_line(error_of([&] { read_raster(folder / name); }), name, "empty");
  }
  expect_line(error_of([&] { read_raster(folder.path()); }), folder.path(), "folder");
}

TEST(Raster, BrokenSidecarIsNamed) {
  const TemporaryFolder folder;
  write_raster(folder / "a.r16", bumpy(4, 4));
  const auto sidecar = folder / "a.r16.json";
  std::string json = get(sidecar);
  const std::string whole = json;
  json.replace(json.find("\"high\""), 6, "\"tall\"");
  put(sidecar, json);
  expect_line(error_of([&] { read_raster(folder / "a.r16"); }), sidecar, "\"high\"");
  ReadOptions options;
  options.width = options.height = 4;
  options.sidecar = false;
  EXPECT_FALSE(read_raster(folder / "a.r16", options).heights_known);
  put(sidecar, whole);
  put(folder / "a.r16", std::string(30, 'x'));
  expect_line(error_of([&] { read_raster(folder / "a.r16"); }), "a.r16", "expected 32 bytes");
}

TEST(Raster, WritingRefusesBadRequests) {
  const TemporaryFolder folder;
  Raster raster = bumpy(4, 4);
  put(folder / "a.r16", "old");
  expect_line(error_of([&] { write_raster(folder / "a.xyz", raster); }), "a.xyz", ".npy");
  WriteOptions options;
  options.range = HeightRange{5, 5};
  expect_line(error_of([&] { write_raster(folder / "a.r16", raster, options); }), "a.r16",
              "low < high");
  options = {};
  options.flip_rows = true;
  expect_line(error_of([&] { write_raster(folder / "a.tif", raster, options); }), "a.tif", "north");
  raster.values[6] = std::numeric_limits<float>::infinity();
  expect_line(error_of([&] { write_raster(folder / "a.r16", raster); }), "a.r16",
              "column 2, row 1");
  raster.values.pop_back();
  expect_line(error_of([&] { write_raster(folder / "a.r16", raster); }), "a.r16", "15 cells");
  expect_line(error_of([&] { write_raster(folder / "no/a.r16", bumpy(2, 2)); }), "a.r16",
              "No such file");
  EXPECT_EQ(get(folder / "a.r16"), "old");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(Raster, FormatsThatThisBuildLacksAreSaid) {
  const TemporaryFolder folder;
  for (const char* name : {"a.tif", "a.png", "a.exr"}) {
    if (can_write(format_of(name))) continue;
    put(folder / name, "old");
    expect_line(error_of([&] { write_raster(folder / name, bumpy(2, 2)); }), name,
                "was built without");
    expect_line(error_of([&] { read_raster(folder / name); }), name, "was built without");
    EXPECT_EQ(get(folder / name), "old");
  }
}

TEST(Raster, FormatNames) {
  for (const Format format :
       {Format::geotiff, Format::png16, Format::raw16, Format::raw32, Format::exr, Format::npy}) {
    EXPECT_EQ(format_of(text("a", extension_of(format))), format);
    EXPECT_EQ(format_from_name(extension_of(format).substr(1)), format);
  }
  EXPECT_EQ(format_of("A.TIFF"), Format::geotiff);
  expect_line(error_of([] { format_from_name("bmp"); }), "bmp", "png16");
}

TEST(Raster, ClippedCellsAreCountedAndSaid) {
  const TemporaryFolder folder;
  std::string said;
  const LogScope listens([&](LogLevel, const std::string& line) { said += line; });
  Raster raster;
  raster.width = 3;
  raster.height = 1;
  raster.values = {-1, 5, 11};
  WriteOptions options;
  options.range = HeightRange{0, 10};
  write_raster(folder / "a.r16", raster, options);
  expect_line(said, "a.r16", "2 cells");
  EXPECT_NEAR(height_range(read_raster(folder / "a.r16")).high, 10, 1e-6);
}

TEST(Raster, ResampleKeepsPlanesCornersAndExtent) {
  EXPECT_TRUE(rc::check([] {
    Raster raster;
    raster.width = *rc::gen::inRange(2, 30);
    raster.height = *rc::gen::inRange(2, 30);
    raster.dx = 3;
    raster.dy = 5;
    raster.geo.present = true;
    raster.geo.transform = {100, 3, 0, 200, 0, -5};
    for (int r = 0; r < raster.height; ++r)
      for (int c = 0; c < raster.width; ++c)
        raster.values.push_back(static_cast<float>(2 * c - 7 * r));
    const int width = *rc::gen::inRange(2, 60);
    const int height = *rc::gen::inRange(2, 60);
    const Raster out = resample(raster, width, height, Registration::nodes);
    RC_ASSERT(out.values.front() == raster.values.front());
    RC_ASSERT(std::fabs(out.values.back() - raster.values.back()) < 1e-3);
    RC_ASSERT(std::fabs(out.dx * (width - 1) - 3.0 * (raster.width - 1)) < 1e-9);
    const auto& t = out.geo.transform;
    // The centre of the first cell has not moved.
    RC_ASSERT(std::fabs(t[0] + t[1] / 2 - 101.5) < 1e-9);
    RC_ASSERT(std::fabs(t[3] + t[5] / 2 - 197.5) < 1e-9);
    for (int r = 0; r < height; ++r)
      for (int c = 0; c < width; ++c) {
        const double x = static_cast<double>(c) * (raster.width - 1) / (width - 1);
        const double y = static_cast<double>(r) * (raster.height - 1) / (height - 1);
        RC_ASSERT(std::fabs(out.values[static_cast<std::size_t>(r * width + c)] - (2 * x - 7 * y)) <
                  1e-3);
      }
    const Raster cells = resample(raster, width, height, Registration::cells);
    RC_ASSERT(std::fabs(cells.dy * height - 5.0 * raster.height) < 1e-9);
    RC_ASSERT(std::fabs(cells.geo.transform[0] - 100) < 1e-9);
    RC_ASSERT(std::fabs(cells.geo.transform[3] - 200) < 1e-9);
  }));
}

TEST(Raster, ResampleDoesNotBlendNodata) {
  Raster raster;
  raster.width = 2;
  raster.height = 1;
  raster.values = {10, nan_height};
  const Raster out = resample(raster, 5, 1, Registration::nodes);
  EXPECT_EQ(out.values[1], 10);
  EXPECT_TRUE(std::isnan(out.values[3]));
  expect_same_cells(resample(raster, 2, 1, Registration::nodes), raster);
}

}  // namespace
}  // namespace scree::io
