/* metis.c - graphs of METIS (and Chaco) as communication graphs */
#include <string.h>

#include "convert/reader/graph_reader.h"
#include "convert/reader/text.h"
#include "base/num.h"

/*
 * METIS manual, "Graph file": vertices, edges, fmt (three digits: vertex sizes, vertex weights,
 * edge weights), number of weights of a vertex; then a line for each vertex, counted from 1. An
 * edge is listed at both ends, and its weight is what both directions carry: each gets half.
 */
struct head {
	int64_t nvertices, nedges, fmt, nweights;
};

/* The next line that is no comment: 1; 0; -1. */
static int next_line(struct in *in, char **line, struct err *err)
{
	int status;

	while ((status = in_line(in, line, NULL, err)) == 1)
		if (**line != '%')
			return 1;
	return status;
}

static int read_head(struct in *in, struct head *head, struct err *err)
{
	char *line, *words[5];
	int status = next_line(in, &line, err), n;

	if (status < 0)
		return -1;
	n = status == 1 ? text_words(line, words, 5) : 0;
	*head = (struct head){.nweights = 1};
	if (n < 2 || n > 4 || num_int(words[0], 0, INT32_MAX, &head->nvertices) != 0 ||
	    num_int(words[1], 0, INT64_MAX / 4, &head->nedges) != 0 ||
	    (n > 2 && num_int(words[2], 0, 111, &head->fmt) != 0) ||
	    (n > 3 && num_int(words[3], 1, 1000, &head->nweights) != 0))
		return in_error(in, err, "expected a head 'VERTICES EDGES [FMT [WEIGHTS]]'");
	return 0;
}

/* The next number of a line; 0: none is left. */
static int next_number(struct in *in, char **at, int64_t min, int64_t max, const char *what,
		       int64_t *value, struct err *err)
{
	char *word;

	*at += strspn(*at, " \t");
	if (**at == '\0')
		return 0;
	word = *at;
	*at += strcspn(*at, " \t");
	if (**at != '\0')
		*(*at)++ = '\0';
	if (num_int(word, min, max, value) != 0)
		return in_error(in, err, "'%s': expected %s", word, what);
	return 1;
}

static int read_vertex(struct in *in, const struct head *head, int64_t vertex, char *line,
		       struct edges *edges, int64_t *narcs, struct err *err)
{
	int64_t nskipped =
		(head->fmt / 100 % 10 != 0) + (head->fmt / 10 % 10 != 0 ? head->nweights : 0);
	int64_t number, weight = 1;
	int status;

	for (; nskipped > 0; nskipped--)
		if ((status = next_number(in, &line, 0, INT64_MAX, "a vertex's weight", &number,
					  err)) != 1)
			return status < 0 ? -1 : in_error(in, err, "a vertex's weight is missing");
	while ((status = next_number(in, &line, 1, head->nvertices, "a neighbour", &number, err)) ==
	       1) {
		if (head->fmt % 10 != 0 &&
		    (status = next_number(in, &line, 0, INT64_MAX / 2, "an edge's weight", &weight,
					  err)) != 1)
			return status < 0 ? -1 : in_error(in, err, "an edge's weight is missing");
		if (edges_put(edges, in, vertex, number - 1, (double)weight / 2, err) != 0)
			return -1;
		++*narcs;
	}
	return status;
}

static int read_graph(struct edges *edges, struct in *in, struct err *err)
{
	struct head head;
	int64_t narcs = 0;

	if (read_head(in, &head, err) != 0)
		return -1;
	edges_ranks(edges, head.nvertices);
	for (int64_t i = 0; i < head.nvertices; i++) {
		char *line;
		int status = next_line(in, &line, err);

		if (status == 0)
			return in_error(in, err, "ends after %lld of %lld vertices", (long long)i,
					(long long)head.nvertices);
		if (status < 0 || read_vertex(in, &head, i, line, edges, &narcs, err) != 0)
			return -1;
	}
	if (narcs != 2 * head.nedges)
		return in_error(in, err, "has %lld ends of edges, its head says %lld edges",
				(long long)narcs, (long long)head.nedges);
	return 0;
}

static int read_metis(const struct reader_input *input, struct flow *flow, bool *whole,
		      struct err *err)
{
	(void)whole;
	return graph_read(input, flow, read_graph, err);
}

static const struct table_kind *const makes[] = {&kind_comm, NULL};

const struct reader reader_metis = {
	.entry = {.name = "metis",
		  .example = "metis",
		  .summary = "METIS and Chaco graphs; each direction gets half of an edge's "
			     "weight"},
	.makes = makes,
	.read = read_metis,
};
