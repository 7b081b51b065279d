// The only file that knows OpenEXR.
#include <ImfChannelList.h>
#include <ImfDoubleAttribute.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputFile.h>
#include <ImfIntAttribute.h>
#include <ImfOutputFile.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/log.h"
#include "base/progress.h"
#include "io/file/atomic_file.h"
#include "io/raster/cells.h"
#include "io/raster/codec.h"

namespace scree::io::codec {
namespace {

// Header attributes of our own, so that a round trip keeps cell size and nodata.
constexpr const char* dx_attribute = "scree.dx";
constexpr const char* dy_attribute = "scree.dy";
constexpr const char* nodata_attribute = "scree.nodata_is_nan";

std::string channel_names(const Imf::ChannelList& channels) {
  std::string names;
  for (auto it = channels.begin(); it != channels.end(); ++it)
    names += text(names.empty() ? "" : ", ", it.name());
  return names;
}

// How much each channel counts.
using Weights = std::vector<std::pair<std::string, double>>;

Weights choose_channels(const std::filesystem::path& path, const Imf::ChannelList& channels,
                        const std::string& wanted) {
  if (channels.begin() == channels.end())
    throw Error(text(path.string(), ": expected at least one channel, found none"));
  if (!wanted.empty()) {
    if (channels.findChannel(wanted)) return {{wanted, 1}};
    throw Error(text(path.string(), ": expected a channel named \"", wanted, "\", found ",
                     channel_names(channels)));
  }
  for (const char* usual : {"height", "Y"})
    if (channels.findChannel(usual)) return {{usual, 1}};
  // Of a picture in colours, the brightness that the eye sees (Rec. 709), as of other formats. Its
  // colours are less already where it is transparent: that is how OpenEXR stores them.
  if (channels.findChannel("R") && channels.findChannel("G") && channels.findChannel("B"))
    return {{"R", 0.2126}, {"G", 0.7152}, {"B", 0.0722}};
  return {{channels.findChannel("R") ? "R" : channels.begin().name(), 1}};
}

// Some rows at a time, so that a person who wants to stop is heard.
void read_rows(Imf::InputFile& file, const Imath::Box2i& window, const std::string& channel,
               std::vector<float>& values) {
  const auto width = static_cast<std::size_t>(window.max.x - window.min.x + 1);
  Imf::FrameBuffer buffer;
  buffer.insert(channel, Imf::Slice::Make(Imf::FLOAT, values.data(), window, sizeof(float),
                                          sizeof(float) * width));
  file.setFrameBuffer(buffer);
  constexpr int rows = 256;
  for (int top = window.min.y; top <= window.max.y; top += rows) {
    stop_if_cancelled();
    file.readPixels(top, std::min(window.max.y, top + rows - 1));
  }
}

std::vector<float> read_weighted(Imf::InputFile& file, const Imath::Box2i& window,
                                 const Weights& channels, std::size_t cells) {
  std::vector<float> values(cells);
  if (channels.size() == 1) {
    read_rows(file, window, channels[0].first, values);
    return values;
  }
  std::vector<double> sums(cells);
  for (const auto& [channel, weight] : channels) {
    read_rows(file, window, channel, values);
    for (std::size_t i = 0; i < cells; ++i) sums[i] += weight * static_cast<double>(values[i]);
  }
  std::transform(sums.begin(), sums.end(), values.begin(),
                 [](double sum) { return static_cast<float>(sum); });
  return values;
}

double double_attribute(const Imf::Header& header, const char* name) {
  const auto* attribute = header.findTypedAttribute<Imf::DoubleAttribute>(name);
  return attribute ? attribute->value() : 0.0;
}

Raster read_open(const std::filesystem::path& path, const ReadOptions& options) {
  Imf::InputFile file(path.c_str(), 0);
  const Imf::Header& header = file.header();
  const Imath::Box2i window = header.dataWindow();
  const long long width = static_cast<long long>(window.max.x) - window.min.x + 1;
  const long long height = static_cast<long long>(window.max.y) - window.min.y + 1;
  check_size(path, width, height);
  const Weights channels = choose_channels(path, header.channels(), options.channel);
  for (const auto& [channel, weight] : channels) {
    const Imf::Channel& info = header.channels()[channel.c_str()];
    if (info.xSampling != 1 || info.ySampling != 1)
      throw Error(text(path.string(), ": channel ", channel, " is subsampled, expected full size"));
  }
  if (channels.size() > 1)
    log(LogLevel::info,
        text(path.string(), ": a picture of the channels ", channel_names(header.channels()),
             ": read as the brightness of its colours"));

  Raster raster;
  raster.width = static_cast<int>(width);
  raster.height = static_cast<int>(height);
  raster.dx = double_attribute(header, dx_attribute);
  raster.dy = double_attribute(header, dy_attribute);
  raster.values = read_weighted(file, window, channels, static_cast<std::size_t>(width * height));

  std::optional<double> nodata = options.nodata;
  if (!nodata && header.findTypedAttribute<Imf::IntAttribute>(nodata_attribute))
    nodata = std::numeric_limits<double>::quiet_NaN();
  raster.has_nodata = nodata.has_value();
  raster.nodata = nodata.value_or(0);
  CellRule rule(path, nodata, true);
  float* cell = raster.values.data();
  for (int row = 0; row < raster.height; ++row)
    for (int column = 0; column < raster.width; ++column, ++cell) *cell = rule(*cell, column, row);
  return raster;
}

// OpenEXR swallows what goes wrong while it closes a file; AtomicFile remembers it until commit().
class AtomicStream : public Imf::OStream {
 public:
  AtomicStream(AtomicFile& file, const char* name) : Imf::OStream(name), file_(file) {}
  void write(const char* bytes, int count) override {
    file_.write(bytes, static_cast<std::size_t>(count));
  }
  std::uint64_t tellp() override { return file_.position(); }
  void seekp(std::uint64_t position) override { file_.seek(position); }

 private:
  AtomicFile& file_;
};

Imf::Header header_for(const Raster& raster, const std::string& channel) {
  Imf::Header header(raster.width, raster.height);
  header.compression() = Imf::ZIP_COMPRESSION;
  header.channels().insert(channel, Imf::Channel(Imf::FLOAT));
  if (raster.dx > 0) header.insert(dx_attribute, Imf::DoubleAttribute(raster.dx));
  if (raster.dy > 0) header.insert(dy_attribute, Imf::DoubleAttribute(raster.dy));
  if (raster.has_nodata || any_nodata(raster))
    header.insert(nodata_attribute, Imf::IntAttribute(1));
  return header;
}

void write_pixels(AtomicStream& stream, const Raster& raster, const std::string& channel) {
  Imf::OutputFile output(stream, header_for(raster, channel), 0);
  Imf::FrameBuffer buffer;
  // The slice type is shared with reading and so is not const; writing only reads it.
  char* base = reinterpret_cast<char*>(const_cast<float*>(raster.values.data()));
  buffer.insert(channel, Imf::Slice(Imf::FLOAT, base, sizeof(float),
                                    sizeof(float) * static_cast<std::size_t>(raster.width)));
  output.setFrameBuffer(buffer);
  output.writePixels(raster.height);
}

}  // namespace

bool have_exr() { return true; }

Raster read_exr(const std::filesystem::path& path, const ReadOptions& options) {
  plain_file_size(path);
  try {
    return read_open(path, options);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(text(path.string(), ": expected a whole OpenEXR image: ", error.what()));
  }
}

void write_exr(const std::filesystem::path& path, const Raster& raster,
               const std::string& channel) {
  AtomicFile file(path);
  AtomicStream stream(file, path.c_str());
  try {
    write_pixels(stream, raster, channel);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    file.rethrow_failure();
    throw Error(text(path.string(), ": cannot be written: ", error.what()));
  }
  file.commit();
}

}  // namespace scree::io::codec
