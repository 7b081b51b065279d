// Generated terrain: noise or shapes, evaluated on a device from world cells.
#pragma once

#include <cstdint>
#include <vector>

#include "device/device.h"
#include "terrain/heights/landscape.h"

#define SCREE_PARAMETERS GenerateParameters
#define SCREE_DEF "kernel/heights/generate.def"
#include "base/define_parameters.h"

namespace scree {

// Heights in metres, row-major, north row first: the window of shape.width x shape.height cells
// whose first cell is world cell (x0, y0).
//
// Positions and widths of shapes are shares of a world of world_width x world_height cells that
// begins at world cell (0, 0); 0 is the window's own size. The land goes on beyond that world, so a
// window may lie anywhere: |x0|, |y0| up to 10^9 cells. Two windows agree where they overlap when
// parameters, seed, cell size and world size are equal. Another cell size over the same extent
// gives the same landscape in more or less detail: cell centres lie at (x + 1/2) dx, and octaves
// shorter than two cells are left out (those below four fade).
std::vector<float> generate_heights(device::Device& device, const GenerateParameters& parameters,
                                    const HeightfieldShape& shape, std::uint64_t seed, int x0 = 0,
                                    int y0 = 0, int world_width = 0, int world_height = 0);

// The same as a landscape of one tile, with borders that are open on all sides.
Landscape generated_landscape(const device::DevicePtr& device, const HeightfieldShape& shape,
                              const GenerateParameters& parameters = {}, std::uint64_t seed = 1);

// A picture as relief: mask (0 … 1, mask_width x mask_height, north row first) is stretched over
// the shape, its edges become slopes about `bevel` metres wide, and 0 … 1 becomes base … base +
// relief.
std::vector<float> relief_from_mask(const std::vector<float>& mask, int mask_width, int mask_height,
                                    const HeightfieldShape& shape, double base, double relief,
                                    double bevel);

}  // namespace scree
