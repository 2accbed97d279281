/* aggregate_windows.c - which window an interval belongs to, and what a window comes to when it is
 * closed */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/aggregate_priv.h"
#include "base/str.h"

/* ---- a component's rates ---- */

/* The producer of a probe that has most of the window; the first in their order among equals. */
static const struct candidate *best_candidate(const struct slot *slot, int w)
{
	const struct candidate *best = NULL;
	int64_t most = 0;

	for (const struct candidate *at = slot->first; at != NULL; at = at->next) {
		const struct stream_window *window = &at->stream->windows[w];
		int64_t dt = window->dt_ns - window->losses[at->probe].dt_ns;

		if (window->intervals == 0)
			continue;
		if (best == NULL || dt > most) {
			best = at;
			most = dt;
		}
	}
	return best;
}

struct sums {
	double traffic, stall, stalled;
	int ntraffic, nstall, nowners, last_owner;
	int64_t samples, resets;
	bool lacks, is_seen;
};

static void add_slot(struct sums *sums, const struct slot *slot, int w)
{
	const struct candidate *best = best_candidate(slot, w);
	const struct stream *stream;
	const struct loss *loss;
	double seconds, rate;

	if (best == NULL) {
		sums->lacks |= slot->kind == PROBE_TRAFFIC;
		return;
	}
	stream = best->stream;
	loss = &stream->windows[w].losses[best->probe];
	seconds = (double)(stream->windows[w].dt_ns - loss->dt_ns) / 1e9;
	sums->is_seen = true;
	if (slot->kind == PROBE_TRAFFIC) {
		sums->samples += stream->windows[w].intervals - loss->intervals;
		sums->resets += loss->resets;
		sums->lacks |= !(seconds > 0);
	}
	if (!(seconds > 0))
		return;
	rate = stream->windows[w].sum[best->probe] / seconds;
	if (slot->kind == PROBE_STALL) {
		sums->stall += rate / stream->stall_unit;
		sums->stalled += rate / stream->stall_unit * stream->tick_s;
		sums->nstall++;
		return;
	}
	sums->traffic += rate * stream->traffic_scale;
	if (sums->ntraffic++ == 0 || sums->last_owner != slot->owner)
		sums->nowners++;
	sums->last_owner = slot->owner;
}

static void add_result(struct aggregate *aggregate, const struct component *component, int w)
{
	struct sums sums = {0};

	for (size_t i = 0; i < component->slots.n; i++)
		add_slot(&sums, &component->slots.at[i], w);
	if (!sums.is_seen)
		return;
	vec_push(&aggregate->results,
		 (struct traffic_result){
			 .name = component->name,
			 .index = component->index,
			 .traffic = sums.ntraffic > 0 ? sums.traffic : NAN,
			 .stall = sums.nstall > 0 ? sums.stall : NAN,
			 .stalled = sums.nstall > 0 ? sums.stalled / sums.nstall : NAN,
			 .samples = sums.samples,
			 .resets = sums.resets,
			 .incomplete = sums.lacks || sums.nowners < component->nowners,
		 });
}

/* ---- closing ---- */

/* In the order of the machine; else by name, numbers in names as numbers: r2 before r10. */
static int by_place(const void *a, const void *b)
{
	const struct component *x = *(struct component *const *)a;
	const struct component *y = *(struct component *const *)b;

	if (x->index != y->index)
		return (unsigned)x->index < (unsigned)y->index ? -1 : 1;
	return strverscmp(x->name, y->name);
}

/* New components come in where they belong. */
static void order_components(struct aggregate *aggregate)
{
	if (aggregate->ordered.n == aggregate->components.n)
		return;
	for (size_t i = aggregate->ordered.n; i < aggregate->components.n; i++)
		vec_push(&aggregate->ordered, aggregate->components.at[i]);
	qsort(aggregate->ordered.at, aggregate->ordered.n, sizeof(*aggregate->ordered.at),
	      by_place);
}

static void clear_window(struct aggregate *aggregate, int w)
{
	for (size_t i = 0; i < aggregate->streams.n; i++) {
		struct stream *stream = aggregate->streams.at[i];
		struct stream_window *window = &stream->windows[w];
		size_t n = (size_t)stream->nprobes;

		if (window->intervals == 0)
			continue;
		memset(window->sum, 0, n * sizeof(*window->sum));
		if (window->has_losses)
			memset(window->losses, 0, n * sizeof(*window->losses));
		window->dt_ns = window->intervals = window->has_losses = 0;
	}
	aggregate->nintervals[w] = 0;
}

/* Hands out window number k, if anything is known of it. */
static int close_window(struct aggregate *aggregate, int64_t k)
{
	const struct aggregate_options *options = &aggregate->options;
	int64_t start = aggregate->origin_ns + k * options->window_ns;
	int64_t end = start + options->window_ns;
	struct window_result window = {.run = aggregate->run};
	int w = (int)(k & 1), status = 0;

	if (aggregate->nintervals[w] == 0)
		return 0;
	order_components(aggregate);
	if (options->has_until && end > options->until_ns)
		end = options->until_ns;
	aggregate->results.n = 0;
	for (size_t i = 0; i < aggregate->ordered.n; i++)
		add_result(aggregate, aggregate->ordered.at[i], w);
	window.end_ns = end;
	window.window_ns = end - start;
	window.results = aggregate->results.at;
	window.n = (int)aggregate->results.n;
	if (window.n > 0)
		status = aggregate->take(aggregate->context, &window, aggregate->err);
	clear_window(aggregate, w);
	return status;
}

/* Opens windows k and k + 1; bounds are doubled, so that middles of intervals are whole. */
static void open_windows(struct aggregate *aggregate, int64_t k)
{
	int64_t window_ns = aggregate->options.window_ns;

	aggregate->first = k;
	aggregate->has_windows = true;
	aggregate->low2 = 2 * (aggregate->origin_ns + k * window_ns);
	aggregate->middle2 = aggregate->low2 + 2 * window_ns;
	aggregate->high2 = aggregate->middle2 + 2 * window_ns;
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Closes windows until the one of an interval beyond both is open, as the second. */
static int advance(struct aggregate *aggregate, int64_t twice_middle)
{
	int64_t since = twice_middle - 1 - 2 * aggregate->origin_ns;
	int64_t k = floor_div(since, 2 * aggregate->options.window_ns);

	if (aggregate->has_windows) {
		if (close_window(aggregate, aggregate->first) != 0)
			return -1;
		if (k - 1 > aggregate->first + 1 &&
		    close_window(aggregate, aggregate->first + 1) != 0)
			return -1;
	}
	open_windows(aggregate, k - 1);
	return 0;
}

int window_of(struct aggregate *aggregate, int64_t from_ns, int64_t to_ns)
{
	const struct aggregate_options *options = &aggregate->options;
	int64_t twice_middle = from_ns + to_ns;

	if (options->has_since && twice_middle <= 2 * options->since_ns)
		return -1;
	if (options->has_until && twice_middle > 2 * options->until_ns)
		return -1;
	if ((!aggregate->has_windows || twice_middle > aggregate->high2) &&
	    advance(aggregate, twice_middle) != 0)
		return -2;
	if (twice_middle > aggregate->middle2)
		return (int)((aggregate->first + 1) & 1);
	if (twice_middle > aggregate->low2)
		return (int)(aggregate->first & 1);
	aggregate->counts.late++;
	return -1;
}

int window_expire(struct aggregate *aggregate)
{
	const struct aggregate_options *options = &aggregate->options;

	while (aggregate->has_windows && aggregate->nintervals[0] + aggregate->nintervals[1] > 0 &&
	       aggregate->newest_ns > aggregate->middle2 / 2 + options->late_ns) {
		if (close_window(aggregate, aggregate->first) != 0)
			return -1;
		open_windows(aggregate, aggregate->first + 1);
	}
	return 0;
}

int window_finish(struct aggregate *aggregate)
{
	if (!aggregate->has_windows)
		return 0;
	aggregate->has_windows = false;
	if (close_window(aggregate, aggregate->first) != 0)
		return -1;
	return close_window(aggregate, aggregate->first + 1);
}
