// The only file that knows GDAL.
#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal_priv.h>
#include <ogr_spatialref.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "base/log.h"
#include "base/progress.h"
#include "io/file/atomic_file.h"
#include "io/raster/cells.h"
#include "io/raster/codec.h"
#include "io/raster/geodesy.h"

namespace scree::io::codec {
namespace {

std::string one_line(const char* message) {
  std::string line = message;
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

// What GDAL says on threads of its own, where tiles are unpacked: of those it tells the handler of
// the whole process. That is ours while any file is open, and the one from before after that.
class OtherThreads {
 public:
  static void listen() {
    const std::lock_guard<std::mutex> guard(mutex);
    if (listeners++ > 0) return;
    first.clear();
    before = CPLSetErrorHandler(&OtherThreads::keep);
  }
  static void leave() {
    const std::lock_guard<std::mutex> guard(mutex);
    if (--listeners == 0) CPLSetErrorHandler(before);
  }
  // The first failure, if there was one.
  static std::string failure() {
    const std::lock_guard<std::mutex> guard(mutex);
    return first;
  }

 private:
  static void CPL_STDCALL keep(CPLErr level, CPLErrorNum /*number*/, const char* message) {
    const std::lock_guard<std::mutex> guard(mutex);
    if (level >= CE_Failure && first.empty()) first = one_line(message);
  }

  inline static std::mutex mutex;
  inline static int listeners = 0;
  inline static CPLErrorHandler before = nullptr;
  inline static std::string first;
};

// For as long as it lives: GDAL prints nothing, writes no .aux.xml, and its first failure is kept
// for our own message. Some writers report a full disk in no other way.
class GdalScope {
 public:
  GdalScope() {
    OtherThreads::listen();
    static std::once_flag once;
    std::call_once(once, [] { GDALAllRegister(); });
    CPLPushErrorHandlerEx(&GdalScope::keep, this);
    CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", "NO");
    // Else a grid of text that begins with whole numbers has none but whole numbers.
    CPLSetThreadLocalConfigOption("AAIGRID_DATATYPE", "Float32");
    CPLErrorReset();
  }
  ~GdalScope() {
    CPLSetThreadLocalConfigOption("AAIGRID_DATATYPE", nullptr);
    CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", nullptr);
    CPLPopErrorHandler();
    OtherThreads::leave();
  }
  GdalScope(const GdalScope&) = delete;
  GdalScope& operator=(const GdalScope&) = delete;

  bool failed() const { return failed_; }
  // What went wrong so far did not matter: a driver that gave up before the right one was found.
  void forget() {
    failed_ = false;
    first_.clear();
  }
  std::string reason() const {
    const std::string reason = first_.empty() ? OtherThreads::failure() : first_;
    return reason.empty() ? "GDAL gives no reason" : reason;
  }

 private:
  static void CPL_STDCALL keep(CPLErr level, CPLErrorNum, const char* message) {
    auto* scope = static_cast<GdalScope*>(CPLGetErrorHandlerUserData());
    if (level < CE_Failure || scope->failed_) return;
    scope->failed_ = true;
    scope->first_ = one_line(message);
  }

  bool failed_ = false;
  std::string first_;
};

// Reading -----------------------------------------------------------------------------------

// A NetCDF file with several variables holds each as a dataset of its own.
GDALDatasetUniquePtr open_first_part(const std::filesystem::path& path, GDALDataset& whole) {
  char** parts = whole.GetMetadata("SUBDATASETS");
  const char* name = CSLFetchNameValue(parts, "SUBDATASET_1_NAME");
  if (!name) throw Error(text(path.string(), ": expected a raster band, found none"));
  log(LogLevel::info, text(path.string(), ": several variables, reading the first (", name, ")"));
  return GDALDatasetUniquePtr(GDALDataset::Open(name, GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR));
}

GDALDatasetUniquePtr open_dataset(const std::filesystem::path& path, const ReadOptions& options,
                                  const GdalScope& scope) {
  const unsigned flags = GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR;
  // Of a large GeoTIFF, most of the time is unpacking: tiles of one request on all cores.
  const char* const on_all_cores[] = {"NUM_THREADS=ALL_CPUS", nullptr};
  const bool tiff = format_of(path) == Format::geotiff;
  GDALDatasetUniquePtr dataset(
      GDALDataset::Open(path.c_str(), flags, nullptr, tiff ? on_all_cores : nullptr));
  const bool netcdf = dataset && EQUAL(dataset->GetDriverName(), "netCDF");
  if (netcdf && !options.channel.empty()) {
    const std::string name = text("NETCDF:\"", path.string(), "\":", options.channel);
    dataset.reset(GDALDataset::Open(name.c_str(), flags));
    if (!dataset)
      throw Error(text(path.string(), ": expected a variable named \"", options.channel,
                       "\": ", scope.reason()));
  } else if (dataset && dataset->GetRasterCount() == 0) {
    dataset = open_first_part(path, *dataset);
  }
  if (!dataset)
    throw Error(text(path.string(), ": expected a raster that GDAL reads: ", scope.reason()));
  return dataset;
}

GDALRasterBand& choose_band(const std::filesystem::path& path, GDALDataset& dataset, int wanted) {
  const int count = dataset.GetRasterCount();
  if (wanted < 1 || wanted > count)
    throw Error(text(path.string(), ": expected band ", wanted, ", found ", count, " bands"));
  GDALRasterBand& band = *dataset.GetRasterBand(wanted);
  if (GDALDataTypeIsComplex(band.GetRasterDataType()))
    throw Error(text(path.string(), ": expected real numbers, found complex ones"));
  if (band.GetColorTable())
    throw Error(text(path.string(), ": expected grey samples, found a picture with a palette"));
  return band;
}

std::string wkt_of(const OGRSpatialReference& srs) {
  char* wkt = nullptr;
  const char* const options[] = {"FORMAT=WKT2_2019", nullptr};
  // WKT1 cannot say everything that a file can.
  const bool done = srs.exportToWkt(&wkt, options) == OGRERR_NONE;
  std::string result = done && wkt ? wkt : "";
  CPLFree(wkt);
  return result;
}

// Metres between columns and rows of a north-up or rotated, not sheared, transform.
void set_cell_size(const std::filesystem::path& path, const OGRSpatialReference* srs,
                   Raster& raster) {
  const auto& t = raster.geo.transform;
  const double across = std::sqrt(t[1] * t[1] + t[4] * t[4]);
  const double down = std::sqrt(t[2] * t[2] + t[5] * t[5]);
  if (!(across > 0) || !(down > 0) || !std::isfinite(across * down))
    throw Error(
        text(path.string(), ": expected a positive cell size, found ", across, " x ", down));
  if (std::fabs(t[1] * t[2] + t[4] * t[5]) > 1e-6 * across * down)
    throw Error(text(path.string(),
                     ": expected rectangular cells, found a sheared transform; "
                     "warp it to north-up first"));
  const bool rotated = t[2] != 0 || t[4] != 0;
  if (!raster.geo.geographic) {
    const double unit = srs ? srs->GetLinearUnits() : 1.0;
    raster.dx = across * unit;
    raster.dy = down * unit;
    if (unit != 1.0)
      log(LogLevel::info, text(path.string(), ": cells of ", raster.dx, " x ", raster.dy,
                               " m (converted, ", unit, " m a unit)"));
    return;
  }
  if (rotated)
    throw Error(text(path.string(),
                     ": expected a north-up raster in degrees, found a rotated one; "
                     "warp it to a projected system first"));
  const double degree = srs->GetAngularUnits() * 180 / 3.14159265358979323846;
  // Files say 0.0174532925199433: the unit is a degree, not a degree and a few ulp.
  const double unit = std::fabs(degree - 1) < 1e-9 ? 1.0 : degree;
  const double latitude = (t[3] + t[5] * raster.height / 2) * unit;
  if (!(std::fabs(latitude) < 89.9))
    throw Error(text(path.string(), ": expected a central latitude between -89.9 and 89.9, found ",
                     latitude));
  const DegreeLength length =
      metres_per_degree(latitude, srs->GetSemiMajor(), srs->GetInvFlattening());
  raster.dx = across * unit * length.east;
  raster.dy = down * unit * length.north;
  log(LogLevel::info, text(path.string(), ": geographic raster, cells of ", raster.dx, " x ",
                           raster.dy, " m at its central latitude ", latitude));
}

// Metres a unit of height, from the band's unit; 1 where it says nothing that we know.
double height_unit(const std::string& name) {
  const std::string unit(CPLString(name).tolower());
  if (unit == "ft" || unit == "foot" || unit == "feet" || unit == "international foot")
    return 0.3048;
  if (unit == "us survey foot" || unit == "us_survey_foot" || unit == "ftus" || unit == "us-ft" ||
      unit == "foot_us" || unit == "sfoot")
    return 1200.0 / 3937.0;
  if (unit == "km" || unit == "kilometre" || unit == "kilometer") return 1000;
  if (unit == "cm" || unit == "centimetre" || unit == "centimeter") return 0.01;
  if (unit == "mm" || unit == "millimetre" || unit == "millimeter") return 0.001;
  return 1;
}

void read_georeference(const std::filesystem::path& path, GDALDataset& dataset, bool feet,
                       Raster& raster) {
  double transform[6];
  const bool placed = dataset.GetGeoTransform(transform) == CE_None;
  const OGRSpatialReference* srs = dataset.GetSpatialRef();
  if (!placed && !srs) return;
  raster.geo.present = true;
  if (srs) {
    // Heights are metres from here on: a system that says feet upwards would be wrong.
    std::unique_ptr<OGRSpatialReference> flat(srs->Clone());
    if (feet && srs->IsCompound()) flat->StripVertical();
    raster.geo.crs_wkt = wkt_of(*flat);
    raster.geo.geographic = srs->IsGeographic() != 0;
  }
  const char* registration = dataset.GetMetadataItem("AREA_OR_POINT");
  raster.geo.pixel_is_point = registration && EQUAL(registration, "Point");
  if (!placed) return;
  std::copy(transform, transform + 6, raster.geo.transform.begin());
  set_cell_size(path, srs, raster);
  if (!srs && std::max(raster.dx, raster.dy) < 0.02)
    log(LogLevel::warning, text(path.string(), ": no coordinate system, so cells are taken to be ",
                                raster.dx, " x ", raster.dy, " metres; are they degrees?"));
}

std::optional<double> nodata_of(GDALRasterBand& band, const ReadOptions& options) {
  int has = 0;
  double value = 0;
  if (band.GetRasterDataType() == GDT_Int64) {
    value = static_cast<double>(band.GetNoDataValueAsInt64(&has));
  } else if (band.GetRasterDataType() == GDT_UInt64) {
    value = static_cast<double>(band.GetNoDataValueAsUInt64(&has));
  } else {
    value = band.GetNoDataValue(&has);
  }
  if (has) return value;
  return options.nodata;
}

// A finite number, with a point or a comma as GDAL reads it, or the NaN that stands for nodata.
bool is_height(std::string word, const std::optional<double>& nodata) {
  std::replace(word.begin(), word.end(), ',', '.');
  const char* first = word.c_str() + (word.starts_with('+') ? 1 : 0);
  const char* last = word.c_str() + word.size();
  double value = 0;
  const auto [end, code] = std::from_chars(first, last, value);
  // Too small for a double is 0.
  if (code == std::errc::result_out_of_range) value = std::strtod(first, nullptr);
  if (code == std::errc::invalid_argument || end != last) return false;
  if (std::isnan(value)) return nodata && std::isnan(*nodata);
  return std::isfinite(value) || (nodata && value == *nodata);
}

// The next word of a text; empty at its end.
std::string next_word(std::streambuf& in) {
  constexpr int none = std::char_traits<char>::eof();
  std::string word;
  int c = in.sbumpc();
  while (c != none && std::isspace(c)) c = in.sbumpc();
  for (; c != none && !std::isspace(c); c = in.sbumpc()) word += static_cast<char>(c);
  return word;
}

// The rest of a line.
std::string next_line(std::streambuf& in) {
  std::string line;
  int c = in.sbumpc();
  for (; c != std::char_traits<char>::eof() && c != '\n' && c != '\r'; c = in.sbumpc())
    line += static_cast<char>(c);
  return line;
}

// To where GDAL ends it: before the first line that begins with no letter, or (ISG, the format of
// geoids) after the one that says so.
void skip_header(std::streambuf& in, bool until_it_says) {
  if (until_it_says) {
    while (in.sgetc() != std::char_traits<char>::eof())
      if (next_line(in).starts_with("end_of_head")) return;
    return;
  }
  for (int c = in.sgetc(); std::isalpha(c) || c == '\n' || c == '\r'; c = in.sgetc()) next_line(in);
}

// GDAL takes any word for 0, and what is missing at the end too.
void check_ascii_grid(const std::filesystem::path& path, const Raster& raster,
                      const std::optional<double>& nodata, bool isg) {
  std::filebuf in;
  if (!in.open(path, std::ios::in | std::ios::binary))
    throw Error(text(path.string(), ": cannot be read"));
  skip_header(in, isg);
  const long long expected = static_cast<long long>(raster.width) * raster.height;
  long long found = 0;
  for (std::string word; !(word = next_word(in)).empty(); ++found) {
    if (found % raster.width == 0) stop_if_cancelled();
    if (found >= expected || is_height(word, nodata)) continue;
    for (char& letter : word)
      if (!std::isprint(static_cast<unsigned char>(letter))) letter = '?';
    throw Error(text(path.string(), ": expected a finite number at column ", found % raster.width,
                     ", row ", found / raster.width, ", found \"", word.substr(0, 40), "\""));
  }
  if (found != expected)
    throw Error(text(path.string(), ": expected ", raster.width, " x ", raster.height, " = ",
                     expected, " numbers, found ", found));
}

// Rows in pieces of about 16 MiB, decoded as double, so that nodata is compared as the file has it.
void read_cells(const std::filesystem::path& path, GDALRasterBand& band, double to_metres,
                const std::optional<double>& nodata, bool nan_too, const GdalScope& scope,
                Raster& raster) {
  CellRule rule(path, nodata, band.GetRasterDataType() == GDT_Float32, nan_too);
  const double scale = band.GetScale() * to_metres;
  const double offset = band.GetOffset() * to_metres;
  const bool scaled = scale != 1.0 || offset != 0.0;
  const int flags = band.GetMaskFlags();
  const bool masked = (flags & GMF_PER_DATASET) && !(flags & GMF_ALPHA);
  const int rows = std::clamp((2 << 20) / raster.width, 1, raster.height);
  std::vector<double> samples(static_cast<std::size_t>(rows) *
                              static_cast<std::size_t>(raster.width));
  std::vector<GByte> mask(masked ? samples.size() : 0, 255);
  float* cell = raster.values.data();
  for (int top = 0; top < raster.height; top += rows) {
    stop_if_cancelled();
    const int count = std::min(rows, raster.height - top);
    if (band.RasterIO(GF_Read, 0, top, raster.width, count, samples.data(), raster.width, count,
                      GDT_Float64, 0, 0, nullptr) != CE_None ||
        (masked &&
         band.GetMaskBand()->RasterIO(GF_Read, 0, top, raster.width, count, mask.data(),
                                      raster.width, count, GDT_Byte, 0, 0, nullptr) != CE_None) ||
        scope.failed())
      throw Error(text(path.string(), ": expected ", raster.width, " x ", raster.height,
                       " whole samples, reading failed at row ", top, ": ", scope.reason()));
    for (std::size_t i = 0; i < static_cast<std::size_t>(count) * raster.width; ++i, ++cell) {
      const int column = static_cast<int>(i % raster.width);
      const int row = top + static_cast<int>(i / raster.width);
      if (masked && mask[i] == 0) {
        *cell = std::numeric_limits<float>::quiet_NaN();
        continue;
      }
      *cell = rule(samples[i], column, row);
      if (scaled && !std::isnan(*cell)) *cell = static_cast<float>(samples[i] * scale + offset);
    }
  }
  raster.has_nodata = nodata.has_value() || masked;
  raster.nodata = nodata.value_or(std::numeric_limits<double>::quiet_NaN());
  if (!raster.has_nodata) raster.nodata = 0;
}

// Row 0 north, column 0 west; the transform moves with the cells.
void face_north(Raster& raster) {
  auto& t = raster.geo.transform;
  if (!raster.geo.present || t[2] != 0 || t[4] != 0 || raster.dx == 0) return;
  if (t[5] > 0) {
    flip_rows(raster);
    t[3] += t[5] * raster.height;
    t[5] = -t[5];
  }
  if (t[1] < 0) {
    for (auto row = raster.values.begin(); row != raster.values.end(); row += raster.width)
      std::reverse(row, row + raster.width);
    t[0] += t[1] * raster.width;
    t[1] = -t[1];
  }
}

// Small unsigned integers that nothing ties to the ground are a picture's greys, not metres.
void mark_plain_image(GDALDataset& dataset, GDALRasterBand& band, Raster& raster) {
  const GDALDataType type = band.GetRasterDataType();
  if (type != GDT_Byte && type != GDT_UInt16) return;
  const std::string driver = dataset.GetDriverName();
  bool image = !raster.geo.present;
  for (const char* name : {"PNG", "JPEG", "BMP", "GIF", "WEBP", "PNM"})
    image = image || driver == name;
  if (!image) return;
  raster.heights_known = false;
  // A picture of two greys has a bit a sample.
  const char* given = band.GetMetadataItem("NBITS", "IMAGE_STRUCTURE");
  const int bits =
      std::clamp(given != nullptr ? std::atoi(given) : 16, 1, type == GDT_Byte ? 8 : 16);
  raster.sample_max = (1 << bits) - 1;
}

// Of a picture in colours, the brightness that the eye sees (Rec. 709), of its samples as they are;
// what is transparent counts for nothing.
void take_brightness(const std::filesystem::path& path, GDALDataset& dataset,
                     const GdalScope& scope, Raster& raster) {
  const int count = dataset.GetRasterCount();
  if (count == 1) return;
  std::vector<double> brightness(raster.values.size());
  std::vector<float> opaque;
  for (int i = 1; i <= count; ++i) {
    const GDALColorInterp colour = dataset.GetRasterBand(i)->GetColorInterpretation();
    const double weight = colour == GCI_GrayIndex   ? 1
                          : colour == GCI_RedBand   ? 0.2126
                          : colour == GCI_GreenBand ? 0.7152
                          : colour == GCI_BlueBand  ? 0.0722
                                                    : 0;
    if (weight == 0 && colour != GCI_AlphaBand)
      throw Error(text(path.string(), ": expected a picture in grey or in red, green and blue, ",
                       "found ", count, " bands of which band ", i, " is neither"));
    Raster band;
    band.width = raster.width, band.height = raster.height;
    band.values.resize(raster.values.size());
    read_cells(path, choose_band(path, dataset, i), 1, {}, false, scope, band);
    for (std::size_t cell = 0; cell < brightness.size(); ++cell)
      brightness[cell] += weight * static_cast<double>(band.values[cell]);
    if (colour == GCI_AlphaBand) opaque = std::move(band.values);
  }
  for (std::size_t cell = 0; cell < brightness.size(); ++cell) {
    const double share = opaque.empty() ? 1 : static_cast<double>(opaque[cell]) / raster.sample_max;
    // What has no data stays so.
    if (!std::isnan(raster.values[cell]))
      raster.values[cell] = static_cast<float>(brightness[cell] * share);
  }
  log(LogLevel::info,
      text(path.string(), ": a picture of ", count, " bands: read as the brightness of its colours",
           opaque.empty() ? "" : ", less where it is transparent"));
}

// Writing -----------------------------------------------------------------------------------

// The nodata value that a float32 file can hold: the input's own wherever possible.
double writable_nodata(const Raster& raster) {
  if (!raster.has_nodata || std::isnan(raster.nodata))
    return std::numeric_limits<double>::quiet_NaN();
  constexpr double largest = std::numeric_limits<float>::max();
  return std::clamp(raster.nodata, -largest, largest);
}

void set_georeference(GDALDataset& dataset, const Raster& raster) {
  const GeoReference& geo = raster.geo;
  if (geo.present && !geo.crs_wkt.empty()) {
    OGRSpatialReference srs;
    srs.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    if (srs.importFromWkt(geo.crs_wkt.c_str()) == OGRERR_NONE) dataset.SetSpatialRef(&srs);
  }
  if (geo.present && geo.pixel_is_point)
    dataset.SetMetadataItem(GDALMD_AREA_OR_POINT, GDALMD_AOP_POINT);
  std::array<double, 6> transform = geo.transform;
  if (!geo.present) {
    // A local system in metres, so that the cell size is not lost.
    if (!(raster.dx > 0 && raster.dy > 0)) return;
    transform = {0, raster.dx, 0, raster.dy * raster.height, 0, -raster.dy};
  } else if (transform == GeoReference{}.transform) {
    return;  // a coordinate system without a place
  }
  dataset.SetGeoTransform(transform.data());
}

// One piece of rows; a height that happens to equal the nodata value moves to the next float, for
// a reader would lose it otherwise.
long long fill_piece(const Raster& raster, int top, int rows, float nodata,
                     std::vector<float>& piece) {
  const auto* from = raster.values.data() + static_cast<std::ptrdiff_t>(top) * raster.width;
  const std::ptrdiff_t count = static_cast<std::ptrdiff_t>(rows) * raster.width;
  piece.assign(from, from + count);
  long long moved = 0;
  for (float& value : piece) {
    if (std::isnan(value)) {
      value = nodata;
    } else if (value == nodata) {
      value = std::nextafter(value, value < 0 ? 0.0f : std::numeric_limits<float>::infinity());
      ++moved;
    }
  }
  return moved;
}

void write_cells(const std::filesystem::path& path, GDALDataset& dataset, const Raster& raster,
                 double nodata, const GdalScope& scope) {
  constexpr int block = 256;
  std::vector<float> piece;
  long long moved = 0;
  for (int top = 0; top < raster.height; top += block) {
    const int rows = std::min(block, raster.height - top);
    moved += fill_piece(raster, top, rows, static_cast<float>(nodata), piece);
    if (dataset.GetRasterBand(1)->RasterIO(GF_Write, 0, top, raster.width, rows, piece.data(),
                                           raster.width, rows, GDT_Float32, 0, 0,
                                           nullptr) != CE_None ||
        scope.failed())
      throw Error(text(path.string(), ": cannot be written: ", scope.reason()));
  }
  if (moved > 0)
    log(LogLevel::info, text(path.string(), ": ", moved, " heights equal the nodata value ", nodata,
                             " and were moved to the next float"));
}

void fill_geotiff(const std::filesystem::path& path, const std::filesystem::path& name,
                  const Raster& raster, const GdalScope& scope) {
  CPLStringList options;
  options.SetNameValue("COMPRESS", "DEFLATE");
  options.SetNameValue("PREDICTOR", "3");
  options.SetNameValue("TILED", "YES");
  options.SetNameValue("BIGTIFF", "IF_SAFER");
  if (raster.values.size() > (1U << 22)) options.SetNameValue("NUM_THREADS", "ALL_CPUS");
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  if (!driver) throw Error(text(path.string(), ": this GDAL has no GeoTIFF driver"));
  GDALDatasetUniquePtr dataset(
      driver->Create(name.c_str(), raster.width, raster.height, 1, GDT_Float32, options.List()));
  if (!dataset) throw Error(text(path.string(), ": cannot be written: ", scope.reason()));
  set_georeference(*dataset, raster);
  const double nodata = writable_nodata(raster);
  if (raster.has_nodata || any_nodata(raster)) dataset->GetRasterBand(1)->SetNoDataValue(nodata);
  write_cells(path, *dataset, raster, nodata, scope);
  dataset->FlushCache(true);
}

// A name in GDAL's own memory, removed when done.
class MemoryFile {
 public:
  MemoryFile() {
    static std::atomic<unsigned> count{0};
    name_ = text("/vsimem/scree-", count++);
  }
  ~MemoryFile() { VSIUnlink(name_.c_str()); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  const char* name() const { return name_.c_str(); }

 private:
  std::string name_;
};

// Samples of a picture, interleaved by pixel.
struct Samples {
  int width, height, bands;
  GDALDataType type;
  const void* values;
};

// Encoded in memory and written by our own file, whose errors are certain.
void write_samples(const std::filesystem::path& path, const std::string& driver,
                   const CPLStringList& options, const Samples& samples) {
  const GdalScope scope;
  GDALDriver* memory = GetGDALDriverManager()->GetDriverByName("MEM");
  GDALDriver* encoder = GetGDALDriverManager()->GetDriverByName(driver.c_str());
  if (!memory || !encoder)
    throw Error(text(path.string(), ": this GDAL has no ", driver, " driver"));
  const auto [width, height, bands, type, values] = samples;
  AtomicFile file(path);
  GDALDatasetUniquePtr pixels(memory->Create("", width, height, bands, type, nullptr));
  const int bytes = GDALGetDataTypeSizeBytes(type);
  const auto row_bytes = static_cast<GSpacing>(bytes) * bands * width;
  if (!pixels ||
      pixels->RasterIO(GF_Write, 0, 0, width, height, const_cast<void*>(values), width, height,
                       type, bands, nullptr, bytes * bands, row_bytes, bytes, nullptr) != CE_None)
    throw Error(text(path.string(), ": cannot be written: ", scope.reason()));
  const MemoryFile encoded;
  // GDAL asks it from row to row whether to go on.
  const auto goes_on = [](double, const char*, void*) { return CancelScope::cancelled() ? 0 : 1; };
  GDALDatasetUniquePtr copy(encoder->CreateCopy(
      encoded.name(), pixels.get(), false, const_cast<char**>(options.List()), goes_on, nullptr));
  stop_if_cancelled();
  const bool made = copy != nullptr;
  copy.reset();
  vsi_l_offset size = 0;
  const GByte* content = VSIGetMemFileBuffer(encoded.name(), &size, false);
  if (!made || scope.failed() || !content)
    throw Error(text(path.string(), ": cannot be written: ", scope.reason()));
  file.write(content, size);
  file.commit();
}

}  // namespace

bool have_gdal() { return true; }

Raster read_gdal(const std::filesystem::path& path, const ReadOptions& options) {
  plain_file_size(path);
  GdalScope scope;
  const GDALDatasetUniquePtr dataset = open_dataset(path, options, scope);
  GDALRasterBand& band = choose_band(path, *dataset, options.band.value_or(1));
  check_size(path, dataset->GetRasterXSize(), dataset->GetRasterYSize());
  Raster raster;
  raster.width = dataset->GetRasterXSize();
  raster.height = dataset->GetRasterYSize();
  const double to_metres = height_unit(band.GetUnitType());
  if (to_metres != 1)
    log(LogLevel::info,
        text(path.string(), ": heights in ", band.GetUnitType(), " converted to metres"));
  read_georeference(path, *dataset, to_metres != 1, raster);
  mark_plain_image(*dataset, band, raster);
  raster.values.resize(static_cast<std::size_t>(raster.width) *
                       static_cast<std::size_t>(raster.height));
  scope.forget();
  const std::optional<double> nodata = nodata_of(band, options);
  // A person who says that NaN is nodata means it beside what the file declares.
  const bool nan_too = options.nodata && std::isnan(*options.nodata);
  const std::string driver = dataset->GetDriverName();
  if (driver == "AAIGrid" || driver == "GRASSASCIIGrid" || driver == "ISG")
    check_ascii_grid(path, raster, nan_too ? options.nodata : nodata, driver == "ISG");
  read_cells(path, band, to_metres, nodata, nan_too, scope, raster);
  if (!raster.heights_known && !options.band) take_brightness(path, *dataset, scope, raster);
  face_north(raster);
  return raster;
}

void write_geotiff(const std::filesystem::path& path, const Raster& raster) {
  const GdalScope scope;
  AtomicFile file(path);
  fill_geotiff(path, file.temporary(), raster, scope);
  // Closing writes the directory: only now is it known whether the disk took everything.
  if (scope.failed()) throw Error(text(path.string(), ": cannot be written: ", scope.reason()));
  file.commit();
}

void write_png8(const std::filesystem::path& path, int width, int height, int bands,
                const std::vector<std::uint8_t>& samples) {
  write_samples(path, "PNG", {}, {width, height, bands, GDT_Byte, samples.data()});
}

void write_png16(const std::filesystem::path& path, int width, int height,
                 const std::vector<std::uint16_t>& samples) {
  write_samples(path, "PNG", {}, {width, height, 1, GDT_UInt16, samples.data()});
}

bool have_picture_driver(const std::string& driver) {
  const GdalScope scope;
  return GetGDALDriverManager()->GetDriverByName(driver.c_str()) != nullptr;
}

void write_lossy8(const std::filesystem::path& path, const std::string& driver, int quality,
                  int width, int height, const std::vector<std::uint8_t>& rgb) {
  CPLStringList options;
  options.SetNameValue("QUALITY", std::to_string(quality).c_str());
  write_samples(path, driver, options, {width, height, 3, GDT_Byte, rgb.data()});
}

}  // namespace scree::io::codec
