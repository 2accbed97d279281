/* rank_writer.c - what the writers of rank maps share */
#include "convert/writer/rank_writer.h"

#include <stdlib.h>
#include <string.h>

#include "base/foreign.h"
#include "base/str.h"

const struct table_kind *const ranks_takes[] = {&kind_mapping, NULL};

void *ranks_start(const struct writer_input *input,
		  int (*print)(struct ranks_writer *writer, struct err *err))
{
	struct ranks_writer *writer = xcalloc(1, sizeof(*writer));

	writer->pick = input->pick;
	writer->out = input->out;
	writer->print = print;
	return writer;
}

int ranks_begin(void *state, struct flow *flow, struct err *err)
{
	struct ranks_writer *writer = state;

	(void)err;
	writer->rank = flow_find(flow, "rank");
	writer->node = flow_find(flow, "node");
	writer->core = flow_find(flow, "core");
	one_job_open(&writer->one, writer->pick, flow);
	return 0;
}

int ranks_row(void *state, struct flow *flow, struct err *err)
{
	struct ranks_writer *writer = state;
	struct rank_place place = {.core = -1, .order = (int64_t)writer->places.n};
	char number[NUM_TEXT];
	const char *node = flow_get_text(flow, writer->node, number);
	int wanted = one_job_is(&writer->one, flow, err);

	if (wanted <= 0)
		return wanted;
	if (flow_get_int(flow, writer->rank, 0, INT32_MAX, &place.rank, err) != 1 ||
	    flow_get_int(flow, writer->core, 0, INT32_MAX, &place.core, err) < 0)
		return -1;
	place.node = (int32_t)map_add(&writer->index, node, strlen(node), (int64_t)writer->nodes.n);
	if (place.node == (int32_t)writer->nodes.n)
		vec_push(&writer->nodes, arena_strndup(&writer->arena, node, strlen(node)));
	vec_push(&writer->places, place);
	return 0;
}

static int by_rank(const void *a, const void *b)
{
	const struct rank_place *left = a, *right = b;

	return (left->rank > right->rank) - (left->rank < right->rank);
}

int ranks_end(void *state, struct flow *flow, bool whole, struct err *err)
{
	struct ranks_writer *writer = state;

	(void)flow;
	(void)whole;
	if (writer->places.n > 0)
		qsort(writer->places.at, writer->places.n, sizeof(*writer->places.at), by_rank);
	for (size_t i = 0; i < writer->places.n; i++)
		if (writer->places.at[i].rank != (int64_t)i)
			return err_set(err, "the mapping %s rank %zu: expected ranks 0, 1, 2, …",
				       writer->places.at[i].rank < (int64_t)i ? "has twice"
									      : "lacks",
				       writer->places.at[i].rank < (int64_t)i ? i - 1 : i);
	if (writer->print(writer, err) != 0)
		return -1;
	return out_check(writer->out, err);
}

void ranks_stop(void *state)
{
	struct ranks_writer *writer = state;

	free(writer->places.at);
	free(writer->nodes.at);
	one_job_close(&writer->one);
	map_free(&writer->index);
	arena_free(&writer->arena);
	free(writer);
}

int ranks_check_names(const struct ranks_writer *writer, const char *letters, const char *what,
		      struct err *err)
{
	for (size_t i = 0; i < writer->nodes.n; i++) {
		const char *node = writer->nodes.at[i];

		if (strpbrk(node, letters) != NULL || !foreign_is_word(node))
			return err_set(err, "%s can't name the node '%s'", what, node);
	}
	return 0;
}
