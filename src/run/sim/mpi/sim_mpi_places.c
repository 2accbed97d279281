/* sim_mpi_places.c - where the ranks of communicators are, for libraries that ask for it */
#include <stdlib.h>

#include "mpi/collective/rank_places.h"
#include "sim/mpi/sim_mpi_priv.h"

/* The level of links with a name, or another one. */
static const struct sim_level *level_of(const struct mpi *mpi, const struct topo *topo,
					const char *name, int other)
{
	for (int i = 0; i < topo->nlevels; i++)
		if (str_eq(topo->levels[i].name, name))
			return &mpi->params->levels[i];
	return other < 0 ? NULL : &mpi->params->levels[other];
}

/* GPUs whose first link is NVLink share a domain with those at the same switch; other ranks do with
 * those on their node. */
static void fill(const struct mpi *mpi, const struct rank *rank, struct known_places *known)
{
	const struct program *program = mpi->jobs.at[rank->job].job->program;
	const struct topo *topo = program->job.topo;
	const struct sim_level *nvlink = level_of(mpi, topo, "nvlink", -1);
	const struct sim_level *rail = level_of(mpi, topo, "rail", LINK_TERMINAL);
	size_t n = (size_t)known->nranks;
	int *domain_of = xcalloc(n, sizeof(*domain_of)), *node_of = xcalloc(n, sizeof(*node_of));

	for (int i = 0; i < known->nranks; i++) {
		int member = program_member(program, &rank->op, i,
					    number_of(mpi, rank) - mpi->jobs.at[rank->job].first);

		node_of[i] = mpi->node_of[over_all(mpi, rank, member)];
		domain_of[i] = nvlink != NULL ? topo_domain(topo, node_of[i], 0) : node_of[i];
	}
	known->places = collective_places_new(known->nranks, domain_of, node_of);
	known->places->settings = mpi->params->nccl;
	known->places->between = rail->bandwidth;
	known->places->between_ps = 2 * rail->latency_ps + mpi->params->router_delay_ps;
	if (nvlink != NULL) {
		known->places->inside = nvlink->bandwidth;
		known->places->inside_ps = 2 * nvlink->latency_ps + mpi->params->router_delay_ps;
	} else {
		known->places->inside = mpi->params->levels[LINK_NODE].bandwidth;
		known->places->inside_ps = mpi->params->levels[LINK_NODE].latency_ps;
	}
	free(domain_of);
	free(node_of);
}

static bool is_same(const struct known_places *a, const struct known_places *b)
{
	return a->job == b->job && a->part == b->part && a->comm == b->comm &&
	       a->first == b->first && a->nranks == b->nranks;
}

const struct collective_places *places_of(struct mpi *mpi, const struct rank *rank)
{
	const struct op *op = &rank->op;
	struct known_places known = {
		.job = rank->job, .part = op->part, .comm = op->comm, .nranks = op->call.nranks};
	uint64_t hash;
	int64_t at;

	known.first = program_member(mpi->jobs.at[rank->job].job->program, op, 0,
				     number_of(mpi, rank) - mpi->jobs.at[rank->job].first);
	hash = u64_mix((uint64_t)known.job << 32 | (uint32_t)known.first) ^
	       u64_mix((uint64_t)known.comm << 32 | (uint32_t)known.nranks) ^ (uint64_t)known.part;
	for (; umap_get(&mpi->place_ids, hash, &at); hash++)
		if (is_same(&mpi->places.at[at], &known))
			return mpi->places.at[at].places;
	fill(mpi, rank, &known);
	umap_set(&mpi->place_ids, hash, (int64_t)mpi->places.n);
	vec_push(&mpi->places, known);
	return known.places;
}

void places_forget(struct mpi *mpi)
{
	for (size_t i = 0; i < mpi->places.n; i++)
		collective_places_free(mpi->places.at[i].places);
	mpi->places.n = 0;
	umap_clear(&mpi->place_ids);
}
