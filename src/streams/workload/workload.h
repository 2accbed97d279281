/* workload.h - what jobgen makes: jobs, experiments, counters */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/registry.h"
#include "formats/out.h"
#include "formats/table.h"
#include "model/topo.h"

struct workload_input {
	uint64_t seed;
	struct topo *topo;     /* NULL: none was given (never, if the workload needs one) */
	struct table_in *jobs; /* opened; NULL unless the workload reads jobs */
	struct out *out;
	bool is_whole; /* set by those that read jobs: false when these were truncated */
};

struct workload {
	struct entry entry;
	bool needs_topology, reads_jobs;
	/* Writes the whole of it, a table or another format, to input->out. */
	int (*write)(const struct pick *pick, struct workload_input *input, struct err *err);
};

extern const struct registry workloads; /* "workloads" */

static inline const struct workload *workload_of(const struct entry *entry)
{
	return (const struct workload *)entry;
}

/* ##seed= and ##topology= of what the workload was made from. */
void workload_record(const struct workload_input *input, struct table_out *table);

#endif
