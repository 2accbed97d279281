/* explain.h - what each stage of a mapping gained, in words */
#ifndef MAP_EXPLAIN_H
#define MAP_EXPLAIN_H

#include "formats/out.h"
#include "map/map_stages.h"

/* Writes a line for ranks in order, one for each stage that was measured, and what of the result is
 * proven to be the least. */
void map_explain(const struct map_input *in, const struct map_stages *stages, struct out *out);

#endif
