/* csv_cells.h - cells of a foreign table as cells of ours */
#ifndef CONVERT_READER_CSV_CELLS_H
#define CONVERT_READER_CSV_CELLS_H

#include "convert/reader/csv_map.h"
#include "convert/reader/reader.h"
#include "formats/in.h"

/* What a cell is put with. */
struct csv_cells {
	const struct reader_input *input;
	const struct csv_map *map;
	struct flow *flow;
	struct in *in;    /* for messages */
	struct arena row; /* texts of the row at hand */
};

/* "FILE:LINE: THEIRS: 'text' is not what". Returns -1. */
int csv_not_such(const struct csv_cells *cells, const struct csv_column *column, const char *text,
		 const char *what, struct err *err);

/* Sets a cell of the flow from a text that is there. 0 or -1. */
int csv_put_cell(struct csv_cells *cells, const struct csv_column *column, int to, const char *text,
		 struct err *err);

#endif
