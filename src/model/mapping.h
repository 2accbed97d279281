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

/* Columns rank, node, core (and job, unless it is NULL), one row for each rank. */
void mapping_write(const struct mapping *mapping, const struct topo *topo, const char *job,
		   struct table_out *table);

#endif
