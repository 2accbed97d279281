/* mapping.c - a mapping (rank, node, core), and which process it gives which rank */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rank_order.h"

enum { NAME = MPI_MAX_PROCESSOR_NAME, RANK = 0, NODE, CORE, NCOLUMNS };

struct reading {
	const char *path;
	size_t line;
	int column[NCOLUMNS]; /* where each is; −1: absent */
	struct rank_order_slot *slots;
	int n, capacity;
	bool has_header, must_end, has_ended;
};

static void refuse(const struct reading *reading, const char *what)
{
	char place[PATH_MAX + 32];

	snprintf(place, sizeof(place), "%s:%zu", reading->path, reading->line);
	rank_order_stop(place, what);
}

static int number(const struct reading *reading, const char *text, const char *what)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (end == text || *end != '\0' || errno != 0 || value < 0 || value > INT_MAX)
		refuse(reading, what);
	return (int)value;
}

static void read_header(struct reading *reading, char *line)
{
	static const char *const names[NCOLUMNS] = {"rank", "node", "core"};

	for (int i = 0; line != NULL; i++) {
		char *name = strsep(&line, "\t");

		for (int c = 0; c < NCOLUMNS; c++)
			if (strcmp(name, names[c]) == 0)
				reading->column[c] = i;
	}
	if (reading->column[RANK] < 0 || reading->column[NODE] < 0)
		refuse(reading, "expected the columns of a mapping (rank, node)");
	reading->has_header = true;
}

static void read_row(struct reading *reading, char *line)
{
	const char *cells[NCOLUMNS] = {NULL};
	struct rank_order_slot *slot;

	for (int i = 0; line != NULL; i++) {
		const char *cell = strsep(&line, "\t");

		for (int c = 0; c < NCOLUMNS; c++)
			if (reading->column[c] == i)
				cells[c] = cell;
	}
	if (cells[RANK] == NULL || cells[NODE] == NULL)
		refuse(reading, "expected a rank and its node");
	if (reading->n == reading->capacity) {
		int more = reading->capacity < 512 ? 1024 : reading->capacity * 2;

		slot = rank_order_room((size_t)more, sizeof(*slot));
		if (reading->n > 0)
			memcpy(slot, reading->slots, (size_t)reading->n * sizeof(*slot));
		free(reading->slots);
		reading->slots = slot;
		reading->capacity = more;
	}
	slot = &reading->slots[reading->n++];
	slot->rank = number(reading, cells[RANK], "expected a rank");
	if (cells[CORE] == NULL || strcmp(cells[CORE], ".") == 0)
		slot->core = slot->rank;
	else
		slot->core = number(reading, cells[CORE], "expected a core");
	if (strlen(cells[NODE]) >= NAME || cells[NODE][0] == '\0')
		refuse(reading, "expected a node's name of a length that MPI can have");
	memcpy(slot->node, cells[NODE], strlen(cells[NODE]) + 1);
}

static void read_line(struct reading *reading, char *line)
{
	if (line[0] == '#') {
		if (strncmp(line, "##placetools=", 13) == 0) {
			if (strncmp(line + 13, "mapping/1", 9) != 0)
				refuse(reading, "expected a mapping (##placetools=mapping/1)");
			reading->must_end = strstr(line, " end=yes") != NULL;
		}
		reading->has_ended = reading->has_ended || strcmp(line, "##end") == 0;
	} else if (!reading->has_header)
		read_header(reading, line);
	else if (line[0] != '\0')
		read_row(reading, line);
}

static int by_place(const void *a, const void *b)
{
	const struct rank_order_slot *x = a, *y = b;
	int order = strcasecmp(x->node, y->node);

	if (order == 0)
		order = (x->core > y->core) - (x->core < y->core);
	return order != 0 ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

struct rank_order_slot *rank_order_read(const char *path, int *n)
{
	struct reading reading = {.path = path, .column = {-1, -1, -1}};
	FILE *file = fopen(path, "r");
	char *line = NULL, *is_there;
	size_t room = 0;

	if (file == NULL)
		rank_order_stop(path, strerror(errno));
	while (getline(&line, &room, file) >= 0) {
		reading.line++;
		line[strcspn(line, "\r\n")] = '\0';
		read_line(&reading, line);
	}
	free(line);
	fclose(file);
	if (reading.n == 0)
		rank_order_stop(path, "expected a mapping; it has no ranks");
	if (reading.must_end && !reading.has_ended)
		rank_order_stop(path, "truncated: declared ##end is absent");
	is_there = rank_order_room((size_t)reading.n, 1);
	for (int i = 0; i < reading.n; i++) {
		int rank = reading.slots[i].rank;

		if (rank >= reading.n || is_there[rank]++)
			rank_order_stop(
				path, "expected one mapping: each rank from 0 without gaps, once");
	}
	free(is_there);
	qsort(reading.slots, (size_t)reading.n, sizeof(*reading.slots), by_place);
	*n = reading.n;
	return reading.slots;
}

/* ---- which process is where ---- */

/* The i-th slot of each node goes to its i-th process. */
struct node {
	const char *name;
	int first, n, next;
};

/* Case-blind: equal, or one is short and the other's first label: n1 and n1.example.org. */
static bool is_same(const char *a, const char *b)
{
	size_t m = strcspn(a, "."), n = strcspn(b, ".");

	if (strcasecmp(a, b) == 0)
		return true;
	return m == n && strncasecmp(a, b, m) == 0 && (a[m] == '\0' || b[n] == '\0');
}

/* The node of that name among nodes, which are in order; else the one of the same short name. */
static struct node *find(struct node *nodes, int n, const char *host)
{
	int low = 0, high = n;
	struct node *found = NULL;

	while (low < high) {
		int middle = low + (high - low) / 2, order = strcasecmp(nodes[middle].name, host);

		if (order == 0)
			return &nodes[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (int i = 0; i < n; i++)
		if (is_same(nodes[i].name, host)) {
			if (found != NULL)
				rank_order_stop(
					host,
					"is the short name of more than one of the mapping's nodes");
			found = &nodes[i];
		}
	return found;
}

void rank_order_assign(const char *path, const struct rank_order_slot *slots, int n,
		       const char *names, int size, int *ranks)
{
	struct node *nodes = rank_order_room((size_t)n, sizeof(*nodes)), *last = NULL;
	int nnodes = 0, over = n, matched = 0;

	for (int i = 0; i < n; i++) {
		if (nnodes == 0 || strcasecmp(nodes[nnodes - 1].name, slots[i].node) != 0)
			nodes[nnodes++] = (struct node){.name = slots[i].node, .first = i};
		nodes[nnodes - 1].n++;
	}
	for (int p = 0; p < size; p++) {
		const char *name = names + (size_t)p * NAME;

		if (p == 0 || strcasecmp(name, name - NAME) != 0)
			last = find(nodes, nnodes, name);
		if (last == NULL || last->next == last->n) {
			ranks[p] = over++; /* behind the graph: it has fewer vertices */
			continue;
		}
		ranks[p] = slots[last->first + last->next++].rank;
		matched++;
	}
	for (int i = 0; matched < n && i < nnodes; i++)
		if (nodes[i].next < nodes[i].n) {
			char what[NAME + 80];

			snprintf(what, sizeof(what), "has %d ranks on %s, where %d processes run",
				 nodes[i].n, nodes[i].name, nodes[i].next);
			rank_order_stop(path, what);
		}
	free(nodes);
}
