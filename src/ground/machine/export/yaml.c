/* yaml.c - a machine as YAML: its parameters, or the tables of one that has no structure */
#include <stdlib.h>
#include <string.h>

#include "machine/export/explicit.h"
#include "machine/export/exporter.h"
#include "machine/export/yaml_write.h"
#include "base/mem.h"
#include "model/topo_type.h"

/* The text that was given for a parameter, or NULL. */
static const char *given(const struct pick *pick, const char *key)
{
	for (int i = 0; pick->entry->params[i].key != NULL; i++)
		if (str_eq(pick->entry->params[i].key, key))
			return pick->values[i].is_given ? pick->values[i].text : NULL;
	return NULL;
}

static bool is_of_links(const char *key)
{
	return str_ends(key, "bandwidth") || str_ends(key, "latency");
}

static void write_parameters(const struct topo *topo, struct out *out)
{
	struct yaml_section section = {.out = out, .head = "parameters: {"};
	const struct param *params = topo->pick.entry->params;

	for (int i = 0; params[i].key != NULL; i++)
		if (topo->pick.values[i].is_given && !is_of_links(params[i].key) &&
		    !str_eq(params[i].key, "cores") && !str_eq(params[i].key, "inside") &&
		    !str_ends(params[i].key, "names"))
			yaml_write_value(&section, params[i].key, topo->pick.values[i].text);
	yaml_section_end(&section);
}

/* The level's own, or what was given for all of them; copies inside a node have only their own. */
static const char *level_value(const struct topo *topo, int level, const char *what)
{
	char *key = xasprintf("%s-%s", topo->levels[level].name, what);
	const char *text = given(&topo->pick, key);

	free(key);
	return text != NULL || level == LINK_NODE ? text : given(&topo->pick, what);
}

static void write_links(const struct topo *topo, struct out *out)
{
	int nwritten = 0;

	for (int level = 0; level < topo->nlevels; level++) {
		struct yaml_section section = {.out = out, .head = ""};
		const char *bandwidth = level_value(topo, level, "bandwidth");
		const char *latency = level_value(topo, level, "latency");

		if (bandwidth == NULL && latency == NULL)
			continue;
		out_printf(out, "%s  %s: {", nwritten++ ? "" : "links:\n",
			   topo->levels[level].name);
		if (bandwidth != NULL)
			yaml_write_value(&section, "bandwidth", bandwidth);
		if (latency != NULL)
			yaml_write_value(&section, "latency", latency);
		yaml_section_end(&section);
	}
}

static int write_yaml(struct topo *topo, struct out *out, const struct topo_export *how,
		      struct err *err)
{
	const char *kind = topo->type->entry.name;
	char *usual = xasprintf("%s-%d", kind, topo->nnodes); /* what it is called anyway */
	const char *router_names;

	(void)how;
	(void)err;
	if (topo->pick.entry == NULL) {
		free(usual);
		return topo_write_explicit(topo, out);
	}
	yaml_write_head(out, str_eq(topo->name, usual) ? NULL : topo->name, kind);
	free(usual);
	write_parameters(topo, out);
	yaml_write_nodes(topo, out, given(&topo->pick, "cores"), given(&topo->pick, "inside"),
			 given(&topo->pick, "names"));
	router_names = given(&topo->pick, "router-names");
	if (router_names != NULL) {
		out_str(out, "routers: {names: ");
		yaml_write_text(out, router_names);
		out_str(out, "}\n");
	}
	write_links(topo, out);
	yaml_write_extras(topo, out);
	yaml_write_hierarchies(topo, out);
	yaml_write_domains(topo, out, false);
	return 0;
}

const struct topo_exporter topo_exporter_yaml = {
	.entry =
		{
			.name = "yaml",
			.summary = "YAML with the parameters, or the tables of "
				   "a machine without structure",
			.example = "yaml",
		},
	.write = write_yaml,
};
