/* routings.c - the registry of routings, and which one a machine has */
#include "machine/route/routing.h"

#define REGISTRY "machine/route/routings.def"
#define REGISTRY_TYPE struct routing_type
#define REGISTRY_PREFIX routing_type_
#include "base/registry_entries.h"

const struct registry routings = REGISTRY_OF("routings", "routing");

const struct entry *const routing_default = &routing_type_minimal.entry;
const struct entry *const routing_of_tables = &routing_type_table.entry;

int routing_open(struct routing **routing, struct topo *topo, const char *text, struct err *err)
{
	struct pick pick;

	*routing = NULL;
	if (text == NULL)
		text = topo->routing;
	if (text == NULL)
		return routing_open_entry(routing, topo, routing_default, err);
	return pick_parse(&pick, &routings, text, err) == 0
		       ? routing_open_pick(routing, topo, pick, err)
		       : -1;
}
