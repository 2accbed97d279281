/* mpi.c - the processes of an MPI launcher, for mapref (map/team/team_mpi.h) */
#include <mpi.h>
#include <stdlib.h>

#include "map/team/team_mpi.h"

static MPI_Op least_op;
static MPI_Datatype offer_type;

static void keep_least(void *in, void *inout, int *n, MPI_Datatype *type)
{
	const struct team_offer *from = in;
	struct team_offer *to = inout;

	(void)type;
	for (int i = 0; i < *n; i++)
		if (to[i].number < 0 || (from[i].number >= 0 && (from[i].value < to[i].value ||
								 (from[i].value == to[i].value &&
								  from[i].number < to[i].number))))
			to[i] = from[i];
}

static const char *join(int *nprocesses, int *process)
{
	int level;

	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
		return "MPI can't be initialised";
	if (level < MPI_THREAD_SERIALIZED) {
		MPI_Finalize();
		return "this MPI library does not let threads take turns (MPI_THREAD_SERIALIZED)";
	}
	MPI_Comm_size(MPI_COMM_WORLD, nprocesses);
	MPI_Comm_rank(MPI_COMM_WORLD, process);
	MPI_Type_contiguous((int)sizeof(struct team_offer), MPI_BYTE, &offer_type);
	MPI_Type_commit(&offer_type);
	MPI_Op_create(keep_least, 1, &least_op);
	return NULL;
}

static void leave(void)
{
	MPI_Op_free(&least_op);
	MPI_Type_free(&offer_type);
	MPI_Finalize();
}

static struct team_offer least(struct team_offer mine)
{
	struct team_offer best;

	MPI_Allreduce(&mine, &best, 1, offer_type, least_op, MPI_COMM_WORLD);
	return best;
}

/* Memory for n numbers (at least one); MPI ends all processes when there is none. */
static int *numbers(int n)
{
	int *at = malloc(((size_t)n + 1) * sizeof(*at));

	if (at == NULL)
		MPI_Abort(MPI_COMM_WORLD, 2);
	return at;
}

static int *gather(const int *mine, int n, int *nall)
{
	int nprocesses, *counts, *firsts, *all;

	MPI_Comm_size(MPI_COMM_WORLD, &nprocesses);
	counts = numbers(nprocesses);
	firsts = numbers(nprocesses);
	MPI_Allgather(&n, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
	*nall = 0;
	for (int i = 0; i < nprocesses; i++) {
		firsts[i] = *nall;
		*nall += counts[i];
	}
	all = numbers(*nall);
	MPI_Allgatherv(mine, n, MPI_INT, all, counts, firsts, MPI_INT, MPI_COMM_WORLD);
	free(counts);
	free(firsts);
	return all;
}

extern const struct team_mpi placetools_team_mpi;
const struct team_mpi placetools_team_mpi = {
	.version = PLACETOOLS_VERSION,
	.join = join,
	.leave = leave,
	.least = least,
	.gather = gather,
};
