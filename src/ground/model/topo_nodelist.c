/* topo_nodelist.c - node lists of a machine: a range of names is a range of nodes, by arithmetic */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/number_set.h"
#include "formats/hostlist.h"
#include "model/topo.h"
#include "model/topo_names.h"

/* ---- names that count up ---- */

/* The last group of digits of a name: from *first to *end; *first = *end: it has none. */
static void find_digits(const char *name, size_t *first, size_t *end)
{
	size_t n = strlen(name);

	while (n > 0 && !isdigit((unsigned char)name[n - 1]))
		n--;
	*end = n;
	while (n > 0 && isdigit((unsigned char)name[n - 1]))
		n--;
	*first = n;
}

/* Whether next is the name with its last number one higher, as wide as before or (without leading
 * zeros) wider: what a range in brackets would write behind it. */
static bool is_next(const char *name, const char *next)
{
	size_t first, end;
	char digits[18], text[TOPO_NAME + 32];
	int64_t number;

	find_digits(name, &first, &end);
	if (first == end || end - first >= sizeof(digits))
		return false;
	memcpy(digits, name + first, end - first);
	digits[end - first] = '\0';
	if (num_int(digits, 0, INT64_MAX - 1, &number) != 0)
		return false;
	snprintf(text, sizeof(text), "%.*s%0*lld%s", (int)first, name, (int)(end - first),
		 (long long)number + 1, name + end);
	return strcmp(text, next) == 0;
}

void topo_names_count(struct topo *topo)
{
	int n = topo->nnodes;

	topo->counts_to = xmalloc((size_t)n * sizeof(*topo->counts_to));
	for (int node = n - 1; node >= 0; node--)
		topo->counts_to[node] =
			node + 1 < n && is_next(topo->node_names[node], topo->node_names[node + 1])
				? topo->counts_to[node + 1]
				: node;
}

/* Whether the number of a run of names is the one that the machine's names count up. */
static bool does_count(const struct topo *topo, const struct hostlist_run *run)
{
	if (topo->node_names == NULL) {
		size_t prefix = strcspn(topo->node_pattern, "%");
		const char *suffix = strchr(topo->node_pattern + prefix, 'd') + 1;

		return run->nprefix == prefix && run->nsuffix == strlen(suffix);
	}
	for (size_t i = 0; i < run->nsuffix; i++)
		if (isdigit((unsigned char)run->suffix[i]))
			return false;
	return run->nprefix == 0 || !isdigit((unsigned char)run->prefix[run->nprefix - 1]);
}

/* ---- reading ---- */

struct list_reading {
	const struct topo *topo;
	struct node_ranges *ranges;
	int64_t before; /* nodes in ranges */
};

/* Room for one node more: a short list may name a node a million times. */
static int check_room(const struct list_reading *reading, struct err *err)
{
	if (reading->ranges->nnodes - reading->before == reading->topo->nnodes)
		return err_set(err,
			       "more names than the machine has nodes: one of them is there twice");
	return 0;
}

static int add_name(void *context, const char *name, size_t n, struct err *err)
{
	struct list_reading *reading = context;
	int node = topo_node_find(reading->topo, name, n);

	if (node < 0)
		return err_set(err, "there is no node '%.*s' on this machine",
			       n < 200 ? (int)n : 200, name);
	if (check_room(reading, err) != 0)
		return -1;
	node_ranges_add(reading->ranges, node, node);
	return 0;
}

/* The first name of a run is looked up; as far as the machine counts on, so do the nodes. */
static int add_run(void *context, const struct hostlist_run *run, struct err *err)
{
	struct list_reading *reading = context;
	const struct topo *topo = reading->topo;
	char name[TOPO_NAME + 32];

	if (!does_count(topo, run))
		return 0;
	for (uint64_t number = run->first; number <= run->last;) {
		int n = snprintf(name, sizeof(name), "%.*s%0*llu%.*s", (int)run->nprefix,
				 run->prefix, run->width, (unsigned long long)number,
				 (int)run->nsuffix, run->suffix);
		int node = topo_node_find(topo, name, (size_t)n);
		int64_t more, room;

		if (node < 0)
			return err_set(err, "there is no node '%.*s' on this machine",
				       n < 200 ? n : 200, name);
		if (check_room(reading, err) != 0)
			return -1;
		more = (topo->counts_to != NULL ? topo->counts_to[node] : topo->nnodes - 1) - node;
		room = topo->nnodes - (reading->ranges->nnodes - reading->before) - 1;
		more = more < room ? more : room;
		if ((uint64_t)more > run->last - number)
			more = (int64_t)(run->last - number);
		node_ranges_add(reading->ranges, node, node + (int)more);
		number += (uint64_t)more + 1;
	}
	return 1;
}

int topo_ranges_read(const struct topo *topo, const char *text, struct node_ranges *ranges,
		     struct err *err)
{
	struct list_reading reading = {topo, ranges, 0};
	char name[TOPO_NAME];
	int twice;

	node_ranges_clear(ranges);
	if (hostlist_walk_runs(text, add_name, add_run, &reading, err) != 0)
		return -1;
	twice = node_ranges_twice(ranges);
	if (twice >= 0)
		return err_set(err, "the node '%s' is there twice in one list",
			       topo_node_name(topo, twice, name));
	return 0;
}

/* Those of a list of which a name is unknown, or comes twice: name by name. */
struct known_reading {
	const struct topo *topo;
	const struct topo_unknown *unknown;
	struct number_set seen;
	struct node_ranges *ranges;
};

static int add_known(void *context, const char *name, size_t n, struct err *err)
{
	struct known_reading *reading = context;
	int node = topo_node_find(reading->topo, name, n);

	(void)err;
	if (node < 0 && reading->unknown != NULL)
		reading->unknown->take(reading->unknown->context, name, n);
	else if (node >= 0 && number_set_add(&reading->seen, (uint64_t)node))
		node_ranges_add(reading->ranges, node, node);
	return 0;
}

int topo_ranges_read_known(const struct topo *topo, const char *text, struct node_ranges *ranges,
			   const struct topo_unknown *unknown, struct err *err)
{
	struct known_reading reading = {.topo = topo, .unknown = unknown, .ranges = ranges};
	int status;

	if (topo_ranges_read(topo, text, ranges, &(struct err){0}) == 0)
		return 0;
	node_ranges_clear(ranges);
	status = hostlist_walk(text, add_known, &reading, err);
	number_set_free(&reading.seen);
	return status;
}

static void list_ranges(struct node_ranges *ranges, int_vec *nodes)
{
	if (ranges->nnodes > 0) {
		vec_reserve(nodes, nodes->n + (size_t)ranges->nnodes);
		node_ranges_list(ranges, nodes->at + nodes->n);
		nodes->n += (size_t)ranges->nnodes;
	}
	node_ranges_free(ranges);
}

int topo_nodelist_read(const struct topo *topo, const char *text, int_vec *nodes, struct err *err)
{
	struct node_ranges ranges = {0};
	int status = topo_ranges_read(topo, text, &ranges, err);

	if (status != 0)
		node_ranges_clear(&ranges);
	list_ranges(&ranges, nodes);
	return status;
}

int topo_nodelist_read_known(const struct topo *topo, const char *text, int_vec *nodes,
			     const struct topo_unknown *unknown, struct err *err)
{
	struct node_ranges ranges = {0};
	int status = topo_ranges_read_known(topo, text, &ranges, unknown, err);

	if (status != 0)
		node_ranges_clear(&ranges);
	list_ranges(&ranges, nodes);
	return status;
}

/* ---- writing ---- */

/* The last node up to which a list may go on without another name: as far as the names count up
 * and end in their number. */
static int counts_on(const struct topo *topo, const char *name, int node)
{
	const char *percent = topo->node_pattern != NULL ? strchr(topo->node_pattern, '%') : NULL;

	if (topo->counts_to != NULL)
		return isdigit((unsigned char)name[strlen(name) - 1]) ? topo->counts_to[node]
								      : node;
	return percent != NULL && strchr(percent, 'd')[1] == '\0' &&
			       (percent == topo->node_pattern ||
				!isdigit((unsigned char)percent[-1]))
		       ? topo->nnodes - 1
		       : node;
}

static void add_range(const struct topo *topo, struct hostlist *list, int first, int last)
{
	char text[TOPO_NAME];

	for (int node = first; node <= last;) {
		const char *name = topo_node_name(topo, node, text);
		int to = counts_on(topo, name, node);

		to = to < last ? to : last;
		hostlist_add(list, name, strlen(name));
		hostlist_extend(list, to - node);
		node = to + 1;
	}
}

void topo_ranges_add(const struct topo *topo, const struct node_ranges *ranges, struct buf *out)
{
	struct hostlist list = {0};

	for (size_t i = 0; i < ranges->of.n; i++)
		add_range(topo, &list, ranges->of.at[i].first, ranges->of.at[i].last);
	buf_str(out, hostlist_text(&list));
	hostlist_free(&list);
}

void topo_nodelist_add(const struct topo *topo, const int *nodes, size_t n, struct buf *out)
{
	struct hostlist list = {0};

	for (size_t i = 0, first; i < n;) {
		first = i;
		i = node_run_end(nodes, first, n);
		add_range(topo, &list, nodes[first], nodes[i - 1]);
	}
	buf_str(out, hostlist_text(&list));
	hostlist_free(&list);
}
