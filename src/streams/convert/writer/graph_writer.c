/* graph_writer.c - what the writers of graphs share */
#include "convert/writer/graph_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "base/str.h"

const struct table_kind *const graph_takes[] = {&kind_comm, NULL};

void *graph_start(const struct writer_input *input,
		  int (*print)(struct graph_writer *writer, const struct comm *comm,
			       struct err *err))
{
	struct graph_writer *writer = xcalloc(1, sizeof(*writer));

	writer->pick = input->pick;
	writer->out = input->out;
	writer->print = print;
	if (pick_has(input->pick, "ranks"))
		writer->nranks = pick_int(input->pick, "ranks");
	return writer;
}

int graph_begin(void *state, struct flow *flow, struct err *err)
{
	struct graph_writer *writer = state;
	const char *weight = pick_word(writer->pick, "weight");

	writer->src = flow_find(flow, "src");
	writer->dst = flow_find(flow, "dst");
	writer->weight = flow_find(flow, weight);
	one_job_open(&writer->one, writer->pick, flow);
	if (writer->weight < 0)
		return flow_error(flow, err, "has no column '%s', which the edges are to weigh",
				  weight);
	return 0;
}

int graph_row(void *state, struct flow *flow, struct err *err)
{
	struct graph_writer *writer = state;
	int64_t src, dst;
	double weight = 0;
	int wanted = one_job_is(&writer->one, flow, err);

	if (wanted <= 0)
		return wanted;
	if (flow_get_int(flow, writer->src, 0, GRAPH_RANKS_MOST - 1, &src, err) != 1 ||
	    flow_get_int(flow, writer->dst, 0, GRAPH_RANKS_MOST - 1, &dst, err) != 1 ||
	    flow_get_real(flow, writer->weight, 0, 1e300, &weight, err) < 0)
		return -1;
	vec_push(&writer->sources, (int32_t)src);
	vec_push(&writer->destinations, (int32_t)dst);
	vec_push(&writer->weights, weight);
	if (src >= writer->nranks)
		writer->nranks = src + 1;
	if (dst >= writer->nranks)
		writer->nranks = dst + 1;
	return 0;
}

static void take_ranks(struct graph_writer *writer, const struct flow *flow)
{
	for (size_t i = 0; i < flow->meta.n; i++) {
		int64_t nranks;

		if (str_eq(flow->meta.at[i].key, "ranks") &&
		    num_int(flow->meta.at[i].value, 1, GRAPH_RANKS_MOST, &nranks) == 0 &&
		    nranks > writer->nranks)
			writer->nranks = nranks;
	}
}

int graph_end(void *state, struct flow *flow, bool whole, struct err *err)
{
	struct graph_writer *writer = state;
	struct comm *comm;
	int status;

	(void)whole;
	take_ranks(writer, flow);
	comm = comm_make((int)writer->nranks, (int64_t)writer->sources.n, writer->sources.at,
			 writer->destinations.at, writer->weights.at, NULL);
	status = writer->print(writer, comm, err);
	comm_free(comm);
	return status;
}

void graph_stop(void *state)
{
	struct graph_writer *writer = state;

	free(writer->sources.at);
	free(writer->destinations.at);
	free(writer->weights.at);
	one_job_close(&writer->one);
	free(writer);
}

int64_t graph_whole(const struct graph_writer *writer, double weight)
{
	double whole = ceil(weight / pick_real(writer->pick, "scale"));

	return whole < 1 ? 1 : whole > 9e18 ? (int64_t)9e18 : (int64_t)whole;
}

void graph_warn(const struct graph_writer *writer, const struct comm *all,
		const struct comm *symmetric)
{
	double sum = 0, own = 0;

	for (int64_t i = 0; i < symmetric->nedges; i++)
		sum += (double)graph_whole(writer, symmetric->bytes[i]);
	if (sum > INT32_MAX)
		warn("the weights add up to %.0f, more than 32-bit "
		     "builds take; scale=%.0f would do",
		     sum, ceil(sum / INT32_MAX * 2) * pick_real(writer->pick, "scale"));
	for (int r = 0; r < all->nranks; r++)
		for (int64_t i = all->first[r]; i < all->first[r + 1]; i++)
			if (all->peer[i] == r)
				own += all->bytes[i];
	if (own > 0)
		warn("%.15g %s that ranks send to themselves are left out", own,
		     pick_word(writer->pick, "weight"));
}
