/* site_rules.c - what a scheduler's partitions and reservations allow, and when */
#include "place/run/site_rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"

void site_rules_free(struct site_rules *rules)
{
	vec_free(&rules->partitions);
	map_free(&rules->partition_ids);
	for (size_t i = 0; i < rules->holds.n; i++)
		free(rules->holds.at[i].words);
	vec_free(&rules->holds);
	arena_free(&rules->arena);
	*rules = (struct site_rules){0};
}

void site_rules_add(struct site_rules *rules, struct site_partition partition)
{
	map_add(&rules->partition_ids, partition.name, strlen(partition.name),
		(int64_t)rules->partitions.n);
	vec_push(&rules->partitions, partition);
}

bool site_rules_reserve(const struct site_rules *rules, const char *reservation)
{
	for (size_t i = 0; i < rules->holds.n; i++)
		if (str_eq(rules->holds.at[i].name, reservation))
			return true;
	return false;
}

bool site_rules_hold(const struct site_rules *rules, int node)
{
	for (size_t i = 0; i < rules->holds.n; i++)
		if ((rules->holds.at[i].words[node / 64] >> node % 64 & 1) != 0)
			return true;
	return false;
}

static const struct site_partition *find(const struct site_rules *rules, const char *name, size_t n)
{
	int64_t id = map_get(&rules->partition_ids, name, n);

	return id >= 0 ? &rules->partitions.at[id] : NULL;
}

/* ---- partitions ---- */

void site_rules_complete(const struct site_rules *rules, struct job *job)
{
	const struct site_partition *partition;

	if (job->nodelist != NULL)
		return;
	if (job->partition == NULL)
		job->partition = rules->partition;
	if (job->partition == NULL)
		return;
	/* of several, the first one's */
	partition = find(rules, job->partition, strcspn(job->partition, ","));
	if (partition == NULL)
		return;
	if (job->walltime_ns == JOB_NO_TIME)
		job->walltime_ns = partition->walltime_default_ns != JOB_NO_TIME
					   ? partition->walltime_default_ns
					   : partition->walltime_max_ns;
}

bool site_rules_take(const struct site_rules *rules, const char *name, size_t n,
		     const struct job *job, struct buf *reason)
{
	const struct site_partition *partition = find(rules, name, n);
	char seconds[NUM_TEXT];

	if (partition == NULL)
		return true;
	if (partition->closed != NULL) {
		buf_printf(reason, "the partition %s is %s", partition->name, partition->closed);
	} else if (job->nnodes < partition->nodes_min) {
		buf_printf(reason, "the partition %s takes jobs of at least %lld nodes",
			   partition->name, (long long)partition->nodes_min);
	} else if (partition->nodes_max > 0 && job->nnodes > partition->nodes_max) {
		buf_printf(reason, "the partition %s takes jobs of at most %lld nodes",
			   partition->name, (long long)partition->nodes_max);
	} else if (partition->walltime_max_ns != JOB_NO_TIME &&
		   job->walltime_ns > partition->walltime_max_ns) {
		num_print_seconds(seconds, partition->walltime_max_ns);
		buf_printf(reason, "the partition %s takes jobs of at most %s s", partition->name,
			   seconds);
	} else {
		return true;
	}
	return false;
}

/* ---- reservations ---- */

/* Whether a hold keeps its nodes from a job of others that starts at a time. */
static bool keeps(const struct site_hold *hold, int64_t now_ns, int64_t length_ns)
{
	int64_t end_ns;

	if (now_ns == JOB_NO_TIME)
		return true;
	if (now_ns >= hold->end_ns)
		return false;
	return length_ns == JOB_NO_TIME || now_ns >= hold->start_ns ||
	       __builtin_add_overflow(now_ns, length_ns, &end_ns) || end_ns > hold->start_ns;
}

static bool is_own(const struct site_hold *hold, const struct job *job)
{
	return job->reservation != NULL && str_eq(hold->name, job->reservation);
}

static bool is_open(const struct site_hold *hold, int64_t now_ns)
{
	return now_ns == JOB_NO_TIME || now_ns == INT64_MAX ||
	       (hold->start_ns <= now_ns && now_ns < hold->end_ns);
}

void site_rules_reduce(const struct site_rules *rules, const struct job *job, int64_t length_ns,
		       int64_t now_ns, uint64_t *allowed, int nwords)
{
	for (size_t i = 0; i < rules->holds.n; i++) {
		const struct site_hold *hold = &rules->holds.at[i];
		/* those without an end are not over when all waits are */
		bool is_kept =
			!is_own(hold, job) &&
			(now_ns != INT64_MAX ? keeps(hold, now_ns, length_ns)
					     : hold->end_ns == INT64_MAX &&
						       keeps(hold, rules->now_ns, length_ns));

		for (int k = 0; k < nwords && (is_kept || is_own(hold, job)); k++)
			if (is_kept)
				allowed[k] &= ~hold->words[k];
			else
				allowed[k] &= is_open(hold, now_ns) ? hold->words[k] : 0;
	}
}

static bool are_over(const struct site_rules *rules, const struct job *job, int64_t now_ns)
{
	for (size_t i = 0; i < rules->holds.n; i++)
		if (is_own(&rules->holds.at[i], job) && rules->holds.at[i].end_ns <= now_ns)
			return true;
	return false;
}

int64_t site_rules_relax_at(const struct site_rules *rules, const struct job *job, int64_t after_ns)
{
	int64_t first_ns = JOB_NO_TIME;

	for (size_t i = 0; i < rules->holds.n; i++) {
		const struct site_hold *hold = &rules->holds.at[i];
		int64_t time_ns = is_own(hold, job) && hold->start_ns > after_ns ? hold->start_ns
										 : hold->end_ns;

		if (time_ns > after_ns && time_ns != INT64_MAX &&
		    (first_ns == JOB_NO_TIME || time_ns < first_ns))
			first_ns = time_ns;
	}
	return first_ns;
}

int64_t site_rules_narrow_at(const struct site_rules *rules, const struct job *job,
			     int64_t length_ns, int64_t after_ns)
{
	int64_t first_ns = JOB_NO_TIME;

	for (size_t i = 0; i < rules->holds.n; i++) {
		const struct site_hold *hold = &rules->holds.at[i];
		int64_t time_ns = hold->end_ns;

		if (!is_own(hold, job) &&
		    (length_ns == JOB_NO_TIME ||
		     __builtin_sub_overflow(hold->start_ns, length_ns - 1, &time_ns)))
			continue;
		if (time_ns > after_ns && (first_ns == JOB_NO_TIME || time_ns < first_ns))
			first_ns = time_ns;
	}
	return first_ns;
}

bool site_rules_have_endless(const struct site_rules *rules)
{
	for (size_t i = 0; i < rules->holds.n; i++)
		if (rules->holds.at[i].end_ns == INT64_MAX)
			return true;
	return false;
}

bool site_rules_will_narrow(const struct site_rules *rules, int64_t length_ns)
{
	for (size_t i = 0; i < rules->holds.n; i++)
		if (rules->holds.at[i].end_ns == INT64_MAX &&
		    !keeps(&rules->holds.at[i], rules->now_ns, length_ns))
			return true;
	return false;
}

const char *site_rules_are_over(const struct site_rules *rules, const struct job *job,
				int64_t now_ns)
{
	for (int i = 0; i < job->ncomponents; i++)
		if (are_over(rules, job->components[i], now_ns))
			return job->components[i]->reservation;
	return job->ncomponents == 0 && are_over(rules, job, now_ns) ? job->reservation : NULL;
}
