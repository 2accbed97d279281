/* job_routers.h - the routers of a job's nodes, for metrics that count pairs of nodes by them */
#ifndef MEASURE_METRIC_JOB_ROUTERS_H
#define MEASURE_METRIC_JOB_ROUTERS_H

#include "machine/stats/pairs.h"
#include "model/domain_runs.h"

struct job_routers {
	bool is_of_routers; /* each node hangs on one router, which says how far it is from others
			     */
	struct domain_runs runs;
	int *count_of;   /* [nrouters] nodes of the job at hand */
	int_vec routers; /* of it, in label order */
	int_vec nodes;   /* one of each router */
};

void job_routers_open(struct job_routers *routers, struct topo *topo);
void job_routers_close(struct job_routers *routers);
/* Of nodes by label. Counts; valid until the next call. */
struct router_counts job_routers_of(struct job_routers *routers, const struct node_ranges *nodes);

#endif
