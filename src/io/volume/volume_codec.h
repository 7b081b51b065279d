// Inside io: OpenVDB (volume_vdb.cpp, or volume_vdb_off.cpp in a build without it). volume.cpp
// chooses and has checked what is written.
#pragma once

#include "io/volume/volume.h"

namespace scree::io::codec {

bool have_vdb();
void write_vdb(const std::string& path, const VolumeShape& shape, bool materials,
               const VolumeSlices& fill, bool amounts);

VolumeFile read_vdb(const std::string& path, const VolumeOptions& options);
std::vector<VolumeGrid> list_vdb(const std::string& path);

// Error unless so many samples (and materials) fit into what the options or the machine allow.
void check_volume_memory(const std::string& path, const std::array<long long, 3>& size,
                         bool materials, const VolumeOptions& options);

}  // namespace scree::io::codec
