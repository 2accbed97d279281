/* sim_mpi_io.c - ranks as clients of the storage */
#include "sim/mpi/sim_mpi_priv.h"

/* A rank's I/O has ended. */
static void io_done(void *context, int32_t client)
{
	struct mpi *mpi = context;

	rank_at(mpi, client)->is_blocked = false;
	rank_poke(mpi, client);
}

void io_start(struct mpi *mpi)
{
	const struct storage_events events = {.done = io_done, .context = mpi};

	if (mpi->storage == NULL)
		return;
	storage_start(mpi->storage, &events, mpi->nranks, (int32_t)mpi->jobs.n);
	for (int i = 1; i < mpi->nparts; i++)
		mpi->parts[i]->storage = storage_part(mpi->storage, i, mpi->parts[i]);
	for (size_t i = 0; i < (size_t)mpi->nranks; i++) {
		const struct rank *rank = rank_at(mpi, (int32_t)i);
		const struct job_state *job = &mpi->jobs.at[rank->job];

		storage_client(mpi->storage, (int32_t)i, rank->node, rank->job,
			       (int32_t)i - job->first, job->nranks);
	}
}

void io_begin(struct mpi *mpi, struct rank *rank)
{
	static const enum storage_op_kind kinds[] = {
		[OP_READ] = STORAGE_READ, [OP_WRITE] = STORAGE_WRITE, [OP_SYNC] = STORAGE_SYNC};
	const struct program *program = mpi->jobs.at[rank->job].job->program;
	const struct op *op = &rank->op;
	const char *target = program_text(program, op->part, op->target);
	const struct storage_op what = {
		.kind = kinds[op->kind],
		.entry = storage_entry(mpi->storage, target),
		.file = program_text(program, op->part, op->file),
		.offset = op->offset,
		.bytes = op->bytes,
	};

	rank->is_blocked = !storage_begin(mpi->storage, number_of(mpi, rank), &what);
	rank->waiting = rank->is_blocked ? WAIT_BLOCKING : WAIT_NOTHING;
}
