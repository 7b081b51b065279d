#include "io/raster/cells.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/progress.h"

namespace scree::io {
namespace {

constexpr long long largest_side = 65536;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::uint64_t decode_bits(const unsigned char* p, std::size_t bytes, ByteOrder order) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes; ++i)
    bits = bits << 8 | p[order == ByteOrder::big ? i : bytes - 1 - i];
  return bits;
}

}  // namespace

std::string number_text(double value) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end.ptr);
}

std::uintmax_t plain_file_size(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw Error(text(path.string(), ": no such file"));
  if (!std::filesystem::is_regular_file(status))
    throw Error(text(path.string(), ": expected a file, found a folder or device"));
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) throw Error(text(path.string(), ": cannot be read: ", error.message()));
  if (size == 0) throw Error(text(path.string(), ": the file is empty"));
  if (::access(path.c_str(), R_OK) != 0)
    throw Error(text(path.string(), ": cannot be read: ", std::strerror(errno)));
  return size;
}

void check_size(const std::filesystem::path& path, long long width, long long height) {
  if (width < 1 || height < 1 || width > largest_side || height > largest_side)
    throw Error(text(path.string(), ": expected 1 to ", largest_side, " cells a side, found ",
                     width, " x ", height));
  const double needed = static_cast<double>(width) * static_cast<double>(height) * sizeof(float);
  const double memory =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  if (needed > memory)
    throw Error(text(path.string(), ": ", width, " x ", height, " cells need ", needed / gib,
                     " GiB, this machine has ", memory / gib));
}

CellRule::CellRule(std::filesystem::path path, std::optional<double> nodata, bool as_float,
                   bool nan_too)
    : path_(std::move(path)),
      nodata_(nodata),
      as_float_(as_float),
      nodata_is_nan_(nan_too || (nodata && std::isnan(*nodata))) {}

void CellRule::refuse(double sample, int column, int row) const {
  throw Error(text(path_.string(), ": expected a finite height, found ", sample, " at column ",
                   column, ", row ", row, " (not declared as nodata)"));
}

std::size_t bytes_of(SampleType type) {
  switch (type) {
    case SampleType::u8:
    case SampleType::i8:
      return 1;
    case SampleType::automatic:
    case SampleType::u16:
    case SampleType::i16:
      return 2;
    case SampleType::u32:
    case SampleType::i32:
    case SampleType::f32:
      return 4;
    case SampleType::i64:
    case SampleType::f64:
      return 8;
  }
  return 0;
}

bool is_integer(SampleType type) { return type != SampleType::f32 && type != SampleType::f64; }

HeightRange range_of(SampleType type) {
  const int bits = static_cast<int>(8 * bytes_of(type));
  const bool is_unsigned = type == SampleType::u8 || type == SampleType::u16 ||
                           type == SampleType::automatic || type == SampleType::u32;
  const double span = std::ldexp(1.0, bits);
  return is_unsigned ? HeightRange{0, span - 1} : HeightRange{-span / 2, span / 2 - 1};
}

double decode_sample(const unsigned char* p, SampleFormat format) {
  const std::uint64_t bits = decode_bits(p, bytes_of(format.type), format.order);
  switch (format.type) {
    case SampleType::i8:
      return static_cast<std::int8_t>(bits);
    case SampleType::i16:
      return static_cast<std::int16_t>(bits);
    case SampleType::i32:
      return static_cast<std::int32_t>(bits);
    case SampleType::i64:
      return static_cast<double>(static_cast<std::int64_t>(bits));
    case SampleType::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case SampleType::f64:
      return std::bit_cast<double>(bits);
    default:
      return static_cast<double>(bits);
  }
}

void encode_u16(std::uint16_t value, ByteOrder order, unsigned char* p) {
  p[order == ByteOrder::little ? 0 : 1] = static_cast<unsigned char>(value & 0xff);
  p[order == ByteOrder::little ? 1 : 0] = static_cast<unsigned char>(value >> 8);
}

void encode_u32(std::uint32_t value, ByteOrder order, unsigned char* p) {
  for (int i = 0; i < 4; ++i)
    p[order == ByteOrder::little ? i : 3 - i] = static_cast<unsigned char>(value >> (8 * i) & 0xff);
}

void read_samples(const std::filesystem::path& path, std::uintmax_t offset, SampleFormat format,
                  bool fortran, const std::optional<double>& nodata, Raster& raster) {
  std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file || ::fseeko(file.get(), static_cast<off_t>(offset), SEEK_SET) != 0)
    throw Error(text(path.string(), ": cannot be read: ", std::strerror(errno)));
  const int lines = fortran ? raster.width : raster.height;
  const int length = fortran ? raster.height : raster.width;
  const std::size_t bytes = bytes_of(format.type);
  std::vector<unsigned char> line(bytes * static_cast<std::size_t>(length));
  CellRule rule(path, nodata, format.type == SampleType::f32);
  for (int i = 0; i < lines; ++i) {
    stop_if_cancelled();
    if (std::fread(line.data(), 1, line.size(), file.get()) != line.size())
      throw Error(text(path.string(), ": ends after ", i, " of ", lines, " lines of samples"));
    // This machine's own floats need no decoding.
    const bool plain = format.type == SampleType::f32 && format.order == ByteOrder::little &&
                       std::endian::native == std::endian::little;
    for (int j = 0; j < length; ++j) {
      const int column = fortran ? i : j;
      const int row = fortran ? j : i;
      const unsigned char* at = &line[bytes * static_cast<std::size_t>(j)];
      float own = 0;
      if (plain) std::memcpy(&own, at, sizeof own);
      const double sample = plain ? static_cast<double>(own) : decode_sample(at, format);
      raster.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(raster.width) +
                    static_cast<std::size_t>(column)] = rule(sample, column, row);
    }
  }
}

void check_writable(const std::filesystem::path& path, const Raster& raster) {
  const auto cells = static_cast<long long>(raster.values.size());
  if (raster.width < 1 || raster.height < 1 ||
      cells != static_cast<long long>(raster.width) * raster.height)
    throw Error(text(path.string(), ": cannot be written: ", cells, " cells for a size of ",
                     raster.width, " x ", raster.height));
  const auto bad = std::find_if(raster.values.begin(), raster.values.end(),
                                [](float value) { return std::isinf(value); });
  if (bad != raster.values.end()) {
    const auto cell = bad - raster.values.begin();
    throw Error(text(path.string(), ": cannot be written: infinite value at column ",
                     cell % raster.width, ", row ", cell / raster.width));
  }
}

void flip_rows(Raster& raster) {
  for (int top = 0, bottom = raster.height - 1; top < bottom; ++top, --bottom) {
    const auto a = raster.values.begin() + static_cast<std::ptrdiff_t>(top) * raster.width;
    const auto b = raster.values.begin() + static_cast<std::ptrdiff_t>(bottom) * raster.width;
    std::swap_ranges(a, a + raster.width, b);
  }
}

bool any_nodata(const Raster& raster) {
  return std::any_of(raster.values.begin(), raster.values.end(),
                     [](float value) { return std::isnan(value); });
}

}  // namespace scree::io
