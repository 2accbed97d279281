/* comm.c - communication graphs of micro-benchmarks: what each rank sends to each other */
#include "workload/comm_graphs.h"

#include <math.h>
#include <stdlib.h>

#include "workload/workload.h"
#include "base/str.h"
#include "model/kinds.h"

struct shape {
	const char *name;
	int ndims;
	comm_grid_fn *send;
};

static const struct shape shapes[] = {{"alltoall-sub", 2, comm_alltoall_sub},
				      {"halo2d", 2, comm_halo2d},
				      {"halo3d", 3, comm_halo3d},
				      {"halo3d15", 3, comm_halo3d15}};

/* By destination; of one destination by size, so that sums do not depend on how qsort works. */
static int compare(const void *a, const void *b)
{
	const struct comm_message *x = a, *y = b;

	return x->dst != y->dst ? (x->dst > y->dst) - (x->dst < y->dst)
				: (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* What a rank sends, added up by destination; is_one: as one message to each. */
static void write_rank(struct table_out *table, int rank, comm_messages *messages, bool is_one)
{
	size_t n = messages->n;

	qsort(messages->at, n, sizeof(*messages->at), compare);
	for (size_t i = 0, k; i < n; i = k) {
		double bytes = 0;

		for (k = i; k < n && messages->at[k].dst == messages->at[i].dst; k++)
			bytes += messages->at[k].bytes;
		table_out_int(table, 0, rank);
		table_out_int(table, 1, messages->at[i].dst);
		table_out_real(table, 2, ceil(bytes));
		table_out_int(table, 3, is_one ? 1 : (int64_t)(k - i));
		table_out_emit(table);
	}
}

static int write_nbody(const struct pick *pick, uint64_t seed, struct table_out *table,
		       struct err *err)
{
	comm_messages messages = {0};
	struct comm_nbody *nbody;
	int nranks;

	if (!pick_has(pick, "ranks"))
		return err_set(err, "comm: the pattern nbody needs ranks=");
	nranks = (int)pick_int(pick, "ranks");
	nbody = comm_nbody_new(pick, nranks, seed);
	for (int rank = 0; rank < nranks; rank++) {
		messages.n = 0;
		comm_nbody_rank(nbody, rank, &messages);
		write_rank(table, rank, &messages, true);
	}
	comm_nbody_free(nbody);
	vec_free(&messages);
	return 0;
}

static int write_grid(const struct pick *pick, const struct shape *shape, struct table_out *table,
		      struct err *err)
{
	comm_messages messages = {0};
	struct comm_grid grid;

	if (comm_grid_read(&grid, pick, shape->ndims, err) != 0)
		return -1;
	for (int rank = 0; rank < grid.nranks; rank++) {
		messages.n = 0;
		shape->send(&grid, rank, &messages);
		write_rank(table, rank, &messages, false);
	}
	vec_free(&messages);
	return 0;
}

static int write(const struct pick *pick, struct workload_input *input, struct err *err)
{
	static const char *const columns[] = {"src", "dst", "bytes", "messages"};
	struct table_out *table = table_out_new(input->out, &kind_comm);
	const struct shape *shape = NULL;
	int status;

	workload_record(input, table);
	for (int i = 0; i < 4; i++)
		table_out_column(table, columns[i]);
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (pick_is(pick, "pattern", shapes[i].name))
			shape = &shapes[i];
	status = shape != NULL ? write_grid(pick, shape, table, err)
			       : write_nbody(pick, input->seed, table, err);
	table_out_end(table, status == 0);
	return status;
}

static const struct param params[] = {
	{.key = "pattern",
	 .type = PARAM_WORD,
	 .choices = "alltoall-sub|halo2d|halo3d|halo3d15|nbody",
	 .meaning = "who communicates with whom: all ranks of each column of a 2-D grid; "
		    "neighbours in a 2-D (5-point) or 3-D (7-point) grid; faces and corners "
		    "of a 3-D grid (15-point); an irregular code of clustered bodies"},
	{.key = "ranks",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 24,
	 .optional = true,
	 .meaning = "how many"},
	{.key = "dims",
	 .type = PARAM_SIZES,
	 .min = 1,
	 .max = 1 << 24,
	 .optional = true,
	 .meaning = "the grid, last dimension numbered fastest; default: the most "
		    "balanced one, descending"},
	{.key = "bytes",
	 .type = PARAM_BYTES,
	 .def = "1",
	 .meaning = "size of a message; for nbody, per body of a cell without clusters"},
	{.key = "periodic",
	 .type = PARAM_BOOL,
	 .def = "yes",
	 .meaning = "whether grids are periodic"},
	{.key = "clusters",
	 .type = PARAM_INT,
	 .min = 0,
	 .max = 10000,
	 .def = "8",
	 .meaning = "nbody: number of clusters of bodies"},
	{.key = "contrast",
	 .type = PARAM_REAL,
	 .max = 1e9,
	 .def = "100",
	 .meaning = "nbody: density of the first cluster relative to the background; the "
		    "k-th has 1/k of that"},
	{.key = "reach",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 16,
	 .def = "2",
	 .unit = "cells",
	 .meaning = "nbody: distance up to which bodies interact one by one"},
	{0}};

const struct workload workload_comm = {
	.entry = {.name = "comm",
		  .example = "comm:pattern=halo2d,ranks=64",
		  .summary = "a communication graph: halos, all-to-all in columns, an N-body code",
		  .paper = "Mirsadeghi, Afsahi: PTRAM, §V-A",
		  .params = params},
	.write = write,
};
