/* link_line.h - the cables along one line of a grid that dimension-order routes take */
#ifndef PLACE_CONSTRAINT_LINK_LINE_H
#define PLACE_CONSTRAINT_LINK_LINE_H

#include <stdbool.h>
#include <stdint.h>

enum { LINE_MOST = 64 };

/*
 * Of a line or ring of up to LINE_MOST places, every start sends to every end, the shorter way
 * round a ring and up where both are as long. Bit i of the result: the cable between place i and
 * the next one is taken.
 */
uint64_t link_line(int size, bool is_ring, uint64_t starts, uint64_t ends);

/*
 * Where cables are in use: out [size] the places that each one sends to over none of them, and into
 * [size] those that send to it; itself among them.
 */
void link_reach(int size, bool is_ring, uint64_t used, uint64_t *out, uint64_t *into);

#endif
