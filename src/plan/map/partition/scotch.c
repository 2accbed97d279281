/* scotch.c - parts of given sizes by libscotch, repaired to be exact */
#include "map/problem/problem.h"
#include "map/partition/graph_cut.h"

#include <stdlib.h>
#include <string.h>

#include "map/partition/libscotch.h"
#include "base/mem.h"

#ifdef HAVE_SCOTCH
static int run_scotch(const struct comm *comm, int nparts, const int *size, int seed, int *part_of)
{
	SCOTCH_Num *weight = xmalloc((size_t)nparts * sizeof(*weight));
	SCOTCH_Arch arch;
	int status;

	for (int p = 0; p < nparts; p++)
		weight[p] = size[p];
	SCOTCH_archInit(&arch);
	status = SCOTCH_archCmpltw(&arch, nparts, weight);
	if (status == 0)
		status = libscotch_map(comm, &arch, nparts, 0.001, seed, part_of);
	SCOTCH_archExit(&arch);
	free(weight);
	return status;
}

int partition_scotch(const struct comm *comm, int nparts, const int *size, int seed, int *part_of,
		     struct err *err)
{
	if (nparts == 1) {
		memset(part_of, 0, (size_t)comm->nranks * sizeof(*part_of));
		return 0;
	}
	if (run_scotch(comm, nparts, size, seed, part_of) != 0)
		return err_set(err, "libscotch does not partition %d ranks into %d parts",
			       comm->nranks, nparts);
	partition_repair(comm, nparts, size, part_of);
	return 0;
}
#else
int partition_scotch(const struct comm *comm, int nparts, const int *size, int seed, int *part_of,
		     struct err *err)
{
	(void)comm, (void)nparts, (void)size, (void)seed, (void)part_of;
	return err_set(err, LIBSCOTCH_IS_MISSING);
}
#endif

static int run(const struct map_input *in, const struct pick *pick, int nparts, const int *size,
	       int *part_of, struct err *err)
{
	(void)pick;
	return partition_scotch(in->symmetric, nparts, size, 1, part_of, err);
}

const struct map_partition map_partition_scotch = {
	.entry =
		{
			.name = "scotch",
			.example = "scotch",
			.summary = "few bytes between the parts: libscotch, corrected to "
				   "exact sizes",
		},
	.run = run,
};
