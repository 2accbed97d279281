/* datelines.h - virtual channels on rings: another one behind the link that closes the ring */
#ifndef MACHINE_VC_DATELINES_H
#define MACHINE_VC_DATELINES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/topo_type.h"

/*
 * 0 before the link that closes the ring and 1 behind it, dimension by dimension (Dally and Seitz,
 * 1987). The mark of a channel: 1 + its dimension, and WRAPS if it closes a ring; 0: of a node.
 */
enum { WRAPS = 128 };

/* Whether the machine's dimensions are rings in which a packet takes two links or more. */
bool datelines_needed(const struct topo *topo);
/* [channels], to be freed. Of a machine with dimensions. */
uint8_t *datelines_mark(const struct topo *topo);

/* The virtual channel of a step; state is 0 at the beginning, and what the step leaves. */
static inline int dateline_vc(uint8_t mark, uint8_t *state)
{
	int vc = ((mark ^ *state) & ~WRAPS) == 0 && (*state & WRAPS) != 0;

	*state = vc ? mark | WRAPS : mark;
	return vc;
}

#endif
