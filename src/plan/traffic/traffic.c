/* traffic.c - files of counters in, a traffic table out */
#include "traffic/traffic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/load.h"
#include "base/num.h"
#include "base/str.h"
#include "base/time.h"
#include "formats/hostlist.h"

struct running {
	const struct run_context *context;
	const struct traffic_run_options *options;
	struct traffic_run *run;
	struct header_set headers;
	struct pick source;
	struct topo *topo;
	struct regions regions;
	struct out *out;
	struct traffic_out *table;             /* NULL until the first window */
	int level, stalled, nrouters, routers; /* columns of regions */
	struct hostlist names;
};

/* ---- writing ---- */

static void begin_table(struct running *running, bool has_run)
{
	struct table_out *table;

	if (running->table != NULL)
		return;
	running->table =
		traffic_out_new(running->out, running->options->per,
				running->headers.all.n > 0 ? running->headers.all.at[0]->source.unit
							   : TRAFFIC_FLITS_PER_S,
				has_run);
	table = traffic_out_table(running->table);
	if (running->topo != NULL)
		topo_record(running->topo, table);
	if (running->run->source[0] != '\0')
		table_out_meta(table, "source", running->run->source);
	if (running->options->per != TRAFFIC_REGION)
		return;
	running->level = table_out_column(table, "class");
	running->stalled = table_out_column(table, "stalled_fraction");
	running->nrouters = table_out_column(table, "routers");
	running->routers = table_out_column(table, "routerlist");
}

static const char *router_list(struct running *running, int region)
{
	const struct topo *topo = running->topo;
	char text[TOPO_NAME];

	hostlist_clear(&running->names);
	for (int router = 0; router < topo->nrouters; router++)
		if (running->regions.region_of[router] == region) {
			const char *name = topo_router_name(topo, router, text);

			hostlist_add(&running->names, name, strlen(name));
		}
	return hostlist_text(&running->names);
}

static void write_regions(struct running *running, const struct window_result *window)
{
	struct table_out *table = traffic_out_table(running->table);

	regions_grow(&running->regions, window);
	for (size_t i = 0; i < running->regions.all.n; i++) {
		const struct region *region = &running->regions.all.at[i];
		char number[NUM_TEXT];

		snprintf(number, sizeof(number), "%d", region->number);
		table_out_int(table, running->level, region->level);
		table_out_real(table, running->stalled, region->stalled);
		table_out_int(table, running->nrouters, region->nrouters);
		table_out_text(table, running->routers, router_list(running, region->number));
		traffic_out_row(running->table, &(struct traffic_row){
							.run = window->run,
							.end_ns = window->end_ns,
							.window_ns = window->window_ns,
							.name = number,
							.traffic = region->traffic,
							.stall = region->stall,
							.samples = region->samples,
							.resets = region->resets,
							.incomplete = region->incomplete,
						});
	}
}

static void write_results(struct running *running, const struct window_result *window)
{
	for (int i = 0; i < window->n; i++) {
		const struct traffic_result *result = &window->results[i];

		traffic_out_row(running->table, &(struct traffic_row){
							.run = window->run,
							.end_ns = window->end_ns,
							.window_ns = window->window_ns,
							.name = result->name,
							.traffic = result->traffic,
							.stall = result->stall,
							.samples = result->samples,
							.resets = result->resets,
							.incomplete = result->incomplete,
						});
	}
}

/* A window_fn. */
static int write_window(void *context, const struct window_result *window, struct err *err)
{
	struct running *running = context;

	begin_table(running, window->run != NULL);
	running->run->nwindows++;
	if (running->options->per == TRAFFIC_REGION)
		write_regions(running, window);
	else
		write_results(running, window);
	out_flush(running->out); /* for readers that wait */
	return out_check(running->out, err);
}

/* ---- reading ---- */

static int64_t to_ns(double seconds)
{
	return (int64_t)llround(seconds * 1e9);
}

/* -2min: a length of time with a unit, before something. */
static int read_ago(const char *text, int64_t *ns)
{
	double seconds;

	if (num_duration(text + 1, &seconds) != 0 || seconds > 9e9)
		return -1;
	*ns = -to_ns(seconds);
	return 0;
}

/* A time, or a length before the newest sample. */
static int read_time(const char *text, const char *option, char *const *paths,
		     struct running *running, int64_t *ns, struct err *err)
{
	int64_t newest;
	int status;

	if (text[0] != '-') {
		status = time_parse(text, ns);
		if (status == 0)
			return 0;
		return err_set(err, "--%s '%s': %s", option, text,
			       status == -2 ? "a time needs its zone: Z, or +01:00"
					    : "expected seconds since the epoch, a time such as "
					      "2018-12-21T14:30:00Z, or -120");
	}
	if (num_seconds(text, ns) != 0 && read_ago(text, ns) != 0)
		return err_set(err, "--%s '%s': expected seconds before the last sample, as -120",
			       option, text);
	status = inputs_newest(paths, running->options->header, &running->headers, &newest, err);
	if (status < 0)
		return err_prefix(err, "--%s %s: ", option, text);
	*ns += status == 1 ? newest : 0;
	return 0;
}

static int find_topology(struct running *running, const struct table_in *table, struct err *err)
{
	const char *topology = running->context->topology;
	bool is_recorded = table != NULL && table_meta(table, "topology") != NULL;

	if (topology != NULL || is_recorded || getenv("PLACETOOLS_TOPOLOGY") != NULL)
		return topo_resolve(&running->topo, topology, table, err);
	if (running->options->per == TRAFFIC_REGION)
		return err_set(err, "--per region needs to know which routers are adjacent: -t");
	return 0;
}

static int fill_options(struct running *running, struct aggregate_options *options,
			char *const *paths, struct err *err)
{
	const struct traffic_run_options *run_options = running->options;

	*options = (struct aggregate_options){
		.per = run_options->per,
		.topo = running->topo,
		.window_ns = to_ns(run_options->window_s),
		.has_since = run_options->since != NULL,
		.has_until = run_options->until != NULL,
		.wrap_bits = run_options->wrap_bits,
		.gap_ns =
			to_ns(run_options->gap_s > 0 ? run_options->gap_s : run_options->window_s),
		.late_ns = run_options->late_s < 0 ? -1 : to_ns(run_options->late_s),
	};
	if (run_options->since != NULL &&
	    read_time(run_options->since, "since", paths, running, &options->since_ns, err) != 0)
		return -1;
	if (run_options->until != NULL &&
	    read_time(run_options->until, "until", paths, running, &options->until_ns, err) != 0)
		return -1;
	if (run_options->since != NULL && run_options->until != NULL &&
	    options->since_ns >= options->until_ns)
		return err_set(err, "--since is not before --until");
	return 0;
}

static int check_run(const struct traffic_run *run, struct err *err)
{
	if (run->feed.rows == 0 && run->feed.broken > 0)
		return err_set(err, "%s", run->feed.first_broken);
	if (run->nstreams == 0 && run->counts.unknown > 0)
		return err_set(err,
			       "none of the producers is in the topology: '%s' is not a node of it",
			       run->counts.first_unknown);
	return 0;
}

static int take_all(struct running *running, struct inputs *inputs, struct aggregate *aggregate,
		    struct err *err)
{
	struct sample sample;
	int status;

	while ((status = inputs_next(inputs, &sample, err)) == 1)
		if (aggregate_add(aggregate, &sample, err) != 0)
			return -1;
	if (status == 0)
		status = aggregate_finish(aggregate, err);
	running->run->counts = *aggregate_counts(aggregate);
	running->run->nstreams = aggregate_nstreams(aggregate);
	return status;
}

static int run_inputs(struct running *running, struct inputs *inputs, char *const *paths,
		      struct err *err)
{
	struct aggregate_options options;
	struct aggregate *aggregate;
	int status;

	if (find_topology(running, inputs_table(inputs), err) != 0)
		return -1;
	if (fill_options(running, &options, paths, err) != 0)
		return -1;
	if (running->source.entry != NULL) {
		char *text = pick_text(&running->source);

		snprintf(running->run->source, sizeof(running->run->source), "%s", text);
		free(text);
	}
	if (running->options->per == TRAFFIC_REGION)
		regions_init(&running->regions, running->topo, running->options->thresholds);
	aggregate = aggregate_new(&options, &running->run->feed, write_window, running);
	status = take_all(running, inputs, aggregate, err);
	aggregate_free(aggregate);
	if (status != 0 || check_run(running->run, err) != 0)
		return -1;
	running->run->is_whole = inputs_are_whole(inputs);
	running->run->is_empty = running->run->feed.rows == 0 && !running->options->allows_empty;
	begin_table(running, false);
	traffic_out_end(running->table, running->run->is_whole && !running->run->is_empty);
	running->table = NULL;
	return 0;
}

int traffic_run(const struct run_context *context, struct traffic_run *run,
		const struct traffic_run_options *options, char *const *paths, struct out *out,
		struct err *err)
{
	struct running running = {.context = context, .options = options, .run = run, .out = out};
	struct inputs *inputs = NULL;
	int status = 0;

	*run = (struct traffic_run){0};
	running.headers.options.source = &running.source;
	running.headers.options.per = options->per;
	if (options->source != NULL)
		status = pick_parse(&running.source, &sources, options->source, err);
	if (status == 0)
		status = inputs_open(&inputs, paths, options->header, &running.headers, &run->feed,
				     context->accepts_partial, err);
	if (status == 0)
		status = run_inputs(&running, inputs, paths, err);
	if (running.table != NULL)
		traffic_out_end(running.table, false);
	inputs_close(inputs);
	header_set_free(&running.headers);
	regions_free(&running.regions);
	hostlist_free(&running.names);
	pick_free(&running.source);
	topo_free(running.topo);
	return status;
}
