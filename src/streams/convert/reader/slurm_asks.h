/* slurm_asks.h - what a job asks for besides nodes and times: leaf switches, sharing, limits */
#ifndef CONVERT_READER_SLURM_ASKS_H
#define CONVERT_READER_SLURM_ASKS_H

#include <stdint.h>

#include "base/str.h"
#include "model/flow.h"

/* -1: not said. */
struct slurm_asks {
	int64_t leaf_switches, switch_wait_s; /* --switches=N@TIME */
	int64_t array_limit;                  /* --array=0-9%N: tasks that run at once */
	int exclusive;                        /* whole nodes: 1 */
	int exclusive_topo, oversubscribe;    /* 1: --exclusive=topo, --oversubscribe */
};

struct slurm_asks_columns {
	int leaf_switches, switch_wait, array_limit, exclusive, exclusive_topo, oversubscribe;
};

void slurm_asks_clear(struct slurm_asks *asks);
void slurm_asks_declare(struct slurm_asks_columns *columns, struct flow *flow);
void slurm_asks_put(const struct slurm_asks *asks, const struct slurm_asks_columns *columns,
		    struct flow *flow);

/* "2@01:00:00" or "2"; 0 switches, NULL and what is none of these say nothing. */
void slurm_asks_switches(struct slurm_asks *asks, const char *text);
/* The word behind OverSubscribe: NO, EXCLUSIVE, YES, TOPO; others say nothing. */
void slurm_asks_sharing(struct slurm_asks *asks, const char *word);
/* The number behind the % of "0-9%2"; nothing if there is none. */
void slurm_asks_array(struct slurm_asks *asks, const char *tasks);

/* What a line of submission has besides. Texts are in a copy, until the next call. */
struct slurm_line {
	struct slurm_asks asks;
	const char *dependency; /* NULL: none */
	int64_t segment;        /* -1: none */
	struct buf copy;
};
/*
 * Reads "sbatch -N 4 --switches=1@30 job.sh", as sacct's SubmitLine has it: the options before the
 * script, of a heterogeneous job those of one component (0: the first). Slurm quotes nothing: a
 * job's name is left out as it is known, and what follows another value with a blank is not read.
 * Lines of other programs, and NULL, say nothing.
 */
void slurm_line_read(struct slurm_line *line, const char *text, const char *job_name,
		     int component);
void slurm_line_free(struct slurm_line *line);

#endif
