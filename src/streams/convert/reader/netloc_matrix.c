/* netloc_matrix.c - dense matrices as netloc, TreeMatch and others read them */
#include <string.h>

#include "convert/reader/graph_reader.h"
#include "base/num.h"

static int64_t count_words(const char *line)
{
	int64_t n = 0;

	for (line += strspn(line, " \t"); *line != '\0'; n++) {
		line += strcspn(line, " \t");
		line += strspn(line, " \t");
	}
	return n;
}

/* A line is a rank, its numbers are what that sends to each; all lines are as long as the first. */
static int read_line(struct edges *edges, struct in *in, int64_t rank, char *line, int64_t *n,
		     struct err *err)
{
	struct tokens tokens = {.in = in, .at = line};
	int64_t to = 0;

	if (rank == 0) {
		*n = count_words(line);
		edges_ranks(edges, *n);
	}
	for (; tokens.at[0] != '\0'; to++) {
		double bytes;

		/* a blank at the line's end must not lead to the next line */
		while (*tokens.at == ' ' || *tokens.at == '\t')
			tokens.at++;
		if (*tokens.at == '\0')
			break;
		if (tokens_real(&tokens, "a number of bytes", 0, &bytes, err) != 0)
			return -1;
		if (bytes > 0 && edges_put(edges, in, rank, to, bytes, err) != 0)
			return -1;
	}
	if (to != *n)
		return in_error(in, err, "has %lld numbers, expected %lld", (long long)to,
				(long long)*n);
	return 0;
}

static int read_matrix(struct edges *edges, struct in *in, struct err *err)
{
	int64_t n = 0, rank = 0;
	char *line;
	int status;

	while ((status = in_line(in, &line, NULL, err)) == 1) {
		if (rank == n && rank > 0) {
			if (line[0] == '\0')
				continue;
			return in_error(in, err, "line %lld of a matrix of %lld",
					(long long)rank + 1, (long long)n);
		}
		if (read_line(edges, in, rank, line, &n, err) != 0)
			return -1;
		rank++;
	}
	if (status == 0 && rank != n)
		return in_error(in, err, "has %lld lines, expected %lld", (long long)rank,
				(long long)n);
	return status;
}

static int read_netloc(const struct reader_input *input, struct flow *flow, bool *whole,
		       struct err *err)
{
	(void)whole;
	return graph_read(input, flow, read_matrix, err);
}

static const struct table_kind *const makes[] = {&kind_comm, NULL};

const struct reader reader_netloc_matrix = {
	.entry = {.name = "netloc-matrix",
		  .example = "netloc-matrix",
		  .summary = "dense matrices of bytes, one line per sending rank (netloc,"
			     " TreeMatch)"},
	.makes = makes,
	.read = read_netloc,
};
