/* collective_rules.c - the table of size thresholds by which libraries choose; Open MPI and NCCL
 * have their own */
#include "mpi/collective/collective_rules.h"

#include "mpi/collective/steps.h"
#include "base/str.h"

#define OP(name) COLLECTIVE_BIT(name)
#define GATHERS (OP(GATHER) | OP(SCATTER))
#define GATHERVS (OP(GATHERV) | OP(SCATTERV))
#define ALLGATHERS (OP(ALLGATHER) | OP(ALLGATHERV))
#define ALLTOALLVS (OP(ALLTOALLV) | OP(ALLTOALLW))
#define SCANS (OP(SCAN) | OP(EXSCAN))
#define REDUCE_SCATTERS (OP(REDUCE_SCATTER) | OP(REDUCE_SCATTER_BLOCK))
#define EVERYTHING ((1u << COLLECTIVE_CREATE) - 1)

/*
 * The first line that fits decides. bytes is that of struct collective, except of alltoall, where
 * it is one block (bytes / nranks), as the libraries count.
 *
 * mpich: the defaults of MPICH 3.x (and Cray MPICH, Intel MPI and MVAPICH, which descend from it,
 * untuned): Thakur, Rabenseifner, Gropp, Int. J. High Perform. Comput. Appl. 19 (2005) 49-66; the
 * numbers are those of its CVARs (MPIR_CVAR_BCAST_SHORT_MSG_SIZE …). Where an allreduce's or
 * reduce's vector has fewer than p elements it can't be halved: elements are taken as 8 bytes.
 * tracer: Khetawat 2022, ch. 3, as his simulator does it: trees of degree 2; §1.2 of the notes on
 * the model. Operations that it drops are done as mpich does them.
 * linear: straight from the rank that has the data to the one that needs it.
 * ring: allreduce, allgather and reduce_scatter by one ring in the order of the ranks, whatever
 * their size, as NCCL with one channel does large ones; the rest as mpich does it.
 */
struct rule {
	const char *library;
	unsigned ops;
	int least_ranks, most_ranks; /* 0: any */
	bool only_power;             /* the number of ranks is a power of two */
	int64_t most_bytes;          /* -1: any */
	int64_t most_per_rank;       /* bytes ≤ this × greatest power of two ≤ ranks; 0: any */
	const struct collective_algorithm *algorithm;
	bool only_host; /* not where the buffers are on GPUs */
};

#define X(name) extern const struct collective_algorithm collective_algorithm_##name;
#include "mpi/collective/algorithms.def"
#undef X
#define USE(name) &collective_algorithm_##name

static const struct rule rules[] = {
	/* library, operations, ranks from, to, only 2^k, bytes up to, up to per rank */
	{"mpich", OP(BARRIER), 0, 0, false, -1, 0, USE(dissemination)},
	{"mpich", OP(BCAST), 0, 7, false, -1, 0, USE(binomial)},
	{"mpich", OP(BCAST), 0, 0, false, 12287, 0, USE(binomial)},
	{"mpich", OP(BCAST), 0, 0, true, 524287, 0, USE(scatter_doubling)},
	{"mpich", OP(BCAST), 0, 0, false, -1, 0, USE(scatter_ring)},
	{"mpich", OP(REDUCE), 0, 0, false, 2048, 0, USE(binomial)},
	{"mpich", OP(REDUCE), 0, 0, false, -1, 7, USE(binomial)},
	{"mpich", OP(REDUCE), 0, 0, false, -1, 0, USE(rabenseifner)},
	{"mpich", OP(ALLREDUCE), 0, 0, false, 2048, 0, USE(recursive_doubling)},
	{"mpich", OP(ALLREDUCE), 0, 0, false, -1, 7, USE(recursive_doubling)},
	{"mpich", OP(ALLREDUCE), 0, 0, false, -1, 0, USE(rabenseifner)},
	{"mpich", GATHERS, 0, 0, false, -1, 0, USE(binomial)},
	{"mpich", GATHERVS, 0, 0, false, -1, 0, USE(linear)},
	{"mpich", ALLGATHERS, 0, 0, true, 524287, 0, USE(recursive_doubling)},
	{"mpich", ALLGATHERS, 0, 0, false, 81919, 0, USE(bruck)},
	{"mpich", ALLGATHERS, 0, 0, false, -1, 0, USE(ring)},
	{"mpich", OP(ALLTOALL), 8, 0, false, 256, 0, USE(bruck)},
	{"mpich", OP(ALLTOALL), 0, 0, false, 32768, 0, USE(linear)},
	{"mpich", OP(ALLTOALL), 0, 0, false, -1, 0, USE(pairwise)},
	{"mpich", ALLTOALLVS, 0, 0, false, -1, 0, USE(linear)},
	{"mpich", REDUCE_SCATTERS, 0, 0, false, 524287, 0, USE(recursive_halving)},
	{"mpich", REDUCE_SCATTERS, 0, 0, false, -1, 0, USE(pairwise)},
	{"mpich", SCANS, 0, 0, false, -1, 0, USE(recursive_doubling)},

	{"tracer", OP(BCAST) | OP(REDUCE) | OP(ALLREDUCE) | OP(BARRIER), 0, 0, false, -1, 0,
	 USE(binary)},
	{"tracer", OP(ALLTOALL), 0, 0, false, 512, 0, USE(bruck), .only_host = true},
	{"tracer", OP(ALLTOALL), 0, 0, false, -1, 0, USE(pairwise)},
	{"tracer", ALLTOALLVS, 0, 0, false, -1, 0, USE(pairwise)},
	{"tracer", ALLGATHERS, 0, 0, false, 163840, 0, USE(bruck), .only_host = true},
	{"tracer", ALLGATHERS, 0, 0, false, -1, 0, USE(ring)},
	{"tracer", GATHERS, 0, 0, false, -1, 0, USE(binomial)},
	{"tracer", GATHERVS, 0, 0, false, -1, 0, USE(linear)},
	{"tracer", REDUCE_SCATTERS, 0, 0, false, 524287, 0, USE(recursive_halving)},
	{"tracer", REDUCE_SCATTERS, 0, 0, false, -1, 0, USE(pairwise)},
	{"tracer", SCANS, 0, 0, false, -1, 0, USE(recursive_doubling)},

	{"linear", EVERYTHING, 0, 0, false, -1, 0, USE(linear)},

	{"ring", OP(ALLREDUCE) | ALLGATHERS | REDUCE_SCATTERS, 0, 0, false, -1, 0, USE(ring)},
};

static bool fits(const struct rule *rule, const struct collective *call, const char *library)
{
	int n = call->nranks;
	int64_t bytes = call->op == COLLECTIVE_ALLTOALL ? call->bytes / n : call->bytes;

	return (rule->ops >> call->op & 1) != 0 && n >= rule->least_ranks &&
	       (rule->most_ranks == 0 || n <= rule->most_ranks) &&
	       (!rule->only_power || is_power(n)) && !(rule->only_host && call->is_on_gpu) &&
	       (rule->most_bytes < 0 || bytes <= rule->most_bytes) &&
	       (rule->most_per_rank == 0 ||
		bytes <= rule->most_per_rank * collective_power_below(n)) &&
	       str_eq(rule->library, library);
}

const struct collective_algorithm *collective_rule(const struct collective *call,
						   const char *library)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (fits(&rules[i], call, library))
			return rules[i].algorithm;
	return NULL;
}
