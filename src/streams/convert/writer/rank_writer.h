/* rank_writer.h - what the writers of rank maps share: a whole mapping, by rank */
#ifndef CONVERT_WRITER_RANK_WRITER_H
#define CONVERT_WRITER_RANK_WRITER_H

#include "convert/writer/one_job.h"
#include "convert/writer/writer.h"
#include "base/names.h"

struct rank_place {
	int64_t rank;
	int32_t node;  /* number in .nodes */
	int64_t core;  /* −1: not known */
	int64_t order; /* of its row: what a node's ranks without cores are sorted by */
};

struct ranks_writer {
	const struct pick *pick;
	struct out *out;
	int (*print)(struct ranks_writer *writer, struct err *err);
	int rank, node, core; /* columns */
	struct one_job one;
	VEC(struct rank_place) places; /* sorted by rank when print is called: 0, 1, 2, … */
	VEC(const char *) nodes;       /* in order of appearance */
	struct map index;
	struct arena arena;
};

extern const struct table_kind *const ranks_takes[];
#define RANKS_PARAMS                                                                               \
	{                                                                                          \
		.key = "job", .type = PARAM_TEXT, .optional = true,                                \
		.meaning = "only this job of a mapping of several"                                 \
	}

void *ranks_start(const struct writer_input *input,
		  int (*print)(struct ranks_writer *writer, struct err *err));
int ranks_begin(void *state, struct flow *flow, struct err *err);
int ranks_row(void *state, struct flow *flow, struct err *err);
int ranks_end(void *state, struct flow *flow, bool whole, struct err *err);
void ranks_stop(void *state);
/* Refuses nodes with one of the letters in their names, which `what` would read as something else:
 * "a rank file". Blanks, line's ends and # are among them anyway. */
int ranks_check_names(const struct ranks_writer *writer, const char *letters, const char *what,
		      struct err *err);

#endif
