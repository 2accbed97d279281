/* mpi_time.c - time in MPI of all ranks, from their calls */
#include "model/mpi_time.h"

#include <string.h>

void mpi_time_see(struct mpi_time *time, int64_t at)
{
	if (time->has_finalized)
		return;
	if (!time->has_begun) {
		time->has_begun = true;
		time->begin = time->end = at;
		time->last_start = time->last_end = at;
	}
	if (at > time->end)
		time->end = at;
}

void mpi_time_call(struct mpi_time *time, enum mpi_group group, int64_t start, int64_t end)
{
	if (time->has_finalized)
		return;
	mpi_time_see(time, start);
	mpi_time_see(time, end);
	if (start == time->last_start && end == time->last_end)
		return;
	time->last_start = start;
	time->last_end = end;
	time->mpi += end - start;
	time->of_group[group] += end - start;
}

void mpi_time_init(struct mpi_time *time, int64_t start, int64_t end)
{
	if (time->has_finalized)
		return;
	mpi_time_see(time, start);
	mpi_time_see(time, end);
	time->begin = time->last_start = time->last_end = end;
	time->mpi = time->off = 0;
	memset(time->of_group, 0, sizeof(time->of_group));
}

void mpi_time_finalize(struct mpi_time *time, int64_t start)
{
	mpi_time_see(time, start);
	time->has_finalized = true;
}

void mpi_time_off(struct mpi_time *time, int64_t start, int64_t end)
{
	if (time->has_finalized)
		return;
	mpi_time_see(time, start);
	mpi_time_see(time, end);
	if (start < time->begin)
		start = time->begin;
	if (end > start && !time->counts_gaps)
		time->off += end - start;
}

void mpi_time_next_rank(struct mpi_time *time)
{
	if (time->has_begun) {
		time->nranks++;
		time->total += (double)(time->end - time->begin - time->off);
		time->in_mpi += (double)time->mpi;
		for (int i = 0; i < MPI_NGROUPS; i++)
			time->groups[i] += (double)time->of_group[i];
	}
	time->has_begun = time->has_finalized = false;
	time->begin = time->end = time->last_start = time->last_end = 0;
	time->mpi = time->off = 0;
	memset(time->of_group, 0, sizeof(time->of_group));
}

int mpi_time_profile(const struct mpi_time *time, double per_second, int64_t ranks,
		     struct profile *profile, struct err *err)
{
	if (!(time->total > 0))
		return err_set(err, "the trace covers no time: expected calls from the end of "
				    "MPI_Init to the start of MPI_Finalize");
	profile->ranks = ranks;
	profile->runtime_s = time->total / per_second / (double)ranks;
	profile->mpi_s = time->in_mpi / per_second / (double)ranks;
	profile->mpi_fraction = time->in_mpi / time->total;
	for (int i = 0; i < MPI_NGROUPS; i++)
		profile->fractions[i] = time->groups[i] / time->total;
	return 0;
}
