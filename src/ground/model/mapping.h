/* mapping.h - where the ranks of a job go */
#ifndef MODEL_MAPPING_H
#define MODEL_MAPPING_H

#include "base/err.h"
#include "formats/table.h"
#include "model/topo.h"

/* Rank r goes to core core_of[r] of node node_of[r] of the machine. */
struct mapping {
	int nranks;
	int *node_of; /* [nranks] */
	int *core_of; /* [nranks]; -1: not said */
};

/*
 * Reads the rest of a mapping stream as far as it is about job (NULL: all rows, which must be about
 * one). Every rank from 0 on must be there once, its node known.
 */
int mapping_read(struct mapping *mapping, struct table_in *in, const struct topo *topo,
		 const char *job, struct err *err);
void mapping_free(struct mapping *mapping);

struct mapping_place {
	int64_t rank, core; /* core -1: not said */
	int node;
	long line;
};

/* Rows of one mapping as they come, for streams that hold several. Zeroed is empty. */
struct mapping_rows {
	VEC(struct mapping_place) of;
};
int mapping_rows_add(struct mapping_rows *rows, const struct table_in *in, const struct row *row,
		     const struct topo *topo, struct err *err);
/* Every rank from 0 on must be there once. */
int mapping_rows_end(struct mapping *mapping, const struct mapping_rows *rows, struct err *err);
void mapping_rows_free(struct mapping_rows *rows);

/* Columns rank, node, core, run, mapper and job (these unless NULL), one row for each rank. */
void mapping_write(const struct mapping *mapping, const struct topo *topo, const char *run,
		   const char *mapper, const char *job, struct table_out *table);

#endif
