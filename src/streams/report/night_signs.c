/* night_signs.c - what accounting and the states of nodes say against each other, and nodes where
 * jobs fail */
#include "report/night_signs.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

enum { FAILURES_LEAST = 3, NODES_MOST = 4 };

static bool is_without_jobs(const char *state)
{
	return str_eq(state, "idle") || str_eq(state, "down") || str_eq(state, "drained");
}

static void find_ghosts(const struct night *night, struct night_signs *signs)
{
	const struct night_node **node_of =
		xcalloc((size_t)night->topo->nnodes + 1, sizeof(*node_of));

	for (size_t i = 0; i < night->nodes.n; i++) {
		const char *name = night->nodes.at[i].name;
		int node = name != NULL ? topo_node_find(night->topo, name, strlen(name)) : -1;

		if (node >= 0 && is_without_jobs(night->nodes.at[i].state))
			node_of[node] = &night->nodes.at[i];
	}
	for (size_t i = 0; i < night->jobs.n; i++) {
		const struct night_job *job = &night->jobs.at[i];
		int_vec nodes = night_nodes(night, job);

		if (job->group != 0 || job->phase != NIGHT_RAN || job->state == NULL ||
		    !str_eq(job->state, "running") || job->end_ns != JOB_NO_TIME)
			continue;
		for (size_t k = 0; k < nodes.n; k++)
			if (node_of[nodes.at[k]] != NULL)
				vec_push(&signs->ghosts,
					 (struct night_ghost){job, node_of[nodes.at[k]]});
	}
	free(node_of);
}

static bool is_failure(const struct night_job *job)
{
	return str_eq(job->state, "failed") || str_eq(job->state, "node_fail") ||
	       str_eq(job->state, "boot_fail");
}

/* What is counted of a node. */
struct fails {
	int nfailed, njobs;
	const char *user;
	bool of_several, of_unknown;
};

static int by_failures(const void *a, const void *b)
{
	const struct night_failing *x = a, *y = b;

	if (x->nfailed != y->nfailed)
		return x->nfailed < y->nfailed ? 1 : -1;
	return (x->node > y->node) - (x->node < y->node);
}

/* A large job fails on all of its nodes, whichever was the cause: it blames none. */
static void find_failing(const struct night *night, struct night_signs *signs)
{
	struct fails *fails = xcalloc((size_t)night->topo->nnodes + 1, sizeof(*fails));

	for (size_t i = 0; i < night->jobs.n; i++) {
		const struct night_job *job = &night->jobs.at[i];
		int_vec nodes = night_nodes(night, job);

		if (job->group != 0 || job->phase != NIGHT_RAN || job->state == NULL ||
		    job->end_ns == JOB_NO_TIME || nodes.n > NODES_MOST)
			continue;
		for (size_t k = 0; k < nodes.n; k++) {
			struct fails *of = &fails[nodes.at[k]];

			of->njobs++;
			if (!is_failure(job))
				continue;
			of->nfailed++;
			of->of_unknown |= job->user == NULL;
			if (of->user != NULL && job->user != NULL && !str_eq(of->user, job->user))
				of->of_several = true;
			of->user = job->user;
		}
	}
	for (int node = 0; node < night->topo->nnodes; node++) {
		const struct fails *of = &fails[node];

		if (of->nfailed >= FAILURES_LEAST && 2 * of->nfailed >= of->njobs &&
		    (of->of_several || of->of_unknown))
			vec_push(&signs->failing,
				 (struct night_failing){node, of->nfailed, of->njobs});
	}
	if (signs->failing.n > 1)
		qsort(signs->failing.at, signs->failing.n, sizeof(*signs->failing.at), by_failures);
	free(fails);
}

void night_signs_find(const struct night *night, struct night_signs *signs)
{
	*signs = (struct night_signs){0};
	if (night->topo == NULL || !night->has_jobs)
		return;
	if (night->has_states)
		find_ghosts(night, signs);
	find_failing(night, signs);
}

void night_signs_free(struct night_signs *signs)
{
	vec_free(&signs->ghosts);
	vec_free(&signs->failing);
}
