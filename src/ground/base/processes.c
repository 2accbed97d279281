/* processes.c - processes under an MPI launcher; without one no MPI is needed */
#include "base/processes.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/plugin.h"
#include "base/str.h"

struct processes {
	const struct processes_plugin *plugin;
	int count, number;
	int *sizes, *firsts;       /* [count] of what goes out */
	int *in_sizes, *in_firsts; /* [count] of what comes in */
	VEC(char) in;              /* of the last exchange */
};

/* What launchers say to the processes that they start. */
static const struct {
	const char *size, *rank;
} launchers[] = {
	{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
	{"PMI_SIZE", "PMI_RANK"},
	{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
	{"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},
};

/* How many processes the launcher says it started, and which this is; 1 and 0 without one. */
static int64_t launched(int64_t *rank)
{
	int64_t n;

	*rank = 0;
	for (size_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++) {
		const char *size = getenv(launchers[i].size), *text = getenv(launchers[i].rank);

		if (size == NULL || num_int(size, 1, INT32_MAX, &n) != 0)
			continue;
		if (text == NULL || num_int(text, 0, INT32_MAX, rank) != 0)
			*rank = 0;
		return n;
	}
	return 1;
}

/* The plug-in, NULL with err set when it does not fit. */
static const struct processes_plugin *load(struct err *err)
{
	const struct processes_plugin *plugin = plugin_load("mpi", PROCESSES_SYMBOL, err);

	if (plugin == NULL) {
		err_prefix(err, "MPI can't be used (build with Debian's libopenmpi-dev, or run "
				"without a launcher): ");
		return NULL;
	}
	if (str_eq(plugin->version, PLACETOOLS_VERSION))
		return plugin;
	err_set(err, "the plug-in mpi.so is of placetools %s, expected %s", plugin->version,
		PLACETOOLS_VERSION);
	return NULL;
}

int processes_join(struct processes **processes, struct err *err)
{
	const struct processes_plugin *plugin;
	struct processes *p;
	const char *wrong;
	int64_t nlaunched, rank;
	size_t n;

	*processes = NULL;
	nlaunched = launched(&rank);
	if (nlaunched <= 1)
		return 0;
	if ((plugin = load(err)) == NULL)
		return -1;
	p = xcalloc(1, sizeof(*p));
	p->plugin = plugin;
	if ((wrong = plugin->join(&p->count, &p->number)) != NULL) {
		free(p);
		return err_set(err, "%s", wrong);
	}
	if (p->count == 1) { /* each of them would do all the work, and print it */
		plugin->leave();
		free(p);
		err_set(err,
			"the launcher started %d processes that don't find each other: expected the "
			"mpirun of the MPI that mpi.so is built with",
			(int)nlaunched);
		err->kind = rank == 0 ? err->kind : ERR_ELSEWHERE;
		return -1;
	}
	n = (size_t)p->count;
	p->sizes = xcalloc(n, sizeof(*p->sizes));
	p->firsts = xcalloc(n, sizeof(*p->firsts));
	p->in_sizes = xcalloc(n, sizeof(*p->in_sizes));
	p->in_firsts = xcalloc(n, sizeof(*p->in_firsts));
	*processes = p;
	return 0;
}

void processes_leave(struct processes *p)
{
	if (p == NULL)
		return;
	p->plugin->leave();
	free(p->sizes);
	free(p->firsts);
	free(p->in_sizes);
	free(p->in_firsts);
	vec_free(&p->in);
	free(p);
}

int processes_count(const struct processes *p)
{
	return p == NULL ? 1 : p->count;
}

int processes_number(const struct processes *p)
{
	return p == NULL ? 0 : p->number;
}

void processes_gather(struct processes *p, const void *mine, size_t size, void *all)
{
	p->plugin->gather(mine, (int)size, all);
}

/* MPI counts in int: sizes and where they begin; returns their sum. */
static size_t lay_out(struct processes *p, const size_t *from, int *sizes, int *firsts)
{
	size_t sum = 0;

	for (int i = 0; i < p->count; i++) {
		if (from[i] > INT_MAX || sum + from[i] > INT_MAX)
			p->plugin->abort("more than 2 GiB in one message between processes");
		sizes[i] = (int)from[i];
		firsts[i] = (int)sum;
		sum += from[i];
	}
	return sum;
}

void *processes_gather_any(struct processes *p, const void *mine, size_t size, size_t *sizes)
{
	size_t sum;
	void *all;

	processes_gather(p, &size, sizeof(size), sizes);
	sum = lay_out(p, sizes, p->sizes, p->firsts);
	all = xmalloc(sum + 1);
	p->plugin->gather_any(mine, (int)size, all, p->sizes, p->firsts);
	return all;
}

void *processes_exchange(struct processes *p, const void *out, const size_t *out_sizes,
			 const size_t *in_sizes)
{
	size_t sum = lay_out(p, in_sizes, p->in_sizes, p->in_firsts);

	lay_out(p, out_sizes, p->sizes, p->firsts);
	vec_reserve(&p->in, sum + 1);
	p->plugin->exchange(out, p->sizes, p->firsts, p->in.at, p->in_sizes, p->in_firsts);
	return p->in.at;
}

int processes_agree(struct processes *p, int status, struct err *err)
{
	enum { WELL, SPEAKS, SILENT };
	int n = processes_count(p), speaker = -1, *all;
	int mine = status == 0 ? WELL : err->kind == ERR_ELSEWHERE ? SILENT : SPEAKS;
	bool is_well = true;

	if (p == NULL)
		return status;
	all = xcalloc((size_t)n, sizeof(*all));
	processes_gather(p, &mine, sizeof(mine), all);
	for (int i = n - 1; i >= 0; i--) {
		is_well &= all[i] == WELL;
		speaker = all[i] == SPEAKS ? i : speaker;
	}
	free(all);
	if (is_well)
		return 0;
	return speaker == p->number ? -1 : err_elsewhere(err);
}

int processes_refuse_stdin(struct err *err)
{
	return err_set(err, "-: only one of the processes has standard input: a file is needed");
}
