/* sim_mpi_collect.c - what ranks have done, in all partitions and processes */
#include "base/parcel.h"
#include "sim/mpi/sim_mpi_priv.h"

/* Of a partition; a struct job_counts for each job follows. */
struct part_state {
	int64_t end_ps;
	int32_t part, nunfinished;
	bool has_unlocated;
};

struct job_counts {
	int64_t end_ps;
	int32_t nrunning;
};

/* Of a rank. */
struct rank_report {
	struct mpi_rank_times times;
	int32_t number;
};

/* ---- out ---- */

static void put_part(const struct mpi *part, int number, struct parcel *parcel)
{
	const struct part_state state = {.end_ps = part->end_ps,
					 .part = number,
					 .nunfinished = part->nunfinished,
					 .has_unlocated = part->has_unlocated};

	parcel_put(parcel, &state, sizeof(state));
	for (size_t i = 0; i < part->jobs.n; i++) {
		const struct job_counts counts = {part->jobs.at[i].end_ps,
						  part->jobs.at[i].nrunning};

		parcel_put(parcel, &counts, sizeof(counts));
	}
}

/* ---- in ---- */

static void take_parts(struct mpi *mpi, struct parcel *parcel)
{
	while (!parcel_is_empty(parcel)) {
		struct part_state state;
		struct mpi *part;

		parcel_take(parcel, &state, sizeof(state));
		part = mpi->parts[state.part];
		part->end_ps = state.end_ps;
		part->nunfinished = state.nunfinished;
		part->has_unlocated = state.has_unlocated;
		for (size_t i = 0; i < part->jobs.n; i++) {
			struct job_counts counts;

			parcel_take(parcel, &counts, sizeof(counts));
			part->jobs.at[i].end_ps = counts.end_ps;
			part->jobs.at[i].nrunning = counts.nrunning;
		}
	}
}

/* ---- jobs ---- */

/* The time in calls, of the ranks here and then of all: whole numbers, so that it makes no
 * difference who adds them up. */
static void add_up(struct mpi *mpi, struct processes *processes)
{
	size_t njobs = mpi->jobs.n, n = (size_t)processes_count(processes) * njobs;
	__int128 *mine = xcalloc(njobs + 1, sizeof(*mine)), *all;

	for (int32_t i = 0; i < mpi->nrecords; i++)
		mine[mpi->ranks[i].job] += mpi->ranks[i].mpi_ps;
	all = mine;
	if (processes != NULL) {
		all = xcalloc(n + 1, sizeof(*all));
		processes_gather(processes, mine, njobs * sizeof(*mine), all);
	}
	for (size_t i = 0; i < njobs; i++)
		mpi->jobs.at[i].mpi_ps = 0;
	for (size_t i = 0; i < n; i++)
		mpi->jobs.at[i % njobs].mpi_ps += all[i];
	if (all != mine)
		free(all);
	free(mine);
}

void mpi_collect(struct mpi *mpi)
{
	struct processes *processes = net_processes(mpi->net);
	struct parcel parcel = {0};

	add_up(mpi, processes);
	if (processes == NULL)
		return;
	net_collect(mpi->net);
	for (int i = 0; i < mpi->nparts; i++)
		if (net_part_is_here(mpi->net, i))
			put_part(mpi->parts[i], i, &parcel);
	parcel_gather(&parcel, processes);
	take_parts(mpi, &parcel);
	parcel_free(&parcel);
}

/* ---- tasks of graphs ---- */

void mpi_record_tasks(struct mpi *mpi)
{
	mpi->records_tasks = true;
}

static int by_task(const void *a, const void *b)
{
	const struct mpi_task_time *x = a, *y = b;

	if (x->rank != y->rank)
		return (x->rank > y->rank) - (x->rank < y->rank);
	if (x->task != y->task)
		return (x->task > y->task) - (x->task < y->task);
	return (x->begin_ps > y->begin_ps) - (x->begin_ps < y->begin_ps);
}

const struct mpi_task_time *mpi_task_times(struct mpi *mpi, size_t *n)
{
	struct parcel parcel = {0};

	for (int i = 0; i < mpi->nparts; i++) {
		struct mpi *part = mpi->parts[i];

		if (part->task_times.n > 0)
			parcel_put(&parcel, part->task_times.at,
				   part->task_times.n * sizeof(*part->task_times.at));
		part->task_times.n = 0;
	}
	if (net_processes(mpi->net) != NULL)
		parcel_gather(&parcel, net_processes(mpi->net));
	while (!parcel_is_empty(&parcel)) {
		struct mpi_task_time time;

		parcel_take(&parcel, &time, sizeof(time));
		vec_push(&mpi->task_times, time);
	}
	parcel_free(&parcel);
	if (mpi->task_times.n > 0)
		qsort(mpi->task_times.at, mpi->task_times.n, sizeof(*mpi->task_times.at), by_task);
	*n = mpi->task_times.n;
	return mpi->task_times.at;
}

/* ---- ranks ---- */

static struct mpi_rank_times times_of(const struct mpi *mpi, const struct rank *rank)
{
	const struct rank_rest rest = rest_read(mpi, rank);

	return (struct mpi_rank_times){.is_done = rank->phase == PHASE_DONE,
				       .end_ps = rank->clock,
				       .mpi_ps = rank->mpi_ps,
				       .compute_ps = rank->compute_ps,
				       .has_loop = rest.has_loop,
				       .loop_ps = rest.loop_ps,
				       .loop_compute_ps = rest.loop_compute_ps,
				       .wait_ps = rank->wait_ps,
				       .copy_ps = rest.copy_ps,
				       .sent_bytes = rank->sent_bytes,
				       .received_bytes = rank->received_bytes};
}

/* So many at a time are gathered, as there are limits to what is. */
enum { RANKS_AT_ONCE = 1 << 20 };

static void gather_times(const struct mpi *mpi, const struct job_state *job, int begin, int end,
			 struct mpi_rank_times *times)
{
	struct parcel parcel = {0};

	for (int i = begin; i < end; i++) {
		struct rank_report report = {.number = i};

		if (!has_record(mpi, job->first + i))
			continue;
		report.times = times_of(mpi, rank_at(mpi, job->first + i));
		parcel_put(&parcel, &report, sizeof(report));
	}
	parcel_gather(&parcel, net_processes(mpi->net));
	while (!parcel_is_empty(&parcel)) {
		struct rank_report report;

		parcel_take(&parcel, &report, sizeof(report));
		times[report.number] = report.times;
	}
	parcel_free(&parcel);
}

void mpi_rank_times(const struct mpi *mpi, int job, struct mpi_rank_times *times)
{
	const struct job_state *state = &mpi->jobs.at[job];

	if (net_processes(mpi->net) == NULL)
		for (int i = 0; i < state->nranks; i++)
			times[i] = times_of(mpi, rank_at(mpi, state->first + i));
	else
		for (int i = 0; i < state->nranks; i += RANKS_AT_ONCE)
			gather_times(mpi, state, i,
				     state->nranks - i < RANKS_AT_ONCE ? state->nranks
								       : i + RANKS_AT_ONCE,
				     times);
}

void stuck_of_all(const struct mpi *mpi, struct stuck_rank *stuck)
{
	struct processes *processes = net_processes(mpi->net);
	int n = processes_count(processes);
	struct stuck_rank *all;

	if (processes == NULL)
		return;
	all = xcalloc((size_t)n, sizeof(*all));
	processes_gather(processes, stuck, sizeof(*stuck), all);
	for (int i = 0; i < n; i++)
		if (all[i].number != NONE &&
		    (stuck->number == NONE || all[i].number < stuck->number))
			*stuck = all[i];
	free(all);
}
