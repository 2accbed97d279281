/* aggregate.h - samples of counters become rates per component and window */
#ifndef TRAFFIC_AGGREGATE_H
#define TRAFFIC_AGGREGATE_H

#include "traffic/feed.h"
#include "model/topo.h"

/*
 * A window is the time (start, end]. An interval between two samples of one probe belongs, whole,
 * to the window that its middle is in; the rate of a probe is Σ Δcount / Σ Δt over its intervals,
 * that of a component the sum over its probes (MODELS: NeDD). Two windows are open at a time: the
 * one that is being filled and the one before it.
 */
struct aggregate_options {
	enum traffic_per per;
	struct topo *topo; /* NULL: unknown; kept, not owned */
	int64_t window_ns;
	bool has_since, has_until;
	int64_t since_ns, until_ns; /* the first window begins, the last one ends */
	int wrap_bits;   /* counters wrap at 2^this; 0: one that goes backwards was reset */
	int64_t gap_ns;  /* longer intervals are not used */
	int64_t late_ns; /* close a window more than this after its end; < 0: when the one after the
			    next begins */
};

/* What happened to samples and intervals, besides struct feed_counts. */
struct aggregate_counts {
	int64_t duplicates; /* samples of a producer with the time of its last one */
	int64_t backwards;  /* samples older than their producer's last one */
	int64_t late;       /* intervals of a window that was closed already */
	int64_t holes;      /* intervals over 1.5 times as long as the producer's shortest; used */
	int64_t gaps;       /* intervals longer than gap_ns; not used */
	int64_t resets;     /* probe intervals not used since a counter went backwards */
	int64_t wraps;      /* counters that went backwards and were unwrapped */
	int64_t missing;    /* probe intervals not used since a value was missing or flagged */
	int64_t unknown;    /* samples of producers that the machine does not have */
	char first_unknown[256];
};

/* A component in one window. */
struct traffic_result {
	const char *name;
	int index;             /* in the machine: router or node; -1: no machine, or a link */
	double traffic, stall; /* NAN: none */
	double stalled;        /* fraction of the time that its tiles or ports stalled; NAN */
	int64_t samples, resets;
	bool incomplete;
};

struct window_result {
	const char *run; /* NULL: none */
	int64_t end_ns, window_ns;
	const struct traffic_result *results; /* [n], in the order of the machine, or of names */
	int n;
};

/* Takes a finished window; 0 or -1. */
typedef int window_fn(void *context, const struct window_result *window, struct err *err);

struct aggregate;

struct aggregate *aggregate_new(const struct aggregate_options *options,
				struct feed_counts *feed_counts, window_fn *take, void *context);
void aggregate_free(struct aggregate *aggregate);
int aggregate_add(struct aggregate *aggregate, const struct sample *sample, struct err *err);
/* Hands out the windows that are still open. */
int aggregate_finish(struct aggregate *aggregate, struct err *err);
const struct aggregate_counts *aggregate_counts(const struct aggregate *aggregate);
size_t aggregate_nstreams(const struct aggregate *aggregate);

#endif
