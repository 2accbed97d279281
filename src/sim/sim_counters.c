/* sim_counters.c - what the counters of the simulated routers show, as a monitoring system stores
 * it */
#include "sim/sim_counters.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/counters/counter_samples.h"
#include "base/mem.h"
#include "base/str.h"

struct sim_counters {
	struct out *out;
	struct counter_layout layout;
	struct counter_flows flows; /* what has gone so far, not rates */
	int64_t *counts;            /* [layout.ncounters] */
	int64_t last_ps;
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
	buf_free(&counters->line);
	free(counters);
}

/* Aries has four virtual channels for requests and four for answers; what the network has more of
 * is counted on the last one. */
static void count_vcs(const struct net *net, int64_t channel, bool is_terminal,
		      struct channel_rate *rate)
{
	enum { OF_CLASS = VCS / 2 };

	memset(rate->flits, 0, sizeof(rate->flits));
	memset(rate->packets, 0, sizeof(rate->packets));
	for (int vc = 0; vc < net_nclasses(net) * net_class_vcs(net); vc++) {
		int class = vc / net_class_vcs(net), at = vc % net_class_vcs(net);
		int64_t bytes, packets;

		net_vc_sum(net, channel, vc, &bytes, &packets);
		at = class * OF_CLASS + (at < OF_CLASS ? at : OF_CLASS - 1);
		rate->flits[at] += is_terminal ? bytes / 16 + packets : bytes * 3 / 20;
		rate->packets[at] += packets;
	}
}

static void count(struct sim_counters *counters, const struct net *net)
{
	const struct topo_graph *graph = counters->flows.graph;

	for (int64_t i = 0; i < 2 * graph->nlinks; i++) {
		struct channel_rate *rate = &counters->flows.rates[i];

		count_vcs(net, i, graph->links[i / 2].level == LINK_TERMINAL, rate);
		rate->stalls = net_channel_sum(net, i).stall_ps / 1250;
	}
	source_aries.rates(&counters->layout, &counters->flows, counters->counts);
}

static void put_header(struct sim_counters *counters, const struct counter_schema *schema)
{
	out_printf(counters->out, "#Time,Time_usec,ProducerName,component_id,job_id,app_id%s\n",
		   schema->header.text);
}

static void put_row(struct sim_counters *counters, const struct counter_row *row, int64_t now_us)
{
	const struct counter_schema *schema = &counters->layout.schemas.at[row->schema];
	const int64_t *counts = counters->counts + counters->layout.units.at[row->unit].first;
	struct buf *line = &counters->line;

	buf_clear(line);
	buf_printf(line, "%" PRId64 ".%06d,%d,%s,%" PRId64 ",0,0%s", now_us / 1000000,
		   (int)(now_us % 1000000), (int)(now_us % 1000000), row->producer, row->component,
		   row->text != NULL ? row->text : "");
	for (size_t i = 0; i < schema->cells.n; i++) {
		int cell = schema->cells.at[i];

		buf_printf(line, ",%" PRId64, cell < 0 ? 0 : counts[cell]);
	}
	buf_char(line, '\n');
	out_write(counters->out, line->text, line->n);
}

void sim_counters_sample(struct sim_counters *counters, const struct net *net, int64_t now_ps)
{
	int schema = -1;
	bool is_first = counters->last_ps < 0;

	if (now_ps == counters->last_ps)
		return;
	counters->last_ps = now_ps;
	/* before the run has begun all counters are 0 */
	if (now_ps > 0)
		count(counters, net);
	for (size_t i = 0; i < counters->layout.rows.n; i++) {
		const struct counter_row *row = &counters->layout.rows.at[i];

		if (row->schema != schema && (is_first || counters->layout.schemas.n > 1))
			put_header(counters, &counters->layout.schemas.at[row->schema]);
		schema = row->schema;
		put_row(counters, row, now_ps / 1000000);
	}
}
