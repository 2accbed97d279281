/* random_domains.c - drawing routers or groups, and taking all that is idle there */
#include "place/policy/random_domains.h"

#include <stdlib.h>

struct domains {
	const char *purpose;
	int tier, n;
	int *at; /* [n] */
};

int random_domains_open(struct alloc *alloc, bool groups, const char *purpose, struct err *err)
{
	int tier = groups ? alloc_group_tier(alloc, err) : 0;
	struct domains *domains;

	if (tier < 0)
		return -1;
	domains = xcalloc(1, sizeof(*domains));
	domains->purpose = purpose;
	domains->tier = tier;
	domains->at = alloc_domains_with_nodes(alloc->topo, tier, &domains->n);
	alloc->state = domains;
	return 0;
}

void random_domains_close(struct alloc *alloc)
{
	struct domains *domains = alloc->state;

	if (domains != NULL)
		free(domains->at);
	free(domains);
}

int random_domains_choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
			  struct buf *reason, struct err *err)
{
	const struct domains *domains = alloc->state;
	struct alloc_rng rng = alloc_rng(request, domains->purpose);
	size_t wanted = (size_t)request->job->nnodes;

	(void)reason, (void)err;
	while (nodes->n < wanted) {
		int domain = domains->at[alloc_draw(&rng, (uint64_t)domains->n)], node;

		while (nodes->n < wanted &&
		       (node = alloc_first_idle(request->machine, domains->tier, domain)) >= 0)
			alloc_take(request, node, nodes);
	}
	return 1;
}
