/* nodelist.h - the nodes of a job, for the writers of node lists and host files */
#ifndef CONVERT_WRITER_NODELIST_H
#define CONVERT_WRITER_NODELIST_H

#include <stdint.h>

#include "base/names.h"
#include "convert/writer/writer.h"
#include "formats/name_numbers.h"

/* A node, and how many ranks it takes. */
struct placed_node {
	const char *name;
	int64_t nslots;
};

/* The nodes of one job: each once, in the order of picking. Zeroed is empty. */
struct nodelist {
	VEC(struct placed_node) nodes;
	struct map seen;
	struct arena arena;
};
/* More slots on a node, which is appended unless it is there. */
void nodelist_add(struct nodelist *list, const char *name, int64_t nslots);
void nodelist_clear(struct nodelist *list);
void nodelist_free(struct nodelist *list);

/*
 * The frame of a writer of node lists. It takes jobs (one list for each job that has a nodelist, in
 * order; the others are counted in a warning; none at all: is_no), nodes (one list) or a mapping
 * (one list, by rank, each node with as many slots as it has ranks).
 */
struct nodelist_writer {
	const struct pick *pick;
	struct out *out;
	/* Writes one list. */
	void (*print)(struct nodelist_writer *writer, const struct nodelist *list);
	/* The same of a job whose nodes are ranges of numbers; NULL: it needs them one by one. */
	void (*print_ranges)(struct nodelist_writer *writer, const struct node_ranges *ranges);
	bool is_single; /* a second job is refused */
	struct nodelist list;
	struct name_numbers numbers; /* for print_ranges */
	struct node_ranges ranges;
	int64_t nprinted, nunplaced;
	int name, nodes, slots, rank, state, job; /* columns of the flow */
	struct mapped_rank *ranks;                /* of a mapping, as they come */
	size_t nranks, ranks_cap;
};

extern const struct table_kind *const nodelist_takes[];
/* Parameters that all of them have: job, state. */
#define NODELIST_PARAMS                                                                            \
	{.key = "job",                                                                             \
	 .type = PARAM_TEXT,                                                                       \
	 .optional = true,                                                                         \
	 .meaning = "only this job of jobs or a mapping"},                                         \
	{                                                                                          \
		.key = "state", .type = PARAM_TEXT, .optional = true,                              \
		.meaning = "only nodes in this state, such as idle, of a nodes stream"             \
	}

void *nodelist_start(const struct writer_input *input,
		     void (*print)(struct nodelist_writer *writer, const struct nodelist *list),
		     bool is_single);
int nodelist_begin(void *state, struct flow *flow, struct err *err);
int nodelist_row(void *state, struct flow *flow, struct err *err);
int nodelist_end(void *state, struct flow *flow, bool whole, struct err *err);
bool nodelist_is_no(const void *state);
void nodelist_stop(void *state);

#endif
