// Stands in for codec_exr.cpp in a build without OpenEXR.
#include "base/error.h"
#include "io/raster/codec.h"

namespace scree::io::codec {
namespace {

[[noreturn]] void missing(const std::filesystem::path& path) {
  throw Error(text(path.string(), ": EXR needs OpenEXR, and scree was built without OpenEXR"));
}

}  // namespace

bool have_exr() { return false; }

Raster read_exr(const std::filesystem::path& path, const ReadOptions&) { missing(path); }

void write_exr(const std::filesystem::path& path, const Raster&, const std::string&) {
  missing(path);
}

}  // namespace scree::io::codec
