/* slurmconf.c - a network as Slurm knows it: switches, what is beneath them, blocks */
#include "formats/slurm/slurmconf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "base/str.h"
#include "formats/hostlist.h"
#include "formats/slurm/slurmconf_priv.h"

int slurm_error(struct slurm_place at, struct err *err, const char *fmt, ...)
{
	char what[900];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return err_set(err, "%s:%ld: %s", at.file, at.line, what);
}

static struct slurm_place place_of(const struct slurm_switch *sw)
{
	return (struct slurm_place){sw->file, sw->line};
}

static const char *keep(struct slurm_topology *slurm, const char *text)
{
	return text != NULL ? arena_strndup(&slurm->arena, text, strlen(text)) : NULL;
}

int slurm_add_switch(struct slurm_topology *slurm, struct slurm_place at, const char *name,
		     const char *children, const char *nodes, struct err *err)
{
	struct slurm_switch sw = {.file = at.file, .line = at.line};
	size_t n = strlen(name);
	int64_t number;

	if (n == 0 || n > SLURM_NAME_MOST || strpbrk(name, "[], \t#") != NULL)
		return slurm_error(at, err, "'%.80s' is not a name of a switch (1 … %d letters)",
				   name, SLURM_NAME_MOST);
	number = map_add(&slurm->switch_ids, name, n, (int64_t)slurm->switches.n);
	if (number < (int64_t)slurm->switches.n)
		return slurm_error(at, err, "switch %s was defined in line %ld before", name,
				   slurm->switches.at[number].line);
	sw.name = keep(slurm, name);
	sw.child_list = keep(slurm, children);
	sw.node_list = keep(slurm, nodes);
	vec_push(&slurm->switches, sw);
	return (int)number;
}

/* ---- lists become numbers ---- */

struct listing {
	struct slurm_topology *slurm;
	int number; /* of the switch */
};

static int add_child(void *context, const char *name, size_t n, struct err *err)
{
	struct listing *list = context;
	struct slurm_switch *sw = &list->slurm->switches.at[list->number];
	int64_t child = map_get(&list->slurm->switch_ids, name, n);

	if (child < 0)
		return slurm_error(place_of(sw), err, "no switch is named '%.*s'", (int)n, name);
	for (size_t i = 0; i < list->slurm->switches.at[child].parents.n; i++)
		if (list->slurm->switches.at[child].parents.at[i] == list->number)
			return slurm_error(place_of(sw), err, "switch %.*s is named twice", (int)n,
					   name);
	vec_push(&sw->children, (int)child);
	vec_push(&list->slurm->switches.at[child].parents, list->number);
	return 0;
}

static int add_node(void *context, const char *name, size_t n, struct err *err)
{
	struct listing *list = context;
	struct slurm_topology *slurm = list->slurm;
	struct slurm_switch *sw = &slurm->switches.at[list->number];
	int64_t node;

	if (map_get(&slurm->switch_ids, name, n) >= 0)
		return slurm_error(place_of(sw), err,
				   "'%.*s' is a node here and a switch elsewhere", (int)n, name);
	if (n == 3 && strncasecmp(name, "ALL", n) == 0)
		return slurm_error(place_of(sw), err,
				   "Nodes=ALL: their names are in slurm.conf; expected a list");
	if (slurm->nodes.n >= SLURM_NODES_MOST || slurm->nplaces++ >= SLURM_PLACES_MOST)
		return slurm_error(place_of(sw), err,
				   "more than %d nodes, or too many lists of them",
				   SLURM_NODES_MOST);
	node = map_add(&slurm->node_ids, name, n, (int64_t)slurm->nodes.n);
	if (node == (int64_t)slurm->nodes.n) {
		vec_push(&slurm->nodes, arena_strndup(&slurm->arena, name, n));
		vec_push(&slurm->last_switch, -1);
	}
	if (slurm->last_switch.at[node] == list->number)
		return slurm_error(place_of(sw), err, "node %.*s is named twice", (int)n, name);
	slurm->last_switch.at[node] = list->number;
	vec_push(&sw->nodes, (int)node);
	return 0;
}

/* The walk of a hostlist has no FILE:LINE; add_* messages have it already. */
static int walk(struct slurm_topology *slurm, int number, const char *list, hostlist_add_fn *add,
		struct err *err)
{
	struct listing listing = {slurm, number};
	const struct slurm_switch *sw = &slurm->switches.at[number];
	size_t n = strlen(sw->file);

	if (list == NULL || hostlist_walk(list, add, &listing, err) == 0)
		return 0;
	if (strncmp(err->msg, sw->file, n) == 0 && err->msg[n] == ':')
		return -1;
	return err_prefix(err, "%s:%ld: ", sw->file, sw->line);
}

/* ---- levels ---- */

/* Longest paths down, children first (Kahn's order); what is left over is beneath itself. */
static int find_levels(struct slurm_topology *slurm, int *order, struct err *err)
{
	int *nleft = xmalloc((slurm->switches.n + 1) * sizeof(*nleft));
	size_t nready = 0;

	for (size_t i = 0; i < slurm->switches.n; i++)
		if ((nleft[i] = (int)slurm->switches.at[i].children.n) == 0)
			order[nready++] = (int)i;
	for (size_t at = 0; at < nready; at++) {
		const struct slurm_switch *sw = &slurm->switches.at[order[at]];

		for (size_t p = 0; p < sw->parents.n; p++) {
			struct slurm_switch *parent = &slurm->switches.at[sw->parents.at[p]];

			if (parent->level <= sw->level)
				parent->level = sw->level + 1;
			if (--nleft[sw->parents.at[p]] == 0)
				order[nready++] = sw->parents.at[p];
		}
	}
	for (size_t i = 0; i < slurm->switches.n && nready < slurm->switches.n; i++)
		if (nleft[i] > 0) {
			free(nleft);
			return slurm_error(place_of(&slurm->switches.at[i]), err,
					   "switch %s is beneath itself",
					   slurm->switches.at[i].name);
		}
	free(nleft);
	return 0;
}

/* Marks the nodes below a switch with its number, through one more stack of switches. */
static void mark_below(const struct slurm_topology *slurm, int number, int *mark, int *seen,
		       slurm_ints *stack)
{
	stack->n = 0;
	for (size_t i = 0; i < slurm->switches.at[number].children.n; i++)
		vec_push(stack, slurm->switches.at[number].children.at[i]);
	while (stack->n > 0) {
		int at = stack->at[--stack->n];
		const struct slurm_switch *sw = &slurm->switches.at[at];

		if (seen[at] == number)
			continue;
		seen[at] = number;
		for (size_t i = 0; i < sw->nodes.n; i++)
			mark[sw->nodes.at[i]] = number;
		for (size_t i = 0; i < sw->children.n; i++)
			vec_push(stack, sw->children.at[i]);
	}
}

static void fill(int *at, size_t n, int value)
{
	for (size_t i = 0; i < n; i++)
		at[i] = value;
}

/*
 * scontrol lists the nodes of all children of a switch again; what one list has and the other lacks
 * shows that the output was cut (SLURM_TOPO_LEN).
 */
static int check_sums(struct slurm_topology *slurm, const int *order, struct err *err)
{
	int *mark = xmalloc((slurm->nodes.n + 1) * sizeof(*mark));
	int *seen = xmalloc((slurm->switches.n + 1) * sizeof(*seen));
	int *named = xmalloc((slurm->nodes.n + 1) * sizeof(*named));
	slurm_ints stack = {0};
	int status = 0;

	fill(mark, slurm->nodes.n, -1);
	fill(seen, slurm->switches.n, -1);
	fill(named, slurm->nodes.n, -1);
	for (size_t at = 0; at < slurm->switches.n && status == 0; at++) {
		int number = order[at];
		struct slurm_switch *sw = &slurm->switches.at[number];

		if (!sw->is_sum || sw->children.n == 0)
			continue;
		mark_below(slurm, number, mark, seen, &stack);
		for (size_t i = 0; i < sw->nodes.n; i++)
			named[sw->nodes.at[i]] = number;
		for (size_t i = 0; i < slurm->nodes.n && status == 0; i++)
			if (mark[i] == number && named[i] != number)
				status =
					slurm_error(place_of(sw), err,
						    "Nodes= lacks %s, which is beneath %s: was the "
						    "output cut (SLURM_TOPO_LEN)?",
						    slurm->nodes.at[i], sw->name);
		for (size_t i = 0; i < sw->nodes.n && status == 0; i++)
			if (mark[sw->nodes.at[i]] != number)
				status = slurm_error(place_of(sw), err,
						     "Nodes= names %s, which is beneath none of "
						     "its switches: was the output cut?",
						     slurm->nodes.at[sw->nodes.at[i]]);
		sw->nodes.n = 0;
	}
	free(mark);
	free(seen);
	free(named);
	vec_free(&stack);
	return status;
}

/* As many nodes as a torus has places; a ring takes all it has. */
static int check_dims(struct slurm_switch *sw, struct err *err)
{
	int64_t nplaces = 1;

	if (sw->dims[1] == 0) {
		sw->dims[0] = (int)sw->nodes.n;
		sw->dims[1] = sw->dims[2] = 1;
	}
	for (int d = 0; d < 3 && nplaces <= SLURM_NODES_MOST; d++)
		nplaces *= sw->dims[d];
	if (nplaces != (int64_t)sw->nodes.n)
		return slurm_error(place_of(sw), err, "%s has %zu nodes, expected %d x %d x %d",
				   sw->name, sw->nodes.n, sw->dims[0], sw->dims[1], sw->dims[2]);
	return 0;
}

/* A node beneath two switches is warned about: Slurm allows it. */
static int check_nodes(struct slurm_topology *slurm, struct err *err)
{
	int *last = slurm->last_switch.at, ntwice = 0;

	fill(last, slurm->nodes.n, -1);
	for (size_t s = 0; s < slurm->switches.n; s++) {
		struct slurm_switch *sw = &slurm->switches.at[s];

		if (sw->dims[0] > 0 && check_dims(sw, err) != 0)
			return -1;
		if (sw->nodes.n == 0 && sw->children.n == 0 && s >= (size_t)slurm->nblocks)
			return slurm_error(place_of(sw), err,
					   "switch %s has neither nodes nor switches", sw->name);
		if (sw->nodes.n > 0 && sw->children.n > 0)
			return slurm_error(place_of(sw), err,
					   "switch %s has nodes and switches: Slurm "
					   "takes one or the other",
					   sw->name);
		for (size_t i = 0; i < sw->nodes.n; i++) {
			int node = sw->nodes.at[i];

			if (last[node] >= 0 && ntwice++ == 0)
				warn("%s:%ld: node %s is beneath %s and %s: taken as two cables",
				     sw->file, sw->line, slurm->nodes.at[node],
				     slurm->switches.at[last[node]].name, sw->name);
			last[node] = (int)s;
		}
	}
	return 0;
}

int slurm_resolve(struct slurm_topology *slurm, struct err *err)
{
	int *order, status;

	for (size_t i = 0; i < slurm->switches.n; i++) {
		if (walk(slurm, (int)i, slurm->switches.at[i].child_list, add_child, err) != 0)
			return -1;
		if (walk(slurm, (int)i, slurm->switches.at[i].node_list, add_node, err) != 0)
			return -1;
	}
	order = xmalloc((slurm->switches.n + 1) * sizeof(*order));
	status = find_levels(slurm, order, err);
	if (status == 0)
		status = check_sums(slurm, order, err);
	if (status == 0)
		status = check_nodes(slurm, err);
	free(order);
	return status;
}

/* ---- blocks ---- */

/* Joins every count of the switches members [nmembers] beneath new ones, named after size. */
static int aggregate(struct slurm_topology *slurm, struct slurm_place at, slurm_ints *members,
		     int count, int size, struct err *err)
{
	slurm_ints above = {0};
	int status = 0;

	for (size_t first = 0; first < members->n && status == 0; first += (size_t)count) {
		struct buf children = {0};
		char name[SLURM_NAME_MOST];
		int number;

		for (size_t i = first; i < members->n && i < first + (size_t)count; i++)
			buf_printf(&children, "%s%s", i > first ? "," : "",
				   slurm->switches.at[members->at[i]].name);
		if (size > 0)
			snprintf(name, sizeof(name), "blocks-%d-%zu", size, above.n);
		else
			snprintf(name, sizeof(name), "blocks");
		number = slurm_add_switch(slurm, at, name, buf_text(&children), NULL, err);
		buf_free(&children);
		status = number < 0 ? -1 : 0;
		vec_push(&above, number);
	}
	vec_free(members);
	members->at = above.at;
	members->n = above.n;
	members->cap = above.cap;
	return status;
}

const char *slurm_block_nodes(const char *list)
{
	bool is_none = list == NULL || *list == '\0' || str_eq(list, "(null)");

	return is_none ? NULL : list;
}

int slurm_add_size(struct slurm_topology *slurm, struct slurm_place at, const char *text,
		   struct err *err)
{
	int *sizes = slurm->sizes, i = slurm->nsizes;
	int64_t size;

	if (num_int(text, 1, SLURM_NODES_MOST, &size) != 0)
		return slurm_error(at, err, "'%.20s' is not a size of a block", text);
	while (i > 0 && sizes[i - 1] > size)
		i--;
	if (i > 0 && sizes[i - 1] == size)
		return 0;
	if (slurm->nsizes == SLURM_SIZES_MOST)
		return slurm_error(at, err, "more than %d sizes of blocks", SLURM_SIZES_MOST);
	memmove(sizes + i + 1, sizes + i, (size_t)(slurm->nsizes - i) * sizeof(*sizes));
	sizes[i] = (int)size;
	slurm->nsizes++;
	return 0;
}

/* As slurmctld checks it. */
static bool is_doubling(int size, int base)
{
	int64_t doubled = base;

	for (int i = 0; i < SLURM_DOUBLINGS_MOST && doubled < size; i++)
		doubled *= 2;
	return doubled == size;
}

int slurm_join_blocks(struct slurm_topology *slurm, struct slurm_place at, struct err *err)
{
	const int *sizes = slurm->sizes;
	slurm_ints members = {0};
	int status = 0;

	slurm->nblocks = (int)slurm->switches.n;
	for (size_t i = 0; i < slurm->switches.n; i++)
		vec_push(&members, (int)i);
	for (int i = 1; i < slurm->nsizes && status == 0; i++) {
		if (!is_doubling(sizes[i], sizes[0]))
			status = slurm_error(at, err,
					     "block size %d is not %d times a power of two (at "
					     "most 2^%d), which Slurm needs",
					     sizes[i], sizes[0], SLURM_DOUBLINGS_MOST);
		else
			status = aggregate(slurm, at, &members, sizes[i] / sizes[i - 1], sizes[i],
					   err);
	}
	if (status == 0 && members.n > 1)
		status = aggregate(slurm, at, &members, (int)members.n, 0, err);
	vec_free(&members);
	return status;
}

void slurm_topology_free(struct slurm_topology *slurm)
{
	if (slurm == NULL)
		return;
	for (size_t i = 0; i < slurm->switches.n; i++) {
		vec_free(&slurm->switches.at[i].children);
		vec_free(&slurm->switches.at[i].parents);
		vec_free(&slurm->switches.at[i].nodes);
	}
	for (size_t i = 0; i < slurm->others.n; i++)
		slurm_topology_free(slurm->others.at[i].topology);
	vec_free(&slurm->others);
	vec_free(&slurm->switches);
	vec_free(&slurm->nodes);
	vec_free(&slurm->last_switch);
	map_free(&slurm->switch_ids);
	map_free(&slurm->node_ids);
	arena_free(&slurm->arena);
	free(slurm);
}
