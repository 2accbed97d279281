/* comm_grid.c - who talks to whom in a grid of processes: halos, all-to-all in each column */
#include "workload/comm_graphs.h"

/* Prime factors, the largest first, each to the side that is smallest so far; sides descend. */
static void factor(int n, int ndims, int *size)
{
	int factors[32], nfactors = 0;

	for (int d = 0; d < COMM_DIMS; d++)
		size[d] = 1;
	for (int f = 2; (int64_t)f * f <= n; f++)
		for (; n % f == 0; n /= f)
			factors[nfactors++] = f;
	if (n > 1)
		factors[nfactors++] = n;
	while (nfactors > 0) {
		int least = 0;

		for (int d = 1; d < ndims; d++)
			if (size[d] < size[least])
				least = d;
		size[least] *= factors[--nfactors];
	}
	for (int d = 1; d < ndims; d++)
		for (int k = d; k > 0 && size[k] > size[k - 1]; k--) {
			int side = size[k];

			size[k] = size[k - 1];
			size[k - 1] = side;
		}
}

int comm_grid_read(struct comm_grid *grid, const struct pick *pick, int ndims, struct err *err)
{
	const struct value *dims = pick_value(pick, "dims");
	int64_t nranks = 1;

	*grid = (struct comm_grid){.ndims = ndims,
				   .size = {1, 1, 1},
				   .is_periodic = pick_bool(pick, "periodic"),
				   .bytes = pick_real(pick, "bytes")};
	if (!dims->is_set && !pick_has(pick, "ranks"))
		return err_set(err, "comm: one of ranks= and dims= is needed");
	if (!dims->is_set) {
		grid->nranks = (int)pick_int(pick, "ranks");
		factor(grid->nranks, ndims, grid->size);
		return 0;
	}
	if (dims->nsizes != ndims)
		return err_set(err, "comm: dims: this pattern has %d dimensions, not %d", ndims,
			       dims->nsizes);
	for (int d = 0; d < ndims; d++) {
		grid->size[d] = (int)dims->sizes[d];
		nranks *= dims->sizes[d];
		if (nranks > INT32_MAX)
			return err_set(err, "comm: dims: more than %d ranks", INT32_MAX);
	}
	if (pick_has(pick, "ranks") && pick_int(pick, "ranks") != nranks)
		return err_set(err, "comm: dims %s are %lld ranks, not %lld", dims->text,
			       (long long)nranks, (long long)pick_int(pick, "ranks"));
	grid->nranks = (int)nranks;
	return 0;
}

/* To the rank at an offset, which is none of ours where the grid ends, or is but one wide. */
static void send(const struct comm_grid *grid, int rank, const int *offset, comm_messages *messages)
{
	int dst = 0, left = rank, at[COMM_DIMS];

	for (int d = COMM_DIMS - 1; d >= 0; d--) {
		at[d] = left % grid->size[d];
		left /= grid->size[d];
	}
	for (int d = 0; d < COMM_DIMS; d++) {
		int to = at[d] + offset[d];

		if (to < 0 || to >= grid->size[d]) {
			if (!grid->is_periodic)
				return;
			to = (to + grid->size[d]) % grid->size[d];
		}
		dst = dst * grid->size[d] + to;
	}
	if (dst != rank)
		vec_push(messages, (struct comm_message){dst, grid->bytes});
}

static void send_faces(const struct comm_grid *grid, int rank, comm_messages *messages)
{
	for (int d = 0; d < grid->ndims; d++)
		for (int step = -1; step <= 1; step += 2) {
			int offset[COMM_DIMS] = {0};

			offset[d] = step;
			send(grid, rank, offset, messages);
		}
}

void comm_halo2d(const struct comm_grid *grid, int rank, comm_messages *messages)
{
	send_faces(grid, rank, messages);
}

void comm_halo3d(const struct comm_grid *grid, int rank, comm_messages *messages)
{
	send_faces(grid, rank, messages);
}

/* Six faces and eight corners: 15 points with the rank itself (PTRAM, §V-A). */
void comm_halo3d15(const struct comm_grid *grid, int rank, comm_messages *messages)
{
	send_faces(grid, rank, messages);
	for (int corner = 0; corner < 8; corner++) {
		int offset[COMM_DIMS] = {corner & 4 ? 1 : -1, corner & 2 ? 1 : -1,
					 corner & 1 ? 1 : -1};

		send(grid, rank, offset, messages);
	}
}

/* Each column of the grid is a communicator. */
void comm_alltoall_sub(const struct comm_grid *grid, int rank, comm_messages *messages)
{
	int column = rank % grid->size[1];

	for (int row = 0; row < grid->size[0]; row++) {
		int dst = row * grid->size[1] + column;

		if (dst != rank)
			vec_push(messages, (struct comm_message){dst, grid->bytes});
	}
}
