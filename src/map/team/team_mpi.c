/* team_mpi.c - processes under an MPI launcher; without libmpi there is one process */
#include "map/team/team_mpi.h"

#include <stdlib.h>

#include "base/num.h"

#ifdef HAVE_MPI
#include <mpi.h>
#endif

/* How many processes the launcher says it started; 1 without one. */
static int64_t launched(void)
{
	static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
					    "SLURM_STEP_NUM_TASKS", "MV2_COMM_WORLD_SIZE"};
	int64_t n;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *text = getenv(names[i]);

		if (text != NULL && num_int(text, 1, INT32_MAX, &n) == 0)
			return n;
	}
	return 1;
}

#ifdef HAVE_MPI

static bool has_joined;
static MPI_Op least;

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

static MPI_Datatype offer_type;

int team_mpi_join(int *nprocesses, int *process, struct err *err)
{
	int level;

	*nprocesses = 1;
	*process = 0;
	if (launched() <= 1)
		return 0;
	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
		return err_set(err, "MPI can't be initialised");
	has_joined = true;
	if (level < MPI_THREAD_SERIALIZED)
		return err_set(err, "this MPI library does not let threads take turns");
	MPI_Comm_size(MPI_COMM_WORLD, nprocesses);
	MPI_Comm_rank(MPI_COMM_WORLD, process);
	MPI_Type_contiguous((int)sizeof(struct team_offer), MPI_BYTE, &offer_type);
	MPI_Type_commit(&offer_type);
	MPI_Op_create(keep_least, 1, &least);
	return 0;
}

void team_mpi_leave(void)
{
	if (!has_joined)
		return;
	MPI_Op_free(&least);
	MPI_Type_free(&offer_type);
	MPI_Finalize();
	has_joined = false;
}

struct team_offer team_mpi_least(struct team_offer mine)
{
	struct team_offer best;

	MPI_Allreduce(&mine, &best, 1, offer_type, least, MPI_COMM_WORLD);
	return best;
}

void team_mpi_gather(const int_vec *mine, int_vec *all)
{
	int nprocesses, n = (int)mine->n, *counts, *firsts, nall = 0;

	MPI_Comm_size(MPI_COMM_WORLD, &nprocesses);
	counts = xmalloc((size_t)nprocesses * sizeof(*counts));
	firsts = xmalloc((size_t)nprocesses * sizeof(*firsts));
	MPI_Allgather(&n, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < nprocesses; i++) {
		firsts[i] = nall;
		nall += counts[i];
	}
	vec_reserve(all, (size_t)nall + 1);
	MPI_Allgatherv(mine->at, n, MPI_INT, all->at, counts, firsts, MPI_INT, MPI_COMM_WORLD);
	all->n = (size_t)nall;
	free(counts);
	free(firsts);
}

#else

int team_mpi_join(int *nprocesses, int *process, struct err *err)
{
	*nprocesses = 1;
	*process = 0;
	if (launched() > 1)
		return err_set(err, "this mapref was built without MPI (Debian: libopenmpi-dev): "
				    "run it without a launcher");
	return 0;
}

void team_mpi_leave(void)
{
}

struct team_offer team_mpi_least(struct team_offer mine)
{
	return mine;
}

void team_mpi_gather(const int_vec *mine, int_vec *all)
{
	all->n = 0;
	for (size_t i = 0; i < mine->n; i++)
		vec_push(all, mine->at[i]);
}

#endif
