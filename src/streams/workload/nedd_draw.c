/* nedd_draw.c - what background jobs leave idle, and who of it becomes the congestor */
#include <stdlib.h>
#include <string.h>

#include "workload/nedd.h"
#include "base/rng.h"

/* Sizes are uniform within an octave and octaves are equally likely: small jobs are many, large
 * ones hold as many nodes. */
static int draw_size(struct rng *rng, int most)
{
	int noctaves = 0, size;

	while (most >> noctaves != 0)
		noctaves++;
	size = 1 << rng_below(rng, (uint64_t)noctaves);
	size += (int)rng_below(rng, (uint64_t)size);
	return size < most ? size : most;
}

/* Jobs fill the machine in label order; then some, drawn at random, have ended: the holes that a
 * scheduler finds. The last of them gives back only as many nodes as are needed. */
static void draw_background(struct nedd_draw *draw, const struct nedd_sizes *sizes, uint64_t seed,
			    const char *run)
{
	struct rng rng = rng_make(seed, "nedd-background", run, NULL);
	int *order, njobs, nwanted = sizes->nidle, nkept = 0;
	bool *is_idle = xcalloc((size_t)sizes->nnodes, sizeof(*is_idle));

	draw->labels = xcalloc((size_t)sizes->nnodes, sizeof(*draw->labels));
	for (int node = 0; node < sizes->nnodes; node++)
		draw->labels[node] = node;
	for (int node = 0; node < sizes->nnodes;) {
		int n = draw_size(&rng, sizes->most_background);

		if (n > sizes->nnodes - node)
			n = sizes->nnodes - node;
		vec_push(&draw->background, (struct nedd_background){NULL, draw->labels + node, n});
		node += n;
	}
	njobs = (int)draw->background.n;
	order = xcalloc((size_t)njobs, sizeof(*order));
	for (int i = 0; i < njobs; i++)
		order[i] = i;
	rng_shuffle(&rng, order, (size_t)njobs);
	for (int i = 0; i < njobs && nwanted > 0; i++) {
		struct nedd_background *job = &draw->background.at[order[i]];
		int n = job->n < nwanted ? job->n : nwanted;

		for (int k = 0; k < n; k++)
			is_idle[job->nodes[k]] = true;
		job->nodes += n;
		job->n -= n;
		nwanted -= n;
	}
	for (int i = 0; i < njobs; i++)
		if (draw->background.at[i].n > 0)
			draw->background.at[nkept++] = draw->background.at[i];
	draw->background.n = (size_t)nkept;
	draw->idle = xcalloc((size_t)sizes->nidle, sizeof(*draw->idle));
	for (int node = 0; node < sizes->nnodes; node++)
		if (is_idle[node])
			draw->idle[draw->nidle++] = node;
	free(is_idle);
	free(order);
}

/* The same background and idle nodes in each run. */
static void take_log(struct nedd_draw *draw, const struct nedd_log *log)
{
	for (size_t i = 0; i < log->background.n; i++)
		vec_push(&draw->background, log->background.at[i]);
	draw->idle = xcalloc((size_t)(log->npool + log->nvacant), sizeof(*draw->idle));
	memcpy(draw->idle, log->pool, (size_t)log->npool * sizeof(*draw->idle));
	memcpy(draw->idle + log->npool, log->vacant, (size_t)log->nvacant * sizeof(*draw->idle));
	draw->nidle = log->npool + log->nvacant;
}

void nedd_draw(struct nedd_draw *draw, const struct nedd_sizes *sizes, const struct nedd_log *log,
	       uint64_t seed, const char *run)
{
	struct rng rng = rng_make(seed, "nedd-congestor", run, NULL);
	int *others, nothers = 0, control;

	*draw = (struct nedd_draw){0};
	if (log != NULL)
		take_log(draw, log);
	else
		draw_background(draw, sizes, seed, run);
	control = (int)rng_below(&rng, (uint64_t)sizes->npool);
	draw->control = draw->idle[control];
	others = xcalloc((size_t)sizes->npool, sizeof(*others));
	for (int i = 0; i < sizes->npool; i++)
		if (i != control)
			others[nothers++] = draw->idle[i];
	rng_shuffle(&rng, others, (size_t)nothers);
	draw->congestor = others;
}

void nedd_draw_free(struct nedd_draw *draw)
{
	vec_free(&draw->background);
	free(draw->labels);
	free(draw->idle);
	free(draw->congestor);
	*draw = (struct nedd_draw){0};
}
