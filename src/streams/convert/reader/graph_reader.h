/* graph_reader.h - what the readers of graphs share: numbers one after the other, edges of a comm
 * stream */
#ifndef CONVERT_READER_GRAPH_READER_H
#define CONVERT_READER_GRAPH_READER_H

#include "convert/reader/reader.h"
#include "formats/in.h"

/* Numbers separated by blanks and line ends. */
struct tokens {
	struct in *in;
	char *at;     /* in the current line; NULL: none read yet */
	char comment; /* lines that begin with it are skipped; 0: none */
};

/* The next word: 1; 0: the end of the file; -1. It is valid until the next line is read. */
int tokens_next(struct tokens *tokens, char **word, struct err *err);
int tokens_int(struct tokens *tokens, const char *what, int64_t min, int64_t max, int64_t *value,
	       struct err *err);
int tokens_real(struct tokens *tokens, const char *what, double min, double *value,
		struct err *err);

/* A comm stream that is being made. */
struct edges {
	struct flow *flow;
	int src, dst, bytes;
};
/* The columns; the number of ranks goes along as ##ranks=. */
void edges_begin(struct edges *edges, struct flow *flow);
void edges_ranks(struct edges *edges, int64_t nranks);
int edges_put(struct edges *edges, struct in *in, int64_t src, int64_t dst, double bytes,
	      struct err *err);

/* Readers of one graph: refuses a second path, opens the first. */
int graph_read(const struct reader_input *input, struct flow *flow,
	       int (*read)(struct edges *edges, struct in *in, struct err *err), struct err *err);

#endif
