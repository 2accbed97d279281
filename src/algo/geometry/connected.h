/* connected.h - whether a job's nodes hang together (Def. 3) */
#ifndef ALGO_GEOMETRY_CONNECTED_H
#define ALGO_GEOMETRY_CONNECTED_H

#include "algo/geometry/geometry.h"

/* Of the job at hand, on a direct network. */
enum verdict geometry_connected(struct geometry *geometry, const struct region *region,
				struct buf *witness);

#endif
