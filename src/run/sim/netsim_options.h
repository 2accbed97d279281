/* netsim_options.h - what netsim is asked for, and what it has to report */
#ifndef SIM_NETSIM_OPTIONS_H
#define SIM_NETSIM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/network/net.h"

struct netsim_options {
	const char *profile, *routing; /* picks, or NULL */
	const char *const *settings;   /* [nsettings] KEY=VALUE */
	int nsettings;
	const char *const *allowed; /* [nallowed] folders of files that patterns of jobs may name */
	int nallowed;
	const char *pattern;   /* of jobs that name none; or NULL */
	const char *open_loop; /* a pick of open_patterns: no jobs, but a load curve; or NULL */
	int64_t iterations, ranks_per_node;
	const char *bytes, *until, *counters_every;          /* with units; or NULL */
	const char *mapping;                                 /* a mapping stream, or NULL */
	const char *ranks, *links, *counters, *io, *storage; /* files to write, or NULL */
	const char *io_schedule;                             /* a pick of io_schedules, or NULL */
	int64_t partitions; /* of a run; 0: as threads and the machine suggest */
	bool is_scheduled;
	bool shows_parameters; /* and nothing else */
	double time_scale;
};

struct netsim_result {
	int64_t nsimulations, nunfinished; /* jobs that --until cut off */
	int64_t nunplaced;
	int64_t packets, packet_hops, nevents;
	double cpu_s;
	struct net_work work; /* of one thread's runs */
	bool is_whole;        /* no input was truncated */
};

#endif
