/* eval_loads.c - mappings of a stream are gathered, and measured on the loads they put on links */
#include <stdlib.h>
#include <string.h>

#include "measure/metric/eval_priv.h"
#include "measure/metric/link_loads.h"
#include "machine/load.h"
#include "base/die.h"
#include "base/str.h"
#include "model/kinds.h"

struct eval_loads {
	struct comm *comm;
	char *comm_job; /* whose graph comm is; NULL: anybody's */
	bool is_by_job; /* the graph's stream has a column of jobs */
	bool is_whole;
	int job_column;
	struct expected *expected; /* NULL: messages take one path */
	struct out *out;           /* of links; NULL: not asked for */
	struct table_out *table;
	double *bytes, *messages; /* [channels] of all mappings of the run; NULL without out */
};

static int read_graph(struct eval *eval, const char *job, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_comm, NULL};
	struct eval_loads *loads = eval->loads;
	struct table_in *in;
	int status =
		table_open_one(&in, kinds, eval->options->graph, eval->run->accepts_partial, err);

	if (status == 0) {
		loads->is_by_job = table_find(in, "job") >= 0;
		comm_free(loads->comm);
		status = comm_read(&loads->comm, in, job, 0, err);
	}
	if (status == 0)
		loads->is_whole = loads->is_whole && table_is_whole(in);
	table_close(in);
	return status != 0 ? err_prefix(err, "-g: ") : 0;
}

static bool is_same_job(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : str_eq(a, b);
}

/* The graph of a job: of a stream with several, that of the name. */
static int find_graph(struct eval *eval, const char *job, struct err *err)
{
	struct eval_loads *loads = eval->loads;

	if (loads->comm != NULL && (!loads->is_by_job || is_same_job(loads->comm_job, job)))
		return 0;
	free(loads->comm_job);
	loads->comm_job = job != NULL ? xstrdup(job) : NULL;
	return read_graph(eval, job, err);
}

static int open_links(struct eval *eval, struct err *err)
{
	struct eval_loads *loads = eval->loads;
	size_t nchannels = (size_t)topo_graph(eval->context.topo)->nlinks * 2;

	if (out_open(&loads->out, eval->options->links, eval->run->command, err) != 0)
		return err_prefix(err, "--links: ");
	loads->table = table_out_new(loads->out, &kind_links);
	table_out_meta_of(loads->table, eval->in);
	topo_record(eval->context.topo, loads->table);
	for (int i = 0; i < eval->ncolumns; i++)
		table_out_column(loads->table, eval->columns[i]);
	loads->bytes = xmalloc(nchannels * sizeof(*loads->bytes));
	loads->messages = xmalloc(nchannels * sizeof(*loads->messages));
	return 0;
}

int eval_loads_open(struct eval *eval, struct err *err)
{
	eval->loads = xcalloc(1, sizeof(*eval->loads));
	eval->has_loads = true;
	eval->loads->is_whole = true;
	eval->loads->job_column = table_find(eval->in, "job");
	if (eval->options->expected >= 0 && expected_is_spread(eval->context.routing))
		eval->loads->expected =
			expected_open(eval->context.routing, eval->options->expected);
	else if (eval->options->expected >= 0)
		warn_no_effect("--expected", "the routing takes one path for each pair of nodes");
	return eval->options->links != NULL ? open_links(eval, err) : 0;
}

int eval_loads_row(struct eval *eval, struct eval_run *run, const struct row *row, struct err *err)
{
	const char *job = row_text(row, eval->loads->job_column);
	size_t i = run->mappings.n;

	/* rows of a mapping are mostly consecutive: look backwards */
	while (i > 0) {
		const char *other = run->mappings.at[i - 1].job;

		if (job == other || (job != NULL && other != NULL && str_eq(job, other)))
			break;
		i--;
	}
	if (i == 0) {
		const char *name =
			job != NULL ? arena_strndup(&eval->arena, job, strlen(job)) : NULL;

		vec_push(&run->mappings, (struct eval_mapping){.job = name});
		i = run->mappings.n;
	}
	return mapping_rows_add(&run->mappings.at[i - 1].rows, eval->in, row, eval->context.topo,
				err);
}

static int measure(struct eval *eval, struct eval_run *run, const char *job,
		   const struct link_loads *loads, struct err *err)
{
	for (int i = 0; i < eval->nmetrics; i++) {
		const struct eval_metric *metric = &eval->metrics[i];
		struct metric_sink sink = {.eval = eval,
					   .run = run,
					   .metric = i,
					   .scope = "mapping",
					   .scopes = "mappings",
					   .id = job};

		if (metric->metric->mapping != NULL &&
		    metric->metric->mapping(metric->metric->per_run ? run->states[i]
								    : metric->state,
					    loads, &sink, err) != 0)
			return -1;
	}
	return 0;
}

static int measure_mapping(struct eval *eval, struct eval_run *run, struct eval_mapping *one,
			   struct err *err)
{
	struct mapping mapping = {0};
	struct link_loads loads = {0};
	int status = find_graph(eval, one->job, err);

	if (status == 0)
		status = mapping_rows_end(&mapping, &one->rows, err);
	if (status == 0)
		status = link_loads_count(&loads, eval->context.topo, eval->context.routing,
					  eval->loads->expected, eval->loads->comm, &mapping, err);
	if (status == 0)
		status = measure(eval, run, one->job, &loads, err);
	for (int64_t c = 0; c < loads.nchannels && status == 0 && eval->loads->out != NULL; c++) {
		eval->loads->bytes[c] += loads.bytes[c];
		eval->loads->messages[c] += loads.messages[c];
	}
	mapping_free(&mapping);
	link_loads_free(&loads);
	mapping_rows_free(&one->rows);
	return status;
}

static void write_vertex(const struct topo *topo, struct table_out *table, const char *column,
			 int vertex)
{
	char name[TOPO_NAME];

	table_out_text(table, table_out_column(table, column),
		       vertex < topo->nnodes ? topo_node_name(topo, vertex, name)
					     : topo_router_name(topo, vertex - topo->nnodes, name));
}

static void write_links(struct eval *eval, const struct eval_run *run)
{
	const struct topo *topo = eval->context.topo;
	struct table_out *table = eval->loads->table;

	for (int64_t c = 0; c < topo->graph->nlinks * 2; c++) {
		const struct topo_link *link = &topo->graph->links[c / 2];
		const struct link_level *level = &topo->levels[link->level];

		for (int i = 0; i < eval->ncolumns; i++)
			table_out_text(table, table_out_column(table, eval->columns[i]),
				       str_eq(run->cells[i], ".") ? NULL : run->cells[i]);
		table_out_int(table, table_out_column(table, "link"), c);
		write_vertex(topo, table, "from", c % 2 == 0 ? link->a : link->b);
		write_vertex(topo, table, "to", c % 2 == 0 ? link->b : link->a);
		table_out_text(table, table_out_column(table, "level"), level->name);
		table_out_real(table, table_out_column(table, "capacity_Bps"), level->bandwidth);
		table_out_real(table, table_out_column(table, "bytes"), eval->loads->bytes[c]);
		table_out_real(table, table_out_column(table, "messages"),
			       eval->loads->messages[c]);
		table_out_emit(table);
	}
}

int eval_loads_end(struct eval *eval, struct eval_run *run, struct err *err)
{
	int64_t nchannels = topo_graph(eval->context.topo)->nlinks * 2;

	for (int64_t c = 0; c < nchannels && eval->loads->out != NULL; c++)
		eval->loads->bytes[c] = eval->loads->messages[c] = 0;
	for (size_t i = 0; i < run->mappings.n; i++)
		if (measure_mapping(eval, run, &run->mappings.at[i], err) != 0)
			return -1;
	if (eval->loads->out != NULL)
		write_links(eval, run);
	return 0;
}

bool eval_loads_are_whole(const struct eval *eval)
{
	return eval->loads == NULL || eval->loads->is_whole;
}

int eval_loads_close(struct eval *eval, bool whole, struct err *err)
{
	struct eval_loads *loads = eval->loads;
	int status = 0;

	if (loads == NULL)
		return 0;
	if (loads->out != NULL) {
		table_out_end(loads->table, whole);
		status = out_close(loads->out, whole, err);
	}
	comm_free(loads->comm);
	expected_close(loads->expected);
	free(loads->comm_job);
	free(loads->bytes);
	free(loads->messages);
	free(loads);
	eval->loads = NULL;
	return status;
}
