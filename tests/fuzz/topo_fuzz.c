/* topo_fuzz.c - a topology document is refused or is a machine that hangs together */
#include <ctype.h>
#include <string.h>

#include "machine/route/routing.h"
#include "machine/yaml/yaml_read.h"
#include "fuzz.h"
#include "model/topo_hash.h"

/* A structure of a few bytes can be large, which takes time but shows nothing: such are left out by
 * the product of their numbers; two kinds have numbers that are exponents. */
static bool is_large(const uint8_t *bytes, size_t n)
{
	char *text = fuzz_text(bytes, n);
	double most = strstr(text, "levels") ? 4 : strstr(text, "hypercube") ? 10 : 1000;
	double product = 1;
	bool is_explicit = strstr(text, "explicit") != NULL, is_beyond = false;

	for (const char *p = text; *p != '\0' && !is_explicit; p++) {
		double number = 0;

		for (; isdigit((unsigned char)*p); p++)
			number = number * 10 + (*p - '0');
		is_beyond = is_beyond || number > most;
		product *= number > 1 ? number : 1;
		if (*p == '\0')
			break;
	}
	free(text);
	return !is_explicit && (is_beyond || product > 1e5);
}

static void check_graph(struct topo *topo)
{
	const struct topo_graph *graph = topo_graph(topo);

	fuzz_must(graph->first[topo_nvertices(topo)] == 2 * graph->nlinks,
		  "all channels are listed");
	for (int64_t i = 0; i < graph->nlinks; i++) {
		const struct topo_link *link = &graph->links[i];

		fuzz_must(link->a >= 0 && link->a < topo_nvertices(topo) && link->b >= 0 &&
				  link->b < topo_nvertices(topo) && link->a != link->b,
			  "links join two vertices");
		fuzz_must(link->level > LINK_NODE && link->level < topo->nlevels,
			  "links have a level");
	}
}

static void check_names(const struct topo *topo)
{
	char text[TOPO_NAME];

	for (int node = 0; node < topo->nnodes; node++) {
		const char *name = topo_node_name(topo, node, text);

		fuzz_must(topo_node_find(topo, name, strlen(name)) == node,
			  "names find their node");
		for (int tier = 0; tier < topo->ntiers; tier++) {
			int domain = topo_domain(topo, node, tier);

			fuzz_must(domain >= 0 && domain < topo->tiers[tier].n,
				  "nodes lie in a domain");
		}
	}
}

static void check_routes(struct topo *topo)
{
	int_vec path = {0};
	bool is_minimal = false;

	for (int i = 0; i < routings.n; i++) {
		struct routing *routing;
		struct err err;

		/* some are of certain networks, or want a table */
		if (routing_open(&routing, topo, routings.entries[i]->example, &err) != 0)
			continue;
		is_minimal |= routings.entries[i] == &routing_type_minimal.entry;
		for (int a = 0; a < topo->nnodes; a += 1 + topo->nnodes / 5)
			for (int b = 0; b < topo->nnodes; b += 1 + topo->nnodes / 7) {
				int hops = route_hops(routing, a, b);

				path.n = 0;
				fuzz_must(route_path(routing, a, b, &path) == hops,
					  "paths are as long as hops says");
				fuzz_must(hops < 0 || (int)path.n == hops, "paths are whole");
			}
		routing_close(routing);
	}
	fuzz_must(is_minimal, "it can be routed");
	free(path.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct yaml_file *file;
	struct topo *topo;
	struct err err;

	if (is_large(bytes, n) || yaml_open_text(&file, "fuzz", (const char *)bytes, n, &err) != 0)
		return 0;
	if (topo_read_yaml(&topo, file, &err) == 0) {
		fuzz_must(topo->hash == topo_hash(topo), "the hash is stable");
		if (topo_nvertices(topo) < 20000) {
			check_graph(topo);
			check_names(topo);
			check_routes(topo);
		}
		topo_free(topo);
	} else {
		fuzz_must(strncmp(err.msg, "fuzz:", 5) == 0, "a refusal names the file");
	}
	yaml_close(file);
	return 0;
}
