/* sim_counters.c - what the counters of the simulated routers show, as a monitoring system stores
 * it */
#include "sim/sim_counters.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/counters/counter_samples.h"
#include "base/foreign.h"
#include "base/mem.h"
#include "base/str.h"

struct sim_counters {
	struct out *out;
	struct counter_layout layout;
	struct counter_flows flows; /* what has gone so far, not rates */
	int64_t *counts;            /* [layout.ncounters] of one plane */
	int64_t last_ps;
	struct map runs; /* that were admitted */
	bool names_runs, has_header;
	const char *run; /* the one that is simulated; or NULL */
	struct buf line;
};

struct sim_counters *sim_counters_open(struct topo *topo, struct out *out)
{
	static const struct layout_options options = {.redundancy = 1, .slice = -1};
	struct sim_counters *counters = xcalloc(1, sizeof(*counters));
	const struct topo_graph *graph = topo_graph(topo);

	counters->out = out;
	counters->last_ps = -1;
	counters->flows = (struct counter_flows){.topo = topo, .graph = graph};
	counters->flows.rates = xcalloc(2 * (size_t)graph->nlinks, sizeof(*counters->flows.rates));
	source_aries.open(&counters->layout, &counters->flows, &options);
	counters->counts = xcalloc((size_t)counters->layout.ncounters, sizeof(*counters->counts));
	return counters;
}

void sim_counters_close(struct sim_counters *counters)
{
	if (counters == NULL)
		return;
	for (size_t i = 0; i < counters->layout.schemas.n; i++) {
		buf_free(&counters->layout.schemas.at[i].header);
		vec_free(&counters->layout.schemas.at[i].cells);
	}
	for (size_t i = 0; i < counters->layout.rows.n; i++) {
		free(counters->layout.rows.at[i].producer);
		free(counters->layout.rows.at[i].text);
	}
	vec_free(&counters->layout.schemas);
	vec_free(&counters->layout.units);
	vec_free(&counters->layout.rows);
	arena_free(&counters->layout.arena);
	free(counters->flows.rates);
	free(counters->counts);
	map_free(&counters->runs);
	buf_free(&counters->line);
	free(counters);
}

/* Aries has four virtual channels for requests and four for answers; what the network has more of
 * is counted on the last one. */
static void count_vcs(const struct net *net, int64_t channel, int plane, bool is_terminal,
		      struct channel_rate *rate)
{
	enum { OF_CLASS = VCS / 2 };

	memset(rate->flits, 0, sizeof(rate->flits));
	memset(rate->packets, 0, sizeof(rate->packets));
	for (int vc = 0; vc < net_nclasses(net) * net_class_vcs(net); vc++) {
		int class = vc / net_class_vcs(net), at = vc % net_class_vcs(net);
		int64_t bytes, packets;

		net_plane_vc(net, channel, plane, vc, &bytes, &packets);
		at = class * OF_CLASS + (at < OF_CLASS ? at : OF_CLASS - 1);
		rate->flits[at] += is_terminal ? bytes / 16 + packets : bytes * 3 / 20;
		rate->packets[at] += packets;
	}
}

static void count(struct sim_counters *counters, const struct net *net, int plane)
{
	const struct topo_graph *graph = counters->flows.graph;

	for (int64_t i = 0; i < 2 * graph->nlinks; i++) {
		struct channel_rate *rate = &counters->flows.rates[i];

		count_vcs(net, i, plane, graph->links[i / 2].level == LINK_TERMINAL, rate);
		rate->stalls = net_plane_channel(net, i, plane).stall_ps / 1250;
	}
	source_aries.rates(&counters->layout, &counters->flows, counters->counts);
}

static void put_header(struct sim_counters *counters, const struct counter_schema *schema,
		       bool has_planes)
{
	out_printf(counters->out, "#Time,Time_usec,ProducerName,component_id,job_id,app_id%s%s%s\n",
		   counters->names_runs ? ",run" : "", has_planes ? ",plane" : "",
		   schema->header.text);
}

/* plane: -1: there is one. */
static void put_row(struct sim_counters *counters, const struct counter_row *row, int64_t now_us,
		    int plane)
{
	const struct counter_schema *schema = &counters->layout.schemas.at[row->schema];
	const int64_t *counts = counters->counts + counters->layout.units.at[row->unit].first;
	struct buf *line = &counters->line;

	buf_clear(line);
	buf_printf(line, "%" PRId64 ".%06d,%d,%s,%" PRId64 ",0,0", now_us / 1000000,
		   (int)(now_us % 1000000), (int)(now_us % 1000000), row->producer, row->component);
	if (counters->names_runs) {
		buf_char(line, ',');
		foreign_csv(line, counters->run != NULL ? counters->run : ".", ",");
	}
	if (plane >= 0)
		buf_printf(line, ",%d", plane);
	buf_str(line, row->text != NULL ? row->text : "");
	for (size_t i = 0; i < schema->cells.n; i++) {
		int cell = schema->cells.at[i];

		buf_printf(line, ",%" PRId64, cell < 0 ? 0 : counts[cell]);
	}
	buf_char(line, '\n');
	out_write(counters->out, line->text, line->n);
}

int sim_counters_admit(struct sim_counters *counters, const char *run, struct err *err)
{
	const char *name = run != NULL ? run : ".";

	if (map_get(&counters->runs, name, strlen(name)) >= 0)
		return err_set(err,
			       "--counters: a second run '%s': expected another name in column "
			       "run (rows of one run have the same run and policy)",
			       name);
	map_set(&counters->runs, name, strlen(name), 1);
	return 0;
}

void sim_counters_name_runs(struct sim_counters *counters)
{
	counters->names_runs = true;
}

void sim_counters_begin(struct sim_counters *counters, const char *run)
{
	counters->run = run;
	counters->last_ps = -1;
	memset(counters->counts, 0, (size_t)counters->layout.ncounters * sizeof(*counters->counts));
}

void sim_counters_sample(struct sim_counters *counters, const struct net *net, int64_t now_ps)
{
	int nplanes = net_nplanes(net);
	bool has_planes = nplanes > 1;
	int schema = -1;

	if (now_ps == counters->last_ps)
		return;
	counters->last_ps = now_ps;
	for (int plane = 0; plane < nplanes; plane++) {
		/* before the run has begun all counters are 0 */
		if (now_ps > 0)
			count(counters, net, plane);
		for (size_t i = 0; i < counters->layout.rows.n; i++) {
			const struct counter_row *row = &counters->layout.rows.at[i];

			if (row->schema != schema &&
			    (!counters->has_header || counters->layout.schemas.n > 1))
				put_header(counters, &counters->layout.schemas.at[row->schema],
					   has_planes);
			schema = row->schema;
			put_row(counters, row, now_ps / 1000000, has_planes ? plane : -1);
		}
	}
	counters->has_header = true;
}
