// Everything a program needs to erode terrain, in one include:
//
//   #include <scree/scree.h>
//
// A scene (scene/scene.h) does a whole job in two lines; Heightfield, Process and Simulation are
// for programs that step a terrain themselves. See docs/architecture.md.
#pragma once

#include "base/error.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/parameter.h"
#include "base/progress.h"
#include "base/units.h"
#include "device/device.h"
#include "device/field.h"
#include "io/engine_export.h"
#include "io/mesh.h"
#include "io/raster.h"
#include "io/tiles.h"
#include "io/volume.h"
#include "process/hydraulic.h"
#include "process/layer_process.h"
#include "process/layer_simulation.h"
#include "process/process.h"
#include "process/rain.h"
#include "process/registry.h"
#include "process/sheet.h"
#include "process/simulation.h"
#include "process/slippage.h"
#include "process/slumping.h"
#include "process/thermal.h"
#include "process/water.h"
#include "process/weathering.h"
#include "render/relief.h"
#include "surface/blocks.h"
#include "surface/columns.h"
#include "surface/device_blocks.h"
#include "surface/grid.h"
#include "surface/grid_blocks.h"
#include "surface/live_mesh.h"
#include "surface/marching_cubes.h"
#include "surface/simplify.h"
#include "surface/validity.h"
#include "terrain/boreholes.h"
#include "terrain/generate.h"
#include "terrain/heightfield.h"
#include "terrain/hydrology.h"
#include "terrain/landscape.h"
#include "terrain/layers.h"
#include "terrain/materials.h"
#include "terrain/rocks.h"
#include "terrain/section.h"
#include "terrain/strata.h"
#include "terrain/voxels.h"

// Scenes are a part that a build may leave out (SCREE_APPS=OFF).
#if __has_include("scene/runner.h")
#include "scene/build.h"
#include "scene/runner.h"
#include "scene/scene.h"
#include "scene/voxel_runner.h"
#include "scene/voxel_scene.h"
#endif
