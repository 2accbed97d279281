/* nedd.h - the draws of one repetition of NeDD's experiment */
#ifndef WORKLOAD_NEDD_H
#define WORKLOAD_NEDD_H

#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/topo.h"

/* An application of Table I, as it ran on Cori. */
struct nedd_app {
	const char *name, *binary;
	int ranks_per_node;
};

enum { NEDD_MOST_JOBS = 8 };

/* What is run together with the congestor: one, two, … applications. */
struct nedd_jobs {
	char name[128]; /* "miniMD+MILC" */
	const struct nedd_app *apps[NEDD_MOST_JOBS];
	int n;
};
typedef VEC(struct nedd_jobs) nedd_jobs_vec;

/* "one" (the six applications), "two" (the three pairs of Fig. 5), "all", or a list such as
 * [miniMD,LAMMPS+HPCG]. */
int nedd_jobs_parse(nedd_jobs_vec *jobs, const char *text, struct err *err);

/* A background job: n nodes from first on, in label order. */
struct nedd_background {
	int first, n;
};

struct nedd_draw {
	VEC(struct nedd_background) background;
	int *idle; /* [nidle] what background jobs leave, in label order; its first npool are the
		      pool */
	int nidle;
	int control;    /* the node that the experiment is run from */
	int *congestor; /* [ncongestor] in the order drawn: the first is rank 0's */
};

struct nedd_sizes {
	int nnodes, nidle, npool, ncongestor, most_background;
};

/* Drawn anew for each run; the same for whatever is compared within it. */
void nedd_draw(struct nedd_draw *draw, const struct nedd_sizes *sizes, uint64_t seed,
	       const char *run);
void nedd_draw_free(struct nedd_draw *draw);

#endif
