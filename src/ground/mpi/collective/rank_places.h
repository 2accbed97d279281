/* rank_places.h - where the ranks of a communicator are: which of them share a domain of fast links
 */
#ifndef MPI_COLLECTIVE_RANK_PLACES_H
#define MPI_COLLECTIVE_RANK_PLACES_H

#include "mpi/collective/collective.h"

/* What a user may fix of NCCL's choices. */
enum nccl_algorithm { NCCL_AUTO, NCCL_RING, NCCL_TREE, NCCL_NVLS, NCCL_HIERARCHICAL };
enum nccl_protocol { NCCL_ANY, NCCL_LL, NCCL_LL128, NCCL_SIMPLE };
struct nccl_settings {
	enum nccl_algorithm algorithm; /* of allreduce */
	enum nccl_protocol protocol;
	int64_t channels; /* 0: as many as a domain has ranks */
	bool has_nvls;    /* the switches of a domain add up */
};

/*
 * Ranks stand domain by domain, all domains with as many: rank order[d · local + l] is the l-th of
 * domain d. Where ranks are spread unevenly each is a domain, in the order of the real ones.
 */
struct collective_places {
	int ndomains, local;
	int *order, *index_of; /* [ndomains · local] each other's inverse */
	/* Of a rank: bytes per second within its domain and out of it, and what the links take for
	 * a message of nothing. */
	double inside, between;
	int64_t inside_ps, between_ps;
	struct nccl_settings settings;
};

/* domain_of, node_of [nranks]: any numbers. Domains stand in the order of their first ranks, ranks
 * of a domain by nodes. The rest is the caller's to fill. */
struct collective_places *collective_places_new(int nranks, const int *domain_of,
						const int *node_of);
void collective_places_free(struct collective_places *places); /* NULL is allowed */

/* ---- a call's; where nothing is known all ranks are one domain ---- */

static inline int places_local(const struct collective *call)
{
	return call->places != NULL ? call->places->local : call->nranks;
}

static inline int places_domains(const struct collective *call)
{
	return call->places != NULL ? call->places->ndomains : 1;
}

/* The rank at an index, domain · local + l, and back. */
static inline int place_rank(const struct collective *call, int index)
{
	return call->places != NULL ? call->places->order[index] : index;
}

static inline int place_index(const struct collective *call, int rank)
{
	return call->places != NULL ? call->places->index_of[rank] : rank;
}

/* Into how many parts a call is cut that go through a pipeline of depth steps, where a port carries
 * its bytes load times at the rate: as many as take least, (depth + n)(seconds / n + latency). */
int places_segments(const struct collective *call, int depth, double load, bool leaves);

#endif
