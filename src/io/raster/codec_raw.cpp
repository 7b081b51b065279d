// Headerless samples, row by row.
#include <bit>

#include "base/error.h"
#include "io/file/atomic_file.h"
#include "io/raster/cells.h"
#include "io/raster/codec.h"

namespace scree::io::codec {
namespace {

// Encodes in pieces, so that a large raster is not held twice.
template <class Value, class Encode>
void write_samples(const std::filesystem::path& path, const std::vector<Value>& values,
                   Encode encode) {
  constexpr std::size_t piece = 1 << 16;
  std::vector<unsigned char> bytes;
  AtomicFile file(path);
  for (std::size_t start = 0; start < values.size(); start += piece) {
    const std::size_t count = std::min(piece, values.size() - start);
    bytes.resize(count * sizeof(Value));
    for (std::size_t i = 0; i < count; ++i) encode(values[start + i], &bytes[i * sizeof(Value)]);
    file.write(bytes.data(), bytes.size());
  }
  file.commit();
}

}  // namespace

Raster read_raw(const std::filesystem::path& path, const ReadOptions& options) {
  const std::uintmax_t found = plain_file_size(path);
  if (options.width == 0 && options.height == 0)
    throw UsageError(text(path.string(),
                          ": a raw file says nothing of its size: expected --raw-size ",
                          "WxH, or raw = { width, height } in a scene"));
  check_size(path, options.width, options.height);
  const std::uintmax_t expected = static_cast<std::uintmax_t>(options.width) *
                                  static_cast<std::uintmax_t>(options.height) *
                                  bytes_of(options.sample);
  if (found != expected)
    throw Error(text(path.string(), ": expected ", expected, " bytes (", options.width, " x ",
                     options.height, " x ", bytes_of(options.sample), "), found ", found));
  Raster raster;
  raster.width = options.width;
  raster.height = options.height;
  raster.has_nodata = options.nodata.has_value();
  raster.nodata = options.nodata.value_or(0);
  if (is_integer(options.sample)) {
    raster.heights_known = false;
    raster.sample_min = range_of(options.sample).low;
    raster.sample_max = range_of(options.sample).high;
  }
  raster.values.resize(static_cast<std::size_t>(raster.width) *
                       static_cast<std::size_t>(raster.height));
  read_samples(path, 0, {options.sample, options.byte_order}, false, options.nodata, raster);
  return raster;
}

void write_raw16(const std::filesystem::path& path, const std::vector<std::uint16_t>& samples,
                 ByteOrder order) {
  write_samples(path, samples,
                [order](std::uint16_t value, unsigned char* p) { encode_u16(value, order, p); });
}

void write_raw32(const std::filesystem::path& path, const std::vector<float>& values,
                 ByteOrder order) {
  write_samples(path, values, [order](float value, unsigned char* p) {
    encode_u32(std::bit_cast<std::uint32_t>(value), order, p);
  });
}

}  // namespace scree::io::codec
