// Thermal erosion of layers on an OpenCL device: a column a work-item.
#include "kernel/slip.h"

SCREE_KERNEL_8(slip, LayerGrid, g, Slip, p, GLOBAL const LayerMaterial*, table, GLOBAL const uint*,
               before, GLOBAL const LayerTop*, tops, GLOBAL uint*, after, GLOBAL LayerTop*,
               tops_after, GLOBAL uint*, needed)
