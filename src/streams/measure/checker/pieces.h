/* pieces.h - whether a job's nodes hang together (Def. 3) */
#ifndef MEASURE_CHECKER_PIECES_H
#define MEASURE_CHECKER_PIECES_H

#include "measure/checker/geometry.h"

/* Of the job at hand, on a direct network. */
enum verdict geometry_connected(struct geometry *geometry, const struct region *region,
				struct buf *witness);

#endif
