/* nedd.c - quiet routers for network-sensitive jobs, busy ones for the others */
#include <math.h>
#include <stdlib.h>

#include "place/policy/traffic_order.h"

struct nedd {
	struct traffic_order quiet, busy;
	struct alloc fallback;
};

static int open_nedd(struct alloc *alloc, struct err *err)
{
	struct nedd *nedd = xcalloc(1, sizeof(*nedd));

	alloc->state = nedd;
	if (alloc_open(&nedd->fallback, pick_pick(alloc->pick, "default"), alloc->topo,
		       alloc->accepts_partial, err) != 0)
		return err_prefix(err, "default: ");
	return 0;
}

static void close(struct alloc *alloc)
{
	struct nedd *nedd = alloc->state;

	if (nedd == NULL)
		return;
	traffic_order_free(&nedd->quiet);
	traffic_order_free(&nedd->busy);
	alloc_close(&nedd->fallback);
	free(nedd);
}

/* Whether nothing is known of the job's sensitivity. */
static bool is_unprofiled(const struct alloc *alloc, const struct job *job)
{
	if (pick_bool(alloc->pick, "smooth"))
		return isnan(job->sensitivity);
	return !job_is_class(job, JOB_SENSITIVE) && !job_is_class(job, JOB_INSENSITIVE);
}

static void restart(struct alloc *alloc)
{
	struct nedd *nedd = alloc->state;

	alloc_restart(&nedd->fallback);
}

static void placed(struct alloc *alloc, const struct alloc_request *request, const int_vec *nodes)
{
	struct nedd *nedd = alloc->state;

	if (is_unprofiled(alloc, request->job))
		alloc_placed(&nedd->fallback, request, nodes);
}

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	struct nedd *nedd = alloc->state;
	bool smooth = pick_bool(alloc->pick, "smooth");
	bool first = pick_is(alloc->pick, "unsampled", "first");
	bool sensitive = job_is_class(request->job, JOB_SENSITIVE);
	const struct traffic_window *window = request->traffic;

	if (is_unprofiled(alloc, request->job)) {
		buf_printf(reason, "unprofiled: %s", nedd->fallback.policy->entry.name);
		return nedd->fallback.policy->choose(&nedd->fallback, request, nodes, reason, err);
	}
	if (window == NULL)
		return traffic_order_none(request, reason);
	if (smooth || sensitive)
		traffic_order_make(&nedd->quiet, request->machine, window, window->traffic, false,
				   first);
	else
		traffic_order_make(&nedd->busy, request->machine, window, window->traffic, true,
				   first);
	buf_str(reason, smooth ? "smooth" : sensitive ? "sensitive: quiet" : "insensitive: busy");
	if (smooth)
		traffic_order_take_part(&nedd->quiet, request, 1 - request->job->sensitivity,
					nodes);
	else
		traffic_order_take(sensitive ? &nedd->quiet : &nedd->busy, request, nodes);
	traffic_order_tell(request, window->traffic, nodes, reason);
	return 1;
}

const struct alloc_policy alloc_policy_nedd = {
	.entry =
		{
			.name = "nedd",
			.example = "nedd:default=simple",
			.summary = "network-sensitive jobs on quiet routers, "
				   "network-insensitive ones on busy routers",
			.paper = "Zhang et al., NeDD, §III-A",
			.params =
				(const struct param[]){
					{.key = "default",
					 .type = PARAM_PICK,
					 .registry = &alloc_policies,
					 .def = "fewer-router",
					 .meaning = "the policy for jobs that are not profiled"},
					{.key = "smooth",
					 .type = PARAM_BOOL,
					 .def = "no",
					 .meaning = "place by the sensitivity between 0 and 1"
						    " (classify --smooth): the less "
						    "sensitive, the farther from the quiet "
						    "end"},
					PARAMS_OF_TRAFFIC,
					{0}},
		},
	.wants_traffic = true,
	.open = open_nedd,
	.close = close,
	.restart = restart,
	.placed = placed,
	.choose = choose,
};
