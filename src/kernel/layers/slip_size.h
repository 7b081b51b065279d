// How much of a terrain of layers an OpenCL work-group takes at a time (slip_tile.h), so that it
// fits into the 32 KiB of its own that every device lends.
#ifndef SCREE_KERNEL_SLIP_SIZE_H
#define SCREE_KERNEL_SLIP_SIZE_H

#define SLIP_TILE_X 32
#ifndef SLIP_TILE_Y
#define SLIP_TILE_Y 4
#endif
#ifndef SLIP_KINDS
#define SLIP_KINDS 8  // materials
#endif
#define SLIP_LIST_X 32  // lanes of a group that goes round a list of columns
#define SLIP_LIST_Y 4
#define SLIP_AT_ONCE 8  // layers of a column that are read together

#endif
