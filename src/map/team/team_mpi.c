/* team_mpi.c - processes under an MPI launcher; without one no MPI is needed */
#include "map/team/team_mpi.h"

#include <stdlib.h>

#include "base/num.h"
#include "base/plugin.h"
#include "base/str.h"

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

/* The plug-in, NULL with err set when it does not fit. */
static const struct team_mpi *load(struct err *err)
{
	const struct team_mpi *mpi = plugin_load("mpi", TEAM_MPI_SYMBOL, err);

	if (mpi == NULL) {
		err_prefix(err, "MPI can't be used (build with Debian's libopenmpi-dev, or run "
				"without a launcher): ");
		return NULL;
	}
	if (str_eq(mpi->version, PLACETOOLS_VERSION))
		return mpi;
	err_set(err, "the plug-in mpi.so is of placetools %s, expected %s", mpi->version,
		PLACETOOLS_VERSION);
	return NULL;
}

int team_mpi_join(const struct team_mpi **mpi, int *nprocesses, int *process, struct err *err)
{
	const char *wrong;

	*mpi = NULL;
	*nprocesses = 1;
	*process = 0;
	if (launched() <= 1)
		return 0;
	if ((*mpi = load(err)) == NULL)
		return -1;
	if ((wrong = (*mpi)->join(nprocesses, process)) == NULL)
		return 0;
	*mpi = NULL;
	return err_set(err, "%s", wrong);
}
