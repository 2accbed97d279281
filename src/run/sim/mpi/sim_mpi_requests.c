/* sim_mpi_requests.c - the requests of a rank that a wait may name */
#include "sim/mpi/sim_mpi_priv.h"

int32_t request_new(struct mpi *mpi, struct rank *rank, int32_t id, int64_t receives)
{
	struct request request = {.id = id, .next = rank->requests, .receives = receives};
	int32_t index = mpi->free_request;

	rank->nunfinished++;
	if (id == NO_REQUEST)
		return TOKEN_ANY;
	if (index == NONE) {
		vec_push(&mpi->requests, request);
		index = (int32_t)mpi->requests.n - 1;
	} else {
		mpi->free_request = mpi->requests.at[index].next;
		mpi->requests.at[index] = request;
	}
	rank->requests = index;
	return index;
}

int32_t request_find(const struct mpi *mpi, const struct rank *rank, int32_t id)
{
	int32_t index = rank->requests;

	while (index != NONE && mpi->requests.at[index].id != id)
		index = mpi->requests.at[index].next;
	return index;
}

void request_forget(struct mpi *mpi, struct rank *rank, int32_t index)
{
	int32_t *link = &rank->requests;

	while (*link != index)
		link = &mpi->requests.at[*link].next;
	*link = mpi->requests.at[index].next;
	mpi->requests.at[index].next = mpi->free_request;
	mpi->free_request = index;
}
