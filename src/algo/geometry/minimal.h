/* minimal.h - checks of what is to be as small as it can be on the machine without jobs */
#ifndef ALGO_GEOMETRY_MINIMAL_H
#define ALGO_GEOMETRY_MINIMAL_H

#include "algo/geometry/least.h"

void minimal_open(struct checker *checker, enum least_of of);
void minimal_close(struct checker *checker);
enum verdict minimal_check(struct checker *checker, const struct region *region,
			   struct buf *witness);

#endif
