/* lacking.c - nodes that jobs have and the machine lacks */
#include "model/lacking.h"

#include "base/mem.h"

void lacking_take(void *context, const char *name, size_t n)
{
	struct lacking *lacking = context;

	lacking->is_met = true;
	if (map_add(&lacking->names, name, n, lacking->nnodes) != lacking->nnodes)
		return;
	lacking->nnodes++;
	hostlist_add(&lacking->list, name, n);
}

void lacking_count(struct lacking *lacking)
{
	lacking->njobs += lacking->is_met;
	lacking->is_met = false;
}

char *lacking_text(struct lacking *lacking)
{
	if (lacking->nnodes == 0)
		return NULL;
	if (lacking->njobs == 0)
		return xasprintf("%d node%s that the machine lacks: %s", lacking->nnodes,
				 lacking->nnodes == 1 ? "" : "s", hostlist_text(&lacking->list));
	return xasprintf("%d job%s on %d node%s that the machine lacks: %s", lacking->njobs,
			 lacking->njobs == 1 ? "" : "s", lacking->nnodes,
			 lacking->nnodes == 1 ? "" : "s", hostlist_text(&lacking->list));
}

void lacking_free(struct lacking *lacking)
{
	map_free(&lacking->names);
	hostlist_free(&lacking->list);
}
