/* free_racks.h - which domains to free of their jobs, and where these go */
#ifndef PLACE_FREE_RACKS_H
#define PLACE_FREE_RACKS_H

#include "place/place.h"

struct free_options {
	const char *domains;     /* "rack:4": so many of the level, beside those that are empty */
	const char *cost;        /* nodes, jobs or job-nodes: what is to be least */
	const char *const *keep; /* jobs that stay where they are; ends in NULL; NULL: none */
};

/*
 * Reads running jobs (paths as table_open has them) and writes the rows of those that are to move,
 * with the nodes that they get and those that they had. Of how only the policy may be said; NULL:
 * nested. A tool's body: EXIT_NO where so many
 * domains can't be freed.
 */
int free_racks_run(const struct run_context *context, const struct free_options *options,
		   const struct allocate_options *how, char *const *paths, struct err *err);

#endif
