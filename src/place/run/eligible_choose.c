/* eligible_choose.c - a job gets nodes among those that it may have */
#include <stdlib.h>
#include <string.h>

#include "place/run/choose.h"
#include "place/run/confine.h"
#include "place/run/eligible_priv.h"

/* What is passed down. */
struct choosing {
	struct schedule *schedule;
	struct eligible *eligible;
	const struct alloc_request *request;
	int64_t now_ns;
	int_vec *nodes;
	struct buf *reason;
	struct err *err;
};

static bool has(const uint64_t *words, int node)
{
	return (words[node / 64] >> node % 64 & 1) != 0;
}

/* Idle nodes that can serve the job, and others with room for its part. */
static void find_candidates(const struct choosing *choosing)
{
	const struct schedule *schedule = choosing->schedule;
	struct eligible *eligible = choosing->eligible;
	const struct machine *machine = choosing->request->machine;
	const struct stock *stock = schedule->stock;
	const struct share *share = &eligible->share;
	bool shares = schedule->is_sharing && !share->is_whole;

	memcpy(eligible->candidates, machine->idle.level[0],
	       (size_t)eligible->nwords * sizeof(uint64_t));
	if (stock == NULL || (!shares && stock_serves_all(stock, share)))
		return;
	for (int node = 0; node < eligible->nnodes; node++) {
		bool is_idle = machine_is_idle(machine, node), serves;

		if (!is_idle && (!shares || schedule->use[node] == NODE_AWAY))
			continue;
		serves = is_idle ? stock_serves(stock, node, share)
				 : stock_is_open(stock, node) &&
					   stock_has_room(stock, node, share, choosing->now_ns);
		if (serves)
			eligible->candidates[node / 64] |= UINT64_C(1) << node % 64;
		else
			eligible->candidates[node / 64] &= ~(UINT64_C(1) << node % 64);
	}
}

/* ---- one set of nodes ---- */

/* n of these nodes, by the policy; part has them. */
static int choose_in(const struct choosing *choosing, const uint64_t *words, int n)
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
static int choose_used_first(const struct choosing *choosing, const uint64_t *words, int n)
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
static int choose_lightest(const struct choosing *choosing, const uint64_t *words, int n)
{
	struct eligible *eligible = choosing->eligible;
	int status = 0, nbefore = 0;

	if (eligible->weight_of == NULL)
		return choose_used_first(choosing, words, n);
	for (size_t i = 0; i < eligible->weights.n && status == 0; i++) {
		int nnow = 0;

		memcpy(eligible->among, words, (size_t)eligible->nwords * sizeof(uint64_t));
		for (int node = 0; node < eligible->nnodes; node++) {
			if (!has(words, node))
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
static void keep_part(const struct choosing *choosing)
{
	struct eligible *eligible = choosing->eligible;

	for (size_t i = 0; i < eligible->part.n; i++) {
		int node = eligible->part.at[i];

		eligible->left[node / 64] &= ~(UINT64_C(1) << node % 64);
		vec_push(choosing->nodes, node);
	}
}

/* So many nodes of a counted feature: those first that no later count could use. */
static int choose_counted(const struct choosing *choosing, size_t number)
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

/* The job's nodes of the set left: counted features, then the rest. */
static int choose_parts(const struct choosing *choosing)
{
	struct eligible *eligible = choosing->eligible;
	int rest = choosing->request->job->nnodes, status = 1;

	choosing->nodes->n = 0;
	for (size_t i = 0; i < eligible->counts.n && status == 1; i++) {
		status = choose_counted(choosing, i);
		rest -= eligible->counts.at[i].n;
	}
	if (status == 1 && rest > 0) {
		status = choose_lightest(choosing, eligible->left, rest);
		if (status == 1)
			keep_part(choosing);
	}
	if (status != 1)
		choosing->nodes->n = 0;
	return status;
}

/* ---- islands ---- */

/* Candidates that are allowed, by island; returns how many in all. */
static int count_islands(struct eligible *eligible)
{
	int n = 0;

	memset(eligible->nidle, 0, (size_t)eligible->nislands * sizeof(int));
	for (int i = 0; i < eligible->nwords; i++) {
		uint64_t word = eligible->allowed[i] & eligible->candidates[i];

		for (; word != 0; word &= word - 1, n++) {
			int node = 64 * i + __builtin_ctzll(word);

			eligible->nidle[eligible->island_of != NULL ? eligible->island_of[node]
								    : 0]++;
		}
	}
	return n;
}

/* The island with the fewest candidates that are enough, of those not tried; -1: none. */
static int next_island(struct eligible *eligible, int wanted)
{
	int best = -1;

	for (int i = 0; i < eligible->nislands; i++)
		if (eligible->nidle[i] >= wanted &&
		    (best < 0 || eligible->nidle[i] < eligible->nidle[best]))
			best = i;
	return best;
}

/* Of the nodes that are allowed. */
static int choose_island(const struct choosing *choosing)
{
	struct eligible *eligible = choosing->eligible;
	const struct job *job = choosing->request->job;
	int ncandidates = count_islands(eligible), island, status = 0;

	while (status == 0 && (island = next_island(eligible, job->nnodes)) >= 0) {
		eligible->nidle[island] = -1;
		for (int i = 0; i < eligible->nwords; i++)
			eligible->left[i] = eligible->allowed[i] & eligible->candidates[i];
		for (int node = 0; node < eligible->nnodes && eligible->island_of != NULL; node++)
			if (eligible->island_of[node] != island)
				eligible->left[node / 64] &= ~(UINT64_C(1) << node % 64);
		status = choose_parts(choosing);
		if (status == 0 && eligible->counts.n == 0)
			ncandidates = -1; /* the reason is the policy's own */
	}
	if (status == 0 && ncandidates >= 0) {
		bool shares = choosing->schedule->is_sharing && !eligible->share.is_whole;

		buf_clear(choosing->reason);
		buf_printf(choosing->reason, "%d nodes requested, %d of those it may have %s%s",
			   job->nnodes, ncandidates, shares ? "offer enough" : "are idle",
			   ncandidates < job->nnodes ? ""
			   : eligible->counts.n > 0  ? ", too few with the features counted"
						     : ", on islands apart");
	}
	return status;
}

/* ---- partitions, features, reservations ---- */

static void allow(struct eligible *eligible, const uint64_t *partition, const uint64_t *features,
		  const struct job *job)
{
	const char *name = eligible->has_reservations ? job->reservation : NULL;
	const uint64_t *reserved =
		name != NULL ? sets_get(&eligible->reservations, name, strlen(name)) : NULL;

	for (int i = 0; i < eligible->nwords; i++) {
		eligible->allowed[i] = (partition != NULL ? partition[i] : ~UINT64_C(0)) &
				       (features != NULL ? features[i] : ~UINT64_C(0));
		if (name != NULL)
			eligible->allowed[i] &= reserved != NULL ? reserved[i] : 0;
		else if (eligible->reserved != NULL)
			eligible->allowed[i] &= ~eligible->reserved[i];
	}
}

/* "[a*2&b*4]" */
static int choose_counts(const struct choosing *choosing, const uint64_t *partition)
{
	struct eligible *eligible = choosing->eligible;
	const struct job *job = choosing->request->job;
	int64_t total = 0;
	int status = 0;

	if (features_count(&eligible->features, job->features, &eligible->counts,
			   eligible->wanted) != 0) {
		buf_printf(choosing->reason, "features '%s' are not understood", job->features);
	} else {
		for (size_t i = 0; i < eligible->counts.n; i++)
			total += eligible->counts.at[i].n;
		allow(eligible, partition, eligible->wanted, job);
		if (total > job->nnodes)
			buf_printf(choosing->reason, "features '%s' count %lld nodes of %d",
				   job->features, (long long)total, job->nnodes);
		else if (choosing->schedule->confine != NULL)
			buf_printf(choosing->reason,
				   "features '%s' are counted, which no constraint allows",
				   job->features);
		else
			status = choose_island(choosing);
	}
	feature_counts_clear(&eligible->counts);
	return status;
}

/* Of one partition; each alternative of the features in turn. */
static int choose_features(const struct choosing *choosing, const uint64_t *partition)
{
	struct eligible *eligible = choosing->eligible;
	const struct job *job = choosing->request->job;
	const char *features = eligible->has_features ? job->features : NULL;
	int status = 0, more = 1;

	if (features != NULL && features_are_counted(features))
		return choose_counts(choosing, partition);
	do {
		if (features != NULL)
			more = features_next(&eligible->features, &features, eligible->wanted);
		if (more < 0)
			buf_printf(choosing->reason, "features '%s' are not understood",
				   job->features);
		if (more <= 0)
			return status;
		allow(eligible, partition, features != NULL ? eligible->wanted : NULL, job);
		status = choose_island(choosing);
	} while (status == 0 && features != NULL);
	return status;
}

static int choose_partition(const struct choosing *choosing)
{
	struct eligible *eligible = choosing->eligible;
	const char *names = eligible->has_partitions ? choosing->request->job->partition : NULL;
	int status = 0;

	if (names == NULL)
		return choose_features(choosing, NULL);
	while (status == 0 && *names != '\0') {
		size_t n = strcspn(names, ",");
		const uint64_t *partition = sets_get(&eligible->partitions, names, n);

		if (partition != NULL)
			status = choose_features(choosing, partition);
		else
			buf_printf(choosing->reason, "no node is in the partition %.*s", (int)n,
				   names);
		names += n + (names[n] == ',');
	}
	return status;
}

int eligible_choose(struct schedule *schedule, const struct alloc_request *request, int64_t now_ns,
		    int_vec *nodes, struct buf *reason, struct err *err)
{
	struct choosing choosing = {schedule, schedule->eligible, request, now_ns, nodes, reason,
				    err};
	struct machine *machine = request->machine;
	int status;

	nodes->n = 0;
	buf_clear(reason);
	if (schedule->stock != NULL &&
	    stock_request(schedule->stock, request->job, &schedule->eligible->share, err) != 0)
		return -1;
	find_candidates(&choosing);
	status = choose_partition(&choosing);
	/* parts of nodes in use take nothing of the machine */
	for (size_t i = 0; status == 1 && i < nodes->n; i++)
		if (machine_is_idle(machine, nodes->at[i]))
			machine_take(machine, nodes->at[i]);
	return status;
}
