/* routings.c - the registry of routings, and how one is opened and asked */
#include "machine/route/routing.h"

#include <stdlib.h>

#define X(name) extern const struct routing_type routing_type_##name;
#include "machine/route/routings.def"
#undef X

static const struct entry *const entries[] = {
#define X(name) &routing_type_##name.entry,
#include "machine/route/routings.def"
#undef X
};

const struct registry routings = {
	.name = "routings",
	.noun = "routing",
	.entries = entries,
	.n = sizeof(entries) / sizeof(*entries),
};

int routing_open(struct routing **result, struct topo *topo, const char *text, struct err *err)
{
	struct routing *routing = xcalloc(1, sizeof(*routing));

	*result = NULL;
	if (text == NULL)
		text = topo->routing != NULL ? topo->routing : "minimal";
	routing->topo = topo;
	if (pick_parse(&routing->pick, &routings, text, err) != 0) {
		free(routing);
		return -1;
	}
	routing->type = (const struct routing_type *)routing->pick.entry;
	if (routing->type->open != NULL && routing->type->open(routing, err) != 0) {
		routing_close(routing);
		return -1;
	}
	*result = routing;
	return 0;
}

void routing_close(struct routing *routing)
{
	if (routing == NULL)
		return;
	if (routing->type->close != NULL)
		routing->type->close(routing);
	pick_free(&routing->pick);
	free(routing);
}

int route_hops(struct routing *routing, int node_a, int node_b)
{
	return node_a == node_b ? 0 : routing->type->hops(routing, node_a, node_b);
}

int route_path(struct routing *routing, int node_a, int node_b, int_vec *path)
{
	return node_a == node_b ? 0 : routing->type->path(routing, node_a, node_b, path);
}
