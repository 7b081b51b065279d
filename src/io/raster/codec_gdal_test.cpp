#include <gdal_priv.h>
#include <ogr_spatialref.h>

#include <algorithm>

#include "base/log.h"
#include "io/file/io_test.h"
#include "io/raster/codec.h"
#include "io/raster/geodesy.h"
#include "io/raster/picture.h"

namespace scree::io {
namespace {

using namespace testing;

class Gdal : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { GDALAllRegister(); }
  // A file made by GDAL alone, so that our reader is not judged by our writer.
  struct Source {
    int width = 4;
    int height = 3;
    GDALDataType type = GDT_Float32;
    std::string crs;
    std::vector<double> transform;
    std::vector<double> nodata;
    std::vector<double> values;
    std::string unit;
    std::string bits;  // of a sample that has few
    bool point = false;
  };

  std::filesystem::path make(const std::string& name, Source source,
                             const char* driver_name = "GTiff") {
    if (source.values.empty())
      for (int i = 0; i < source.width * source.height; ++i) source.values.push_back(i + 1);
    const auto path = folder_ / name;
    GDALDriver* memory = GetGDALDriverManager()->GetDriverByName("MEM");
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName(driver_name);
    GDALDatasetUniquePtr dataset(
        memory->Create("", source.width, source.height, 1, source.type, nullptr));
    if (!source.crs.empty()) {
      OGRSpatialReference srs;
      srs.SetFromUserInput(source.crs.c_str());
      srs.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
      dataset->SetSpatialRef(&srs);
    }
    if (!source.transform.empty()) dataset->SetGeoTransform(source.transform.data());
    GDALRasterBand* band = dataset->GetRasterBand(1);
    if (!source.nodata.empty()) band->SetNoDataValue(source.nodata[0]);
    if (!source.unit.empty()) band->SetUnitType(source.unit.c_str());
    if (!source.bits.empty())
      band->SetMetadataItem("NBITS", source.bits.c_str(), "IMAGE_STRUCTURE");
    if (source.point) dataset->SetMetadataItem("AREA_OR_POINT", "Point");
    EXPECT_EQ(band->RasterIO(GF_Write, 0, 0, source.width, source.height, source.values.data(),
                             source.width, source.height, GDT_Float64, 0, 0, nullptr),
              CE_None);
    CPLPushErrorHandler(CPLQuietErrorHandler);
    GDALDatasetUniquePtr copy(
        driver->CreateCopy(path.c_str(), dataset.get(), false, nullptr, nullptr, nullptr));
    CPLPopErrorHandler();
    EXPECT_TRUE(copy) << name;
    return path;
  }

  static GDALDatasetUniquePtr open(const std::filesystem::path& path) {
    return GDALDatasetUniquePtr(GDALDataset::Open(path.c_str(), GDAL_OF_RASTER));
  }

  const TemporaryFolder folder_;
  std::string said_;
  LogScope listens_{[this](LogLevel, const std::string& line) { said_ += line + "\n"; }};
};

TEST_F(Gdal, GeoTiffRoundTripKeepsEverything) {
  for (const char* crs : {"EPSG:32632", "EPSG:4326", "EPSG:2056", "EPSG:25832+5783"})
    for (const bool point : {false, true}) {
      SCOPED_TRACE(crs);
      Source source;
      source.crs = crs;
      const bool degrees = source.crs == "EPSG:4326";
      source.transform = degrees ? std::vector<double>{7.25, 1.0 / 3600, 0, 46.5, 0, -1.0 / 1200}
                                 : std::vector<double>{500000.5, 30, 0, 5100000.25, 0, -20};
      source.nodata = {-9999};
      source.values = {1.5, 2, 3, -9999, 5, 6, 7, 8.25, 9, -10, 11, 12};
      source.point = point;
      const auto in = make("in.tif", source);
      const Raster raster = read_raster(in);
      EXPECT_TRUE(std::isnan(raster.values[3]));
      EXPECT_EQ(raster.geo.geographic, degrees);
      const auto out = folder_ / "out.tif";
      write_raster(out, raster);
      const auto a = open(in);
      const auto b = open(out);
      ASSERT_TRUE(a && b);
      double before[6];
      double after[6];
      a->GetGeoTransform(before);
      b->GetGeoTransform(after);
      EXPECT_TRUE(std::equal(before, before + 6, after));
      ASSERT_TRUE(b->GetSpatialRef());
      EXPECT_TRUE(a->GetSpatialRef()->IsSame(b->GetSpatialRef()));
      EXPECT_STREQ(a->GetMetadataItem("AREA_OR_POINT"), b->GetMetadataItem("AREA_OR_POINT"));
      int has = 0;
      EXPECT_EQ(b->GetRasterBand(1)->GetNoDataValue(&has), -9999);
      EXPECT_TRUE(has);
      EXPECT_EQ(b->GetRasterBand(1)->GetRasterDataType(), GDT_Float32);
      EXPECT_STREQ(b->GetMetadataItem("COMPRESSION", "IMAGE_STRUCTURE"), "DEFLATE");
      std::vector<double> values(12);
      ASSERT_EQ(b->GetRasterBand(1)->RasterIO(GF_Read, 0, 0, 4, 3, values.data(), 4, 3, GDT_Float64,
                                              0, 0, nullptr),
                CE_None);
      EXPECT_EQ(values, source.values);
      expect_same_cells(read_raster(out), raster);
    }
}

TEST_F(Gdal, GeoTiffOddSizesAndNoGeoreference) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 7}, {17, 33}, {300, 520}}) {
    Raster raster = bumpy(width, height);
    write_raster(folder_ / "a.tif", raster);
    const Raster back = read_raster(folder_ / "a.tif");
    expect_same_cells(back, raster);
    EXPECT_DOUBLE_EQ(back.dx, 30);
    EXPECT_DOUBLE_EQ(back.dy, 20);
    EXPECT_FALSE(back.has_nodata);
    raster.values[0] = nan_height;
    write_raster(folder_ / "a.tif", raster);
    expect_same_cells(read_raster(folder_ / "a.tif"), raster);
    EXPECT_EQ(folder_.count(), 1u);
  }
}

TEST_F(Gdal, AHeightEqualToNodataIsNotLost) {
  Raster raster = bumpy(2, 2);
  raster.has_nodata = true;
  raster.nodata = 0;
  raster.values = {0, 1, nan_height, 2};
  write_raster(folder_ / "a.tif", raster);
  const Raster back = read_raster(folder_ / "a.tif");
  EXPECT_NEAR(back.values[0], 0, 1e-30);
  EXPECT_TRUE(std::isnan(back.values[2]));
  EXPECT_EQ(back.nodata, 0);
}

TEST_F(Gdal, NodataThatFloatCannotHoldExactly) {
  Source source;
  source.nodata = {-9999.9};
  source.values = {1, 2, 3, -9999.9, 5, 6, 7, 8, 9, 10, 11, 12};
  for (const GDALDataType type : {GDT_Float32, GDT_Float64}) {
    source.type = type;
    const Raster raster = read_raster(make("in.tif", source));
    EXPECT_TRUE(std::isnan(raster.values[3]));
    write_raster(folder_ / "out.tif", raster);
    expect_same_cells(read_raster(folder_ / "out.tif"), raster);
  }
  source.type = GDT_Float64;
  source.nodata = {-1.7976931348623157e308};
  source.values[3] = source.nodata[0];
  const Raster raster = read_raster(make("in.tif", source));
  EXPECT_TRUE(std::isnan(raster.values[3]));
  write_raster(folder_ / "out.tif", raster);
  expect_same_cells(read_raster(folder_ / "out.tif"), raster);
}

TEST_F(Gdal, DegreesBecomeMetresAndItSaysSo) {
  Source source;
  source.crs = "EPSG:4326";
  source.transform = {7, 0.001, 0, 45.0015, 0, -0.001};
  const Raster raster = read_raster(make("in.tif", source));
  EXPECT_NEAR(raster.dx, 78.847, 0.001);
  EXPECT_NEAR(raster.dy, 111.132, 0.001);
  EXPECT_NE(said_.find("in.tif: geographic"), std::string::npos) << said_;
  source.transform = {7, 0.001, 0, 89.99, 0, -0.001};
  expect_line(error_of([&] { read_raster(make("in.tif", source)); }), "in.tif", "latitude");
}

TEST_F(Gdal, FeetBecomeMetres) {
  Source source;
  source.crs = "EPSG:2263";  // New York, US survey feet
  source.transform = {980000, 10, 0, 200000, 0, -10};
  source.unit = "ft";
  const Raster raster = read_raster(make("in.tif", source));
  EXPECT_NEAR(raster.dx, 3.048006096, 1e-8);
  EXPECT_NEAR(raster.values[1], 2 * 0.3048, 1e-6);
  EXPECT_NE(said_.find("converted to metres"), std::string::npos) << said_;
}

TEST_F(Gdal, SouthUpIsTurnedRound) {
  Source source;
  source.crs = "EPSG:32632";
  source.transform = {500000, 30, 0, 5000000, 0, 20};
  const Raster raster = read_raster(make("in.tif", source));
  EXPECT_EQ(raster.values[0], 9);
  EXPECT_EQ(raster.values[8], 1);
  EXPECT_EQ(raster.geo.transform, (std::array<double, 6>{500000, 30, 0, 5000060, 0, -20}));
}

TEST_F(Gdal, RotatedIsFineAndShearedIsNot) {
  Source source;
  source.crs = "EPSG:32632";
  source.transform = {500000, 24, 18, 5000000, 18, -24};
  const Raster raster = read_raster(make("in.tif", source));
  EXPECT_DOUBLE_EQ(raster.dx, 30);
  EXPECT_DOUBLE_EQ(raster.dy, 30);
  write_raster(folder_ / "out.tif", raster);
  EXPECT_EQ(read_raster(folder_ / "out.tif").geo.transform, raster.geo.transform);
  source.transform = {500000, 24, 18, 5000000, 0, -24};
  expect_line(error_of([&] { read_raster(make("in.tif", source)); }), "in.tif", "sheared");
}

TEST_F(Gdal, AsciiGridAndHgtAndNetCdf) {
  put(folder_ / "a.asc",
      "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 10\nNODATA_value -1\n"
      "1 2 3\n4 -1 6.5\n");
  const Raster ascii = read_raster(folder_ / "a.asc");
  EXPECT_EQ(ascii.dx, 10);
  EXPECT_EQ(ascii.geo.transform, (std::array<double, 6>{100, 10, 0, 220, 0, -10}));
  EXPECT_EQ(ascii.values[5], 6.5f);
  EXPECT_TRUE(std::isnan(ascii.values[4]));
  EXPECT_TRUE(ascii.heights_known);

  std::string hgt(1201 * 1201 * 2, '\0');
  hgt[0] = '\x01';
  hgt[1] = '\x02';
  hgt[2] = '\x80';
  put(folder_ / "N46E007.hgt", hgt);
  const Raster srtm = read_raster(folder_ / "N46E007.hgt");
  EXPECT_EQ(srtm.width, 1201);
  EXPECT_EQ(srtm.values[0], 258);
  EXPECT_TRUE(std::isnan(srtm.values[1]));
  EXPECT_TRUE(srtm.geo.geographic);
  EXPECT_NEAR(srtm.dx, metres_per_degree(46.5).east / 1200, 1e-6);
  put(folder_ / "N46E007.hgt", hgt.substr(0, hgt.size() / 2));
  expect_line(error_of([&] { read_raster(folder_ / "N46E007.hgt"); }), "N46E007.hgt", "GDAL");

  if (!GetGDALDriverManager()->GetDriverByName("netCDF")) return;
  Source source;
  source.crs = "EPSG:4326";
  source.transform = {7, 0.01, 0, 46, 0, -0.01};
  const Raster netcdf = read_raster(make("a.nc", source, "netCDF"));
  EXPECT_EQ(netcdf.values[0], 1);
  EXPECT_EQ(netcdf.values[11], 12);
  EXPECT_NEAR(netcdf.geo.transform[3], 46, 1e-9);
}

TEST_F(Gdal, PlainImagesHaveNoHeights) {
  Source source;
  source.type = GDT_UInt16;
  source.values.assign(12, 0);
  source.values[5] = 65535;
  for (const auto& [name, driver] : {std::pair{"a.png", "PNG"}, {"a.tif", "GTiff"}}) {
    const Raster raster = read_raster(make(name, source, driver));
    EXPECT_FALSE(raster.heights_known) << name;
    EXPECT_EQ(raster.sample_max, 65535);
    EXPECT_EQ(raster.values[5], 65535);
    EXPECT_EQ(raster.dx, 0);
  }
  source.type = GDT_Byte;
  source.values[5] = 255;
  EXPECT_EQ(read_raster(make("b.png", source, "PNG")).sample_max, 255);
  // Black and white, as a drawn letter is.
  source.values[5] = 1;
  source.bits = "1";
  const Raster letter = read_raster(make("letter.png", source, "PNG"));
  EXPECT_EQ(letter.sample_max, 1);
  EXPECT_EQ(letter.values[5], 1);
  source.bits.clear();
  source.type = GDT_UInt16;
  source.crs = "EPSG:32632";
  source.transform = {500000, 30, 0, 5000000, 0, -20};
  EXPECT_TRUE(read_raster(make("c.tif", source)).heights_known);
}

TEST_F(Gdal, RefusesNanThatIsNotNodata) {
  Source source;
  source.values = {1, 2, 3, 4, 5, 6, 7, 8, 9, nan_height, 11, 12};
  expect_line(error_of([&] { read_raster(make("a.tif", source)); }), "a.tif", "column 1, row 2");
  source.values[9] = std::numeric_limits<double>::infinity();
  expect_line(error_of([&] { read_raster(make("a.tif", source)); }), "a.tif", "column 1, row 2");
  source.type = GDT_Float64;
  source.values[9] = 1e300;
  expect_line(error_of([&] { read_raster(make("a.tif", source)); }), "a.tif", "1e+300");
  source.nodata = {nan_height};
  source.values[9] = nan_height;
  EXPECT_TRUE(std::isnan(read_raster(make("a.tif", source)).values[9]));
}

TEST_F(Gdal, RefusesTruncatedFiles) {
  for (const char* name : {"a.tif", "a.png"}) {
    SCOPED_TRACE(name);
    const auto path = folder_ / name;
    WriteOptions options;
    options.sidecar = false;
    write_raster(path, bumpy(200, 200), options);
    const std::string whole = get(path);
    for (const std::size_t size : {std::size_t{10}, whole.size() / 2, whole.size() - 40}) {
      SCOPED_TRACE(size);
      put(path, whole.substr(0, size));
      expect_line(error_of([&] { read_raster(path); }), path, "expected");
    }
  }
  put(folder_ / "a.asc", "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2 3\n4 5\n");
  expect_line(error_of([&] { read_raster(folder_ / "a.asc"); }), "a.asc", "expected");
  put(folder_ / "b.tif", "just text, whatever its name says");
  expect_line(error_of([&] { read_raster(folder_ / "b.tif"); }), "b.tif", "GDAL");
}

// GDAL reads each of these as 0 and says nothing.
TEST_F(Gdal, RefusesAsciiGridsThatAreNotNumbers) {
  const auto path = folder_ / "a.asc";
  const std::string header = "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n";
  const auto refused = [&](const std::string& cells, const char* found) {
    SCOPED_TRACE(cells);
    put(path, header + cells);
    expect_line(error_of([&] { read_raster(path); }), "a.asc", found);
  };
  refused("1 2 3\n4 5 6\n7 8\n", "expected 3 x 3 = 9 numbers, found 8");
  refused("1 2 3\n4 5 6\n7 8 9 10\n", "found 10");
  refused("abc 2 3\n4 5 6\n7 8 9\n", "found 6");
  refused("1 2 3\n4 5 abc\n7 8 9\n", "column 2, row 1, found \"abc\"");
  refused("1 2 3\n4 5x 6\n7 8 9\n", "column 1, row 1, found \"5x\"");
  refused("1 2 3\n4 5 6\n7 nan 9\n", "column 1, row 2, found \"nan\"");
  refused("1 2 3\n4 inf 6\n7 8 9\n", "found \"inf\"");
  refused("1 2 3\n4 1e999 6\n7 8 9\n", "found \"1e999\"");
}

TEST_F(Gdal, AsciiGridsOfGrassAndOfGeoids) {
  const auto path = folder_ / "a.asc";
  const std::string grass = "north: 20\nsouth: 0\neast: 30\nwest: 0\nrows: 2\ncols: 3\nnull: -1\n";
  put(path, grass + "1 2.5 3\n4 -1 6\n");
  const Raster read = read_raster(path);
  EXPECT_EQ(read.values[1], 2.5f);
  EXPECT_TRUE(std::isnan(read.values[4]));
  put(path, grass + "1 2 3\n4 * 6\n");
  expect_line(error_of([&] { read_raster(path); }), "a.asc", "column 1, row 1, found \"*\"");
  put(path, grass + "1 2 3\n4 5\n");
  expect_line(error_of([&] { read_raster(path); }), "a.asc", "6 numbers, found 5");

  const auto geoid = folder_ / "a.isg";
  const std::string isg =
      "begin_of_head ================\nmodel name     : test\nlat min        =   40.0\n"
      "lat max        =   41.0\nlon min        =  120.0\nlon max        =  121.5\n"
      "delta lat      =    0.5\ndelta lon      =    0.5\nnrows          =        2\n"
      "ncols          =        3\nnodata         =   -9999.0\nISG format     =        1.0\n"
      "end_of_head ==================\n";
  put(geoid, isg + "1 2.5 3\n4 -9999.0 6\n");
  EXPECT_EQ(read_raster(geoid).values[1], 2.5f);
  EXPECT_TRUE(std::isnan(read_raster(geoid).values[4]));
  put(geoid, isg + "1 two 3\n4 5 6\n");
  expect_line(error_of([&] { read_raster(geoid); }), "a.isg", "column 1, row 0, found \"two\"");
}

TEST_F(Gdal, AsciiGridsAreReadAsTheyAreWritten) {
  const auto path = folder_ / "a.asc";
  const std::string header = "NCOLS 3\r\nNROWS 2\r\nXLLCENTER 0\r\nYLLCENTER 0\r\nCELLSIZE 10\r\n";
  put(path, header + "+1 2,5 3e2 -4. 1e-999\r\n\r\n .5");
  EXPECT_EQ(read_raster(path).values, (std::vector<float>{1, 2.5f, 300, -4, 0, .5f}));
  put(path, header + "NODATA_value nan\r\n1 2 3\r\n4 nan 6\r\n");
  EXPECT_TRUE(std::isnan(read_raster(path).values[4]));
  // Decimals after so many whole numbers that GDAL has made up its mind.
  std::string cells = "ncols 300\nnrows 300\nxllcorner 0\nyllcorner 0\ncellsize 10\n";
  for (int i = 0; i < 300 * 300 - 1; ++i) cells += i % 300 == 299 ? "-9999\n" : "-9999 ";
  put(path, cells + "1.5\n");
  EXPECT_EQ(read_raster(path).values.back(), 1.5f);
}

TEST_F(Gdal, RefusesHugeBandsAndPalettes) {
  put(folder_ / "huge.vrt",
      "<VRTDataset rasterXSize=\"70000\" rasterYSize=\"70000\">"
      "<VRTRasterBand dataType=\"Float32\" band=\"1\"/></VRTDataset>");
  expect_line(error_of([&] { read_raster(folder_ / "huge.vrt"); }), "huge.vrt", "70000 x 70000");
  const auto path = make("a.tif", {});
  ReadOptions options;
  options.band = 2;
  expect_line(error_of([&] { read_raster(path, options); }), path, "found 1 bands");
}

TEST_F(Gdal, UnwritableTargetsAreNamed) {
  for (const char* name : {"a.tif", "a.png"}) {
    const auto path = folder_ / ("none/" + std::string(name));
    expect_line(error_of([&] { write_raster(path, bumpy(3, 3)); }), path, "No such file");
  }
  EXPECT_EQ(folder_.count(), 0u);
}

TEST_F(Gdal, RgbPicture) {
  std::vector<unsigned char> rgb;
  for (int i = 0; i < 3 * 5 * 4; ++i) rgb.push_back(static_cast<unsigned char>(i * 4));
  write_picture(folder_ / "a.png", 5, 4, rgb);
  EXPECT_EQ(folder_.count(), 1u);
  const auto dataset = open(folder_ / "a.png");
  ASSERT_TRUE(dataset);
  ASSERT_EQ(dataset->GetRasterCount(), 3);
  std::vector<unsigned char> back(rgb.size());
  ASSERT_EQ(dataset->RasterIO(GF_Read, 0, 0, 5, 4, back.data(), 5, 4, GDT_Byte, 3, nullptr, 3, 15,
                              1, nullptr),
            CE_None);
  EXPECT_EQ(back, rgb);
  expect_line(error_of([&] { write_picture(folder_ / "b.png", 5, 5, rgb); }), "b.png", "60 bytes");
}

// Nearly the colours that were given, in a fraction of the bytes, and nothing beside the file.
TEST_F(Gdal, PicturesAreJpegOrWebPWhereTheirNamesSaySo) {
  constexpr int side = 64;
  std::vector<unsigned char> rgb;
  for (int i = 0; i < side * side; ++i)
    for (const int value : {60 + i % side, 90 + i / side, 120 + (i % side + i / side) / 2})
      rgb.push_back(static_cast<unsigned char>(value));
  for (const auto& [name, driver] :
       {std::pair{"a.jpg", "JPEG"}, {"b.JPEG", "JPEG"}, {"c.webp", "WEBP"}}) {
    SCOPED_TRACE(name);
    if (!can_write_picture(name)) continue;  // a GDAL without it
    write_picture(folder_ / name, side, side, rgb);
    const auto dataset = open(folder_ / name);
    ASSERT_TRUE(dataset);
    EXPECT_STREQ(dataset->GetDriverName(), driver);
    std::vector<unsigned char> back(rgb.size());
    ASSERT_EQ(dataset->RasterIO(GF_Read, 0, 0, side, side, back.data(), side, side, GDT_Byte, 3,
                                nullptr, 3, 3 * side, 1, nullptr),
              CE_None);
    int most = 0;
    for (std::size_t i = 0; i < rgb.size(); ++i) most = std::max(most, std::abs(rgb[i] - back[i]));
    EXPECT_LT(most, 12);
    EXPECT_NE(back, rgb) << "lossy";
    EXPECT_LT(std::filesystem::file_size(folder_ / name), rgb.size() / 6);
  }
  EXPECT_TRUE(can_write_picture("a.jpg"));
  EXPECT_TRUE(can_write_picture("a.webp"));
  EXPECT_LE(folder_.count(), 3u);
  EXPECT_FALSE(can_write_picture("a.gif"));
  expect_line(error_of([&] { write_picture(folder_ / "a.gif", side, side, rgb); }), "a.gif",
              ".png, .jpg or .webp");
}

// A driver that was left out of this GDAL is told before a picture is drawn, and in one line.
TEST_F(Gdal, APictureWhoseDriverIsNotThereIsRefused) {
  ASSERT_TRUE(can_write_picture("a.png"));  // from here on nobody registers them again
  GDALDriver* const driver = GetGDALDriverManager()->GetDriverByName("WEBP");
  if (driver == nullptr) GTEST_SKIP() << "a GDAL without WebP";
  GetGDALDriverManager()->DeregisterDriver(driver);
  EXPECT_FALSE(can_write_picture("a.webp"));
  EXPECT_TRUE(can_write_picture("a.png"));
  expect_line(error_of([&] {
                write_picture(folder_ / "a.webp", 1, 1, {1, 2, 3});
              }),
              "a.webp", "no WEBP driver");
  GetGDALDriverManager()->RegisterDriver(driver);
  EXPECT_TRUE(can_write_picture("a.webp"));
}

// Masks that are painted: brightness decides, not redness, and what is transparent is not there.
TEST_F(Gdal, PicturesInColoursAreReadByTheirBrightness) {
  const auto path = folder_ / "a.png";
  const auto read = [&](int bands, const std::vector<std::uint8_t>& samples) {
    codec::write_png8(path, static_cast<int>(samples.size()) / bands, 1, bands, samples);
    return read_raster(path).values;
  };
  const std::vector<float> seen =
      read(3, {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 7, 7, 7});
  EXPECT_NEAR(seen[0], 0.2126 * 255, 1e-4);
  EXPECT_NEAR(seen[1], 0.7152 * 255, 1e-4);
  EXPECT_NEAR(seen[2], 0.0722 * 255, 1e-4);
  EXPECT_EQ(seen[3], 255);
  EXPECT_EQ(seen[4], 7) << "greys stay what they are";
  EXPECT_EQ(read(4, {255, 255, 255, 255, 255, 255, 255, 51, 200, 200, 200, 0}),
            (std::vector<float>{255, 51, 0}));
  EXPECT_EQ(read(2, {255, 255, 100, 51, 40, 0}), (std::vector<float>{255, 20, 0}));
  ReadOptions red;
  red.band = 1;
  codec::write_png8(path, 2, 1, 3, {9, 200, 0, 8, 0, 200});
  EXPECT_EQ(read_raster(path, red).values, (std::vector<float>{9, 8})) << "as it was asked for";
  EXPECT_FALSE(read_raster(path).heights_known);
}

}  // namespace
}  // namespace scree::io
