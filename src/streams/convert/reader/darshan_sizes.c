/* darshan_sizes.c - how large the operations of a Darshan record were */
#include <stdio.h>
#include <stdlib.h>

#include "convert/reader/darshan_reader.h"

/* The bins of Darshan's histograms: from just above the one before up to here, in bytes. */
enum { NBINS = 10 };
static const char *const bin_names[NBINS] = {"0_100", "100_1K", "1K_10K",   "10K_100K", "100K_1M",
					     "1M_4M", "4M_10M", "10M_100M", "100M_1G",  "1G_PLUS"};
static const int64_t bin_ends[NBINS + 1] = {
	0,       100,      1024,      10240,      102400,          1048576,
	4194304, 10485760, 104857600, 1073741824, (int64_t)4 << 30};

static void add_run(struct size_runs *runs, int64_t size, int64_t count)
{
	if (count <= 0)
		return;
	vec_push(&runs->at, (struct size_run){size, count});
	runs->n += count;
}

static double sum_of(const struct size_runs *runs)
{
	double sum = 0;

	for (size_t i = 0; i < runs->at.n; i++)
		sum += (double)runs->at.at[i].size * (double)runs->at.at[i].count;
	return sum;
}

/* The most common sizes of a record; those of reads and of writes are counted together. */
struct common {
	int64_t size, count;
};

static void find_common(const struct darshan_record *record, const char *prefix,
			struct common common[4])
{
	for (int i = 0; i < 4; i++) {
		char name[64];

		snprintf(name, sizeof(name), "%s_ACCESS%d_ACCESS", prefix, i + 1);
		common[i].size = (int64_t)darshan_value(record, name);
		snprintf(name, sizeof(name), "%s_ACCESS%d_COUNT", prefix, i + 1);
		common[i].count = (int64_t)darshan_value(record, name);
	}
}

/* Runs of a bin's operations whose size is known; returns how many are left. */
static int64_t add_common(struct size_runs *runs, struct common common[4], int bin, int64_t count)
{
	for (int i = 0; i < 4; i++) {
		int64_t n = common[i].count < count ? common[i].count : count;

		if (common[i].size <= bin_ends[bin] - (bin == 0) ||
		    common[i].size > bin_ends[bin + 1])
			continue;
		add_run(runs, common[i].size, n);
		common[i].count -= n;
		count -= n;
	}
	return count;
}

/* The sizes left over share the bytes left over, in proportion to the middles of their bins and
 * within them. */
static void add_leftover(struct size_runs *runs, const int64_t left[NBINS], double bytes)
{
	double weight = 0, factor;

	for (int bin = 0; bin < NBINS; bin++)
		weight += (double)left[bin] * (double)(bin_ends[bin] + bin_ends[bin + 1]) / 2;
	factor = weight > 0 && bytes > 0 ? bytes / weight : 0;
	for (int bin = 0; bin < NBINS; bin++) {
		double size = factor * (double)(bin_ends[bin] + bin_ends[bin + 1]) / 2;

		if (size < (double)bin_ends[bin])
			size = (double)bin_ends[bin];
		if (size > (double)bin_ends[bin + 1] && bin < NBINS - 1)
			size = (double)bin_ends[bin + 1];
		add_run(runs, size < 4e18 ? (int64_t)size : (int64_t)4e18, left[bin]);
	}
}

/* n operations of nearly equal sizes. */
static void even(struct size_runs *runs, int64_t n, int64_t bytes)
{
	runs->at.n = 0;
	runs->n = 0;
	add_run(runs, bytes / n + 1, bytes % n);
	add_run(runs, bytes / n, n - bytes % n);
}

/* The sizes add up to the bytes that were counted: the last operation takes the difference, or
 * where it can't all are scaled. */
static void balance(struct size_runs *runs, int64_t bytes)
{
	struct size_run *last = &runs->at.at[runs->at.n - 1];
	double difference = (double)bytes - sum_of(runs);

	if (difference == 0)
		return;
	if ((double)last->size + difference < 0 || (double)last->size + difference > 4e18) {
		even(runs, runs->n, bytes);
		return;
	}
	last->count--;
	runs->n--;
	if (last->count == 0)
		runs->at.n--;
	add_run(runs, last->size + (int64_t)difference, 1);
}

void darshan_sizes(struct size_runs *runs, const struct darshan_record *record, const char *prefix,
		   const char *word, int64_t count, int64_t bytes)
{
	struct common common[4];
	int64_t left[NBINS], total = 0;
	const char *agg = prefix[0] == 'P' ? "" : "AGG_";

	runs->at.n = 0;
	runs->n = 0;
	find_common(record, prefix, common);
	for (int bin = 0; bin < NBINS; bin++) {
		char name[64];
		double n;

		snprintf(name, sizeof(name), "%s_SIZE_%s_%s%s", prefix, word, agg, bin_names[bin]);
		n = darshan_value(record, name);
		left[bin] = n < 1e15 ? (int64_t)n : (int64_t)1e15;
		total += left[bin];
	}
	if (total == 0) {
		if (count > 0)
			even(runs, count, bytes);
		return;
	}
	for (int bin = 0; bin < NBINS; bin++)
		left[bin] = add_common(runs, common, bin, left[bin]);
	add_leftover(runs, left, (double)bytes - sum_of(runs));
	balance(runs, bytes);
}

int64_t size_runs_sum(const struct size_runs *runs, int64_t k)
{
	int64_t sum = 0;

	for (size_t i = 0; i < runs->at.n && k > 0; i++) {
		int64_t n = runs->at.at[i].count < k ? runs->at.at[i].count : k;

		sum += n * runs->at.at[i].size;
		k -= n;
	}
	return sum;
}
