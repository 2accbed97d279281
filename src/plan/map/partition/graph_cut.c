/* graph_cut.c - what partitions share: bytes as whole numbers, parts of exact sizes */
#include <stdlib.h>

#include "map/partition/graph_cut.h"
#include "model/topo.h"

double partition_scale(const struct comm *comm)
{
	double sum = 0, least = 0;

	for (int64_t e = 0; e < comm->nedges; e++) {
		sum += comm->bytes[e];
		if (comm->bytes[e] > 0 && (least == 0 || comm->bytes[e] < least))
			least = comm->bytes[e];
	}
	if (sum == 0)
		return 1;
	return sum / least < 1e9 ? 1 / least : 1e9 / sum;
}

/* What rank r loses (bytes to its own part less bytes to the other). */
static double loss(const struct comm *comm, const int *part_of, int r, int to)
{
	double sum = 0;

	for (int64_t e = comm->first[r]; e < comm->first[r + 1]; e++) {
		if (part_of[comm->peer[e]] == part_of[r])
			sum += comm->bytes[e];
		else if (part_of[comm->peer[e]] == to)
			sum -= comm->bytes[e];
	}
	return sum;
}

/* The rank of a part that is too large which loses least by going to another part. */
static int least_loss(const struct comm *comm, const int *excess, const int *part_of,
		      const int_vec *ranks, int to)
{
	int best = -1;
	double best_loss = 0;

	for (size_t i = 0; i < ranks->n; i++) {
		int r = ranks->at[i];
		double l;

		if (excess[part_of[r]] <= 0)
			continue;
		l = loss(comm, part_of, r, to);
		if (best < 0 || l < best_loss) {
			best = r;
			best_loss = l;
		}
	}
	return best;
}

/* Parts that are too small are filled in their order; of ranks that lose as much, the
 * lowest goes. */
void partition_repair(const struct comm *comm, int nparts, const int *size, int *part_of)
{
	int *excess = xcalloc((size_t)nparts, sizeof(*excess));
	int_vec ranks = {0}; /* of parts that are too large */

	for (int p = 0; p < nparts; p++)
		excess[p] = -size[p];
	for (int r = 0; r < comm->nranks; r++)
		excess[part_of[r]]++;
	for (int r = 0; r < comm->nranks; r++)
		if (excess[part_of[r]] > 0)
			vec_push(&ranks, r);
	for (int to = 0; to < nparts; to++)
		while (excess[to] < 0) {
			int best = least_loss(comm, excess, part_of, &ranks, to);

			excess[part_of[best]]--;
			excess[to]++;
			part_of[best] = to;
		}
	free(excess);
	vec_free(&ranks);
}

/* Sizes within the rooms that are as near as may be to what there is. */
static void fit_sizes(int nranks, int nparts, const int *room, const int *part_of, int *size)
{
	int left = nranks;

	for (int p = 0; p < nparts; p++)
		size[p] = 0;
	for (int r = 0; r < nranks; r++)
		if (size[part_of[r]] < room[part_of[r]]) {
			size[part_of[r]]++;
			left--;
		}
	for (int p = 0; p < nparts && left > 0; p++) {
		int more = room[p] - size[p] < left ? room[p] - size[p] : left;

		size[p] += more;
		left -= more;
	}
}

void partition_fit(const struct comm *comm, int nparts, const int *room, int *part_of)
{
	int *size = xmalloc(((size_t)nparts + 1) * sizeof(*size));

	fit_sizes(comm->nranks, nparts, room, part_of, size);
	partition_repair(comm, nparts, size, part_of);
	free(size);
}
