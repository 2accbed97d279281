/* rank_order.h - what the files of the rank-order library share; it is compiled by any mpicc alone
 */
#ifndef RANK_ORDER_H
#define RANK_ORDER_H

#include <mpi.h>
#include <stddef.h>

#define RANK_ORDER_HIDDEN __attribute__((visibility("hidden")))

/* The library may be loaded into shells, and into programs of another MPI: what it names of its MPI
 * is found in the program or is absent. So it is linked with no MPI and its calls are bound late.
 */
#ifdef OPEN_MPI
#pragma weak ompi_mpi_comm_null
#pragma weak ompi_mpi_comm_self
#pragma weak ompi_mpi_comm_world
#pragma weak ompi_mpi_info_null
#pragma weak ompi_mpi_int
#pragma weak ompi_mpi_char
#else
#pragma weak MPI_UNWEIGHTED
#endif

/* Ends the program unless it runs the MPI that this library was compiled with. Before all else. */
RANK_ORDER_HIDDEN void rank_order_check(void);

/* Set while MPI is asked about a graph: a call that comes from it is not the program's. */
RANK_ORDER_HIDDEN extern _Thread_local int rank_order_asks;

/* NAME: WHAT, on standard error; ends all processes with status 2. */
RANK_ORDER_HIDDEN void rank_order_stop(const char *name, const char *what);
RANK_ORDER_HIDDEN void *rank_order_room(size_t n, size_t size); /* calloc, or the end */

/* The ranks of a mapping, with where they are, in the order of nodes and cores. */
struct rank_order_slot {
	char node[MPI_MAX_PROCESSOR_NAME];
	int core, rank;
};

/* Reads a mapping. Returns its slots, to be freed; *n is their number. */
RANK_ORDER_HIDDEN struct rank_order_slot *rank_order_read(const char *path, int *n);

/* The new ranks of processes [size] whose nodes are names [size · MPI_MAX_PROCESSOR_NAME]. */
RANK_ORDER_HIDDEN void rank_order_assign(const char *path, const struct rank_order_slot *slots,
					 int n, const char *names, int size, int *ranks);

#endif
