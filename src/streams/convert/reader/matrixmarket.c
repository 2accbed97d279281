/* matrixmarket.c - Matrix Market files as communication graphs */
#include <string.h>
#include <strings.h>

#include "convert/reader/graph_reader.h"
#include "convert/reader/text.h"
#include "base/str.h"

/* Entry (i, j), counted from 1, is what rank i − 1 sends to rank j − 1. */
struct head {
	bool is_dense, is_pattern, is_symmetric;
	int64_t n, nentries;
};

/* "%%MatrixMarket matrix coordinate real general", letters of either case */
static int read_banner(struct in *in, struct head *head, struct err *err)
{
	char *line, *words[6];
	int status = in_line(in, &line, NULL, err), n;

	if (status < 0)
		return -1;
	n = status == 1 ? text_words(line, words, 6) : 0;
	if (n != 5 || strcasecmp(words[0], "%%MatrixMarket") != 0 ||
	    strcasecmp(words[1], "matrix") != 0)
		return in_error(
			in, err,
			"expected a first line '%%%%MatrixMarket matrix coordinate real general'");
	head->is_dense = strcasecmp(words[2], "array") == 0;
	head->is_pattern = strcasecmp(words[3], "pattern") == 0;
	head->is_symmetric = strcasecmp(words[4], "symmetric") == 0;
	if (!head->is_dense && strcasecmp(words[2], "coordinate") != 0)
		return in_error(in, err, "'%s': expected coordinate or array", words[2]);
	if (strcasecmp(words[3], "real") != 0 && strcasecmp(words[3], "integer") != 0 &&
	    (!head->is_pattern || head->is_dense))
		return in_error(in, err, "'%s': expected real, integer or pattern", words[3]);
	if (!head->is_symmetric && strcasecmp(words[4], "general") != 0)
		return in_error(in, err, "'%s': expected general or symmetric", words[4]);
	return 0;
}

static int read_sizes(struct tokens *tokens, struct head *head, struct err *err)
{
	int64_t ncolumns;

	if (tokens_int(tokens, "the number of rows", 0, INT32_MAX, &head->n, err) != 0 ||
	    tokens_int(tokens, "the number of columns", 0, INT32_MAX, &ncolumns, err) != 0)
		return -1;
	if (ncolumns != head->n)
		return in_error(tokens->in, err,
				"%lld rows and %lld columns: expected a square matrix",
				(long long)head->n, (long long)ncolumns);
	if (!head->is_dense)
		return tokens_int(tokens, "the number of entries", 0, INT64_MAX, &head->nentries,
				  err);
	return 0;
}

static int put(struct edges *edges, struct in *in, const struct head *head, int64_t i, int64_t j,
	       double value, struct err *err)
{
	if (value == 0)
		return 0;
	if (edges_put(edges, in, i, j, value, err) != 0)
		return -1;
	return head->is_symmetric && i != j ? edges_put(edges, in, j, i, value, err) : 0;
}

static int read_entries(struct tokens *tokens, const struct head *head, struct edges *edges,
			struct err *err)
{
	for (int64_t k = 0; k < head->nentries; k++) {
		int64_t i, j;
		double value = 1;

		if (tokens_int(tokens, "a row", 1, head->n, &i, err) != 0 ||
		    tokens_int(tokens, "a column", 1, head->n, &j, err) != 0 ||
		    (!head->is_pattern &&
		     tokens_real(tokens, "a value from 0 on", 0, &value, err) != 0) ||
		    put(edges, tokens->in, head, i - 1, j - 1, value, err) != 0)
			return -1;
	}
	return 0;
}

/* Column by column; of a symmetric matrix the part from the diagonal down. */
static int read_dense(struct tokens *tokens, const struct head *head, struct edges *edges,
		      struct err *err)
{
	for (int64_t j = 0; j < head->n; j++)
		for (int64_t i = head->is_symmetric ? j : 0; i < head->n; i++) {
			double value;

			if (tokens_real(tokens, "a value from 0 on", 0, &value, err) != 0 ||
			    put(edges, tokens->in, head, i, j, value, err) != 0)
				return -1;
		}
	return 0;
}

static int read_matrix(struct edges *edges, struct in *in, struct err *err)
{
	struct tokens tokens = {.in = in, .comment = '%'};
	struct head head;
	char *word;
	int status;

	if (read_banner(in, &head, err) != 0 || read_sizes(&tokens, &head, err) != 0)
		return -1;
	edges_ranks(edges, head.n);
	if ((head.is_dense ? read_dense(&tokens, &head, edges, err)
			   : read_entries(&tokens, &head, edges, err)) != 0)
		return -1;
	status = tokens_next(&tokens, &word, err);
	return status == 1 ? in_error(in, err, "'%s' follows the last entry", word) : status;
}

static int read_matrixmarket(const struct reader_input *input, struct flow *flow, bool *whole,
			     struct err *err)
{
	(void)whole;
	return graph_read(input, flow, read_matrix, err);
}

static bool is_matrix(const char *head, size_t n)
{
	(void)n;
	return strncasecmp(head, "%%MatrixMarket ", 15) == 0;
}

static const struct table_kind *const makes[] = {&kind_comm, NULL};

const struct reader reader_matrixmarket = {
	.entry = {.name = "matrixmarket",
		  .example = "matrixmarket",
		  .summary = "Matrix Market files, coordinate or array, general or symmetric"},
	.makes = makes,
	.is_proof = is_matrix,
	.read = read_matrixmarket,
};
