// Inside io: OpenVDB (volume_vdb.cpp, or volume_vdb_off.cpp in a build without it). volume.cpp
// chooses and has checked what is written.
#pragma once

#include "io/volume.h"

namespace scree::io::codec {

bool have_vdb();
void write_vdb(const std::string& path, const VolumeShape& shape, bool materials,
               const VolumeSlices& fill);

}  // namespace scree::io::codec
