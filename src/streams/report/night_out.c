/* night_out.c - nodes out of service through the night, and what was lost by it
 *
 * A node that drains still runs its jobs: lost is only the time without one. */
#include "report/night_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/night_busy.h"

struct span {
	int node; /* of the machine; -1: it lacks it */
	int64_t from_ns, to_ns, busy_ns;
	const struct night_event *event;
};

struct spans {
	VEC(struct span) of;
	int *first; /* [nnodes] of the machine: the node's first span; -1: none */
};

static int by_node(const void *a, const void *b)
{
	const struct span *x = a, *y = b;
	int order = strcmp(x->event->name, y->event->name);

	if (order != 0)
		return order;
	return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

/* Within the window, each time of a node once: of two events at a time the earlier one counts. */
static void list_spans(const struct night *night, struct spans *spans)
{
	size_t n = 0;

	for (size_t i = 0; i < night->events.n; i++) {
		const struct night_event *event = &night->events.at[i];
		struct span span = {.node = -1, .event = event};

		span.from_ns =
			event->start_ns > night->since_ns ? event->start_ns : night->since_ns;
		span.to_ns = event->end_ns != JOB_NO_TIME && event->end_ns < night->until_ns
				     ? event->end_ns
				     : night->until_ns;
		if (night->topo != NULL)
			span.node = topo_node_find(night->topo, event->name, strlen(event->name));
		if (span.from_ns < span.to_ns && (night->topo == NULL || span.node >= 0))
			vec_push(&spans->of, span);
	}
	if (spans->of.n > 1)
		qsort(spans->of.at, spans->of.n, sizeof(*spans->of.at), by_node);
	for (size_t i = 0; i < spans->of.n; i++) {
		struct span span = spans->of.at[i];

		if (n > 0 && str_eq(spans->of.at[n - 1].event->name, span.event->name) &&
		    span.from_ns < spans->of.at[n - 1].to_ns)
			span.from_ns = spans->of.at[n - 1].to_ns;
		if (span.from_ns < span.to_ns)
			spans->of.at[n++] = span;
	}
	spans->of.n = n;
}

static void take_busy(void *context, int node, int nnodes, int64_t from, int64_t to)
{
	struct spans *spans = context;

	(void)nnodes;
	if (node < 0 || spans->first[node] < 0)
		return;
	for (size_t i = (size_t)spans->first[node]; i < spans->of.n; i++) {
		struct span *span = &spans->of.at[i];
		int64_t low = from > span->from_ns ? from : span->from_ns;
		int64_t high = to < span->to_ns ? to : span->to_ns;

		if (span->node != node)
			break;
		if (high > low)
			span->busy_ns += high - low;
	}
}

static void find_busy(const struct night *night, struct spans *spans)
{
	spans->first = xmalloc((size_t)night->topo->nnodes * sizeof(*spans->first) + 1);
	for (int node = 0; node < night->topo->nnodes; node++)
		spans->first[node] = -1;
	for (size_t i = spans->of.n; i-- > 0;)
		spans->first[spans->of.at[i].node] = (int)i;
	night_busy(night, take_busy, spans);
	free(spans->first);
}

static int by_hours(const void *a, const void *b)
{
	const struct night_outage *x = a, *y = b;

	if (x->hours != y->hours)
		return x->hours < y->hours ? 1 : -1;
	return x->node != y->node ? (x->node > y->node) - (x->node < y->node)
				  : strcmp(x->name, y->name);
}

void night_out_find(const struct night *night, struct night_out *out)
{
	struct spans spans = {0};

	*out = (struct night_out){.lost_hours = night->has_events ? 0 : NAN};
	list_spans(night, &spans);
	if (night->topo != NULL && spans.of.n > 0)
		find_busy(night, &spans);
	for (size_t i = 0; i < spans.of.n; i++) {
		const struct span *span = &spans.of.at[i];
		struct night_outage outage = {
			.node = span->node,
			.name = span->event->name,
			.state = span->event->state,
			.reason = span->event->reason,
			.hours = (double)(span->to_ns - span->from_ns - span->busy_ns) / 3.6e12,
			.is_lasting = span->to_ns == night->until_ns};

		out->lost_hours += outage.hours;
		vec_push(&out->outages, outage);
	}
	if (out->outages.n > 1)
		qsort(out->outages.at, out->outages.n, sizeof(*out->outages.at), by_hours);
	vec_free(&spans.of);
}

void night_out_free(struct night_out *out)
{
	vec_free(&out->outages);
}
