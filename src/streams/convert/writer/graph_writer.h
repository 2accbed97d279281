/* graph_writer.h - what the writers of graphs share: the whole communication graph, then
 * its text */
#ifndef CONVERT_WRITER_GRAPH_WRITER_H
#define CONVERT_WRITER_GRAPH_WRITER_H

#include "convert/writer/one_job.h"
#include "convert/writer/writer.h"
#include "model/comm.h"

/* A number in a line of text must not take more memory than this many ranks do. */
enum { GRAPH_RANKS_MOST = 1 << 24 };

struct graph_writer {
	const struct pick *pick;
	struct out *out;
	int (*print)(struct graph_writer *writer, const struct comm *comm, struct err *err);
	int64_t nranks; /* at least; from ranks=, or from ##ranks= of the stream */
	int src, dst, weight;
	VEC(int32_t) sources;
	VEC(int32_t) destinations;
	VEC(double) weights;
	struct one_job one;
};

extern const struct table_kind *const graph_takes[];
/* weight=, ranks=, job=; of a writer that wants whole numbers scale= too. */
#define GRAPH_PARAMS                                                                               \
	{.key = "weight",                                                                          \
	 .type = PARAM_WORD,                                                                       \
	 .def = "bytes",                                                                           \
	 .choices = "bytes|messages",                                                              \
	 .meaning = "what an edge weighs"},                                                        \
		{.key = "ranks",                                                                   \
		 .type = PARAM_INT,                                                                \
		 .min = 1,                                                                         \
		 .max = GRAPH_RANKS_MOST,                                                          \
		 .optional = true,                                                                 \
		 .meaning = "minimum number of ranks; default: those that appear, or "             \
			    "##ranks= of the stream"},                                             \
	{                                                                                          \
		.key = "job", .type = PARAM_TEXT, .optional = true,                                \
		.meaning = "only this job of a stream of several"                                  \
	}
#define GRAPH_SCALE                                                                                \
	{                                                                                          \
		.key = "scale", .type = PARAM_REAL, .min = 1, .max = 1e300, .def = "1",            \
		.meaning = "weights are divided by this and rounded up to whole numbers"           \
	}

void *graph_start(const struct writer_input *input,
		  int (*print)(struct graph_writer *writer, const struct comm *comm,
			       struct err *err));
int graph_begin(void *state, struct flow *flow, struct err *err);
int graph_row(void *state, struct flow *flow, struct err *err);
int graph_end(void *state, struct flow *flow, bool whole, struct err *err);
void graph_stop(void *state);

/* For formats of undirected graphs with whole weights: of an edge, at least 1. */
int64_t graph_whole(const struct graph_writer *writer, double weight);
/* Warns when the weights of a symmetric graph are more than 32 bits hold in all, or when messages
 * of ranks to themselves are lost. all: the graph before it was made symmetric. */
void graph_warn(const struct graph_writer *writer, const struct comm *all,
		const struct comm *symmetric);

#endif
