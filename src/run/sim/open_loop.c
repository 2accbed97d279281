/* open_loop.c - nodes that send whatever comes back: latency against offered load */
#include "sim/open_loop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "machine/load.h"
#include "base/explog.h"
#include "base/mem.h"
#include "base/die.h"
#include "base/num.h"
#include "base/progress.h"
#include "base/rng.h"
#include "base/str.h"
#include "formats/out.h"
#include "model/kinds.h"
#include "sim/network/net.h"
#include "sim/open_pattern.h"
#include "base/threads.h"

enum { LOADS_MOST = 10000, UNMEASURED = 0, MEASURED = 1 };

struct open_loop {
	struct net *net;
	const struct open_pattern *pattern;
	const struct open_destinations *to;
	struct rng *rngs;      /* [nnodes] */
	double load, log_rest; /* log(1 − load) */
	int64_t bytes, slot_ps;
	int64_t begin_ps, end_ps, last_ps; /* of measuring; given up */
	int64_t nmade, ncome;              /* of those measured */
	int64_t bytes_come;                /* within the time of measuring */
	double latency_ps;                 /* sum */
};

/* Slots until the node's next message, at least 1: geometric. */
static int64_t next_slot(struct open_loop *loop, int node)
{
	double slots;

	if (loop->load >= 1)
		return 1;
	slots = same_log(1 - rng_unit(&loop->rngs[node])) / loop->log_rest;
	return slots > 1e12 ? (int64_t)1e12 : 1 + (int64_t)slots;
}

static void made(void *context, uint64_t node)
{
	struct open_loop *loop = context;
	int64_t now = net_now(loop->net);
	bool is_measured = now >= loop->begin_ps && now < loop->end_ps;
	int to;

	if (now > loop->last_ps || progress_must_stop()) {
		net_stop(loop->net, now);
		return;
	}
	to = loop->pattern->destination(loop->to, &loop->rngs[node], (int)node);
	loop->nmade += is_measured;
	if (to >= 0)
		net_send(loop->net,
			 &(struct net_message){.src = (int32_t)node,
					       .dst = to,
					       .bytes = loop->bytes,
					       .cookie = (uint64_t)now,
					       .owner = is_measured ? MEASURED : UNMEASURED,
					       .skips_injected = true});
	net_timer(loop->net, (int32_t)node, now + next_slot(loop, (int)node) * loop->slot_ps, node);
}

static void come(void *context, uint64_t made_ps)
{
	struct open_loop *loop = context;
	int64_t now = net_now(loop->net), made_at = (int64_t)made_ps;

	if (now >= loop->begin_ps && now < loop->end_ps)
		loop->bytes_come += loop->bytes;
	if (made_at < loop->begin_ps || made_at >= loop->end_ps)
		return;
	loop->latency_ps += (double)(now - made_at);
	if (++loop->ncome == loop->nmade && now >= loop->end_ps)
		net_stop(loop->net, now);
}

/* ---- the rows ---- */

struct columns {
	int pattern, routing, offered, accepted, latency, drained, hops, nonminimal;
};

static struct columns add_columns(struct table_out *out)
{
	return (struct columns){
		.pattern = table_out_column(out, "pattern"),
		.routing = table_out_column(out, "routing"),
		.offered = table_out_column(out, "offered"),
		.accepted = table_out_column(out, "accepted"),
		.latency = table_out_column(out, "latency_s"),
		.drained = table_out_column(out, "drained"),
		.hops = table_out_column(out, "hops_mean"),
		.nonminimal = table_out_column(out, "nonminimal_fraction"),
	};
}

static void write_row(struct table_out *out, const struct columns *columns,
		      const struct open_loop *loop, const struct sim_params *params, int nnodes)
{
	const struct net_totals totals = net_totals(loop->net, NET_MPI, MEASURED);
	double capacity = params->levels[LINK_TERMINAL].bandwidth *
			  (double)(loop->end_ps - loop->begin_ps) / 1e12 * nnodes;

	table_out_text(out, columns->pattern, loop->pattern->entry.name);
	table_out_text(out, columns->routing, params->routing);
	table_out_real(out, columns->offered, loop->load);
	table_out_real(out, columns->accepted, (double)loop->bytes_come / capacity);
	table_out_real(out, columns->latency,
		       loop->ncome > 0 ? loop->latency_ps / (double)loop->ncome / 1e12 : 0);
	table_out_bool(out, columns->drained, loop->ncome == loop->nmade);
	if (totals.packets > 0) {
		table_out_real(out, columns->hops,
			       (double)totals.packet_hops / (double)totals.packets + 1);
		table_out_real(out, columns->nonminimal,
			       (double)totals.nonminimal / (double)totals.packets);
	}
	table_out_emit(out);
}

/* ---- loads ---- */

struct loads {
	double from, to, step;
	int n;
};

/* "0.3", or "0.1:0.9:0.05" with both ends. */
static int read_loads(struct loads *loads, const char *text, struct err *err)
{
	char *copy = xstrdup(text), *parts[4];
	int n = str_split(copy, ':', parts, 4), status = 0;
	double *values[] = {&loads->from, &loads->to, &loads->step};

	*loads = (struct loads){.step = 1};
	if (n != 1 && n != 3)
		status = -1;
	for (int i = 0; i < n && status == 0; i++)
		status = num_real(parts[i], 1e-9, 1, values[i]);
	if (n == 1)
		loads->to = loads->from;
	free(copy);
	if (status != 0 || loads->to < loads->from ||
	    (loads->to - loads->from) / loads->step > LOADS_MOST)
		return err_set(err,
			       "load: '%.80s' is neither a load above 0 and "
			       "at most 1 nor FROM:TO:STEP",
			       text);
	loads->n = 1 + (int)((loads->to - loads->from) / loads->step + 1e-9);
	return 0;
}

/* ---- runs ---- */

struct worker {
	struct open_loop loop;
	int status;
	struct err err;
};

struct curve {
	struct topo *topo;
	const struct sim_params *params;
	const struct pick *pick;
	uint64_t seed;
	struct loads loads;
	struct open_destinations to;
	struct worker *workers; /* [nworkers] */
	int nworkers;
};

static void add_totals(struct netsim_result *result, const struct net *net)
{
	result->nsimulations++;
	result->nevents += net_nevents(net);
	for (int owner = UNMEASURED; owner <= MEASURED; owner++) {
		result->packets += net_totals(net, NET_MPI, owner).packets;
		result->packet_hops += net_totals(net, NET_MPI, owner).packet_hops;
	}
}

static int run_one(struct open_loop *loop, const struct curve *curve, struct err *err)
{
	const struct net_events events = {.delivered = come, .timer = made, .context = loop};
	const struct pick *pick = curve->pick;
	int64_t warmup = pick_int(pick, "warmup"), measure = pick_int(pick, "measure");
	struct rng rng;
	char name[64];

	snprintf(name, sizeof(name), "load=%.9g", loop->load);
	loop->log_rest = loop->load < 1 ? same_log(1 - loop->load) : 0;
	loop->begin_ps = warmup * loop->slot_ps;
	loop->end_ps = loop->begin_ps + measure * loop->slot_ps;
	loop->last_ps = loop->end_ps + pick_int(pick, "drain") * (warmup + measure) * loop->slot_ps;
	loop->nmade = loop->ncome = loop->bytes_come = 0;
	loop->latency_ps = 0;
	rng = rng_make(curve->seed, "open-loop", name, NULL);
	for (int node = 0; node < curve->topo->nnodes; node++) /* each draws for itself */
		loop->rngs[node] = (struct rng){.key = u64_mix(rng.key + (uint64_t)node)};
	net_start(loop->net, curve->seed, name, 2);
	net_listen(loop->net, NET_MPI, &events);
	for (int node = 0; node < curve->topo->nnodes; node++)
		net_timer(loop->net, node, (next_slot(loop, node) - 1) * loop->slot_ps,
			  (uint64_t)node);
	return net_run(loop->net, INT64_MAX, err);
}

static void work_through(void *context, int number)
{
	struct curve *curve = context;
	struct worker *worker = &curve->workers[number];

	worker->status = run_one(&worker->loop, curve, &worker->err);
}

/* The next n loads from number first on, one in each thread. */
static void run_some(struct curve *curve, int first, int n)
{
	for (int i = 0; i < n; i++) {
		struct open_loop *loop = &curve->workers[i].loop;

		/* 0.3, not 0.30000000000000004 */
		loop->load =
			round((curve->loads.from + (first + i) * curve->loads.step) * 1e9) / 1e9;
	}
	threads_run(n, work_through, curve);
}

/* Rows come in the order of the loads; the first one that went wrong counts. */
static int run_all(const struct run_context *context, struct table_out *out, struct curve *curve,
		   struct netsim_result *result, struct err *err)
{
	struct columns columns = add_columns(out);
	int n;

	for (int first = 0; first < curve->loads.n; first += n) {
		n = curve->loads.n - first < curve->nworkers ? curve->loads.n - first
							     : curve->nworkers;
		run_some(curve, first, n);
		for (int i = 0; i < n; i++) {
			const struct worker *worker = &curve->workers[i];
			const struct open_loop *loop = &worker->loop;

			if (worker->status != 0) {
				*err = worker->err;
				return err_prefix(err, "load %.9g: ", loop->load);
			}
			if (progress_must_stop())
				return err_set(err,
					       "stopped by a signal at load %.9g; %d loads done",
					       loop->load, first + i);
			write_row(out, &columns, loop, curve->params, curve->topo->nnodes);
			add_totals(result, loop->net);
		}
		if (progress_must_tell() || context->shows_progress)
			warn("%d of %d loads simulated", first + n, curve->loads.n);
	}
	return 0;
}

/* What all loads have in common, and a network for each thread. */
static int open_curve(struct curve *curve, int64_t nthreads, struct err *err)
{
	const struct pick *pick = curve->pick;
	const struct sim_params *params = curve->params;
	struct open_loop loop = {.pattern = (const struct open_pattern *)pick->entry};
	double wire;
	int n;

	if (read_loads(&curve->loads, pick_word(pick, "load"), err) != 0)
		return -1;
	loop.bytes =
		pick_has(pick, "bytes") ? (int64_t)pick_real(pick, "bytes") : params->packet_bytes;
	wire = (double)sim_wire_bytes(params, loop.bytes);
	loop.slot_ps = (int64_t)(wire * 1e12 / params->levels[LINK_TERMINAL].bandwidth + .5);
	if (loop.slot_ps < 1)
		return err_set(err, "a message of %lld bytes takes no time", (long long)loop.bytes);
	if (loop.pattern->open(&curve->to, curve->topo, pick, curve->seed, err) != 0)
		return -1;
	loop.to = &curve->to;
	topo_graph(curve->topo); /* made here, so that threads only read it */
	n = nthreads < curve->loads.n ? (int)nthreads : curve->loads.n;
	curve->workers = xcalloc((size_t)n, sizeof(*curve->workers));
	while (curve->nworkers < n) {
		struct worker *worker = &curve->workers[curve->nworkers++];

		worker->loop = loop;
		worker->loop.rngs = xcalloc((size_t)curve->topo->nnodes + 1, sizeof(struct rng));
		if (net_open(&worker->loop.net, curve->topo, params, err) != 0)
			return -1;
	}
	return 0;
}

int open_loop_run(const struct run_context *context, struct table_out *out, struct topo *topo,
		  const struct sim_params *params, const char *pattern,
		  struct netsim_result *result, struct err *err)
{
	struct pick pick;
	struct curve curve = {
		.topo = topo, .params = params, .pick = &pick, .seed = (uint64_t)context->seed};
	int status;

	if (pick_parse(&pick, &open_patterns, pattern, err) != 0)
		return -1;
	status = open_curve(&curve, context->nthreads, err);
	if (status == 0)
		status = run_all(context, out, &curve, result, err);
	for (int i = 0; i < curve.nworkers; i++) {
		net_close(curve.workers[i].loop.net);
		free(curve.workers[i].loop.rngs);
	}
	free(curve.workers);
	free(curve.to.node);
	pick_free(&pick);
	return status;
}

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int write_curve(const struct run_context *context, struct out *out, struct topo *topo,
		       const struct sim_params *params, const struct netsim_options *options,
		       struct netsim_result *result, struct err *err)
{
	struct table_out *table = table_out_new(out, &kind_loadcurve);
	char seed[NUM_TEXT];
	int status;

	topo_record(topo, table);
	num_print_int(seed, context->seed);
	table_out_meta(table, "seed", seed);
	table_out_meta(table, "profile", options->profile != NULL ? options->profile : "default");
	if (die_is_verbose())
		sim_params_record(params, topo, table);
	progress_begin();
	status = open_loop_run(context, table, topo, params, options->open_loop, result, err);
	progress_end();
	table_out_end(table, status == 0);
	return status;
}

int open_loop_stream(const struct run_context *context, const struct netsim_options *options,
		     struct netsim_result *result, struct err *err)
{
	struct sim_params params = {0};
	struct topo *topo = NULL;
	struct out *out = NULL;
	double start = cpu_s();
	int status;

	*result = (struct netsim_result){0};
	status = topo_resolve(&topo, context->topology, NULL, err);
	if (status == 0)
		status = sim_params_open(&params, topo, options->profile, options->settings,
					 options->nsettings, options->routing, err);
	if (status == 0)
		status = out_open(&out, context->output, context->command, err);
	if (status == 0)
		status = write_curve(context, out, topo, &params, options, result, err);
	status = out_finish(out, status, true, err);
	sim_params_close(&params);
	topo_free(topo);
	result->cpu_s = cpu_s() - start;
	result->is_whole = status == 0;
	return status;
}
