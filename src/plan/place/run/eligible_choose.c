/* eligible_choose.c - a job gets nodes among those that it may have */
#include <stdlib.h>
#include <string.h>

#include "place/run/confine.h"
#include "place/run/eligible_priv.h"
#include "place/run/run.h"
#include "place/run/whole_blocks.h"

/* Idle nodes that can serve the job, and others with room for its part. */
static void find_candidates(const struct eligible_choice *choosing)
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
static int choose_island(const struct eligible_choice *choosing)
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
		status = eligible_choose_parts(choosing);
		if (status == 0 && eligible->counts.n == 0 &&
		    !eligible_has_segments(choosing->schedule, job))
			ncandidates = -1; /* the reason is the policy's own */
	}
	if (status == 0 && ncandidates >= 0) {
		bool shares = choosing->schedule->is_sharing && !eligible->share.is_whole;

		buf_clear(choosing->reason);
		buf_printf(choosing->reason, "%d nodes requested, %d of those it may have %s%s",
			   job->nnodes, ncandidates, shares ? "offer enough" : "are idle",
			   ncandidates < job->nnodes ? ""
			   : eligible->counts.n > 0  ? ", too few with the features counted"
			   : eligible_has_segments(choosing->schedule, job)
				   ? ", in no domains for its segments"
				   : ", on islands apart");
	}
	return status;
}

/* ---- partitions, features, reservations ---- */

/* When a job that is chosen now starts; what is no time remains so. */
static int64_t starts_at(const struct eligible_choice *choosing)
{
	if (choosing->now_ns == JOB_NO_TIME || choosing->now_ns == INT64_MAX)
		return choosing->now_ns;
	return time_after(choosing->now_ns, choosing->schedule->delay_ns);
}

static void allow(const struct eligible_choice *choosing, const uint64_t *partition,
		  const uint64_t *features)
{
	struct eligible *eligible = choosing->eligible;
	const struct job *job = choosing->request->job, *group = choosing->schedule->group;
	const struct site_rules *rules = &choosing->schedule->rules;
	bool is_timed = job->reservation != NULL && site_rules_reserve(rules, job->reservation);
	const char *name = eligible->has_reservations && !is_timed ? job->reservation : NULL;
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
	/* all components keep their nodes until the last one has ended */
	site_rules_reduce(rules, job, job_planned_length(group != NULL ? group : job),
			  starts_at(choosing), eligible->allowed, eligible->nwords);
}

/* "[a*2&b*4]" */
static int choose_counts(const struct eligible_choice *choosing, const uint64_t *partition)
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
		allow(choosing, partition, eligible->wanted);
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
static int choose_features(const struct eligible_choice *choosing, const uint64_t *partition)
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
		allow(choosing, partition, features != NULL ? eligible->wanted : NULL);
		status = choose_island(choosing);
	} while (status == 0 && features != NULL);
	return status;
}

/* Why a job with segments, or alone in its blocks, can have no nodes at all; NULL: it can. */
static const char *refuse_at_once(const struct eligible_choice *choosing)
{
	const struct job *job = choosing->request->job;
	const char *features = choosing->eligible->has_features ? job->features : NULL;

	if ((job->exclusive_topo || job->het_job != NULL) && choosing->schedule->confine != NULL &&
	    choosing->schedule->confine->pads)
		return "having its blocks alone, or components, excludes constraints that add "
		       "nodes";
	if (!eligible_has_segments(choosing->schedule, job))
		return NULL;
	if (job->nnodes % job->segment != 0)
		return "they are not a multiple of its segments";
	if (choosing->schedule->confine != NULL)
		return "its segments exclude constraints";
	if (features != NULL && features_are_counted(features))
		return "its segments exclude counts of features";
	return NULL;
}

/* The candidates, as the partition at the beginning of a list (or NULL) shares its nodes. */
static void enter_partition(const struct eligible_choice *choosing, const char *name)
{
	const struct schedule *schedule = choosing->schedule;
	const struct job *job = choosing->request->job;

	if (schedule->stock != NULL)
		stock_enter(schedule->stock, job, job->asks_share, name,
			    name != NULL ? strcspn(name, ",") : 0, &choosing->eligible->share);
	find_candidates(choosing);
	if (job->exclusive_topo)
		whole_blocks_only(schedule, choosing->request->machine, choosing->now_ns,
				  choosing->eligible->candidates);
}

/* In one of the partitions that the job names; *is_open: it may have the job. */
static int choose_in(const struct eligible_choice *choosing, const char *name, size_t n,
		     bool *is_open)
{
	const uint64_t *partition = sets_get(&choosing->eligible->partitions, name, n);

	*is_open = false;
	if (!site_rules_take(&choosing->schedule->rules, name, n, choosing->request->job,
			     choosing->reason))
		return 0;
	*is_open = partition != NULL;
	if (partition != NULL) {
		enter_partition(choosing, name);
		return choose_features(choosing, partition);
	}
	buf_printf(choosing->reason, "no node is in the partition %.*s", (int)n, name);
	return 0;
}

/* The reason is that of the last one that may have the job, if there is one. */
static int choose_partition(const struct eligible_choice *choosing)
{
	const char *names = choosing->request->job->partition;
	struct buf waits = {0};
	int status = 0;

	if (names == NULL || !choosing->eligible->has_partitions) {
		enter_partition(choosing, names);
		return choose_features(choosing, NULL);
	}
	while (status == 0 && *names != '\0') {
		size_t n = strcspn(names, ",");
		bool is_open;

		buf_clear(choosing->reason);
		status = choose_in(choosing, names, n, &is_open);
		names += n + (names[n] == ',');
		if (status == 0 && is_open) {
			buf_clear(&waits);
			buf_str(&waits, buf_text(choosing->reason));
		}
	}
	if (status == 0 && waits.n > 0) {
		buf_clear(choosing->reason);
		buf_str(choosing->reason, buf_text(&waits));
	}
	buf_free(&waits);
	return status;
}

static int choose_nodes(struct schedule *schedule, const struct alloc_request *request,
			int64_t now_ns, int_vec *nodes, struct buf *reason, struct err *err)
{
	struct eligible_choice choosing = {
		schedule, schedule->eligible, request, now_ns, nodes, reason, err};
	struct machine *machine = request->machine;
	const char *why;
	int status;

	nodes->n = 0;
	buf_clear(reason);
	if (schedule->stock != NULL &&
	    stock_request(schedule->stock, request->job, &schedule->eligible->share, err) != 0)
		return -1;
	why = refuse_at_once(&choosing);
	if (why != NULL) {
		buf_printf(reason, "%d nodes requested: %s", request->job->nnodes, why);
		return 0;
	}
	status = choose_partition(&choosing);
	if (status == 1 && request->job->exclusive_topo)
		whole_blocks_add(machine, nodes);
	/* parts of nodes in use take nothing of the machine */
	for (size_t i = 0; status == 1 && i < nodes->n; i++)
		if (machine_is_idle(machine, nodes->at[i]))
			machine_take(machine, nodes->at[i]);
	return status;
}

int eligible_choose(struct schedule *schedule, const struct alloc_request *request, int64_t now_ns,
		    int_vec *nodes, struct buf *reason, struct err *err)
{
	const struct job *asked = request->job, *group = schedule->group;
	struct alloc_request again = *request;
	struct job job = *asked;
	int status = 0;

	if (asked->nodes_max == 0)
		return choose_nodes(schedule, request, now_ns, nodes, reason, err);
	nodes->n = 0;
	buf_clear(reason);
	if (asked->tasks < asked->nnodes) {
		buf_printf(reason, "%d nodes requested for %lld tasks", asked->nnodes,
			   (long long)asked->tasks);
		return 0;
	}
	again.job = &job;
	schedule->group = group != NULL ? group : asked;
	for (int n = asked->nnodes; status == 0 && n <= asked->nodes_max && n <= asked->tasks &&
				    n <= schedule->topo->nnodes;
	     n++) {
		job.nnodes = n;
		status = choose_nodes(schedule, &again, now_ns, nodes, reason, err);
	}
	schedule->group = group;
	return status;
}

/* Whether a job can have all of these nodes in a partition, as its share says. */
static bool fits_in(const struct schedule *schedule, const struct job *job,
		    const uint64_t *partition, const struct share *share, const int_vec *nodes)
{
	int64_t tasks = 0;

	for (size_t i = 0; i < nodes->n; i++) {
		int node = nodes->at[i];

		if ((partition[node / 64] >> node % 64 & 1) == 0 ||
		    (schedule->is_sharing &&
		     !stock_has_room(schedule->stock, node, share, INT64_MIN)))
			return false;
		if (job->nodes_max > 0)
			tasks += stock_tasks(schedule->stock, node, job, share, INT64_MIN);
	}
	return job->nodes_max == 0 || tasks >= job->tasks;
}

size_t eligible_partition(const struct schedule *schedule, const struct job *job,
			  const int_vec *nodes, const char **name)
{
	const struct eligible *eligible = schedule->eligible;
	struct buf why = {0};
	struct share share = {0};
	struct job given = *job;

	*name = job->partition;
	if (job->partition == NULL || eligible == NULL || !eligible->has_partitions ||
	    strchr(job->partition, ',') == NULL)
		return job->partition != NULL ? strlen(job->partition) : 0;
	given.nnodes = (int)nodes->n > 0 ? (int)nodes->n : given.nnodes;
	if (schedule->stock != NULL)
		stock_request(schedule->stock, &given, &share, &(struct err){0});
	for (const char *at = job->partition; *at != '\0'; at += *at == ',') {
		size_t n = strcspn(at, ",");
		const uint64_t *partition = sets_get(&eligible->partitions, at, n);

		if (schedule->stock != NULL)
			stock_enter(schedule->stock, job, job->asks_share, at, n, &share);
		if (partition != NULL && site_rules_take(&schedule->rules, at, n, job, &why) &&
		    fits_in(schedule, job, partition, &share, nodes)) {
			buf_free(&why);
			*name = at;
			return n;
		}
		at += n;
	}
	buf_free(&why);
	return strlen(job->partition);
}

char *eligible_partition_text(const struct schedule *schedule, const struct job *job,
			      const int_vec *nodes)
{
	const char *name;
	size_t n = eligible_partition(schedule, job, nodes, &name);

	return job->partition != NULL && n < strlen(job->partition) ? xstrndup(name, n) : NULL;
}
