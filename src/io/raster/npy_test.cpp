#include "io/raster/npy.h"

#include <rapidcheck.h>

#include <bit>
#include <cstdlib>
#include <cstring>

#include "io/file/io_test.h"

namespace scree::io {
namespace {

using namespace testing;

std::string npy_bytes(const std::string& dictionary, const std::string& data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  const std::size_t length = dictionary.size() + 1;
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    bytes += static_cast<char>(length >> (8 * i) & 0xff);
  return bytes + dictionary + "\n" + data;
}

std::string dictionary(const std::string& descr, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }";
}

TEST(Npy, RoundTripKeepsEveryBit) {
  const TemporaryFolder folder;
  EXPECT_TRUE(rc::check([&] {
    Raster raster;
    raster.width = *rc::gen::inRange(1, 40);
    raster.height = *rc::gen::inRange(1, 40);
    for (int i = 0; i < raster.width * raster.height; ++i) {
      const float value = std::bit_cast<float>(*rc::gen::arbitrary<std::uint32_t>());
      raster.values.push_back(std::isfinite(value) ? value : 0.5f);
    }
    write_raster(folder / "a.npy", raster);
    const Raster back = read_raster(folder / "a.npy");
    RC_ASSERT(back.width == raster.width && back.height == raster.height);
    RC_ASSERT(std::memcmp(back.values.data(), raster.values.data(),
                          raster.values.size() * sizeof(float)) == 0);
  }));
}

TEST(Npy, ReadsEveryTypeOrderAndVersion) {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& bytes) {
    put(folder / "a.npy", bytes);
    return read_raster(folder / "a.npy").values;
  };
  using Values = std::vector<float>;
  EXPECT_EQ(read(npy_bytes(dictionary("|u1", "(1, 2)"), std::string("\x01\xff", 2))),
            (Values{1, 255}));
  EXPECT_EQ(read(npy_bytes(dictionary("|i1", "(1, 2)"), std::string("\x01\xff", 2))),
            (Values{1, -1}));
  EXPECT_EQ(read(npy_bytes(dictionary("<i2", "(1, 2)"), std::string("\x02\x01\xfe\xff", 4))),
            (Values{258, -2}));
  EXPECT_EQ(read(npy_bytes(dictionary(">u2", "(1, 2)"), std::string("\x01\x02\xff\xfe", 4))),
            (Values{258, 65534}));
  EXPECT_EQ(read(npy_bytes(dictionary(">i4", "(1, 1)"), std::string("\xff\xff\xff\xfd", 4))),
            (Values{-3}));
  EXPECT_EQ(read(npy_bytes(dictionary("<u4", "(1, 1)"), std::string("\x00\x00\x00\x80", 4))),
            (Values{2147483648.0f}));
  EXPECT_EQ(read(npy_bytes(dictionary("<i8", "(1, 1)"),
                           std::string("\xfb\xff\xff\xff\xff\xff\xff\xff", 8))),
            (Values{-5}));
  EXPECT_EQ(read(npy_bytes(dictionary(">f4", "(1, 1)"), std::string("\x3f\xc0\x00\x00", 4))),
            (Values{1.5}));
  EXPECT_EQ(read(npy_bytes(dictionary("<f8", "(1, 1)"),
                           std::string("\x00\x00\x00\x00\x00\x00\x04\xc0", 8), 2)),
            (Values{-2.5}));
  EXPECT_EQ(read(npy_bytes(dictionary("|u1", "(2, 3)", true), "\x01\x04\x02\x05\x03\x06")),
            (Values{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, RefusesWhatIsBroken) {
  const TemporaryFolder folder;
  const auto path = folder / "bad.npy";
  const auto refuses = [&](const std::string& bytes, const std::string& part) {
    put(path, bytes);
    expect_line(error_of([&] { read_raster(path); }), path, part);
  };
  refuses("not an array", "magic");
  refuses(npy_bytes(dictionary("<f4", "(1, 2)"), "1234"), "found");
  refuses(npy_bytes(dictionary("<f4", "(1, 1)"), "12345"), "found");
  refuses(npy_bytes(dictionary("<f4", "(4,)"), "1234567812345678"), "(4,)");
  refuses(npy_bytes(dictionary("<f4", "(1, 1, 1)"), "1234"), "(1, 1, 1)");
  refuses(npy_bytes(dictionary("<c8", "(1, 1)"), "12345678"), "c8");
  refuses(npy_bytes(dictionary("<f4", "(0, 5)"), "1"), "5 x 0");
  refuses(npy_bytes(dictionary("<f4", "(99999999, 99999999)"), "1"), "65536");
  refuses(npy_bytes("{'descr': '<f4', 'fortran_order': False}", "1234"), "shape");
  refuses(npy_bytes(dictionary("<f4", "(1, 1)"), "1234", 9), "version 9");
  refuses(npy_bytes(dictionary("<f4", "(1, 1)"), "").substr(0, 30), "cut off");
  refuses(npy_bytes(dictionary("<f4", "(1, 2)"), std::string("\0\0\0\0\0\0\xc0\x7f", 8)),
          "column 1, row 0");
}

TEST(Npy, DeclaredNanIsNodata) {
  const TemporaryFolder folder;
  Raster raster = bumpy(3, 2);
  raster.values[4] = nan_height;
  write_raster(folder / "a.npy", raster);
  expect_line(error_of([&] { read_raster(folder / "a.npy"); }), "a.npy", "column 1, row 1");
  ReadOptions options;
  options.nodata = std::numeric_limits<double>::quiet_NaN();
  expect_same_cells(read_raster(folder / "a.npy", options), raster);
}

TEST(Npy, NumpyItselfAgrees) {
  const std::string python = "/usr/bin/python3 -c 'import numpy' 2>/dev/null";
  if (std::system(python.c_str()) != 0) GTEST_SKIP() << "no numpy here";
  const TemporaryFolder folder;
  write_npy(folder / "ints.npy", 3, 2, std::vector<std::int32_t>{1, -2, 3, 4, 5, 2147483647});
  write_npy(folder / "floats.npy", 2, 1, std::vector<float>{1.5f, -0.25f});
  write_npy(folder / "bytes.npy", 2, 1, std::vector<std::uint8_t>{7, 255});
  const std::string script =
      "import numpy as n\n"
      "i = n.load(\"ints.npy\"); assert i.dtype == n.int32 and i.shape == (2, 3), i\n"
      "assert i.tolist() == [[1, -2, 3], [4, 5, 2147483647]], i\n"
      "f = n.load(\"floats.npy\"); assert f.dtype == n.float32 and f.tolist() == [[1.5, -0.25]]\n"
      "b = n.load(\"bytes.npy\"); assert b.dtype == n.uint8 and b.tolist() == [[7, 255]]\n"
      "n.save(\"back.npy\", n.asfortranarray(n.arange(6.0).reshape(2, 3)))\n";
  put(folder / "check.py", script);
  const std::string command = "cd " + folder.path().string() + " && /usr/bin/python3 check.py";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const Raster back = read_raster(folder / "back.npy");
  EXPECT_EQ(back.width, 3);
  EXPECT_EQ(back.values, (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace scree::io
