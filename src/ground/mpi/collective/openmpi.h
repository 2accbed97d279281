/* openmpi.h - what Open MPI's component "tuned" takes for a call */
#ifndef MPI_COLLECTIVE_OPENMPI_H
#define MPI_COLLECTIVE_OPENMPI_H

#include "mpi/collective/collective.h"

/* call->nranks > 1; of an operation that moves messages. Vectors are of elements of 8 bytes, and
 * operators commute. */
const struct collective_algorithm *openmpi_choose(const struct collective *call); /* 4.1, 5.0 */
const struct collective_algorithm *openmpi_4_0_choose(
	const struct collective *call); /* 1.7 to 4.0 */

#endif
