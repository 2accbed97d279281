/* otf2_sizes.h - sizes of collective calls: as OTF2 archives count them, and as MPI's arguments */
#ifndef MODEL_OTF2_SIZES_H
#define MODEL_OTF2_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/mpi_collective.h"

/*
 * Score-P (src/adapters/mpi, all versions) counts what a rank exchanges with every partner, itself
 * included: n blocks for an allreduce over n ranks, n - 1 with MPI_IN_PLACE. mpitrace streams say
 * what the rank's own buffers hold, as MPI's arguments do; -1: nothing.
 */
struct collective_sizes {
	int64_t send, recv;
};

/*
 * n: size of the communicator; place: the rank's there. exact: no call was in place (our own
 * archives say so). Otherwise where n and n - 1 both divide a size, the block that is a multiple of
 * the greater power of two (up to 8) is taken, and n where that does not decide.
 */
struct collective_sizes otf2_buffers(enum collective_op op, int n, int place, bool is_root,
				     bool exact, uint64_t sent, uint64_t received);
/* And back, as if no call was in place. */
void otf2_counts(enum collective_op op, int n, int place, bool is_root,
		 struct collective_sizes buffers, uint64_t *sent, uint64_t *received);

/* Between OTF2_CollectiveOp and ours. -1: no operation has that number. */
int otf2_collective(uint32_t number);
uint32_t otf2_collective_number(enum collective_op op);

#endif
