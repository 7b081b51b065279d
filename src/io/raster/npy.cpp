#include "io/raster/npy.h"

#include <bit>
#include <cctype>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>

#include "base/error.h"
#include "io/file/atomic_file.h"
#include "io/raster/cells.h"
#include "io/volume/volume_codec.h"

namespace scree::io {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);

struct Header {
  SampleFormat format;
  bool fortran = false;
  long long width = 0;
  long long height = 0;
  long long depth = 0;  // 0: two dimensions
  std::string shape;    // as it is written
  std::uintmax_t data_offset = 0;
};

[[noreturn]] void bad(const std::filesystem::path& path, const std::string& what) {
  throw Error(text(path.string(), ": not a .npy array that scree reads: ", what));
}

// What follows 'key': in the header's Python dictionary.
std::string_view value_of(const std::filesystem::path& path, std::string_view dictionary,
                          std::string_view key) {
  auto at = dictionary.find(text("'", key, "'"));
  if (at != std::string_view::npos) at = dictionary.find(':', at);
  if (at == std::string_view::npos) bad(path, text("its header has no '", key, "'"));
  do {
    ++at;
  } while (at < dictionary.size() && dictionary[at] == ' ');
  return dictionary.substr(at);
}

SampleFormat sample_format(const std::filesystem::path& path, std::string_view value) {
  const std::string descr(value.substr(0, value.find_first_of(",}")));
  const auto refuse = [&] {
    bad(path, text("expected numbers of type f4 f8 i1 u1 i2 u2 i4 u4 i8 or b1, found ", descr));
  };
  if (descr.size() != 5 || descr[0] != '\'' || descr[4] != '\'') refuse();
  SampleFormat format;
  format.order = descr[1] == '>' ? ByteOrder::big : ByteOrder::little;
  if (descr[1] == '=' && std::endian::native == std::endian::big) format.order = ByteOrder::big;
  struct Known {
    const char* name;
    SampleType type;
  };
  for (const Known& known :
       {Known{"f4", SampleType::f32}, Known{"f8", SampleType::f64}, Known{"i1", SampleType::i8},
        Known{"u1", SampleType::u8}, Known{"b1", SampleType::u8}, Known{"i2", SampleType::i16},
        Known{"u2", SampleType::u16}, Known{"i4", SampleType::i32}, Known{"u4", SampleType::u32},
        Known{"i8", SampleType::i64}})
    if (descr.compare(2, 2, known.name) == 0) {
      format.type = known.type;
      return format;
    }
  refuse();
  return format;
}

// True where text is "(a, b)", "(a, b, c)", ... with so many numbers.
bool scan_shape(const std::string& shape, std::initializer_list<long long*> numbers) {
  const char* at = shape.c_str();
  char before = '(';
  for (long long* number : numbers) {
    int used = 0;
    // A length limit keeps sscanf from overflowing on a hostile header.
    if (*at++ != before || std::sscanf(at, "%12lld%n", number, &used) != 1) return false;
    at += used;
    before = ',';
  }
  const std::string_view rest(at);
  return rest == ")" || rest == ",)";
}

void read_shape(const std::filesystem::path& path, std::string_view value, Header& header) {
  header.shape = std::string(value.substr(0, value.find(')') + 1));
  if (scan_shape(header.shape, {&header.height, &header.width})) return;
  if (scan_shape(header.shape, {&header.depth, &header.height, &header.width}) && header.depth > 0)
    return;
  bad(path, text("expected a shape (height, width), found ", header.shape));
}

Header read_header(const std::filesystem::path& path, std::FILE* file) {
  unsigned char start[12] = {};
  if (std::fread(start, 1, 10, file) != 10 || std::memcmp(start, magic.data(), magic.size()) != 0)
    bad(path, "it does not start with the .npy magic bytes");
  const int version = start[6];
  if (version != 1 && version != 2)
    bad(path, text("format version ", version, ", expected 1 or 2"));
  if (version == 2 && std::fread(start + 10, 1, 2, file) != 2) bad(path, "its header is cut off");
  const std::size_t length = static_cast<std::size_t>(
      decode_sample(start + 8, {version == 1 ? SampleType::u16 : SampleType::u32}));
  if (length > 1 << 20) bad(path, text("its header claims ", length, " bytes"));
  std::string dictionary(length, '\0');
  if (std::fread(dictionary.data(), 1, length, file) != length) bad(path, "its header is cut off");
  Header header;
  header.format = sample_format(path, value_of(path, dictionary, "descr"));
  header.fortran = value_of(path, dictionary, "fortran_order").starts_with("True");
  read_shape(path, value_of(path, dictionary, "shape"), header);
  header.data_offset = (version == 1 ? 10U : 12U) + length;
  return header;
}

Header open_header(const std::filesystem::path& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) throw Error(text(path.string(), ": cannot be read: ", std::strerror(errno)));
  try {
    const Header header = read_header(path, file);
    std::fclose(file);
    return header;
  } catch (...) {
    std::fclose(file);
    throw;
  }
}

// The data starts at a multiple of 64 bytes, as numpy's own files do.
std::string header_text(const char* descr, int width, int height) {
  std::string dictionary = text("{'descr': '", descr, "', 'fortran_order': False, 'shape': (",
                                height, ", ", width, "), }");
  const std::size_t unpadded = magic.size() + 4 + dictionary.size() + 1;
  dictionary.append((64 - unpadded % 64) % 64, ' ');
  dictionary += '\n';
  std::string header(magic);
  header += '\x01';
  header += '\0';
  unsigned char length[2];
  encode_u16(static_cast<std::uint16_t>(dictionary.size()), ByteOrder::little, length);
  header.append(reinterpret_cast<const char*>(length), 2);
  return header + dictionary;
}

template <class Value>
void write_array(const std::filesystem::path& path, const char* descr, int width, int height,
                 const std::vector<Value>& values) {
  if (width < 0 || height < 0 ||
      values.size() != static_cast<std::size_t>(width) * static_cast<std::size_t>(height))
    throw Error(text(path.string(), ": cannot be written: ", values.size(),
                     " values for a size of ", width, " x ", height));
  AtomicFile file(path);
  const std::string header = header_text(descr, width, height);
  file.write(header.data(), header.size());
  if constexpr (std::endian::native == std::endian::little || sizeof(Value) == 1) {
    file.write(values.data(), values.size() * sizeof(Value));
  } else {
    unsigned char bytes[4];
    for (const Value value : values) {
      encode_u32(std::bit_cast<std::uint32_t>(value), ByteOrder::little, bytes);
      file.write(bytes, sizeof bytes);
    }
  }
  file.commit();
}

}  // namespace

void write_npy(const std::filesystem::path& path, int width, int height,
               const std::vector<float>& values) {
  write_array(path, "<f4", width, height, values);
}

void write_npy(const std::filesystem::path& path, int width, int height,
               const std::vector<std::int32_t>& values) {
  write_array(path, "<i4", width, height, values);
}

void write_npy(const std::filesystem::path& path, int width, int height,
               const std::vector<std::uint8_t>& values) {
  write_array(path, "|u1", width, height, values);
}

Raster read_npy(const std::filesystem::path& path, const ReadOptions& options) {
  const std::uintmax_t found = plain_file_size(path);
  const Header header = open_header(path);
  if (header.depth > 0) bad(path, text("expected a shape (height, width), found ", header.shape));
  check_size(path, header.width, header.height);
  const std::uintmax_t expected =
      header.data_offset +
      static_cast<std::uintmax_t>(header.width * header.height) * bytes_of(header.format.type);
  if (found != expected)
    throw Error(text(path.string(), ": expected ", expected, " bytes for an array of ",
                     header.height, " x ", header.width, ", found ", found));
  Raster raster;
  raster.width = static_cast<int>(header.width);
  raster.height = static_cast<int>(header.height);
  raster.has_nodata = options.nodata.has_value();
  raster.nodata = options.nodata.value_or(0);
  raster.values.resize(static_cast<std::size_t>(header.width * header.height));
  read_samples(path, header.data_offset, header.format, header.fortran, options.nodata, raster);
  return raster;
}

bool is_npy_volume(const std::filesystem::path& path) { return open_header(path).depth > 0; }

Volume read_npy_volume(const std::filesystem::path& path, const VolumeOptions& options) {
  const std::uintmax_t found = plain_file_size(path);
  const Header header = open_header(path);
  if (header.depth == 0) bad(path, text("expected a shape (z, y, x), found ", header.shape));
  if (header.fortran)
    bad(path, "a volume in Fortran order; numpy.ascontiguousarray puts it into C order");
  codec::check_volume_memory(path, {header.width, header.height, header.depth}, false, options);
  Volume volume;
  volume.shape.size = {static_cast<int>(header.width), static_cast<int>(header.height),
                       static_cast<int>(header.depth)};
  volume.shape.cell = {options.cell, options.cell, options.cell};
  const std::size_t samples = volume.shape.samples(), bytes = bytes_of(header.format.type);
  const std::uintmax_t expected = header.data_offset + samples * bytes;
  if (found != expected)
    throw Error(text(path.string(), ": expected ", expected, " bytes for an array of ",
                     header.shape, ", found ", found));
  volume.density.resize(samples);
  std::vector<unsigned char> row(bytes * static_cast<std::size_t>(header.width));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (!file || ::fseeko(file.get(), static_cast<off_t>(header.data_offset), SEEK_SET) != 0)
    throw Error(text(path.string(), ": cannot be read: ", std::strerror(errno)));
  for (std::size_t first = 0; first < samples; first += static_cast<std::size_t>(header.width)) {
    if (std::fread(row.data(), 1, row.size(), file.get()) != row.size())
      throw Error(text(path.string(), ": ends after ", first, " of ", samples, " samples"));
    for (std::size_t i = 0; i < static_cast<std::size_t>(header.width); ++i)
      volume.density[first + i] =
          static_cast<float>(decode_sample(row.data() + bytes * i, header.format));
  }
  return volume;
}

}  // namespace scree::io
