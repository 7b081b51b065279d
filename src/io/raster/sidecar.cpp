#include "io/raster/sidecar.h"

#include <charconv>
#include <limits>

#include "base/error.h"
#include "io/file/atomic_file.h"
#include "io/raster/cells.h"

namespace scree::io {
namespace {

const char* name_of(Format format) {
  switch (format) {
    case Format::raw16:
      return "raw16";
    case Format::raw32:
      return "raw32";
    case Format::exr:
      return "exr";
    case Format::npy:
      return "npy";
    case Format::geotiff:
      return "geotiff";
    default:
      return "png16";
  }
}

// The file is flat and our own, so that a search for "key": is all the JSON there is to know.
class FlatJson {
 public:
  FlatJson(std::filesystem::path path, std::string content)
      : path_(std::move(path)), content_(std::move(content)) {}

  std::optional<std::string> find(const std::string& key) const {
    auto at = content_.find(text('"', key, "\":"));
    if (at == std::string::npos) return std::nullopt;
    at = content_.find_first_not_of(' ', at + key.size() + 3);
    const auto end = content_.find_first_of(",\n}", at);
    if (at == std::string::npos || end == std::string::npos) return std::nullopt;
    return content_.substr(at, end - at);
  }

  std::optional<double> find_number(const std::string& key) const {
    const auto value = find(key);
    if (!value) return std::nullopt;
    double number = 0;
    const char* end = value->data() + value->size();
    const auto result = std::from_chars(value->data(), end, number);
    if (result.ec != std::errc() || result.ptr != end)
      throw Error(text(path_.string(), ": \"", key, "\": expected a number, found ", *value));
    return number;
  }

  double number(const std::string& key) const {
    const auto value = find_number(key);
    if (!value) throw Error(text(path_.string(), ": expected a number \"", key, "\""));
    return *value;
  }

  int size(const std::string& key) const {
    const double value = number(key);
    if (!(value >= 1 && value <= 65536))
      throw Error(text(path_.string(), ": \"", key, "\": expected 1 to 65536, found ", value));
    return static_cast<int>(value);
  }

 private:
  std::filesystem::path path_;
  std::string content_;
};

}  // namespace

std::filesystem::path sidecar_path(const std::filesystem::path& path) {
  std::filesystem::path result = path;
  result += ".json";
  return result;
}

std::string json_text(const std::string& value) {
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += ' ';
    } else {
      out += c;
    }
  }
  return out + '"';
}

void write_sidecar(const std::filesystem::path& path, const Sidecar& sidecar) {
  std::string out = "{\n";
  const auto add = [&out](const std::string& key, const std::string& value) {
    out += text(out.size() > 2 ? ",\n" : "", "  \"", key, "\": ", value);
  };
  add("scree_sidecar", "1");
  add("file", json_text(path.filename().string()));
  add("format", text('"', name_of(sidecar.format), '"'));
  add("width", std::to_string(sidecar.width));
  add("height", std::to_string(sidecar.height));
  add("dx", number_text(sidecar.dx));
  add("dy", number_text(sidecar.dy));
  add("low", number_text(sidecar.range.low));
  add("high", number_text(sidecar.range.high));
  if (sidecar.format == Format::png16 || sidecar.format == Format::raw16) {
    add("sample_low", number_text(sidecar.sample_low));
    add("sample_high", number_text(sidecar.sample_high));
    add("clipped_cells", std::to_string(sidecar.clipped_cells));
  }
  if (sidecar.format == Format::raw16 || sidecar.format == Format::raw32)
    add("byte_order", sidecar.byte_order == ByteOrder::big ? "\"big\"" : "\"little\"");
  add("first_row", sidecar.south_first ? "\"south\"" : "\"north\"");
  add("nodata_cells", std::to_string(sidecar.nodata_cells));
  if (sidecar.nodata_sample) {
    const bool nan = *sidecar.nodata_sample != *sidecar.nodata_sample;
    add("nodata_sample", nan ? "\"nan\"" : number_text(*sidecar.nodata_sample));
  }
  for (const auto& [key, value] : sidecar.more) add(key, value);
  write_file(sidecar_path(path), out + "\n}\n");
}

std::optional<Sidecar> read_sidecar(const std::filesystem::path& path) {
  const std::filesystem::path name = sidecar_path(path);
  std::error_code error;
  if (!std::filesystem::is_regular_file(name, error)) return std::nullopt;
  if (std::filesystem::file_size(name, error) > (1 << 20)) return std::nullopt;
  const FlatJson json(name, read_file(name));
  if (!json.find("scree_sidecar")) return std::nullopt;
  Sidecar sidecar;
  const std::string format = json.find("format").value_or("");
  for (const Format known : {Format::png16, Format::raw16, Format::raw32, Format::exr, Format::npy})
    if (format == text('"', name_of(known), '"')) sidecar.format = known;
  sidecar.width = json.size("width");
  sidecar.height = json.size("height");
  sidecar.dx = json.number("dx");
  sidecar.dy = json.number("dy");
  sidecar.range = {json.number("low"), json.number("high")};
  sidecar.sample_low = json.find_number("sample_low").value_or(0);
  sidecar.sample_high = json.find_number("sample_high").value_or(65535);
  if (json.find("byte_order") == "\"big\"") sidecar.byte_order = ByteOrder::big;
  sidecar.south_first = json.find("first_row") == "\"south\"";
  if (json.find("nodata_sample") == "\"nan\"") {
    sidecar.nodata_sample = std::numeric_limits<double>::quiet_NaN();
  } else {
    sidecar.nodata_sample = json.find_number("nodata_sample");
  }
  return sidecar;
}

}  // namespace scree::io
