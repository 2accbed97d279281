/* nodelist.c - the nodes of a job, for the writers of node lists and host files */
#include "convert/writer/nodelist.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/foreign.h"
#include "base/str.h"
#include "formats/hostlist.h"

struct mapped_rank {
	int64_t rank;
	const char *node;
};

const struct table_kind *const nodelist_takes[] = {&kind_jobs, &kind_mapping, &kind_nodes, NULL};

/* ---- one list ---- */

void nodelist_add(struct nodelist *list, const char *name, int64_t nslots)
{
	size_t n = strlen(name);
	int64_t at = map_get(&list->seen, name, n);

	if (at != -1) {
		list->nodes.at[at].nslots += nslots;
		return;
	}
	map_add(&list->seen, name, n, (int64_t)list->nodes.n);
	vec_push(&list->nodes, (struct placed_node){arena_strndup(&list->arena, name, n), nslots});
}

void nodelist_clear(struct nodelist *list)
{
	map_free(&list->seen);
	list->seen = (struct map){0};
	list->nodes.n = 0;
	arena_reset(&list->arena);
}

void nodelist_free(struct nodelist *list)
{
	map_free(&list->seen);
	vec_free(&list->nodes);
	arena_free(&list->arena);
}

/* ---- the frame of a writer ---- */

void *nodelist_start(const struct writer_input *input,
		     void (*print)(struct nodelist_writer *writer, const struct nodelist *list),
		     bool is_single)
{
	struct nodelist_writer *writer = xcalloc(1, sizeof(*writer));

	writer->pick = input->pick;
	writer->out = input->out;
	writer->print = print;
	writer->is_single = is_single;
	return writer;
}

int nodelist_begin(void *state, struct flow *flow, struct err *err)
{
	struct nodelist_writer *writer = state;

	(void)err;
	writer->nodes = flow_find(flow, "nodelist");
	writer->slots = flow_find(flow, "ranks_per_node");
	writer->job = flow_find(flow, "job");
	writer->name = flow_find(flow, "node");
	writer->rank = flow_find(flow, "rank");
	writer->state = flow_find(flow, "state");
	return 0;
}

/* Whether a parameter, if it was given, says what the row has in the column. */
static bool is_wanted(const struct nodelist_writer *writer, const struct flow *flow,
		      const char *key, int column)
{
	const char *wanted = pick_word(writer->pick, key), *text;
	char number[NUM_TEXT];

	if (wanted == NULL)
		return true;
	text = flow_get_text(flow, column, number);
	return text != NULL && str_eq(text, wanted);
}

struct adding {
	struct nodelist *list;
	int64_t nslots;
};

static int add_node(void *context, const char *name, size_t n, struct err *err)
{
	struct adding *adding = context;

	if (!foreign_is_word(name))
		return err_set(err, "'%s' can't name a node", name);
	if (map_get(&adding->list->seen, name, n) != -1)
		return err_set(err, "the node '%s' is there twice", name);
	nodelist_add(adding->list, name, adding->nslots);
	return 0;
}

/* Whether a list could be printed from its ranges; where something is wrong with it, a walk name by
 * name finds what. */
static bool print_ranges(struct nodelist_writer *writer, const char *text)
{
	struct err err;

	if (writer->print_ranges == NULL || !foreign_is_word(text) ||
	    name_numbers_read(&writer->numbers, text, &writer->ranges, &err) != 0 ||
	    node_ranges_twice(&writer->ranges) >= 0)
		return false;
	writer->print_ranges(writer, &writer->ranges);
	writer->nprinted++;
	return true;
}

static int take_job(struct nodelist_writer *writer, struct flow *flow, struct err *err)
{
	char number[NUM_TEXT];
	const char *text = flow_get_text(flow, writer->nodes, number);
	struct adding adding = {&writer->list, 1};
	struct err why;

	if (!is_wanted(writer, flow, "job", writer->job))
		return 0;
	if (text == NULL) {
		writer->nunplaced++;
		return 0;
	}
	if (writer->is_single && writer->nprinted > 0)
		return flow_error(flow, err,
				  "a second placed job: name the one that is meant (job=)");
	if (flow_get_int(flow, writer->slots, 1, INT32_MAX, &adding.nslots, err) < 0)
		return -1;
	if (print_ranges(writer, text))
		return 0;
	nodelist_clear(&writer->list);
	if (hostlist_walk(text, add_node, &adding, &why) != 0)
		return flow_error(flow, err, "nodelist: %s", why.msg);
	writer->print(writer, &writer->list);
	writer->nprinted++;
	return 0;
}

static int take_rank(struct nodelist_writer *writer, struct flow *flow, struct err *err)
{
	char number[NUM_TEXT];
	const char *node = flow_get_text(flow, writer->name, number);
	struct mapped_rank mapped;

	if (!is_wanted(writer, flow, "job", writer->job))
		return 0;
	if (node == NULL || flow_get_int(flow, writer->rank, 0, INT32_MAX, &mapped.rank, err) != 1)
		return flow_error(flow, err, "expected a rank and its node");
	if (!foreign_is_word(node))
		return flow_error(flow, err, "'%s' can't name a node", node);
	mapped.node = arena_strndup(&writer->list.arena, node, strlen(node));
	if (writer->nranks == writer->ranks_cap)
		writer->ranks = vec_grow(writer->ranks, &writer->ranks_cap, writer->nranks + 1,
					 sizeof(mapped));
	writer->ranks[writer->nranks++] = mapped;
	return 0;
}

int nodelist_row(void *state, struct flow *flow, struct err *err)
{
	struct nodelist_writer *writer = state;
	char number[NUM_TEXT];
	const char *node;

	if (flow->kind == &kind_jobs)
		return take_job(writer, flow, err);
	if (flow->kind == &kind_mapping)
		return take_rank(writer, flow, err);
	if (!is_wanted(writer, flow, "state", writer->state))
		return 0;
	node = flow_get_text(flow, writer->name, number);
	if (!foreign_is_word(node))
		return flow_error(flow, err, "'%s' can't name a node", node);
	nodelist_add(&writer->list, node, 1);
	return 0;
}

static int by_rank(const void *a, const void *b)
{
	const struct mapped_rank *left = a, *right = b;

	return (left->rank > right->rank) - (left->rank < right->rank);
}

static int put_ranks(struct nodelist_writer *writer, struct err *err)
{
	if (writer->nranks > 0)
		qsort(writer->ranks, writer->nranks, sizeof(*writer->ranks), by_rank);
	for (size_t i = 0; i < writer->nranks; i++) {
		if (i > 0 && writer->ranks[i].rank == writer->ranks[i - 1].rank)
			return err_set(err,
				       "the mapping has rank %lld twice: of several jobs, name "
				       "the one that is meant (job=)",
				       (long long)writer->ranks[i].rank);
		nodelist_add(&writer->list, writer->ranks[i].node, 1);
	}
	return 0;
}

int nodelist_end(void *state, struct flow *flow, bool whole, struct err *err)
{
	struct nodelist_writer *writer = state;

	(void)whole;
	if (flow->kind == &kind_jobs) {
		if (writer->nunplaced > 0)
			warn("%lld jobs have no nodelist and were left out",
			     (long long)writer->nunplaced);
		return 0;
	}
	if (put_ranks(writer, err) != 0)
		return -1;
	if (writer->list.nodes.n > 0)
		writer->print(writer, &writer->list);
	writer->nprinted += writer->list.nodes.n > 0;
	return 0;
}

bool nodelist_is_no(const void *state)
{
	return ((const struct nodelist_writer *)state)->nprinted == 0;
}

void nodelist_stop(void *state)
{
	struct nodelist_writer *writer = state;

	nodelist_free(&writer->list);
	name_numbers_free(&writer->numbers);
	node_ranges_free(&writer->ranges);
	free(writer->ranks);
	free(writer);
}
