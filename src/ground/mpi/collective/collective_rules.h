/* collective_rules.h - what a library's table of size thresholds says of a call */
#ifndef MPI_COLLECTIVE_COLLECTIVE_RULES_H
#define MPI_COLLECTIVE_COLLECTIVE_RULES_H

#include "mpi/collective/collective.h"

/* The first line that fits; NULL: the library has none for it. Of "mpich" there is one for every
 * operation that moves messages between two ranks or more. */
const struct collective_algorithm *collective_rule(const struct collective *call,
						   const char *library);

#endif
