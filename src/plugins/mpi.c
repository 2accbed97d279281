/* mpi.c - the processes of an MPI launcher (base/processes.h) */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/processes.h"

/*
 * Mirsadeghi & Afsahi, PTRAM, future work: leaders. What everybody gets goes from the processes of
 * a machine to one of them, from there to the other machines' leaders, and back. Processes whose
 * machine's are not numbered in one row talk to all others directly, as do those of one machine.
 */
static struct {
	int nmachines;           /* at most 1: no leaders */
	int *first;              /* [nmachines + 1] the processes of each: its first one, … */
	MPI_Comm machine, peers; /* peers: of a leader; else MPI_COMM_NULL */
} leaders = {.machine = MPI_COMM_NULL, .peers = MPI_COMM_NULL};

static void abort_all(const char *why)
{
	fprintf(stderr, "%s\n", why);
	MPI_Abort(MPI_COMM_WORLD, 2);
}

static int *numbers(int n)
{
	int *at = calloc((size_t)n, sizeof(*at));

	if (at == NULL)
		abort_all("out of memory");
	return at;
}

/* Those that share a machine; PLACETOOLS_LEADER_OF=N: N in a row, whatever their machine. */
static void split_machines(int number)
{
	const char *text = getenv("PLACETOOLS_LEADER_OF");
	int each = 0;

	for (; text != NULL && *text >= '0' && *text <= '9' && each < 100000; text++)
		each = 10 * each + *text - '0';
	if (each > 0)
		MPI_Comm_split(MPI_COMM_WORLD, number / each, number, &leaders.machine);
	else
		MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, number, MPI_INFO_NULL,
				    &leaders.machine);
}

static void find_leaders(int count, int number)
{
	int *first_of = numbers(count), place, mine = number;
	bool in_rows = true;

	split_machines(number);
	MPI_Comm_rank(leaders.machine, &place);
	MPI_Bcast(&mine, 1, MPI_INT, 0, leaders.machine);
	MPI_Allgather(&mine, 1, MPI_INT, first_of, 1, MPI_INT, MPI_COMM_WORLD);
	leaders.first = numbers(count + 1);
	for (int p = 0; p < count; p++)
		if (first_of[p] == p)
			leaders.first[leaders.nmachines++] = p;
		else
			in_rows = in_rows && first_of[p] == first_of[p - 1];
	leaders.first[leaders.nmachines] = count;
	if (!in_rows)
		leaders.nmachines = 0;
	MPI_Comm_split(MPI_COMM_WORLD, place == 0 ? 0 : MPI_UNDEFINED, number, &leaders.peers);
	free(first_of);
}

static const char *join(int *count, int *number)
{
	int level;

	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
		return "MPI can't be initialised";
	if (level < MPI_THREAD_SERIALIZED) {
		MPI_Finalize();
		return "this MPI library does not let threads take turns (MPI_THREAD_SERIALIZED)";
	}
	MPI_Comm_size(MPI_COMM_WORLD, count);
	MPI_Comm_rank(MPI_COMM_WORLD, number);
	find_leaders(*count, *number);
	return NULL;
}

static void leave(void)
{
	if (leaders.peers != MPI_COMM_NULL)
		MPI_Comm_free(&leaders.peers);
	MPI_Comm_free(&leaders.machine);
	free(leaders.first);
	MPI_Finalize();
}

/* What the machine's processes have is together at its leader, which has the others'
 * from theirs. */
static void gather_by_leaders(const void *mine, void *all, const int *sizes, const int *firsts)
{
	int number, place, machine = 0, *parts, *begins;

	MPI_Comm_rank(MPI_COMM_WORLD, &number);
	MPI_Comm_rank(leaders.machine, &place);
	while (leaders.first[machine + 1] <= number)
		machine++;
	MPI_Gatherv(mine, sizes[number], MPI_BYTE, all, &sizes[leaders.first[machine]],
		    &firsts[leaders.first[machine]], MPI_BYTE, 0, leaders.machine);
	parts = numbers(leaders.nmachines);
	begins = numbers(leaders.nmachines);
	for (int m = 0; m < leaders.nmachines; m++) {
		begins[m] = firsts[leaders.first[m]];
		for (int p = leaders.first[m]; p < leaders.first[m + 1]; p++)
			parts[m] += sizes[p];
	}
	if (place == 0)
		MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, parts, begins, MPI_BYTE,
			       leaders.peers);
	machine = leaders.nmachines - 1;
	MPI_Bcast(all, begins[machine] + parts[machine], MPI_BYTE, 0, leaders.machine);
	free(parts);
	free(begins);
}

static void gather_any(const void *mine, int size, void *all, const int *sizes, const int *firsts)
{
	if (leaders.nmachines > 1)
		gather_by_leaders(mine, all, sizes, firsts);
	else
		MPI_Allgatherv(mine, size, MPI_BYTE, all, sizes, firsts, MPI_BYTE, MPI_COMM_WORLD);
}

static void gather(const void *mine, int size, void *all)
{
	int count, *sizes, *firsts;

	if (leaders.nmachines <= 1) {
		MPI_Allgather(mine, size, MPI_BYTE, all, size, MPI_BYTE, MPI_COMM_WORLD);
		return;
	}
	MPI_Comm_size(MPI_COMM_WORLD, &count);
	sizes = numbers(count);
	firsts = numbers(count);
	for (int p = 0; p < count; p++) {
		sizes[p] = size;
		firsts[p] = p * size;
	}
	gather_by_leaders(mine, all, sizes, firsts);
	free(sizes);
	free(firsts);
}

static void exchange(const void *out, const int *out_sizes, const int *out_firsts, void *in,
		     const int *in_sizes, const int *in_firsts)
{
	MPI_Alltoallv(out, out_sizes, out_firsts, MPI_BYTE, in, in_sizes, in_firsts, MPI_BYTE,
		      MPI_COMM_WORLD);
}

extern const struct processes_plugin placetools_processes;
const struct processes_plugin placetools_processes = {
	.version = PLACETOOLS_VERSION,
	.join = join,
	.leave = leave,
	.gather = gather,
	.gather_any = gather_any,
	.exchange = exchange,
	.abort = abort_all,
};
