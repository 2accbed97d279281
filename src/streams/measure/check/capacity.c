/* capacity.c - whether jobs have more of a node than it has */
#include "measure/check/capacity.h"

#include <stdlib.h>
#include <string.h>

#include "measure/check/sharers.h"
#include "base/num.h"
#include "base/str.h"
#include "model/per_node.h"

/* ---- what a job has of its nodes ---- */

/* By the list; else what each has if the total is divided evenly, of jobs that policies placed, or
 * of one node. amounts [n], all 0: not known. */
static void divide(struct checking *checking, const struct row *row, bool is_given,
		   const char *list, const char *column, int64_t *amounts, int n)
{
	const char *text = row_text(row, table_find(checking->in, list));
	const char *total_text = row_text(row, table_find(checking->in, column));
	double total = 0;
	struct err err;

	memset(amounts, 0, (size_t)n * sizeof(*amounts));
	if (text != NULL && per_node_read(text, amounts, n, &err) != 0)
		found_at(checking, row, "%s: %s", list, err.msg);
	if (text != NULL || total_text == NULL || num_real(total_text, 0, 1e18, &total) != 0)
		return;
	for (int i = 0; i < n && (is_given || n == 1); i++) {
		int64_t whole = (int64_t)total, even = whole / n;

		amounts[i] = i < whole - even * n ? even + 1 : even;
	}
}

bool capacity_is_known(const struct checking *checking)
{
	return (checking->states != NULL && checking->states->has_resources) ||
	       (checking->topo != NULL && checking->topo->gpus > 0 &&
		table_find(checking->in, "gpus") >= 0);
}

/* Of a node, as it is listed; its GPUs are else the machine's. */
static struct node_state state_of(const struct checking *checking, const char *name)
{
	struct node_state state = {.cpus = -1, .gpus = -1, .memory = -1, .is_idle = true};

	if (checking->states != NULL)
		state = node_states_of(checking->states, name);
	if (state.gpus < 0 && checking->states != NULL && checking->states->has_gpus)
		state.gpus = 0;
	if (state.gpus < 0 && checking->topo != NULL && checking->topo->gpus > 0)
		state.gpus = checking->topo->gpus;
	return state;
}

/* CPUs that a job with so many in all has at least of its last n nodes, whatever it has of the
 * others. */
static void at_least(const struct occupancy *occupancy, const struct checking *checking,
		     int64_t cpus, int64_t *amounts, size_t n)
{
	const struct occupant *job = &occupancy->jobs.at[occupancy->jobs.n - 1];
	int64_t sum = 0;
	size_t i = 0;

	for (size_t k = job->first; k < job->first + job->n; k++)
		for (int node = occupancy->ranges.at[k].first; node <= occupancy->ranges.at[k].last;
		     node++) {
			amounts[i] = state_of(checking, occupancy->nodes.names.at[node].text).cpus;
			if (amounts[i] < 0) {
				memset(amounts, 0, n * sizeof(*amounts));
				return;
			}
			sum += amounts[i++];
		}
	for (i = 0; i < n; i++)
		amounts[i] = cpus > sum - amounts[i] ? cpus - (sum - amounts[i]) : 0;
}

void capacity_note(struct occupancy *occupancy, struct checking *checking, const struct row *row,
		   bool is_given, size_t n)
{
	int64_t *amounts = xmalloc(3 * n * sizeof(*amounts) + 1);
	const char *state = row_text(row, table_find(checking->in, "state"));
	bool has_cpus = row_text(row, table_find(checking->in, "cpus")) != NULL;
	int64_t cpus;

	divide(checking, row, is_given, "cpus_per_node", has_cpus ? "cpus" : "tasks", amounts,
	       (int)n);
	if (!is_given && n > 1 && checking->states != NULL && amounts[0] == 0 &&
	    cell_int(row, table_find(checking->in, "cpus"), &cpus))
		at_least(occupancy, checking, cpus, amounts, n);
	divide(checking, row, is_given, "gpus_per_node", "gpus", amounts + n, (int)n);
	divide(checking, row, is_given, "memory_per_node_bytes", "memory_bytes", amounts + 2 * n,
	       (int)n);
	for (size_t i = 0; i < n; i++) {
		struct need need = {amounts[i], amounts[n + i], amounts[2 * n + i]};

		if (need.cpus == 0 && is_given)
			need.cpus = 1;
		if (state != NULL && str_eq(state, "suspended"))
			need.cpus = 0;
		vec_push(&occupancy->needs, need);
	}
	free(amounts);
}

/* ---- what nodes have ---- */

/* A job takes a part of a node, or gives it back. */
struct change {
	int64_t time_ns;
	int node, job;
	size_t at; /* of occupancy.needs */
	bool is_end;
};

static int by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	if (x->is_end != y->is_end)
		return x->is_end ? -1 : 1; /* ends make room first */
	return (x->job > y->job) - (x->job < y->job);
}

struct weighing {
	struct occupancy *occupancy;
	struct checking *checking;
	struct change *changes;             /* [first[nodes]], node by node */
	size_t *first;                      /* [nodes + 1] where a node's are */
	VEC(const struct change *) running; /* on the node at hand, where jobs may share CPUs */
	int64_t *used_of_type;              /* [gpu_types], of the node at hand */
};

/* Counts the changes of each node behind its place in first, or (is_counted) puts them there. */
static void add_job(struct weighing *weighing, int i, bool is_counted)
{
	const struct occupant *job = &weighing->occupancy->jobs.at[i];
	size_t at = job->first_need;

	for (size_t k = job->first; k < job->first + job->n; k++) {
		struct node_range range = weighing->occupancy->ranges.at[k];

		for (int node = range.first; node <= range.last; node++, at++) {
			if (is_counted) {
				struct change *to = &weighing->changes[weighing->first[node]];

				to[0] = (struct change){job->start_ns, node, i, at, false};
				to[1] = (struct change){job->end_ns, node, i, at, true};
			}
			weighing->first[node + !is_counted] += 2;
		}
	}
}

static void add_changes(struct weighing *weighing, size_t first, size_t last, bool is_counted)
{
	for (size_t i = first; i < last; i++) {
		const struct occupant *job = &weighing->occupancy->jobs.at[i];

		if (job->end_ns > job->start_ns)
			add_job(weighing, (int)i, is_counted);
	}
}

/* All changes of the jobs of both ranges, sorted. */
static void find_changes(struct weighing *weighing, size_t booked, size_t nbooked, size_t from,
			 size_t to)
{
	size_t n = weighing->occupancy->nodes.names.n, *first = xcalloc(n + 2, sizeof(*first));

	weighing->first = first;
	add_changes(weighing, booked, nbooked, false);
	add_changes(weighing, from, to, false);
	for (size_t node = 0; node < n; node++)
		first[node + 1] += first[node];
	weighing->changes = xmalloc((first[n] + 1) * sizeof(*weighing->changes));
	add_changes(weighing, booked, nbooked, true);
	add_changes(weighing, from, to, true);
	/* each stands at its end now, where the next one began */
	memmove(first + 1, first, n * sizeof(*first));
	first[0] = 0;
	for (size_t node = 0; node < n; node++)
		if (first[node + 1] - first[node] > 1)
			qsort(weighing->changes + first[node], first[node + 1] - first[node],
			      sizeof(struct change), by_time);
}

/* The GPUs of a type that a node's list "a100:2,v100:2" has: all of them, where it does not say how
 * many; 0: the type is not there. */
static int64_t gpus_of_type(const struct node_state *state, const char *type)
{
	char *list = xstrdup(state->gpu_type), *next;
	size_t n = strlen(type);
	int64_t found = 0;

	for (char *at = list; at != NULL; at = next) {
		next = strchr(at, ',');
		if (next != NULL)
			*next++ = '\0';
		if (strncmp(at, type, n) != 0 || (at[n] != '\0' && at[n] != ':'))
			continue;
		found = state->gpus;
		if (at[n] == ':')
			num_int(at + n + 1, 0, state->gpus, &found);
	}
	free(list);
	return found;
}

/* What a scheduler gave out is no broken rule, but the page of a night has it. */
static void tell(struct weighing *weighing, const struct change *change, const char *what,
		 int64_t used, int64_t had, bool is_found)
{
	const struct occupant *job = &weighing->occupancy->jobs.at[change->job];
	const struct findings *findings = weighing->checking->findings;
	const char *node = weighing->occupancy->nodes.names.at[change->node].text;

	if (findings->overused != NULL)
		findings->overused(findings->context, &(struct overuse){.job = job->name,
									.node = node,
									.at_ns = change->time_ns,
									.what = what,
									.used = used,
									.had = had,
									.nnodes = 1});
	if (!is_found)
		return;
	found_in(weighing->checking, job->file, job->line,
		 "nodelist: with job %s, %lld of %lld %s of %s are used", job->name,
		 (long long)used, (long long)had, what, node);
}

/* The GPUs of the type that a job has which takes or gives back its own. */
static void weigh_type(struct weighing *weighing, const struct change *change,
		       const struct node_state *state)
{
	const struct occupancy *occupancy = weighing->occupancy;
	int64_t gpus = occupancy->needs.at[change->at].gpus, had, *used;
	int type = occupancy->jobs.at[change->job].gpu_type;

	if (type < 0 || state->gpu_type == NULL || gpus == 0)
		return;
	used = &weighing->used_of_type[type];
	*used += change->is_end ? -gpus : gpus;
	had = gpus_of_type(state, occupancy->gpu_types.at[type]);
	if (!change->is_end && *used > had)
		tell(weighing, change, "GPUs of its type", *used, had, true);
}

/* What others have of the node, of which nothing more is known; -1 is unknown. */
static int64_t of_others(int64_t used, bool is_held)
{
	return is_held && used > 0 ? used : 0;
}

/*
 * The least CPUs for the jobs that have a node together, of which some may share: those of a
 * partition whose n jobs may have one need the sum over n, and as many as the largest has.
 */
static int64_t least_cpus(const struct weighing *weighing, const struct node_state *state,
			  int64_t cpus)
{
	const struct occupancy *occupancy = weighing->occupancy;

	for (size_t i = 0; i < weighing->running.n; i++) {
		const struct occupant *job = &occupancy->jobs.at[weighing->running.at[i]->job];
		int64_t sum = 0, largest = 0;
		bool is_forced, is_first = true;
		int most = sharers_of(state, job->partition, job->accepts_others, &is_forced);

		for (size_t k = 0; k < weighing->running.n; k++) {
			const struct change *change = weighing->running.at[k];
			const struct occupant *other = &occupancy->jobs.at[change->job];
			int64_t has = occupancy->needs.at[change->at].cpus;

			if (sharers_of(state, other->partition, other->accepts_others,
				       &is_forced) != most ||
			    most <= 1 || !str_eq(other->partition, job->partition))
				continue;
			is_first &= k >= i;
			sum += has;
			largest = has > largest ? has : largest;
		}
		if (most <= 1)
			cpus += occupancy->needs.at[weighing->running.at[i]->at].cpus;
		else if (is_first)
			cpus += (sum + most - 1) / most > largest ? (sum + most - 1) / most
								  : largest;
	}
	return cpus;
}

static void note_running(struct weighing *weighing, const struct change *change)
{
	size_t i = 0;

	if (!change->is_end) {
		vec_push(&weighing->running, change);
		return;
	}
	while (weighing->running.at[i]->at != change->at)
		i++;
	weighing->running.at[i] = weighing->running.at[--weighing->running.n];
}

/* The changes first … last - 1 of one node. */
static void weigh_node(struct weighing *weighing, size_t first, size_t last)
{
	const struct change *changes = weighing->changes;
	const struct occupancy *occupancy = weighing->occupancy;
	struct node_state state =
		state_of(weighing->checking, occupancy->nodes.names.at[changes[first].node].text);
	int64_t gpus = state.gpus;
	struct need used = {0};
	int64_t others;
	int ngiven =
		0; /* that run and that a policy placed: without one, it was a scheduler's choice */
	bool is_held = !state.is_idle && !occupancy->is_replay;

	memset(weighing->used_of_type, 0, occupancy->gpu_types.n * sizeof(int64_t));
	weighing->running.n = 0;
	for (size_t i = first; i < last; i++)
		is_held &= occupancy->jobs.at[changes[i].job].policy != 0;
	used = (struct need){of_others(state.cpus_used, is_held),
			     of_others(state.gpus_used, is_held),
			     of_others(state.memory_used, is_held)};
	others = used.cpus;
	for (size_t i = first; i < last; i++) {
		const struct need *need = &occupancy->needs.at[changes[i].at];
		int64_t cpus;
		int sign = changes[i].is_end ? -1 : 1;

		used.cpus += sign * need->cpus;
		used.gpus += sign * need->gpus;
		used.memory += sign * need->memory;
		ngiven += occupancy->jobs.at[changes[i].job].is_given ? sign : 0;
		weigh_type(weighing, &changes[i], &state);
		if (state.oversubscribe != NULL)
			note_running(weighing, &changes[i]);
		if (changes[i].is_end)
			continue;
		cpus = state.oversubscribe != NULL ? least_cpus(weighing, &state, others)
						   : used.cpus;
		if (state.cpus >= 0 && cpus > state.cpus)
			tell(weighing, &changes[i], "CPUs", cpus, state.cpus,
			     ngiven > 0 || state.oversubscribe != NULL);
		if (gpus >= 0 && need->gpus > 0 && used.gpus > gpus)
			tell(weighing, &changes[i], "GPUs", used.gpus, gpus, true);
		if (state.memory >= 0 && need->memory > 0 && used.memory > state.memory)
			tell(weighing, &changes[i], "bytes of memory", used.memory, state.memory,
			     true);
	}
}

void capacity_check(struct occupancy *occupancy, struct checking *checking, size_t booked,
		    size_t nbooked, size_t from, size_t to)
{
	struct weighing weighing = {.occupancy = occupancy, .checking = checking};

	weighing.used_of_type = xcalloc(occupancy->gpu_types.n + 1, sizeof(int64_t));
	find_changes(&weighing, booked, nbooked, from, to);
	for (size_t node = 0; node < occupancy->nodes.names.n; node++)
		if (weighing.first[node + 1] > weighing.first[node])
			weigh_node(&weighing, weighing.first[node], weighing.first[node + 1]);
	free(weighing.changes);
	free(weighing.first);
	free(weighing.running.at);
	free(weighing.used_of_type);
}
