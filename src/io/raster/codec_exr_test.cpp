#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>
#include <ImfOutputFile.h>
#include <half.h>

#include "io/file/io_test.h"

namespace scree::io {
namespace {

using namespace testing;

TEST(Exr, RoundTripIsExact) {
  const TemporaryFolder folder;
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 7}, {17, 33}, {300, 200}}) {
    Raster raster = bumpy(width, height);
    raster.dx = 30.1;
    if (width > 1) raster.values[3] = nan_height;
    write_raster(folder / "a.exr", raster);
    const Raster back = read_raster(folder / "a.exr");
    expect_same_cells(back, raster);
    EXPECT_EQ(back.dx, 30.1);
    EXPECT_EQ(back.dy, 20);
    EXPECT_EQ(back.has_nodata, width > 1);
  }
}

TEST(Exr, OpenExrItselfSeesAFloatChannel) {
  const TemporaryFolder folder;
  const Raster raster = bumpy(5, 3);
  WriteOptions options;
  options.channel = "Z";
  write_raster(folder / "a.exr", raster, options);
  Imf::InputFile file((folder / "a.exr").c_str());
  ASSERT_TRUE(file.header().channels().findChannel("Z"));
  EXPECT_EQ(file.header().channels()["Z"].type, Imf::FLOAT);
  EXPECT_EQ(file.header().dataWindow().max, Imath::V2i(4, 2));
  std::vector<float> values(15);
  Imf::FrameBuffer buffer;
  buffer.insert("Z", Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(values.data()), 4, 20));
  file.setFrameBuffer(buffer);
  file.readPixels(0, 2);
  EXPECT_EQ(values, raster.values);
}

// Two channels of types that are not ours, in a window that does not start at 0.
void write_mixed(const std::filesystem::path& path, float special) {
  const Imath::Box2i window(Imath::V2i(-2, 5), Imath::V2i(0, 6));
  Imf::Header header(window, window);
  header.channels().insert("B", Imf::Channel(Imf::UINT));
  header.channels().insert("R", Imf::Channel(Imf::HALF));
  std::vector<unsigned> blue{1, 2, 3, 4, 5, 70000};
  std::vector<half> red;
  for (const float value : {0.5f, 1.0f, 1.5f, 2.0f, -2.5f, special}) red.emplace_back(value);
  Imf::FrameBuffer buffer;
  buffer.insert("B", Imf::Slice::Make(Imf::UINT, blue.data(), window, 4, 12));
  buffer.insert("R", Imf::Slice::Make(Imf::HALF, red.data(), window, 2, 6));
  Imf::OutputFile file(path.c_str(), header);
  file.setFrameBuffer(buffer);
  file.writePixels(2);
}

TEST(Exr, ReadsHalfAndUintChannelsByName) {
  const TemporaryFolder folder;
  write_mixed(folder / "a.exr", 3);
  EXPECT_EQ(read_raster(folder / "a.exr").values, (std::vector<float>{0.5, 1, 1.5, 2, -2.5, 3}));
  ReadOptions options;
  options.channel = "B";
  EXPECT_EQ(read_raster(folder / "a.exr", options).values,
            (std::vector<float>{1, 2, 3, 4, 5, 70000}));
  options.channel = "G";
  expect_line(error_of([&] { read_raster(folder / "a.exr", options); }), "a.exr", "found B, R");
}

// As of other pictures, the brightness of the colours; what is transparent is dark in the file.
TEST(Exr, APictureInColoursIsItsBrightness) {
  const TemporaryFolder folder;
  Imf::Header header(2, 2);
  std::vector<std::vector<float>> planes = {
      {1, 0, 0, 250.25f}, {0, 1, 0, 250.25f}, {0, 0, 1, 250.25f}, {1, 1, 1, 0.5f}};
  Imf::FrameBuffer buffer;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string name(1, "RGBA"[i]);
    header.channels().insert(name, Imf::Channel(Imf::FLOAT));
    buffer.insert(name, Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(planes[i].data()), 4, 8));
  }
  {
    Imf::OutputFile file((folder / "a.exr").c_str(), header);
    file.setFrameBuffer(buffer);
    file.writePixels(2);
  }
  EXPECT_EQ(read_raster(folder / "a.exr").values,
            (std::vector<float>{0.2126f, 0.7152f, 0.0722f, 250.25f}));
  ReadOptions options;
  options.channel = "R";
  EXPECT_EQ(read_raster(folder / "a.exr", options).values, planes[0]);
}

TEST(Exr, RefusesWhatIsBroken) {
  const TemporaryFolder folder;
  const auto path = folder / "a.exr";
  write_mixed(path, std::numeric_limits<float>::infinity());
  expect_line(error_of([&] { read_raster(path); }), path, "column 2, row 1");
  put(path, "this is not a picture at all");
  expect_line(error_of([&] { read_raster(path); }), path, "OpenEXR");
  write_raster(path, bumpy(64, 64));
  const std::string whole = get(path);
  for (const std::size_t size : {whole.size() / 4, whole.size() / 2, whole.size() - 1}) {
    put(path, whole.substr(0, size));
    expect_line(error_of([&] { read_raster(path); }), path, "OpenEXR");
  }
}

}  // namespace
}  // namespace scree::io
