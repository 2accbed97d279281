/* yaml_block.h - the tables of an explicit machine: literal blocks of lines with tabs */
#ifndef MACHINE_YAML_YAML_BLOCK_H
#define MACHINE_YAML_YAML_BLOCK_H

#include "formats/yaml.h"
#include "model/topo.h"

enum { COLUMNS_MOST = TOPO_LEVELS + 2 };

struct slice {
	const char *text;
	size_t n;
};

/* One table: a literal block of lines with tabs, the first of which names the columns. */
struct yaml_block {
	const struct yaml_file *file;
	const char *name; /* "routers" */
	const char *rest, *end;
	struct yaml at; /* only its line counts: of the line read last */
	int ncolumns;
	struct slice columns[COLUMNS_MOST], cells[COLUMNS_MOST];
};

bool slice_is(struct slice slice, const char *text);

/* Opens a table and reads its column line. */
int block_open(struct yaml_block *block, const struct yaml_file *file, const char *name,
	       struct err *err);
/* 1: a row; 0: the end; -1: error. */
int block_next(struct yaml_block *block, struct err *err);
int block_column(const struct yaml_block *block, const char *name); /* -1: absent */
/* Refuses columns that are not the given ones (ends in NULL), and a missing one of the first n. */
int block_check(const struct yaml_block *block, const char *const *names, int nrequired,
		struct err *err);
/* Passes the builder's message on with its line. */
int block_refuse(const struct yaml_block *block, const struct err *why, struct err *err);

#endif
