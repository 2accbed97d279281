/* eligible_parts.c - a job's nodes out of the sets that it may have: light ones, parts, segments */
#include <stdlib.h>
#include <string.h>

#include "place/run/choose.h"
#include "place/run/eligible_priv.h"
#include "place/run/leaf_switches.h"
#include "place/run/tasks.h"
#include "base/bitset.h"

/* ---- one set of nodes ---- */

/* n of these nodes, by the policy; part has them. */
static int choose_in(const struct eligible_choice *choosing, const uint64_t *words, int n)
{
	struct machine *machine = choosing->request->machine;
	struct alloc_request request = *choosing->request;
	struct job job = *request.job;
	size_t mark = machine_mark(machine);
	int status;

	job.nnodes = n;
	request.job = &job;
	sched_set_idle(machine, words);
	status = sched_choose_any(choosing->schedule, &request, choosing->now_ns,
				  &choosing->eligible->part, choosing->reason, choosing->err);
	machine_undo(machine, mark);
	return status;
}

/* Nodes in use before idle ones, for a job that shares. */
static int choose_used_first(const struct eligible_choice *choosing, const uint64_t *words, int n)
{
	const struct machine *machine = choosing->request->machine;
	struct eligible *eligible = choosing->eligible;
	uint64_t *used;
	int status = 0;

	if (!choosing->schedule->is_sharing || eligible->share.is_whole)
		return choose_in(choosing, words, n);
	used = xmalloc((size_t)eligible->nwords * sizeof(*used));
	for (int i = 0; i < eligible->nwords; i++)
		used[i] = words[i] & ~machine->idle.level[0][i];
	if (bits_count(used, eligible->nwords) >= n)
		status = choose_in(choosing, used, n);
	free(used);
	return status != 0 ? status : choose_in(choosing, words, n);
}

/* The lightest nodes that are enough; heavier ones where those will not do. */
static int choose_lightest(const struct eligible_choice *choosing, const uint64_t *words, int n)
{
	struct eligible *eligible = choosing->eligible;
	int status = 0, nbefore = 0;

	if (eligible->weight_of == NULL)
		return choose_used_first(choosing, words, n);
	for (size_t i = 0; i < eligible->weights.n && status == 0; i++) {
		int nnow = 0;

		memcpy(eligible->among, words, (size_t)eligible->nwords * sizeof(uint64_t));
		for (int node = 0; node < eligible->nnodes; node++) {
			if (!bits_has(words, node))
				continue;
			if (eligible->weight_of[node] > eligible->weights.at[i])
				eligible->among[node / 64] &= ~(UINT64_C(1) << node % 64);
			else
				nnow++;
		}
		if (nnow >= n && nnow > nbefore)
			status = choose_used_first(choosing, eligible->among, n);
		nbefore = nnow;
	}
	return status;
}

/* ---- several sets ---- */

/* The nodes of part are the job's. */
static void keep_part(const struct eligible_choice *choosing)
{
	struct eligible *eligible = choosing->eligible;

	for (size_t i = 0; i < eligible->part.n; i++) {
		int node = eligible->part.at[i];

		eligible->left[node / 64] &= ~(UINT64_C(1) << node % 64);
		vec_push(choosing->nodes, node);
	}
}

/* The job has none of its nodes again. */
static void put_back(const struct eligible_choice *choosing)
{
	for (size_t i = 0; i < choosing->nodes->n; i++)
		choosing->eligible->left[choosing->nodes->at[i] / 64] |=
			UINT64_C(1) << choosing->nodes->at[i] % 64;
	choosing->nodes->n = 0;
}

/* So many nodes of a counted feature: those first that no later count could use. */
static int choose_counted(const struct eligible_choice *choosing, size_t number)
{
	struct eligible *eligible = choosing->eligible;
	const struct feature_count *count = &eligible->counts.at[number];
	uint64_t *words = xmalloc(2 * (size_t)eligible->nwords * sizeof(*words));
	uint64_t *alone = words + eligible->nwords;
	int status = 0;

	for (int i = 0; i < eligible->nwords; i++) {
		words[i] = alone[i] = eligible->left[i] & count->words[i];
		for (size_t k = number + 1; k < eligible->counts.n; k++)
			alone[i] &= ~eligible->counts.at[k].words[i];
	}
	if (bits_count(alone, eligible->nwords) >= count->n)
		status = choose_lightest(choosing, alone, count->n);
	if (status == 0 && bits_count(words, eligible->nwords) >= count->n)
		status = choose_lightest(choosing, words, count->n);
	free(words);
	if (status == 1)
		keep_part(choosing);
	return status;
}

/* Which node each wanted one of the counted features gets, by augmenting paths. */
struct matching {
	const struct eligible *eligible;
	int *slot_of;     /* [nnodes] of the wanted nodes; -1: none */
	size_t *count_of; /* [slots] which count it is of */
	bool *was_tried;  /* [nnodes] */
};

static bool match(struct matching *matching, int slot)
{
	const struct eligible *eligible = matching->eligible;
	const uint64_t *words = eligible->counts.at[matching->count_of[slot]].words;

	for (int node = 0; node < eligible->nnodes; node++) {
		if (!bits_has(eligible->left, node) || !bits_has(words, node) ||
		    matching->was_tried[node])
			continue;
		matching->was_tried[node] = true;
		if (matching->slot_of[node] < 0 || match(matching, matching->slot_of[node])) {
			matching->slot_of[node] = slot;
			return true;
		}
	}
	return false;
}

/* All counted nodes at once, where one after the other they take each other's; the lowest labels
 * first. part has them. */
static int match_counts(const struct eligible_choice *choosing)
{
	struct eligible *eligible = choosing->eligible;
	struct matching matching = {.eligible = eligible};
	int nslots = choosing->request->job->nnodes, slot = 0;
	size_t nnodes = (size_t)eligible->nnodes;
	bool fits = true;

	matching.slot_of = xmalloc((nnodes + 1) * sizeof(int));
	matching.count_of = xmalloc(((size_t)nslots + 1) * sizeof(size_t));
	matching.was_tried = xmalloc(nnodes + 1);
	for (int node = 0; node < eligible->nnodes; node++)
		matching.slot_of[node] = -1;
	for (size_t i = 0; i < eligible->counts.n; i++)
		for (int k = 0; k < eligible->counts.at[i].n && fits; k++) {
			memset(matching.was_tried, 0, nnodes);
			matching.count_of[slot] = i;
			fits = match(&matching, slot++);
		}
	eligible->part.n = 0;
	for (int node = 0; node < eligible->nnodes && fits; node++)
		if (matching.slot_of[node] >= 0)
			vec_push(&eligible->part, node);
	free(matching.slot_of);
	free(matching.count_of);
	free(matching.was_tried);
	return fits;
}

/* ---- segments ---- */

/* The domain with the fewest nodes left which are enough, of those not tried; -1: none. */
static int find_domain(const struct segment_domains *domains, int n)
{
	int best = -1;

	for (int d = 0; d < domains->n; d++)
		if (domains->count[d] >= n &&
		    (best < 0 || domains->count[d] < domains->count[best]))
			best = d;
	return best;
}

/* The nodes left of a domain become bits of among, or (is_there false) go from there. */
static void mark_domain(const struct eligible *eligible, int domain, bool is_there, uint64_t *among)
{
	const struct segment_domains *domains = &eligible->segments;

	for (int i = domains->first[domain]; i < domains->first[domain + 1]; i++) {
		int node = domains->member[i];

		if (!is_there)
			among[node / 64] = 0;
		else if (bits_has(eligible->left, node))
			bits_add(among, node);
	}
}

/* among [nwords] is empty, and is so again. */
static int choose_segment(const struct eligible_choice *choosing, int n, uint64_t *among)
{
	struct eligible *eligible = choosing->eligible;
	struct segment_domains *domains = &eligible->segments;
	int status = 0, domain, *refused = NULL;

	while (status == 0 && (domain = find_domain(domains, n)) >= 0) {
		mark_domain(eligible, domain, true, among);
		status = choose_lightest(choosing, among, n);
		mark_domain(eligible, domain, false, among);
		if (status == 1) {
			keep_part(choosing);
			domains->count[domain] -= n;
			continue;
		}
		if (refused == NULL)
			refused = xcalloc((size_t)domains->n + 1, sizeof(*refused));
		refused[domain] = domains->count[domain];
		domains->count[domain] = -1;
	}
	for (int d = 0; refused != NULL && d < domains->n; d++)
		if (domains->count[d] < 0)
			domains->count[d] = refused[d];
	free(refused);
	return status;
}

/* Takes all idle nodes: a segment then gives back those that it may have, instead of taking all
 * others away. */
static void take_idle(struct machine *machine)
{
	for (int first = bitset_next(&machine->idle, 0); first >= 0;
	     first = bitset_next(&machine->idle, first)) {
		int gap = bitset_next_gap(&machine->idle, first);

		machine_take_range(machine, first, gap < 0 ? machine->nnodes - 1 : gap - 1);
	}
}

static int choose_segments(const struct eligible_choice *choosing)
{
	const struct job *job = choosing->request->job;
	struct machine *machine = choosing->request->machine;
	struct eligible *eligible = choosing->eligible;
	uint64_t *among = xcalloc((size_t)eligible->nwords, sizeof(*among));
	size_t mark = machine_mark(machine);
	int status = 1;

	segment_domains_make(&eligible->segments, choosing->schedule->topo, job->segment);
	memset(eligible->segments.count, 0, (size_t)eligible->segments.n * sizeof(int));
	for (int i = 0; i < eligible->nwords; i++)
		for (uint64_t word = eligible->left[i]; word != 0; word &= word - 1) {
			int domain = eligible->segments.of[64 * i + __builtin_ctzll(word)];

			if (domain >= 0)
				eligible->segments.count[domain]++;
		}
	/* what is idle decides which nodes are in use, where jobs share */
	if (!choosing->schedule->is_sharing || eligible->share.is_whole)
		take_idle(machine);
	for (int n = 0; n < job->nnodes && status == 1; n += job->segment)
		status = choose_segment(choosing, job->segment, among);
	machine_undo(machine, mark);
	free(among);
	return status;
}

bool eligible_has_segments(const struct schedule *schedule, const struct job *job)
{
	return job->segment > 0 && job->segment <= job->nnodes &&
	       !schedule->alloc->policy->keeps_segments;
}

/* The nodes of few leaf switches, where the policy would take more. */
static int choose_gathered(const struct eligible_choice *choosing, int most)
{
	struct eligible *eligible = choosing->eligible;
	const struct job *job = choosing->request->job;
	uint64_t *few = xmalloc((size_t)eligible->nwords * sizeof(*few));
	int status = 0;

	if (leaf_switches_gather(choosing->schedule->topo, eligible->left, job->nnodes, most, few))
		status = choose_lightest(choosing, few, job->nnodes);
	else
		buf_printf(choosing->reason, "%d nodes requested, in no %d leaf switches",
			   job->nnodes, most);
	free(few);
	choosing->nodes->n = 0;
	if (status == 1)
		keep_part(choosing);
	return status;
}

static int choose_sets(const struct eligible_choice *choosing)
{
	struct eligible *eligible = choosing->eligible;
	int rest = choosing->request->job->nnodes, status = 1;

	choosing->nodes->n = 0;
	for (size_t i = 0; i < eligible->counts.n; i++)
		rest -= eligible->counts.at[i].n;
	for (size_t i = 0; i < eligible->counts.n && status == 1; i++)
		status = choose_counted(choosing, i);
	if (status == 0) {
		put_back(choosing);
		buf_clear(choosing->reason);
		status = match_counts(choosing);
		if (status == 1)
			keep_part(choosing);
	}
	if (status == 1 && eligible_has_segments(choosing->schedule, choosing->request->job))
		status = choose_segments(choosing);
	else if (status == 1 && rest > 0) {
		status = choose_lightest(choosing, eligible->left, rest);
		if (status == 1)
			keep_part(choosing);
	}
	return status;
}

int eligible_choose_parts(const struct eligible_choice *choosing)
{
	struct eligible *eligible = choosing->eligible;
	const struct schedule *schedule = choosing->schedule;
	const struct job *job = choosing->request->job;
	int most = leaf_switches_at(schedule, job, choosing->now_ns), status;

	choosing->nodes->n = 0;
	if (job->nodes_max > 0 && !tasks_reduce(choosing)) {
		buf_printf(choosing->reason, "%d nodes have no room for %lld tasks", job->nnodes,
			   (long long)job->tasks);
		return 0;
	}
	status = choose_sets(choosing);

	if (status == 1 && most > 0 &&
	    leaf_switches_count(schedule->topo, choosing->nodes->at, (int)choosing->nodes->n) >
		    most) {
		put_back(choosing);
		buf_clear(choosing->reason);
		status = 0;
		if (eligible->counts.n == 0 && !eligible_has_segments(schedule, job))
			status = choose_gathered(choosing, most);
	}
	if (status != 1)
		choosing->nodes->n = 0;
	return status;
}
