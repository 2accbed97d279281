/* open_loop.c - nodes that send whatever comes back: latency against offered load */
#include "sim/open_loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/explog.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/rng.h"
#include "base/str.h"
#include "model/kinds.h"
#include "sim/net.h"
#include "sim/open_pattern.h"

enum { LOADS_MOST = 10000, UNMEASURED = 0, MEASURED = 1 };

struct open_loop {
	struct net *net;
	const struct open_pattern *pattern;
	struct open_destinations to;
	struct rng rng;
	double load, log_rest; /* log(1 − load) */
	int64_t bytes, slot_ps;
	int64_t begin_ps, end_ps, last_ps; /* of measuring; given up */
	int64_t nmade, ncome;              /* of those measured */
	int64_t bytes_come;                /* within the time of measuring */
	double latency_ps;                 /* sum */
};

/* Slots until the next message, at least 1: geometric. */
static int64_t next_slot(struct open_loop *loop)
{
	double slots;

	if (loop->load >= 1)
		return 1;
	slots = same_log(1 - rng_unit(&loop->rng)) / loop->log_rest;
	return slots > 1e12 ? (int64_t)1e12 : 1 + (int64_t)slots;
}

static void made(void *context, uint64_t node)
{
	struct open_loop *loop = context;
	int64_t now = net_now(loop->net);
	bool is_measured = now >= loop->begin_ps && now < loop->end_ps;
	int to;

	if (now > loop->last_ps) {
		net_stop(loop->net);
		return;
	}
	to = loop->pattern->destination(&loop->to, &loop->rng, (int)node);
	loop->nmade += is_measured;
	if (to >= 0)
		net_send(loop->net,
			 &(struct net_message){.src = (int32_t)node,
					       .dst = to,
					       .bytes = loop->bytes,
					       .cookie = (uint64_t)now,
					       .owner = is_measured ? MEASURED : UNMEASURED,
					       .skips_injected = true});
	net_timer(loop->net, now + next_slot(loop) * loop->slot_ps, node);
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
		net_stop(loop->net);
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
	const struct net_totals *totals = net_totals(loop->net, MEASURED);
	double capacity = params->levels[LINK_TERMINAL].bandwidth *
			  (double)(loop->end_ps - loop->begin_ps) / 1e12 * nnodes;

	table_out_text(out, columns->pattern, loop->pattern->entry.name);
	table_out_text(out, columns->routing, params->routing);
	table_out_real(out, columns->offered, loop->load);
	table_out_real(out, columns->accepted, (double)loop->bytes_come / capacity);
	table_out_real(out, columns->latency,
		       loop->ncome > 0 ? loop->latency_ps / (double)loop->ncome / 1e12 : 0);
	table_out_bool(out, columns->drained, loop->ncome == loop->nmade);
	if (totals->packets > 0) {
		table_out_real(out, columns->hops,
			       (double)totals->packet_hops / (double)totals->packets + 1);
		table_out_real(out, columns->nonminimal,
			       (double)totals->nonminimal / (double)totals->packets);
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
			       "load: '%.80s' is neither a load above 0 and at most 1 nor "
			       "FROM:TO:STEP",
			       text);
	loads->n = 1 + (int)((loads->to - loads->from) / loads->step + 1e-9);
	return 0;
}

/* ---- runs ---- */

static int run_one(struct open_loop *loop, const struct pick *pick, int nnodes, uint64_t seed,
		   const char *name, struct err *err)
{
	const struct net_events events = {.delivered = come, .timer = made, .context = loop};
	int64_t warmup = pick_int(pick, "warmup"), measure = pick_int(pick, "measure");

	loop->log_rest = loop->load < 1 ? same_log(1 - loop->load) : 0;
	loop->begin_ps = warmup * loop->slot_ps;
	loop->end_ps = loop->begin_ps + measure * loop->slot_ps;
	loop->last_ps = loop->end_ps + pick_int(pick, "drain") * (warmup + measure) * loop->slot_ps;
	loop->nmade = loop->ncome = loop->bytes_come = 0;
	loop->latency_ps = 0;
	loop->rng = rng_make(seed, "open-loop", name, NULL);
	net_start(loop->net, &events, seed, name, 2);
	for (int node = 0; node < nnodes; node++)
		net_timer(loop->net, (next_slot(loop) - 1) * loop->slot_ps, (uint64_t)node);
	return net_run(loop->net, -1, err);
}

static int run_all(struct table_out *out, struct open_loop *loop, struct topo *topo,
		   const struct sim_params *params, const struct pick *pick, uint64_t seed,
		   struct err *err)
{
	struct columns columns = add_columns(out);
	struct loads loads;
	double wire;

	if (read_loads(&loads, pick_word(pick, "load"), err) != 0)
		return -1;
	loop->bytes =
		pick_has(pick, "bytes") ? (int64_t)pick_real(pick, "bytes") : params->packet_bytes;
	wire = (double)sim_wire_bytes(params, loop->bytes);
	loop->slot_ps = (int64_t)(wire * 1e12 / params->levels[LINK_TERMINAL].bandwidth + .5);
	if (loop->slot_ps < 1)
		return err_set(err, "a message of %lld bytes takes no time",
			       (long long)loop->bytes);
	loop->pattern = (const struct open_pattern *)pick->entry;
	if (loop->pattern->open(&loop->to, topo, pick, seed, err) != 0)
		return -1;
	for (int i = 0; i < loads.n; i++) {
		char name[64];

		loop->load = loads.from + i * loads.step;
		snprintf(name, sizeof(name), "load=%.9g", loop->load);
		if (run_one(loop, pick, topo->nnodes, seed, name, err) != 0)
			return err_prefix(err, "load %.9g: ", loop->load);
		write_row(out, &columns, loop, params, topo->nnodes);
	}
	return 0;
}

int open_loop_run(struct table_out *out, struct topo *topo, const struct sim_params *params,
		  const char *pattern, uint64_t seed, struct err *err)
{
	struct open_loop loop = {0};
	struct pick pick;
	int status;

	if (pick_parse(&pick, &open_patterns, pattern, err) != 0)
		return -1;
	status = net_open(&loop.net, topo, params, err);
	if (status == 0) {
		status = run_all(out, &loop, topo, params, &pick, seed, err);
		free(loop.to.node);
		net_close(loop.net);
	}
	pick_free(&pick);
	return status;
}
