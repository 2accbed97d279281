/* rank_places.c - where the ranks of a communicator are: which of them share a domain of fast links
 */
#include "mpi/collective/rank_places.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

/* A rank: the numbers by which they are sorted, the first that differs. */
struct place {
	int by[3], rank;
};

static int compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	for (int i = 0; i < 3; i++)
		if (x->by[i] != y->by[i])
			return x->by[i] < y->by[i] ? -1 : 1;
	return 0;
}

/* By the first rank of each domain, node and rank. */
static struct place *sorted(int nranks, const int *domain_of, const int *node_of)
{
	struct place *places = xcalloc((size_t)nranks + 1, sizeof(*places));

	for (int i = 0; i < nranks; i++)
		places[i] = (struct place){{domain_of[i], i}, i};
	qsort(places, (size_t)nranks, sizeof(*places), compare);
	for (int i = 0, first = 0; i < nranks; i++) {
		int rank = places[i].rank;

		if (i == 0 || domain_of[rank] != domain_of[places[i - 1].rank])
			first = rank;
		places[i] = (struct place){{first, node_of[rank], rank}, rank};
	}
	qsort(places, (size_t)nranks, sizeof(*places), compare);
	return places;
}

struct collective_places *collective_places_new(int nranks, const int *domain_of,
						const int *node_of)
{
	struct collective_places *places = xcalloc(1, sizeof(*places));
	struct place *all = sorted(nranks, domain_of, node_of);
	int local = 1;
	bool is_even;

	while (local < nranks && all[local].by[0] == all[0].by[0])
		local++;
	is_even = nranks % local == 0;
	for (int i = 1; i < nranks; i++)
		if ((all[i].by[0] != all[i - 1].by[0]) != (i % local == 0))
			is_even = false;
	places->local = is_even ? local : 1;
	places->ndomains = nranks / places->local;
	places->order = xcalloc((size_t)nranks + 1, sizeof(*places->order));
	places->index_of = xcalloc((size_t)nranks + 1, sizeof(*places->index_of));
	for (int i = 0; i < nranks; i++) {
		places->order[i] = all[i].rank;
		places->index_of[all[i].rank] = i;
	}
	free(all);
	return places;
}

void collective_places_free(struct collective_places *places)
{
	if (places == NULL)
		return;
	free(places->order);
	free(places->index_of);
	free(places);
}

int places_segments(const struct collective *call, int depth, double load, bool leaves)
{
	const struct collective_places *places = call->places;
	double seconds, latency, n;

	if (places == NULL || depth == 0)
		return 1;
	seconds = (double)call->bytes * load / (leaves ? places->between : places->inside);
	latency = (double)(leaves ? places->between_ps : places->inside_ps) * 1e-12;
	n = sqrt(depth * seconds / (latency > 1e-9 ? latency : 1e-9));
	if (n > (double)call->bytes / 4096)
		n = (double)call->bytes / 4096;
	return n < 1 ? 1 : n > 512 ? 512 : (int)n;
}
