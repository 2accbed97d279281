/* metis.c - parts of given sizes by METIS, repaired to be exact */
#include "map/problem/problem.h"
#include "map/partition/graph_cut.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_METIS
#include <metis.h>
#endif

#include "base/mem.h"

#ifdef HAVE_METIS
static int run_metis(const struct comm *comm, int nparts, const int *size, int *part_of)
{
	idx_t n = comm->nranks, ncon = 1, parts = nparts, cut, options[METIS_NOPTIONS];
	idx_t *first = xmalloc(((size_t)n + 1) * sizeof(*first));
	idx_t *peer = xmalloc((size_t)comm->nedges * sizeof(*peer));
	idx_t *weight = xmalloc((size_t)comm->nedges * sizeof(*weight));
	idx_t *part = xmalloc((size_t)n * sizeof(*part));
	real_t *share = xmalloc((size_t)nparts * sizeof(*share));
	double scale = partition_scale(comm);
	int status;

	for (idx_t i = 0; i <= n; i++)
		first[i] = (idx_t)comm->first[i];
	for (int64_t e = 0; e < comm->nedges; e++) {
		peer[e] = comm->peer[e];
		weight[e] = (idx_t)(comm->bytes[e] * scale + 0.5);
		if (weight[e] < 1)
			weight[e] = 1;
	}
	for (int p = 0; p < nparts; p++)
		share[p] = (real_t)size[p] / (real_t)n;
	METIS_SetDefaultOptions(options);
	options[METIS_OPTION_SEED] = 1;
	status = METIS_PartGraphKway(&n, &ncon, first, peer, NULL, NULL, weight, &parts, share,
				     NULL, options, &cut, part);
	for (int r = 0; r < comm->nranks; r++)
		part_of[r] = (int)part[r];
	free(first);
	free(peer);
	free(weight);
	free(part);
	free(share);
	return status == METIS_OK ? 0 : -1;
}

int partition_metis(const struct comm *comm, int nparts, const int *size, int *part_of,
		    struct err *err)
{
	if (nparts == 1) {
		memset(part_of, 0, (size_t)comm->nranks * sizeof(*part_of));
		return 0;
	}
	if (run_metis(comm, nparts, size, part_of) != 0)
		return err_set(err, "METIS does not partition %d ranks into %d parts", comm->nranks,
			       nparts);
	partition_repair(comm, nparts, size, part_of);
	return 0;
}
#else
int partition_metis(const struct comm *comm, int nparts, const int *size, int *part_of,
		    struct err *err)
{
	(void)comm, (void)nparts, (void)size, (void)part_of;
	return err_set(err, "this build has no METIS (Debian: libmetis-dev)");
}
#endif

static int run(const struct map_input *in, const struct pick *pick, int nparts, const int *size,
	       int *part_of, struct err *err)
{
	(void)pick;
	return partition_metis(in->symmetric, nparts, size, part_of, err);
}

const struct map_partition map_partition_metis = {
	.entry =
		{
			.name = "metis",
			.example = "metis",
			.summary = "few bytes between the parts: METIS, k-way, corrected "
				   "to exact sizes",
			.paper = "Karypis, Kumar: A fast and high quality multilevel scheme",
		},
	.run = run,
};
