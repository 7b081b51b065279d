// Stands in for volume_vdb.cpp in a build without OpenVDB.
#include "base/error.h"
#include "io/volume/volume_codec.h"

namespace scree::io::codec {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw Error(text(path, ": VDB needs OpenVDB, and scree was built without OpenVDB"));
}

}  // namespace

bool have_vdb() { return false; }

void write_vdb(const std::string& path, const VolumeShape&, bool, const VolumeSlices&, bool) {
  refuse(path);
}

VolumeFile read_vdb(const std::string& path, const VolumeOptions&) { refuse(path); }

std::vector<VolumeGrid> list_vdb(const std::string& path) { refuse(path); }

}  // namespace scree::io::codec
