/* mapping_out.h - where the ranks of placed jobs go, as their policy says */
#ifndef PLACE_MAPPING_OUT_H
#define PLACE_MAPPING_OUT_H

#include "base/run_context.h"
#include "place/policy/policy.h"

struct mapping_out;

/* Refuses a policy that says nothing of ranks. alloc must outlive it. */
int mapping_out_open(struct mapping_out **mapping, const char *path,
		     const struct run_context *context, struct alloc *alloc, struct err *err);
/* A job that was placed on these nodes (a hostlist in the order of picking): the rows of its ranks;
 * none where the policy knows none. */
int mapping_out_job(struct mapping_out *mapping, const struct job *job, const char *nodelist,
		    struct err *err);
/* NULL is allowed. status: of what was done since it was opened; returns it, or -1. */
int mapping_out_close(struct mapping_out *mapping, int status, bool is_whole, struct err *err);

#endif
