/* waiting.c - whether jobs wait though domains have room for them */
#include "measure/check/waiting.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "measure/check/nested.h"
#include "model/job.h"

struct waiting_job {
	const char *name, *run, *policy, *file;
	long line;
	int64_t units; /* that it asks for */
	bool are_gpus;
	struct domain_texts texts;
};

struct waiting_holder {
	const char *run, *policy;
	int64_t start_ns, end_ns;
	size_t first, n; /* of nodes and units */
};

static const char *keep(struct waiting *waiting, const struct checking *checking,
			const struct row *row, const char *column)
{
	const char *text = row_text(row, table_find(checking->in, column));

	return text != NULL ? arena_strndup(&waiting->arena, text, strlen(text)) : NULL;
}

/* Whether anything but nodes may keep a job waiting. */
static bool may_wait(const struct checking *checking, const struct row *row)
{
	static const char *const columns[] = {"features",  "reservation", "depends", "eligible_s",
					      "het_job",   "nodes_max",   "end_s",   "start_s",
					      "io_pinned", "io_nodes",    "together"};
	const char *state = row_text(row, table_find(checking->in, "state"));
	const char *alone = row_text(row, table_find(checking->in, "exclusive_topo"));

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (row_text(row, table_find(checking->in, columns[i])) != NULL)
			return true;
	return (state != NULL && job_state_ended(state)) ||
	       (alone != NULL && str_eq(alone, "yes")) ||
	       (checking->states != NULL && checking->states->has_partitions &&
		row_text(row, table_find(checking->in, "partition")) != NULL);
}

static void add_job(struct waiting *waiting, struct checking *checking, const struct row *row)
{
	struct waiting_job job = {.line = row->line};
	int64_t segment = 0;

	if (may_wait(checking, row))
		return;
	/* segments are in blocks, which --block-sizes may name */
	if (cell_int(row, table_find(checking->in, "segment"), &segment) && segment > 0)
		return;
	job.are_gpus = nested_units_are_gpus(checking, row);
	if (!cell_int(row, table_find(checking->in, job.are_gpus ? "gpus" : "nodes"), &job.units))
		return;
	job.name = keep(waiting, checking, row, "job");
	job.run = keep(waiting, checking, row, "run");
	job.policy = keep(waiting, checking, row, "policy");
	job.file = arena_strndup(&waiting->arena, row->file, strlen(row->file));
	job.texts.within = keep(waiting, checking, row, "within");
	job.texts.slices = keep(waiting, checking, row, "slices");
	job.texts.spread = keep(waiting, checking, row, "spread");
	vec_push(&waiting->jobs, job);
}

static void add_holder(struct waiting *waiting, struct checking *checking, const struct row *row,
		       const int *nodes, size_t n)
{
	struct waiting_holder holder = {.first = waiting->nodes.n, .n = n};
	bool are_gpus = nested_units_are_gpus(checking, row);
	int64_t *units = xmalloc((n + 1) * sizeof(*units));

	holder.run = keep(waiting, checking, row, "run");
	holder.policy = keep(waiting, checking, row, "policy");
	if (!cell_seconds(row, table_find(checking->in, "start_s"), &holder.start_ns))
		holder.start_ns = INT64_MIN;
	if (!cell_seconds(row, table_find(checking->in, "end_s"), &holder.end_ns))
		holder.end_ns = INT64_MAX;
	nested_units(checking, row, units, n);
	for (size_t i = 0; i < n; i++) {
		vec_push(&waiting->nodes, nodes[i]);
		vec_push(&waiting->units, are_gpus ? units[i] : 0);
	}
	vec_push(&waiting->holders, holder);
	free(units);
}

void waiting_add(struct waiting *waiting, struct checking *checking, const struct row *row,
		 const int *nodes, size_t n)
{
	static const char *const times[] = {"submit_s", "start_s"};
	int64_t ns;

	for (size_t i = 0; i < 2; i++)
		if (cell_seconds(row, table_find(checking->in, times[i]), &ns) &&
		    ns > waiting->now_ns)
			waiting->now_ns = ns;
	if (n > 0)
		add_holder(waiting, checking, row, nodes, n);
	else
		add_job(waiting, checking, row);
}

/* ---- what nobody has ---- */

/* left [nnodes] */
static void find_left(const struct waiting *waiting, const struct checking *checking,
		      const struct waiting_job *job, int64_t *left)
{
	const struct topo *topo = checking->topo;
	int64_t whole = job->are_gpus ? topo->gpus : 1;
	char text[TOPO_NAME];

	for (int node = 0; node < topo->nnodes; node++)
		left[node] =
			checking->states == NULL || node_states_of(checking->states,
								   topo_node_name(topo, node, text))
							    .is_idle
				? whole
				: 0;
	for (int i = 0; i < topo->nio; i++)
		for (int k = 0; topo->io[i].is_separate && k < topo->io[i].nnodes; k++)
			if (topo->io[i].nodes != NULL)
				left[topo->io[i].nodes[k]] = 0;
	for (size_t i = 0; i < waiting->holders.n; i++) {
		const struct waiting_holder *holder = &waiting->holders.at[i];

		if (!str_same(holder->run, job->run) || holder->start_ns > waiting->now_ns ||
		    holder->end_ns <= waiting->now_ns ||
		    (!str_same(holder->policy, job->policy) && holder->policy != NULL &&
		     strcmp(holder->policy, JOB_RECORDED) != 0))
			continue;
		for (size_t k = holder->first; k < holder->first + holder->n; k++) {
			int node = waiting->nodes.at[k];
			int64_t units = waiting->units.at[k];

			if (node < 0)
				continue;
			left[node] -= units > 0 && job->are_gpus ? units : left[node];
			if (left[node] < 0)
				left[node] = 0;
		}
	}
}

/* ---- room, level by level ---- */

static int64_t reduce(int64_t units, const struct level_ref *level, const struct domain_asks *asks)
{
	for (int i = 0; i < asks->nspread; i++)
		if (strcmp(level_name(&asks->spread[i].level), level_name(level)) == 0 &&
		    units > asks->spread[i].size)
			units = asks->spread[i].size;
	for (int i = 0; i < asks->nslices; i++)
		if (strcmp(level_name(&asks->slices[i].level), level_name(level)) == 0)
			units -= units % asks->slices[i].size;
	return units;
}

/* The level next outside; false: it is the outermost one. */
static bool go_out(struct level_ref *level, const struct hierarchy *hierarchy)
{
	if (hierarchy == NULL)
		return ++level->level < level->topo->ntiers;
	if (level->hierarchy != NULL)
		return --level->level >= 0;
	level->hierarchy = hierarchy;
	level->level = hierarchy->nlevels - 1;
	return true;
}

static int above(const struct level_ref *level, const struct hierarchy *hierarchy, int domain)
{
	if (hierarchy == NULL)
		return level->topo->tiers[level->level + 1].of[domain];
	return level->hierarchy == NULL ? hierarchy->of[domain]
					: hierarchy->levels[level->level].above[domain];
}

/* All levels that are named are of one hierarchy, or of the network. */
static bool are_of_one(const struct domain_asks *asks, const struct hierarchy **hierarchy)
{
	int nnamed = 0;
	bool agree = true;

	*hierarchy = NULL;
	for (int i = 0; i < 3; i++) {
		const struct domain_ask *list = i == 0   ? asks->within
						: i == 1 ? asks->slices
							 : asks->spread;
		int n = i == 0 ? asks->nwithin : i == 1 ? asks->nslices : asks->nspread;

		for (int k = 0; k < n; k++) {
			if (list[k].level.hierarchy == NULL && list[k].level.level < 0)
				continue;
			agree &= nnamed++ == 0 || list[k].level.hierarchy == *hierarchy;
			*hierarchy = list[k].level.hierarchy;
		}
	}
	return agree;
}

static bool is_within(const struct domain_asks *asks, const struct level_ref *level)
{
	for (int i = 0; i < asks->nwithin; i++)
		if (!asks->within[i].is_soft &&
		    strcmp(level_name(&asks->within[i].level), level_name(level)) == 0)
			return true;
	return false;
}

static void tell(struct checking *checking, const struct waiting_job *job,
		 const struct level_ref *level, int domain, int64_t room)
{
	char text[TOPO_NAME];

	if (level == NULL)
		found_in(checking, job->file, job->line,
			 "reason: %s waits, though the machine has room for %lld", job->name,
			 (long long)room);
	else
		found_in(checking, job->file, job->line,
			 "reason: %s waits, though %s %s has room for %lld", job->name,
			 level_name(level), level_domain_name(level, domain, text),
			 (long long)room);
}

/* left becomes what the domains have room for, from nodes outwards, up to the level that the job
 * must be within: its first domain that is enough is told. */
static void find_room(struct checking *checking, const struct waiting_job *job,
		      const struct domain_asks *asks, const struct hierarchy *hierarchy,
		      int64_t *left)
{
	struct level_ref level = {.topo = checking->topo, .level = -1};
	int64_t *inner = left, *outer = NULL, sum = 0;

	for (bool goes_on = true; goes_on;) {
		struct level_ref at = level;
		int n = level_count(&at);

		for (int d = 0; d < n; d++)
			inner[d] = reduce(inner[d], &at, asks);
		if (is_within(asks, &at)) {
			for (int d = 0; d < n; d++)
				if (inner[d] >= job->units) {
					tell(checking, job, &at, d, inner[d]);
					break;
				}
			break;
		}
		goes_on = go_out(&level, hierarchy);
		outer = xcalloc((size_t)(goes_on ? level_count(&level) : 1) + 1, sizeof(*outer));
		for (int d = 0; d < n; d++) {
			int domain = goes_on && hierarchy == NULL && at.level < 0
					     ? checking->topo->router_of[d]
				     : goes_on ? above(&at, hierarchy, d)
					       : 0;

			sum += goes_on ? 0 : inner[d];
			if (domain >= 0)
				outer[domain] += inner[d];
		}
		if (inner != left)
			free(inner);
		inner = outer;
		if (!goes_on && sum >= job->units)
			tell(checking, job, NULL, 0, sum);
	}
	if (inner != left)
		free(inner);
}

/* A limit outside of the level that it must be within holds for all of the job. */
static bool is_limited(const struct domain_asks *asks, int64_t units)
{
	bool is_hard = false;

	for (int i = 0; i < asks->nwithin; i++)
		is_hard |= !asks->within[i].is_soft;
	for (int i = 0; i < asks->nspread && is_hard; i++)
		for (int k = 0; k < asks->nwithin; k++)
			if (!asks->within[k].is_soft && asks->spread[i].size < units &&
			    level_depth(&asks->spread[i].level) >=
				    level_depth(&asks->within[k].level))
				return true;
	return false;
}

void waiting_end(struct waiting *waiting, struct checking *checking)
{
	for (size_t i = 0; i < waiting->jobs.n && checking->topo != NULL; i++) {
		const struct waiting_job *job = &waiting->jobs.at[i];
		const struct hierarchy *hierarchy;
		struct domain_asks asks;
		struct err none;
		int64_t *left;

		if (domain_asks_read(&asks, checking->topo, &job->texts, &none) != 0 ||
		    !are_of_one(&asks, &hierarchy) || is_limited(&asks, job->units) ||
		    (asks.nslices > 0 && job->units % asks.slices[0].size != 0))
			continue;
		left = xmalloc(((size_t)checking->topo->nnodes + 1) * sizeof(*left));
		find_left(waiting, checking, job, left);
		find_room(checking, job, &asks, hierarchy, left);
		free(left);
	}
	vec_free(&waiting->jobs);
	vec_free(&waiting->holders);
	vec_free(&waiting->nodes);
	vec_free(&waiting->units);
	arena_free(&waiting->arena);
}
