/* csv_map.h - how the columns of a foreign table become ours: a file of kind csv-map */
#ifndef CONVERT_READER_CSV_MAP_H
#define CONVERT_READER_CSV_MAP_H

#include <stdbool.h>

#include "base/mem.h"
#include "formats/table.h"

/* What a cell is, beyond what the type of our column says. */
enum csv_as {
	CSV_AS_IS,
	CSV_AS_STATE,    /* "CANCELLED by 0": one word in small letters */
	CSV_AS_DURATION, /* [days-]hours:minutes:seconds */
	CSV_AS_MEMORY,   /* 4000M, 31000Mn, 3000Mc: bytes */
	CSV_AS_LIST,     /* a|b or a;b: a,b */
	CSV_AS_CPUS,     /* of cpu=4,mem=8000M,gres/gpu:a100=1, as what follows */
	CSV_AS_GPUS,
	CSV_AS_GPU_TYPE,
	CSV_AS_TRES_MEMORY,
	CSV_AS_COUNT, /* how many nodes a list names */
	CSV_NAS
};

/* What becomes of several rows of one key. */
enum csv_of { CSV_OF_FIRST, CSV_OF_LIST, CSV_OF_SUM, CSV_OF_MOST, CSV_OF_ROWS, CSV_NOF };

struct csv_column {
	const char *name;              /* ours */
	const char *from;              /* theirs; NULL: a value */
	const char *value, *otherwise; /* NULL: none */
	double times;
	enum csv_as as;
	enum csv_of of;
	bool may_lack; /* the file need not have it */
	long line;
};

/* One table: the first is the one whose rows become rows, the others are joined by a key. */
struct csv_table {
	const char *key; /* in both tables; NULL: the first table */
	VEC(struct csv_column) columns;
};

struct csv_map {
	const char *summary;
	const struct table_kind *kind;
	const char *delimiter;    /* one byte, or several */
	const char *time_pattern; /* of strptime(3); NULL: ISO 8601, or seconds since the epoch */
	double time_unit;         /* of times that are numbers, in seconds */
	VEC(const char *) header;
	VEC(const char *) absent; /* words that mean nothing */
	VEC(struct csv_table) tables;
	struct arena arena;
};

/* name: a file, or @NAME of those that come with the tools. Refuses with FILE:LINE what is not
 * such a map. */
int csv_map_read(struct csv_map *map, const char *name, struct err *err);
void csv_map_free(struct csv_map *map);

#endif
