/* sim_mpi_records.c - the records of ranks: of those that this process simulates */
#include "sim/mpi/sim_mpi_priv.h"

/*
 * Ranks may be placed in any order, so those of a process lie scattered among all: its records
 * stand close together, and a table leads from a rank's number to them.
 */
static bool is_here(const struct mpi *mpi, int32_t rank)
{
	return net_part_is_here(mpi->net, net_part_of(mpi->net, mpi->node_of[rank]));
}

static void find_nodes(struct mpi *mpi, const struct mpi_job *jobs, int njobs)
{
	int32_t n = 0;

	for (int i = 0; i < njobs; i++)
		n += jobs[i].program->job.nranks;
	if (n > mpi->ranks_cap) {
		mpi->node_of = xrealloc(mpi->node_of, (size_t)n, sizeof(*mpi->node_of));
		mpi->ranks_cap = n;
	}
	mpi->nranks = 0;
	for (int i = 0; i < njobs; i++)
		for (int k = 0; k < jobs[i].program->job.nranks; k++)
			mpi->node_of[mpi->nranks++] = jobs[i].program->job.node_of[k];
}

/* Which ranks have records here. */
static void number_records(struct mpi *mpi)
{
	size_t n = (size_t)mpi->nranks + 1;

	mpi->nrecords = mpi->nranks;
	if (net_processes(mpi->net) == NULL)
		return;
	mpi->record_of = xrealloc(mpi->record_of, n, sizeof(*mpi->record_of));
	mpi->nrecords = 0;
	for (int32_t i = 0; i < mpi->nranks; i++)
		mpi->record_of[i] = is_here(mpi, i) ? mpi->nrecords++ : NONE;
	n = (size_t)mpi->nrecords + 1;
	mpi->numbers = xrealloc(mpi->numbers, n, sizeof(*mpi->numbers));
	for (int32_t i = 0; i < mpi->nranks; i++)
		if (mpi->record_of[i] != NONE)
			mpi->numbers[mpi->record_of[i]] = i;
}

static void free_records(struct mpi *mpi)
{
	xlarge_free(mpi->ranks, (size_t)mpi->records_cap * sizeof(*mpi->ranks));
	xlarge_free(mpi->rests, (size_t)mpi->records_cap * sizeof(*mpi->rests));
}

void records_open(struct mpi *mpi, const struct mpi_job *jobs, int njobs)
{
	find_nodes(mpi, jobs, njobs);
	number_records(mpi);
	mpi->run++;
	if (mpi->nrecords <= mpi->records_cap)
		return;
	free_records(mpi);
	mpi->records_cap = mpi->nrecords;
	mpi->ranks = xlarge((size_t)mpi->records_cap * sizeof(*mpi->ranks));
	mpi->rests = xlarge((size_t)mpi->records_cap * sizeof(*mpi->rests));
}

void records_close(struct mpi *mpi)
{
	free_records(mpi);
	free(mpi->record_of);
	free(mpi->numbers);
	free(mpi->node_of);
}

struct rank_rest *rest_of(struct mpi *mpi, const struct rank *rank)
{
	struct rank_rest *rest = &mpi->rests[rank - mpi->ranks];
	const struct list empty = {NONE, NONE};

	if (rest->run != mpi->run)
		*rest = (struct rank_rest){
			.run = mpi->run, .parked = empty, .offers = empty, .grants = empty};
	return rest;
}

struct rank_rest rest_read(const struct mpi *mpi, const struct rank *rank)
{
	const struct rank_rest *rest = &mpi->rests[rank - mpi->ranks];
	const struct list empty = {NONE, NONE};

	return rest->run == mpi->run
		       ? *rest
		       : (struct rank_rest){.parked = empty, .offers = empty, .grants = empty};
}
