/* show.c - the parameters of a simulation, as a profile and as lines of a stream's head */
#include "sim/params/parameters.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "machine/export/yaml_write.h"

static const char GUESS[] = "guess";

/* A level's bandwidth in bytes/s, its latency in whole picoseconds. */
static void level_texts(const struct sim_level *level, char bandwidth[NUM_TEXT],
			char latency[NUM_TEXT])
{
	num_print_real(bandwidth, level->bandwidth);
	snprintf(latency, NUM_TEXT, "%lldps", (long long)level->latency_ps);
}

void sim_params_show(const struct sim_params *kept, const struct topo *topo, struct out *out)
{
	const struct param *params = sim_parameters_entry.params;
	char bandwidth[NUM_TEXT], latency[NUM_TEXT];

	out_str(out, "placetools: netsim-profile/1\n"
		     "overrides: topology\n"
		     "parameters:\n");
	for (int row = 0; params[row].key != NULL; row++) {
		if (kept->told[row].text == NULL)
			continue;
		out_printf(out, "  %s: ", params[row].key);
		yaml_write_text(out, kept->told[row].text);
		out_printf(out, " # %s\n", kept->told[row].from);
	}
	out_str(out, "links:\n");
	for (int i = 0; i < topo->nlevels; i++) {
		const struct sim_level *level = &kept->levels[i];

		level_texts(level, bandwidth, latency);
		out_str(out, "  ");
		yaml_write_text(out, topo->levels[i].name);
		out_printf(out, ": {bandwidth: %s, latency: %s} # %s, %s\n", bandwidth, latency,
			   level->is_guessed ? GUESS : level->bandwidth_from, level->latency_from);
	}
	out_str(out, "routing: ");
	yaml_write_text(out, kept->routing);
	out_printf(out, " # %s\n", kept->routing_from);
}

static void record(struct table_out *table, const char *level, const char *key, const char *value,
		   const char *from)
{
	char *whole = xasprintf("netsim.%s%s%s", level, *level != '\0' ? "-" : "", key);
	char *text = xasprintf("%s %s", value, from);

	table_out_meta(table, whole, text);
	free(whole);
	free(text);
}

void sim_params_record(const struct sim_params *kept, const struct topo *topo,
		       struct table_out *table)
{
	const struct param *params = sim_parameters_entry.params;
	char bandwidth[NUM_TEXT], latency[NUM_TEXT];

	for (int row = 0; params[row].key != NULL; row++)
		if (kept->told[row].text != NULL)
			record(table, "", params[row].key, kept->told[row].text,
			       kept->told[row].from);
	for (int i = 0; i < topo->nlevels; i++) {
		const struct sim_level *level = &kept->levels[i];
		const char *name = topo->levels[i].name;

		level_texts(level, bandwidth, latency);
		record(table, name, "bandwidth", bandwidth,
		       level->is_guessed ? GUESS : level->bandwidth_from);
		record(table, name, "latency", latency, level->latency_from);
	}
	record(table, "", "routing", kept->routing, kept->routing_from);
}
