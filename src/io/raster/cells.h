// Inside io: what every reader does with sizes and samples, so that all of them refuse the same.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

#include "io/raster/raster.h"

namespace scree::io {

// The shortest decimal text that reads back as the same double.
std::string number_text(double value);

// Size of a plain, readable file; Error where it is missing, a folder or empty.
std::uintmax_t plain_file_size(const std::filesystem::path& path);

// Error unless 1 <= side <= 65536 and the float cells fit in this machine's memory. Called before
// anything is allocated.
void check_size(const std::filesystem::path& path, long long width, long long height);

// Turns one decoded sample into a height: nodata becomes a quiet NaN, any other NaN or infinity is
// an Error that names file, column and row.
class CellRule {
 public:
  // as_float: the file stores float32, so that its nodata value is compared after rounding to it.
  // nan_too: NaN is nodata beside the value.
  CellRule(std::filesystem::path path, std::optional<double> nodata, bool as_float,
           bool nan_too = false);

  float operator()(double sample, int column, int row) {
    if (!nodata_) return finite(sample, column, row);
    const bool equal =
        as_float_ ? static_cast<float>(sample) == static_cast<float>(*nodata_) : sample == *nodata_;
    if (equal || (nodata_is_nan_ && sample != sample)) return missing();
    return finite(sample, column, row);
  }

 private:
  static float missing() { return std::numeric_limits<float>::quiet_NaN(); }
  float finite(double sample, int column, int row) const {
    const auto value = static_cast<float>(sample);
    if (!std::isfinite(value)) refuse(sample, column, row);
    return value;
  }
  [[noreturn]] void refuse(double sample, int column, int row) const;

  std::filesystem::path path_;
  std::optional<double> nodata_;
  bool as_float_;
  bool nodata_is_nan_;
};

struct SampleFormat {
  SampleType type = SampleType::u16;
  ByteOrder order = ByteOrder::little;
};

std::size_t bytes_of(SampleType type);
bool is_integer(SampleType type);
// The lowest and highest value of an integer type.
HeightRange range_of(SampleType type);

// One sample at p, whatever this machine's own byte order.
double decode_sample(const unsigned char* p, SampleFormat format);

// Little- or big-endian bytes of an unsigned number.
void encode_u16(std::uint16_t value, ByteOrder order, unsigned char* p);
void encode_u32(std::uint32_t value, ByteOrder order, unsigned char* p);

// Fills raster.values (already sized) from width * height samples that start at offset in the
// file; fortran: columns one after another instead of rows.
void read_samples(const std::filesystem::path& path, std::uintmax_t offset, SampleFormat format,
                  bool fortran, const std::optional<double>& nodata, Raster& raster);

// Error unless the raster is whole: sizes agree, no infinity.
void check_writable(const std::filesystem::path& path, const Raster& raster);

void flip_rows(Raster& raster);
bool any_nodata(const Raster& raster);

}  // namespace scree::io
