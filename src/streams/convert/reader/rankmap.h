/* rankmap.h - what the readers of rank maps share */
#ifndef CONVERT_READER_RANKMAP_H
#define CONVERT_READER_RANKMAP_H

#include "convert/reader/reader.h"
#include "base/names.h"
#include "formats/in.h"

struct rankmap {
	struct flow *flow;
	int rank, node, core;    /* columns; core −1: the format has none */
	VEC(const char *) nodes; /* nodes= as names */
	struct arena arena;
};

/* Declares the columns, and reads the hostlist of nodes (NULL: none). */
int rankmap_begin(struct rankmap *map, struct flow *flow, bool has_cores, const char *nodes,
		  struct err *err);
/* core < 0: not known. */
int rankmap_put(struct rankmap *map, struct in *in, int64_t rank, const char *node, int64_t core,
		struct err *err);
void rankmap_end(struct rankmap *map);

#endif
