/* night_asks.c - what jobs ask for besides nodes and time, as far as it can make them wait */
#include "report/night_asks.h"

enum {
	LEAF_SWITCHES,
	SEGMENTS,
	BLOCKS_ALONE,
	DOMAINS,
	FEATURES,
	RESERVATION,
	GPUS,
	COMPONENTS,
	LATER_START,
	OTHER_JOBS,
	ARRAY_LIMIT
};

const char *const night_ask_names[NIGHT_ASKS] = {
	[LEAF_SWITCHES] = "few leaf switches",
	[SEGMENTS] = "segments",
	[BLOCKS_ALONE] = "blocks alone",
	[DOMAINS] = "domains",
	[FEATURES] = "features",
	[RESERVATION] = "a reservation",
	[GPUS] = "GPUs",
	[COMPONENTS] = "several components",
	[LATER_START] = "a later start",
	[OTHER_JOBS] = "the end of other jobs",
	[ARRAY_LIMIT] = "few tasks at a time",
	[NIGHT_ASKS_NOTHING] = "nothing of these",
};

unsigned night_asks(const struct job *job)
{
	return (job->leaf_switches > 0 ? 1u << LEAF_SWITCHES : 0) |
	       (job->segment > 0 ? 1u << SEGMENTS : 0) |
	       (job->exclusive_topo ? 1u << BLOCKS_ALONE : 0) |
	       (domain_texts_any(&job->domains) ? 1u << DOMAINS : 0) |
	       (job->features != NULL ? 1u << FEATURES : 0) |
	       (job->reservation != NULL ? 1u << RESERVATION : 0) |
	       (job->gpus > 0 ? 1u << GPUS : 0) | (job->het_job != NULL ? 1u << COMPONENTS : 0) |
	       (job->eligible_ns != JOB_NO_TIME && job->eligible_ns > job->submit_ns
			? 1u << LATER_START
			: 0) |
	       (job->depends != NULL ? 1u << OTHER_JOBS : 0) |
	       (job->array_limit > 0 ? 1u << ARRAY_LIMIT : 0);
}
