/* sim_mpi_collect.c - what ranks have done in the partitions of several processes, for
 * each process */
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

/* What is asked of a rank when a run is over: its times, and what it waits for. */
struct rank_state {
	int64_t clock, mpi_ps, compute_ps, wait_ps, copy_ps, loop_ps, loop_compute_ps;
	int64_t sent_bytes, received_bytes, iteration;
	int32_t number;
	uint8_t phase, kind;
	bool is_blocked, has_loop;
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

static void put_rank(const struct mpi *mpi, int32_t number, struct parcel *parcel)
{
	const struct rank *rank = &mpi->ranks[number];
	const struct rank_state state = {.clock = rank->clock,
					 .mpi_ps = rank->mpi_ps,
					 .compute_ps = rank->compute_ps,
					 .wait_ps = rank->wait_ps,
					 .copy_ps = rank->copy_ps,
					 .loop_ps = rank->loop_ps,
					 .loop_compute_ps = rank->loop_compute_ps,
					 .sent_bytes = rank->sent_bytes,
					 .received_bytes = rank->received_bytes,
					 .iteration = rank->cursor.iteration,
					 .number = number,
					 .phase = rank->phase,
					 .kind = (uint8_t)rank->op.kind,
					 .is_blocked = rank->is_blocked,
					 .has_loop = rank->has_loop};

	parcel_put(parcel, &state, sizeof(state));
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

static void take_ranks(struct mpi *mpi, struct parcel *parcel)
{
	while (!parcel_is_empty(parcel)) {
		struct rank_state state;
		struct rank *rank;

		parcel_take(parcel, &state, sizeof(state));
		rank = &mpi->ranks[state.number];
		rank->clock = state.clock;
		rank->mpi_ps = state.mpi_ps;
		rank->compute_ps = state.compute_ps;
		rank->wait_ps = state.wait_ps;
		rank->copy_ps = state.copy_ps;
		rank->loop_ps = state.loop_ps;
		rank->loop_compute_ps = state.loop_compute_ps;
		rank->sent_bytes = state.sent_bytes;
		rank->received_bytes = state.received_bytes;
		rank->cursor.iteration = state.iteration;
		rank->phase = state.phase;
		rank->op.kind = state.kind;
		rank->is_blocked = state.is_blocked;
		rank->has_loop = state.has_loop;
	}
}

/* So many at a time are gathered, as there are limits to what is. */
enum { RANKS_AT_ONCE = 1 << 20 };

void mpi_collect(struct mpi *mpi)
{
	struct processes *processes = net_processes(mpi->net);
	struct parcel parcel = {0};

	if (processes == NULL)
		return;
	net_collect(mpi->net);
	for (int i = 0; i < mpi->nparts; i++)
		if (net_part_is_here(mpi->net, i))
			put_part(mpi->parts[i], i, &parcel);
	parcel_gather(&parcel, processes);
	take_parts(mpi, &parcel);
	for (int32_t first = 0; first < mpi->nranks; first += RANKS_AT_ONCE) {
		parcel_clear(&parcel);
		for (int32_t i = first; i < mpi->nranks && i - first < RANKS_AT_ONCE; i++)
			if (net_part_is_here(mpi->net, net_part_of(mpi->net, mpi->ranks[i].node)))
				put_rank(mpi, i, &parcel);
		parcel_gather(&parcel, processes);
		take_ranks(mpi, &parcel);
	}
	parcel_free(&parcel);
}
