/* graph_reader.c - what the readers of graphs share */
#include "convert/reader/graph_reader.h"

#include "base/num.h"
#include "base/str.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

int tokens_next(struct tokens *tokens, char **word, struct err *err)
{
	for (;;) {
		char *line;
		int status;

		while (tokens->at != NULL && is_blank(*tokens->at))
			tokens->at++;
		if (tokens->at != NULL && *tokens->at != '\0')
			break;
		status = in_line(tokens->in, &line, NULL, err);
		if (status != 1)
			return status;
		tokens->at = line;
		if (tokens->comment != 0 && *line == tokens->comment)
			tokens->at = NULL;
	}
	*word = tokens->at;
	while (*tokens->at != '\0' && !is_blank(*tokens->at))
		tokens->at++;
	if (*tokens->at != '\0')
		*tokens->at++ = '\0';
	return 1;
}

static int wanted(struct tokens *tokens, int status, const char *word, const char *what,
		  struct err *err)
{
	if (status < 0)
		return -1;
	if (status == 0)
		return in_error(tokens->in, err, "ends where %s was expected", what);
	return in_error(tokens->in, err, "'%s': expected %s", word, what);
}

int tokens_int(struct tokens *tokens, const char *what, int64_t min, int64_t max, int64_t *value,
	       struct err *err)
{
	char *word = NULL;
	int status = tokens_next(tokens, &word, err);

	if (status == 1 && num_int(word, min, max, value) == 0)
		return 0;
	return wanted(tokens, status, word, what, err);
}

int tokens_real(struct tokens *tokens, const char *what, double min, double *value, struct err *err)
{
	char *word = NULL;
	int status = tokens_next(tokens, &word, err);

	if (status == 1 && num_real(word, min, 1e300, value) == 0)
		return 0;
	return wanted(tokens, status, word, what, err);
}

void edges_begin(struct edges *edges, struct flow *flow)
{
	edges->flow = flow;
	edges->src = flow_column(flow, "src");
	edges->dst = flow_column(flow, "dst");
	edges->bytes = flow_column(flow, "bytes");
}

void edges_ranks(struct edges *edges, int64_t nranks)
{
	char text[NUM_TEXT];

	num_print_int(text, nranks);
	flow_meta(edges->flow, "ranks", text);
}

int edges_put(struct edges *edges, struct in *in, int64_t src, int64_t dst, double bytes,
	      struct err *err)
{
	flow_int(edges->flow, edges->src, src);
	flow_int(edges->flow, edges->dst, dst);
	flow_real(edges->flow, edges->bytes, bytes);
	edges->flow->line = in_lineno(in);
	return flow_emit(edges->flow, err);
}

int graph_read(const struct reader_input *input, struct flow *flow,
	       int (*read)(struct edges *edges, struct in *in, struct err *err), struct err *err)
{
	struct edges edges;
	struct in *in;
	int status;

	if (input->paths[1] != NULL)
		return err_set(err, "one file is one graph: %s is a second one", input->paths[1]);
	if (in_open(&in, input->paths[0], err) != 0)
		return -1;
	edges_begin(&edges, flow);
	flow->file = in_name(in);
	status = read(&edges, in, err);
	flow->file = NULL;
	in_close(in);
	return status;
}
