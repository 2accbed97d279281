/* numbers.c - the numbers of a night that are followed from night to night */
#include "report/numbers.h"

#include <math.h>

#include "base/str.h"
#include "report/night_busy.h"

static const int64_t day_ns = INT64_C(86400) * 1000000000;

const struct number numbers_known[NUMBERS] = {
	[NUMBER_WAITING] = {"jobs-waiting", "Jobs waiting", NULL},
	[NUMBER_UTILIZATION] = {"utilization", "Utilization", "1"},
	[NUMBER_LOST] = {"node-hours-lost", "Node-hours lost", NULL},
	[NUMBER_GPU_HOURS] = {"gpu-hours", "GPU-hours", NULL},
	[NUMBER_LONGEST] = {"wait-longest_s", "Longest wait", "s"},
	[NUMBER_SPREAD] = {"jobs-spread", "Jobs on more routers than needed", NULL},
	[NUMBER_MEAN] = {"wait-mean_s", "Mean wait", "s"},
	[NUMBER_STARTED] = {"jobs-started", "Jobs started", NULL},
	[NUMBER_FAILED] = {"jobs-failed", "Jobs failed", NULL},
	[NUMBER_NODE_HOURS] = {"node-hours", "Node-hours", NULL},
};

int numbers_of_name(const char *name)
{
	for (int i = 0; i < NUMBERS; i++)
		if (str_eq(numbers_known[i].name, name))
			return i;
	return -1;
}

static void add_busy(void *context, int node, int nnodes, int64_t from, int64_t to)
{
	double *all_ns = context;

	(void)node;
	*all_ns += (double)(to - from) * nnodes;
}

static bool has_failed(const struct night_job *job)
{
	return job->state != NULL &&
	       (str_eq(job->state, "failed") || str_eq(job->state, "node_fail") ||
		str_eq(job->state, "out_of_memory"));
}

static void count_jobs(const struct night *night, double *values)
{
	double waited_s = 0, nwaited = 0;
	bool has_gpus = false;

	for (size_t i = 0; i < night->jobs.n; i++) {
		const struct night_job *job = &night->jobs.at[i];
		double wait_s = (double)night_wait(night, job) / 1e9;

		if (job->group != 0)
			continue;
		has_gpus |= job->gpus > 0;
		values[NUMBER_GPU_HOURS] +=
			(double)job->gpus * (double)night_inside(night, job) / 3.6e12;
		if (job->is_counted)
			continue;
		values[NUMBER_WAITING] += job->phase == NIGHT_WAITS;
		values[NUMBER_FAILED] += has_failed(job);
		values[NUMBER_STARTED] +=
			job->phase == NIGHT_RAN && job->start_ns >= night->since_ns;
		if (wait_s > values[NUMBER_LONGEST])
			values[NUMBER_LONGEST] = wait_s;
		if (wait_s >= 0 && job->phase == NIGHT_RAN) {
			waited_s += wait_s;
			nwaited++;
		}
	}
	values[NUMBER_MEAN] = nwaited > 0 ? waited_s / nwaited : NAN;
	if (!has_gpus)
		values[NUMBER_GPU_HOURS] = NAN;
}

void numbers_find(const struct night *night, const struct night_out *out,
		  const struct night_placed *placed, double *values)
{
	double busy_ns = 0, all_ns;

	for (int i = 0; i < NUMBERS; i++)
		values[i] = night->has_jobs ? 0 : NAN;
	values[NUMBER_LOST] = out->lost_hours;
	values[NUMBER_SPREAD] = placed->is_known ? placed->navoidable : NAN;
	if (!night->has_jobs)
		return;
	count_jobs(night, values);
	night_busy(night, add_busy, &busy_ns);
	values[NUMBER_NODE_HOURS] = busy_ns / 3.6e12;
	all_ns = night->topo != NULL
			 ? (double)(night->until_ns - night->since_ns) * night->topo->nnodes
			 : 0;
	values[NUMBER_UTILIZATION] = all_ns > 0 ? busy_ns / all_ns : NAN;
}

/* ---- nights before ---- */

/* Nights begin at about the same time: half a day on either side. */
int numbers_before(const struct night *night, const char *name, int ndays, double *values, int most)
{
	int n = 0;

	for (size_t i = 0; i < night->past.n; i++) {
		const struct night_past *past = &night->past.at[i];
		int64_t age_ns = night->until_ns - past->until_ns;

		if (!str_eq(past->number, name) || age_ns <= 0 ||
		    age_ns > day_ns * ndays + day_ns / 2 || isnan(past->value))
			continue;
		if (n == most) {
			for (int k = 1; k < n; k++)
				values[k - 1] = values[k];
			n--;
		}
		values[n++] = past->value;
	}
	return n;
}

double numbers_mean_before(const struct night *night, const char *name, int ndays)
{
	double values[400], sum = 0;
	int n = numbers_before(night, name, ndays, values, 400);

	for (int i = 0; i < n; i++)
		sum += values[i];
	return n > 0 ? sum / n : NAN;
}
