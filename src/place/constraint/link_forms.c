/* link_forms.c - which form of routes is for a machine, and what forms share */
#include "place/constraint/link_forms.h"

#include <stdlib.h>
#include <string.h>

#include "machine/route/routing.h"

static void open_form(struct links *links, const struct space *space, const struct link_form *form)
{
	*links = (struct links){.form = form, .space = space, .first_host = -1};
	links->unit_of = xmalloc((size_t)space->topo->nnodes * sizeof(*links->unit_of));
}

void links_open(struct links *links, const struct space *space)
{
	static const struct link_form *const forms[] = {&link_form_dragonfly, &link_form_grid,
							&link_form_tree, &link_form_walked};
	size_t i = 0;

	open_form(links, space, forms[0]);
	while (!forms[i]->open(links))
		links->form = forms[++i];
	links->used = xcalloc((size_t)links->nwords, sizeof(*links->used));
	if (links->form->prepare != NULL)
		links->form->prepare(links);
}

void links_open_walked(struct links *links, const struct space *space)
{
	open_form(links, space, &link_form_walked);
	links->form->open(links);
	links->used = xcalloc((size_t)links->nwords, sizeof(*links->used));
}

void links_close(struct links *links)
{
	if (links->form != NULL && links->state != NULL)
		links->form->close(links);
	free(links->unit_of);
	free(links->used);
	*links = (struct links){0};
}

void links_use(struct links *links, const uint64_t *used)
{
	size_t bytes = (size_t)links->nwords * sizeof(*used);

	if (memcmp(links->used, used, bytes) == 0)
		return;
	memcpy(links->used, used, bytes);
	if (links->form->prepare != NULL)
		links->form->prepare(links);
}

bool links_are_single(const struct space *space)
{
	const struct topo *topo = space->topo;
	const struct topo_graph *graph = topo_graph(space->topo);

	if (topo->type->next == NULL || !routing_is_closed(space->routing))
		return false;
	for (int node = 0; node < topo->nnodes; node++)
		if (graph->first[node + 1] - graph->first[node] != 1)
			return false;
	for (int r = 0; r < topo->nrouters; r++)
		if (graph->first[topo->nnodes + r + 1] - graph->first[topo->nnodes + r] !=
		    space->first_node[r + 1] - space->first_node[r] + space->first_peer[r + 1] -
			    space->first_peer[r])
			return false;
	return true;
}

void links_add_hosts(struct links *links)
{
	links->first_host = 64 * links->nwords;
	links->nwords += links->space->topo->nnodes / 64 + 1;
}

void links_mark_hosts(const struct links *links, const int *nodes, int n, uint64_t *marked)
{
	for (int i = 0; i < n; i++)
		links_add(marked, (int64_t)links->first_host + nodes[i]);
}
