/* explicit.c - the whole graph of a machine as tables within one YAML document */
#include "machine/export/explicit.h"

#include <stdio.h>

#include "machine/export/exporter.h"
#include "machine/export/yaml_write.h"
#include "base/num.h"
#include "model/topo_build.h"
#include "model/topo_type.h"

static const char INDENT[] = "    ";

static void write_level(const struct link_level *level, struct out *out)
{
	struct yaml_section section = {.out = out, .head = ""};
	char text[NUM_TEXT];

	out_str(out, "  ");
	yaml_write_text(out, level->name);
	out_str(out, ": {");
	if (level->is_bandwidth_written) {
		num_print_real(text, level->bandwidth);
		yaml_write_value(&section, "bandwidth", text);
	} else if (level->is_bandwidth_guessed) {
		yaml_write_value(&section, "bandwidth", "guessed");
	}
	if (level->is_latency_written) {
		num_print_real(text, level->latency);
		yaml_write_value(&section, "latency", text);
	}
	out_str(out, "}\n");
}

/* All but "node", which is written only if something is known of it. */
static void write_levels(const struct topo *topo, struct out *out)
{
	out_str(out, "links:\n");
	for (int i = 0; i < topo->nlevels; i++)
		if (i != LINK_NODE || topo->levels[i].is_bandwidth_written ||
		    topo->levels[i].is_latency_written)
			write_level(&topo->levels[i], out);
}

static void write_routers(const struct topo *topo, struct out *out)
{
	char text[TOPO_NAME];

	out_printf(out, "  routers: |\n%srouter", INDENT);
	for (int tier = 1; tier < topo->ntiers; tier++)
		out_printf(out, "\t%s", topo->tiers[tier].name);
	out_char(out, '\n');
	for (int router = 0; router < topo->nrouters; router++) {
		int domain = router;

		out_printf(out, "%s%s", INDENT, topo_router_name(topo, router, text));
		for (int tier = 1; tier < topo->ntiers; tier++) {
			domain = domain >= 0 ? topo->tiers[tier].of[domain] : -1;
			if (domain >= 0)
				out_printf(out, "\t%d", domain);
			else
				out_str(out, "\t.");
		}
		out_char(out, '\n');
	}
}

static void write_nodes(const struct topo *topo, struct out *out)
{
	char text[TOPO_NAME], inside[INSIDE_TEXT];

	out_printf(out, "  nodes: |\n%snode%s%s\n", INDENT, topo->cores_of != NULL ? "\tcores" : "",
		   topo->inside_of != NULL ? "\tinside" : "");
	for (int node = 0; node < topo->nnodes; node++) {
		out_printf(out, "%s%s", INDENT, topo_node_name(topo, node, text));
		if (topo->cores_of != NULL)
			out_printf(out, "\t%d", topo->cores_of[node]);
		if (topo->inside_of != NULL && topo->inside_of[node] != NULL)
			topo_inside_print(topo->inside_of[node], inside);
		if (topo->inside_of != NULL)
			out_printf(out, "\t%s", topo->inside_of[node] != NULL ? inside : ".");
		out_char(out, '\n');
	}
}

struct writing {
	const struct topo *topo;
	struct out *out;
};

static void write_link(void *context, int a, int b, int level)
{
	struct writing *writing = context;
	const struct topo *topo = writing->topo;
	char text[TOPO_NAME];

	for (int end = 0; end < 2; end++) {
		int vertex = end ? b : a;

		out_str(writing->out, end ? "\t" : INDENT);
		out_str(writing->out,
			vertex < topo->nnodes
				? topo_node_name(topo, vertex, text)
				: topo_router_name(topo, vertex - topo->nnodes, text));
	}
	out_printf(writing->out, "\t%s\n", topo->levels[level].name);
}

int topo_write_explicit(struct topo *topo, struct out *out)
{
	struct writing writing = {topo, out};
	char cores[16], inside[INSIDE_TEXT];

	topo_inside_print(&topo->inside, inside);
	snprintf(cores, sizeof(cores), "%d", topo->cores);
	yaml_write_head(out, topo->name, topo_type_explicit.entry.name);
	yaml_write_nodes(topo, out, topo->cores != 1 ? cores : NULL,
			 topo->inside.nlevels > 0 ? inside : NULL, NULL);
	write_levels(topo, out);
	yaml_write_extras(topo, out);
	yaml_write_hierarchies(topo, out);
	out_str(out, "tables:\n");
	yaml_write_domains(topo, out, true);
	write_routers(topo, out);
	write_nodes(topo, out);
	out_printf(out, "  links: |\n%sfrom\tto\tlevel\n", INDENT);
	topo->type->links(topo, write_link, &writing);
	if (topo->routes != NULL)
		topo_write_routes(topo, out);
	return 0;
}

static int write_explicit(struct topo *topo, struct out *out, const struct topo_export *how,
			  struct err *err)
{
	(void)how;
	(void)err;
	return topo_write_explicit(topo, out);
}

const struct topo_exporter topo_exporter_explicit = {
	.entry =
		{
			.name = "explicit",
			.summary = "YAML with every router, node and link",
			.example = "explicit",
		},
	.write = write_explicit,
};
