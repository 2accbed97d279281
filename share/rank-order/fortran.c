/* fortran.c - the four calls as Fortran has them: mpif.h and mpi (MPI_Comm is a number), mpi_f08
 *
 * Open MPI's own go to PMPI directly, past any library in C. Those of both modules have the same
 * arguments: a handle of mpi_f08 is a structure of one number, its error code may be absent.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "rank_order.h"

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "Fortran's integers are those of C");

/* As the library that the program was linked with has them; a program in C has none. */
typedef void adjacent(const MPI_Fint *, const MPI_Fint *, const MPI_Fint *, const MPI_Fint *,
		      const MPI_Fint *, const MPI_Fint *, const MPI_Fint *, const MPI_Fint *,
		      const MPI_Fint *, MPI_Fint *, MPI_Fint *);
#pragma weak pmpi_dist_graph_create_adjacent_
#pragma weak pmpi_dist_graph_create_adjacent_f08_
#pragma weak pmpir_dist_graph_create_adjacent_f08_
extern adjacent pmpi_dist_graph_create_adjacent_, pmpi_dist_graph_create_adjacent_f08_,
	pmpir_dist_graph_create_adjacent_f08_;

/*
 * Fortran's MPI_UNWEIGHTED is a variable whose address each MPI keeps to itself, another one for
 * each module. MPI knows it: is a graph of this process alone weighted?
 */
static const int *weights_of(const MPI_Fint *weights, bool is_f08)
{
	MPI_Fint self = MPI_Comm_c2f(MPI_COMM_SELF), info = MPI_Info_c2f(MPI_INFO_NULL);
	MPI_Fint none = 0, graph, status = MPI_SUCCESS;
	int nin, nout, is_weighted = 1;
	adjacent *ask = pmpi_dist_graph_create_adjacent_;
	MPI_Comm made;

	if (is_f08)
		ask = pmpir_dist_graph_create_adjacent_f08_ != NULL
			      ? pmpir_dist_graph_create_adjacent_f08_
			      : pmpi_dist_graph_create_adjacent_f08_;
	if (ask == NULL)
		rank_order_stop("Fortran", "expected an MPI library with PMPI for it");
	rank_order_asks = 1;
	ask(&self, &none, &none, weights, &none, &none, weights, &info, &none, &graph, &status);
	rank_order_asks = 0;
	if (status != MPI_SUCCESS)
		return weights;
	made = MPI_Comm_f2c(graph);
	PMPI_Dist_graph_neighbors_count(made, &nin, &nout, &is_weighted);
	PMPI_Comm_free(&made);
	return is_weighted ? weights : MPI_UNWEIGHTED;
}

static void give(int status, MPI_Comm made, MPI_Fint *graph, MPI_Fint *error)
{
	if (status == MPI_SUCCESS)
		*graph = MPI_Comm_c2f(made);
	if (error != NULL)
		*error = status;
}

static void dist_graph_create(const MPI_Fint *comm, const MPI_Fint *n, const MPI_Fint *sources,
			      const MPI_Fint *degrees, const MPI_Fint *destinations,
			      const MPI_Fint *weights, const MPI_Fint *info,
			      const MPI_Fint *reorder, MPI_Fint *graph, MPI_Fint *error,
			      bool is_f08)
{
	MPI_Comm made = MPI_COMM_NULL;
	int status;

	rank_order_check();
	status = MPI_Dist_graph_create(MPI_Comm_f2c(*comm), *n, sources, degrees, destinations,
				       weights_of(weights, is_f08), MPI_Info_f2c(*info),
				       *reorder != 0, &made);
	give(status, made, graph, error);
}

static void dist_graph_create_adjacent(const MPI_Fint *comm, const MPI_Fint *nin,
				       const MPI_Fint *sources, const MPI_Fint *in_weights,
				       const MPI_Fint *nout, const MPI_Fint *destinations,
				       const MPI_Fint *out_weights, const MPI_Fint *info,
				       const MPI_Fint *reorder, MPI_Fint *graph, MPI_Fint *error,
				       bool is_f08)
{
	MPI_Comm made = MPI_COMM_NULL;
	int status;

	rank_order_check();
	status = MPI_Dist_graph_create_adjacent(MPI_Comm_f2c(*comm), *nin, sources,
						weights_of(in_weights, is_f08), *nout, destinations,
						weights_of(out_weights, is_f08),
						MPI_Info_f2c(*info), *reorder != 0, &made);
	give(status, made, graph, error);
}

static void graph_create(const MPI_Fint *comm, const MPI_Fint *n, const MPI_Fint *index,
			 const MPI_Fint *neighbours, const MPI_Fint *reorder, MPI_Fint *graph,
			 MPI_Fint *error, bool is_f08)
{
	MPI_Comm made = MPI_COMM_NULL;
	int status;

	(void)is_f08;
	rank_order_check();
	status = MPI_Graph_create(MPI_Comm_f2c(*comm), *n, index, neighbours, *reorder != 0, &made);
	give(status, made, graph, error);
}

static void cart_create(const MPI_Fint *comm, const MPI_Fint *ndims, const MPI_Fint *dims,
			const MPI_Fint *periods, const MPI_Fint *reorder, MPI_Fint *grid,
			MPI_Fint *error, bool is_f08)
{
	MPI_Comm made = MPI_COMM_NULL;
	int status;
	int *are_periodic;

	(void)is_f08;
	rank_order_check();
	are_periodic = rank_order_room(*ndims > 0 ? (size_t)*ndims : 0, sizeof(*are_periodic));
	for (int d = 0; d < *ndims; d++)
		are_periodic[d] = periods[d] != 0;
	status = MPI_Cart_create(MPI_Comm_f2c(*comm), *ndims, dims, are_periodic, *reorder != 0,
				 &made);
	give(status, made, grid, error);
	free(are_periodic);
}

/* NAME as compilers write it in mpif.h's and mpi's calls, and the name of mpi_f08's. */
#define FORTRAN(name, NAME, parameters, ...)                                                       \
	void name##_ parameters;                                                                   \
	void name##_ parameters                                                                    \
	{                                                                                          \
		FORTRAN_##NAME(__VA_ARGS__, false);                                                \
	}                                                                                          \
	void name parameters __attribute__((alias(#name "_")));                                    \
	void name##__ parameters __attribute__((alias(#name "_")));                                \
	void NAME parameters __attribute__((alias(#name "_")));                                    \
	void name##_f08_ parameters;                                                               \
	void name##_f08_ parameters                                                                \
	{                                                                                          \
		FORTRAN_##NAME(__VA_ARGS__, true);                                                 \
	}

#define FORTRAN_MPI_DIST_GRAPH_CREATE dist_graph_create
#define FORTRAN_MPI_DIST_GRAPH_CREATE_ADJACENT dist_graph_create_adjacent
#define FORTRAN_MPI_GRAPH_CREATE graph_create
#define FORTRAN_MPI_CART_CREATE cart_create
typedef const MPI_Fint in;
typedef MPI_Fint out;

FORTRAN(mpi_dist_graph_create, MPI_DIST_GRAPH_CREATE,
	(in * a, in *b, in *c, in *d, in *e, in *f, in *g, in *h, out *i, out *j), a, b, c, d, e, f,
	g, h, i, j)
FORTRAN(mpi_dist_graph_create_adjacent, MPI_DIST_GRAPH_CREATE_ADJACENT,
	(in * a, in *b, in *c, in *d, in *e, in *f, in *g, in *h, in *i, out *j, out *k), a, b, c,
	d, e, f, g, h, i, j, k)
FORTRAN(mpi_graph_create, MPI_GRAPH_CREATE, (in * a, in *b, in *c, in *d, in *e, out *f, out *g), a,
	b, c, d, e, f, g)
FORTRAN(mpi_cart_create, MPI_CART_CREATE, (in * a, in *b, in *c, in *d, in *e, out *f, out *g), a,
	b, c, d, e, f, g)
