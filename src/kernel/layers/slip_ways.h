// The edges between columns of layers, each named once, by the column at which it is kept.
#ifndef SCREE_KERNEL_SLIP_WAYS_H
#define SCREE_KERNEL_SLIP_WAYS_H

#include "kernel/layers/talus.h"

// Edges of column x: to it from the column west of it; from it to the one south of it; from the
// western one to the southern one; and from column x to the one south-west of it. What goes over
// them counts from the first to the second.
enum SlipWay { way_along, way_down, way_down_east, way_down_west, slip_ways };
// The side of the first column.
#define SLIP_SIDE(way) ((way) == way_down_west ? 7 : 2 * (way))

// The squares of the slopes across them, of the heights around.
FN float across_along(IN(Slopes) s, int north_west, int west, int south_west, int north, int here,
                      int south) {
  return across_axis(s.across_x, lesser_of(south_west - west, west - north_west),
                     lesser_of(south - here, here - north));
}
FN float across_down(IN(Slopes) s, int west, int here, int east, int south_west, int south,
                     int south_east) {
  return across_axis(s.across_y, lesser_of(east - here, here - west),
                     lesser_of(south_east - south, south - south_west));
}
FN float across_down_east(IN(Slopes) s, int west, int here, int south_west, int south) {
  return across_diagonal(s, west, south, here, south_west);
}
FN float across_down_west(IN(Slopes) s, int west, int here, int south_west, int south) {
  return across_diagonal(s, here, south_west, west, south);
}

#endif
