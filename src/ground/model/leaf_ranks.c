/* leaf_ranks.c - ranks in turn over the nodes of a leaf, leaf after leaf */
#include "model/leaf_ranks.h"

/* From which rank on the next leaf takes them: nodes first … end - 1 took theirs. */
static int fill(const int *room, int first, int end, int rank, int nranks, int *at)
{
	bool is_full = false;

	for (int slot = 0; !is_full; slot++) {
		is_full = true;
		for (int i = first; i < end && rank < nranks; i++)
			if (room[i] > slot) {
				at[rank++] = i;
				is_full = false;
			}
	}
	return rank;
}

void leaf_ranks(const struct topo *topo, const int *nodes, const int *room, int nnodes, int nranks,
		int *at)
{
	int rank = 0;

	for (int first = 0, end; first < nnodes && rank < nranks; first = end) {
		for (end = first + 1;
		     end < nnodes && topo->router_of[nodes[end]] == topo->router_of[nodes[first]];)
			end++;
		rank = fill(room, first, end, rank, nranks, at);
	}
}
