/* link_forms.c - which form of routes is for a machine */
#include "place/constraint/link_forms.h"

#include <stdlib.h>
#include <string.h>

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
