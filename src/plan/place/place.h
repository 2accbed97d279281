/* place.h - a jobs stream gets its nodes */
#ifndef PLACE_PLACE_H
#define PLACE_PLACE_H

#include "base/run_context.h"
#include "place/run/schedule.h"

struct allocate_options {
	const char *policy;   /* a pick of alloc_policies */
	const char *queue;    /* a pick of queues */
	char *const *nodes;   /* tables of nodes, partitions, reservations; ends in NULL */
	const char *idle;     /* a host list; without it and nodes all nodes are idle */
	const char *hosts;    /* only these nodes; NULL: all */
	int64_t at_ns;        /* the moment that is meant; JOB_NO_TIME: none is */
	char *const *traffic; /* traffic streams, ends in NULL; NULL: none */
	const char *const *constraints; /* [nconstraints] picks */
	int nconstraints;
	const char *routing; /* that constraints look at; NULL: as the topology says */
	const char *mapping; /* a file for the ranks of placed jobs; NULL: none */
	bool explains;
	bool replays; /* jobs that came with their nodes are placed anew, beside what they had */
	bool by_end;  /* rows leave in the order of their jobs' ends, not of the input */
	int nahead;   /* jobs read before the queue comes to them; 0: all of a run */
	bool lists_candidates; /* every node list that a job may get, instead of one */
};

struct allocate_result {
	int64_t nplaced, nbooked, nwaiting; /* jobs */
	int64_t nheld;                      /* jobs kept at one time, of those read ahead */
	bool is_whole;                      /* no input was truncated */
};

/*
 * Reads jobs (paths ends in NULL; none: standard input), places them run by run, and writes the
 * stream with start_s, end_s, nodelist and policy (and scheduler, io_nodelist, nodes_asked, reason)
 * to the context's output. Replayed, a job that came with its nodes has two rows: as it was, with
 * the policy "recorded", and as the policy places it from its submission on. Candidates: a run for
 * each node list, named after the job.
 */
int allocate_stream(const struct run_context *context, const struct allocate_options *options,
		    char *const *paths, struct allocate_result *result, struct err *err);

#endif
