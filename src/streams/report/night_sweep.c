/* night_sweep.c - the machine through the night: which nodes were idle when */
#include "report/night_sweep.h"

#include <stdlib.h>
#include <string.h>

struct change {
	int64_t time_ns;
	int job; /* ~job: it ends */
};

struct sweeping {
	const struct night *night;
	const struct night_sweep *sweep;
	struct machine machine;
	int *nholders; /* [nnodes] jobs that have the node, and one if it is out of service */
	int_vec nodes, changed;
	int nmoments; /* that are done */
};

bool night_is_usable(const char *state)
{
	static const char *const states[] = {"idle",       "allocated", "mixed",
					     "completing", "planned",   "reserved"};

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (str_eq(states[i], state))
			return true;
	return false;
}

int64_t night_moment(const struct night *night, int k, int n)
{
	int64_t length = night->until_ns - night->since_ns;

	return night->since_ns + (int64_t)((double)length * (k + .5) / n);
}

static int by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

struct changes {
	VEC(struct change) of;
};

/* A job that ended when it started: it is placed, and holds nothing. */
static bool is_momentary(const struct night_job *job)
{
	return job->end_ns != JOB_NO_TIME && job->end_ns <= job->start_ns;
}

static void list_changes(const struct night *night, struct changes *changes)
{
	for (size_t i = 0; i < night->jobs.n; i++) {
		const struct night_job *job = &night->jobs.at[i];

		if (job->group != 0 || job->nodelist == NULL ||
		    (job->phase != NIGHT_RAN && job->phase != NIGHT_PLACED))
			continue;
		/* what is placed without times is so all the time */
		vec_push(&changes->of,
			 (struct change){job->phase == NIGHT_RAN ? job->start_ns : night->since_ns,
					 (int)i});
		if (job->end_ns != JOB_NO_TIME && !is_momentary(job))
			vec_push(&changes->of, (struct change){job->end_ns, ~(int)i});
	}
	if (changes->of.n > 1)
		qsort(changes->of.at, changes->of.n, sizeof(*changes->of.at), by_time);
}

/* Nodes [n] have one holder more (or, more being -1, less). */
static void hold(struct sweeping *sweeping, const int *nodes, size_t n, int more)
{
	int_vec *changed = &sweeping->changed;

	changed->n = 0;
	for (size_t i = 0; i < n; i++) {
		int *nholders = &sweeping->nholders[nodes[i]];

		*nholders += more;
		if (*nholders == (more > 0 ? 1 : 0))
			vec_push(changed, nodes[i]);
	}
	if (more > 0)
		machine_take_all(&sweeping->machine, changed->at, changed->n);
	else
		machine_release_all(&sweeping->machine, changed->at, changed->n);
}

/* What is out of service in the morning is taken for out of service all night. */
static void take_broken(struct sweeping *sweeping)
{
	const struct night *night = sweeping->night;

	for (size_t i = 0; i < night->nodes.n; i++) {
		const struct night_node *node = &night->nodes.at[i];

		sweeping->nodes.n = 0;
		if (!night_is_usable(node->state) &&
		    topo_nodelist_read(night->topo, node->name, &sweeping->nodes,
				       &(struct err){0}) == 0 &&
		    sweeping->nodes.n == 1 && sweeping->nholders[sweeping->nodes.at[0]] == 0)
			hold(sweeping, sweeping->nodes.at, 1, 1);
	}
}

/* Moments up to a time, whose changes are still to come. */
static void do_moments(struct sweeping *sweeping, int64_t until_ns)
{
	const struct night_sweep *sweep = sweeping->sweep;

	while (sweeping->nmoments < sweep->nmoments &&
	       night_moment(sweeping->night, sweeping->nmoments, sweep->nmoments) < until_ns)
		sweep->moment(sweep->context, &sweeping->machine, sweeping->nmoments++);
}

static int happen(struct sweeping *sweeping, const struct change *change, struct err *err)
{
	const struct night_sweep *sweep = sweeping->sweep;
	int job = change->job < 0 ? ~change->job : change->job;
	int_vec nodes = night_nodes(sweeping->night, &sweeping->night->jobs.at[job]);
	int status = 0;

	if (nodes.n == 0)
		return 0;
	if (change->job >= 0 && sweep->start != NULL)
		status = sweep->start(sweep->context, &sweeping->machine, job, &nodes, err);
	if (!is_momentary(&sweeping->night->jobs.at[job]))
		hold(sweeping, nodes.at, nodes.n, change->job < 0 ? -1 : 1);
	machine_forget(&sweeping->machine);
	return status;
}

int night_sweep(const struct night *night, const struct night_sweep *sweep, struct err *err)
{
	struct sweeping sweeping = {.night = night, .sweep = sweep};
	struct changes changes = {0};
	int status = 0;

	list_changes(night, &changes);
	machine_init(&sweeping.machine, night->topo);
	sweeping.nholders = xcalloc((size_t)night->topo->nnodes, sizeof(*sweeping.nholders));
	take_broken(&sweeping);
	for (size_t i = 0; status == 0 && i < changes.of.n; i++) {
		do_moments(&sweeping, changes.of.at[i].time_ns);
		status = happen(&sweeping, &changes.of.at[i], err);
	}
	if (status == 0)
		do_moments(&sweeping, INT64_MAX);
	machine_free(&sweeping.machine);
	free(sweeping.nholders);
	vec_free(&sweeping.nodes);
	vec_free(&sweeping.changed);
	vec_free(&changes.of);
	return status;
}
