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

/* A background job; its name and nodes belong to the log, or to the draw. */
struct nedd_background {
	const char *name; /* NULL: it is numbered */
	const int *nodes; /* [n] */
	int n;
};
typedef VEC(struct nedd_background) nedd_background_vec;

/* What a scheduler left at the start of one of its jobs: that job's nodes are the pool, what runs
 * then is the background. */
struct nedd_log {
	nedd_background_vec background;
	int *pool, npool;     /* in the order in which the scheduler picked them */
	int *vacant, nvacant; /* idle, and not of the pool */
	struct arena arena;
};

/* Reads placed jobs. On failure nothing is left to free. */
int nedd_log_read(struct nedd_log *log, const char *path, const char *pool, const struct topo *topo,
		  struct err *err);
void nedd_log_free(struct nedd_log *log);

struct nedd_draw {
	nedd_background_vec background;
	int *labels; /* [nnodes] of the machine, where background jobs are drawn */
	int *idle;   /* [nidle] what background jobs leave; its first npool are the pool */
	int nidle;
	int control;    /* the node that the experiment is run from */
	int *congestor; /* [ncongestor] in the order drawn: the first is rank 0's */
};

struct nedd_sizes {
	int nnodes, nidle, npool, ncongestor, most_background;
};

/* Drawn anew for each run; the same for whatever is compared within it. With a log only the control
 * node and the congestor's are drawn; it must outlive the draw. */
void nedd_draw(struct nedd_draw *draw, const struct nedd_sizes *sizes, const struct nedd_log *log,
	       uint64_t seed, const char *run);
void nedd_draw_free(struct nedd_draw *draw);

#endif
