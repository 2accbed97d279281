/* sim.h - a jobs stream is simulated, run by run */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct netsim_options {
	const char *profile, *routing; /* picks, or NULL */
	const char *const *settings;   /* [nsettings] KEY=VALUE */
	int nsettings;
	const char *pattern;   /* of jobs that name none; or NULL */
	const char *open_loop; /* a pick of open_patterns: no jobs, but a load curve; or NULL */
	int64_t iterations, ranks_per_node;
	const char *bytes, *until, *counters_every; /* with units; or NULL */
	const char *mapping;                        /* a mapping stream, or NULL */
	const char *ranks, *links, *counters;       /* files to write, or NULL */
	bool is_scheduled;
	double time_scale;
	bool shows_progress;
};

struct netsim_result {
	int64_t nsimulations, nunfinished; /* jobs that --until cut off */
	int64_t nunplaced;
	int64_t packets, packet_hops, nevents;
	double cpu_s;
	bool is_whole; /* no input was cut off */
};

/*
 * Reads jobs (paths ends in NULL; none: standard input) and writes them with what became of them to
 * output (NULL: standard output). -1 with an empty message: the reader of the output went away.
 */
int netsim_stream(const struct netsim_options *options, char *const *paths, const char *output,
		  struct netsim_result *result, struct err *err);

/* What there is to warn of, and under -v the totals, on standard error. */
void netsim_tell(const struct netsim_result *result);

#endif
