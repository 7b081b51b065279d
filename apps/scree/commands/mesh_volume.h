// `mesh` of a volume: a VDB, or a three-dimensional array.
#pragma once

#include "commands/commands.h"

namespace scree::cli {

// UsageError where it is none and yet an option was given that only volumes have.
bool is_volume(const MeshArguments& arguments);

int mesh_volume(Console& console, const MeshArguments& arguments);

}  // namespace scree::cli
