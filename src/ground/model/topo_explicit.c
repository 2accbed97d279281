/* topo_explicit.c - the type of machines whose routers, nodes and links are listed */
#include <stdlib.h>
#include "model/topo_build_priv.h"
#include "model/topo_type.h"

static void explicit_links(const struct topo *topo, topo_link_fn *add, void *context)
{
	const struct explicit_links *links = topo->shape;

	for (size_t i = 0; i < links->n; i++)
		add(context, links->at[i].a, links->at[i].b, links->at[i].level);
}

static void explicit_free(struct topo *topo)
{
	struct explicit_links *links = topo->shape;

	if (links != NULL)
		free(links->at);
	free(links);
}

/* Has no parameters: it comes from tables and importers only, and is in no registry. */
const struct topo_type topo_type_explicit = {
	.entry =
		{
			.name = "explicit",
			.summary = "routers, nodes and links one by one",
		},
	.family = "explicit",
	.links = explicit_links,
	.free_shape = explicit_free,
};
