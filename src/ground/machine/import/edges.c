/* edges.c - a machine from a list of cables: two names a line, and perhaps a link level */
#include <stdlib.h>
#include <string.h>

#include "machine/import/importer.h"
#include "base/mem.h"
#include "formats/in.h"
#include "model/topo_build.h"

/* A line of the list. */
struct edge {
	int ends[2]; /* numbers of the names, in the order in which they first came */
	const char *level;
	const char *file;
	long line;
	int ncables; /* 0: its other direction represents it */
};

struct edge_name {
	const char *text, *file;
	long line; /* where it came first */
	int handle;
	bool is_node;
};

struct edge_list {
	struct arena arena;
	struct map ids;
	VEC(struct edge_name) names;
	VEC(struct edge) edges;
};

static int line_error(const char *file, long line, const char *what, struct err *err)
{
	return err_set(err, "%s:%ld: %.800s", file, line, what);
}

/* ---- reading ---- */

static int number_of(struct edge_list *list, const char *text, const char *file, long line)
{
	int number = (int)map_add(&list->ids, text, strlen(text), (int64_t)list->names.n);

	if (number == (int)list->names.n)
		vec_push(&list->names,
			 (struct edge_name){.text = arena_strndup(&list->arena, text, strlen(text)),
					    .file = file,
					    .line = line});
	return number;
}

/* Cuts at blanks; returns the number of words, at most max + 1. */
static int split(char *line, char **words, int max)
{
	int n = 0;

	for (char *p = line;;) {
		p += strspn(p, " \t");
		if (*p == '\0' || *p == '#')
			return n;
		if (n == max)
			return n + 1;
		words[n++] = p;
		p += strcspn(p, " \t");
		if (*p != '\0')
			*p++ = '\0';
	}
}

static int read_line(struct edge_list *list, struct in *in, const char *file, char *line,
		     struct err *err)
{
	char *words[3];
	int nwords = split(line, words, 3);
	struct edge edge = {.file = file, .line = in_lineno(in), .ncables = 1};

	if (nwords == 0)
		return 0;
	if (nwords < 2 || nwords > 3)
		return in_error(in, err, "%d words: expected two names, and perhaps a link level",
				nwords);
	if (str_eq(words[0], words[1]))
		return in_error(in, err, "'%.80s' has a cable to itself", words[0]);
	edge.ends[0] = number_of(list, words[0], file, edge.line);
	edge.ends[1] = number_of(list, words[1], file, edge.line);
	if (nwords == 3)
		edge.level = arena_strndup(&list->arena, words[2], strlen(words[2]));
	vec_push(&list->edges, edge);
	return 0;
}

static int read_file(struct edge_list *list, const char *path, struct err *err)
{
	struct in *in;
	const char *file;
	char *line;
	int status;

	if (in_open(&in, path, err) != 0)
		return -1;
	file = arena_strndup(&list->arena, in_name(in), strlen(in_name(in)));
	while ((status = in_line(in, &line, NULL, err)) == 1)
		if (read_line(list, in, file, line, err) != 0) {
			status = -1;
			break;
		}
	in_close(in);
	return status;
}

/* ---- one cable from two lines ---- */

static int compare_edges(const void *a, const void *b)
{
	const struct edge *x = *(struct edge *const *)a, *y = *(struct edge *const *)b;
	int low_x = x->ends[0] < x->ends[1] ? x->ends[0] : x->ends[1];
	int low_y = y->ends[0] < y->ends[1] ? y->ends[0] : y->ends[1];
	int high_x = x->ends[0] + x->ends[1] - low_x, high_y = y->ends[0] + y->ends[1] - low_y;

	if (low_x != low_y)
		return low_x < low_y ? -1 : 1;
	if (high_x != high_y)
		return high_x < high_y ? -1 : 1;
	return (x > y) - (x < y); /* both are in one array: the order of the lines */
}

static bool is_same_pair(const struct edge *a, const struct edge *b)
{
	return (a->ends[0] == b->ends[0] && a->ends[1] == b->ends[1]) ||
	       (a->ends[0] == b->ends[1] && a->ends[1] == b->ends[0]);
}

/* The list has each cable once for each direction: keeps those that run as the pair's first line
 * does, if the others are as many. */
static int merge_directions(struct edge_list *list, struct err *err)
{
	size_t n = list->edges.n;
	struct edge **sorted = xmalloc((n + 1) * sizeof(*sorted));
	int status = 0;

	for (size_t i = 0; i < n; i++)
		sorted[i] = &list->edges.at[i];
	qsort(sorted, n, sizeof(*sorted), compare_edges);
	for (size_t i = 0, end; i < n && status == 0; i = end) {
		long balance = 0;

		for (end = i; end < n && is_same_pair(sorted[i], sorted[end]); end++) {
			bool is_back = sorted[end]->ends[0] != sorted[i]->ends[0];

			balance += is_back ? -1 : 1;
			sorted[end]->ncables = !is_back;
		}
		if (balance != 0)
			status = line_error(sorted[i]->file, sorted[i]->line,
					    "this cable is not there once in each "
					    "direction, as both-directions says",
					    err);
	}
	free(sorted);
	return status;
}

/* ---- which are nodes ---- */

/* A link of "terminal", or of a class of them such as "terminal-DDR". */
static bool is_terminal(const struct edge *edge)
{
	return edge->level != NULL && str_starts(edge->level, "terminal");
}

/* Returns how many nodes there are. */
static size_t mark_nodes(struct edge_list *list)
{
	size_t n = list->names.n, nnodes = 0;
	int *ncables = xcalloc(n + 1, sizeof(*ncables));
	bool has_terminals = false;

	for (size_t i = 0; i < list->edges.n; i++) {
		const struct edge *edge = &list->edges.at[i];

		has_terminals = has_terminals || is_terminal(edge);
		ncables[edge->ends[0]] += edge->ncables;
		ncables[edge->ends[1]] += edge->ncables;
	}
	for (size_t i = 0; i < n; i++)
		list->names.at[i].is_node = !has_terminals && ncables[i] == 1;
	for (size_t i = 0; has_terminals && i < list->edges.n; i++)
		if (is_terminal(&list->edges.at[i]))
			list->names.at[list->edges.at[i].ends[0]].is_node = true;
	for (size_t i = 0; i < n; i++)
		nnodes += list->names.at[i].is_node;
	free(ncables);
	return nnodes;
}

/* A node with a separate router: NAME and NAME-router. Returns the router. */
static int build_pair(struct topo_build *machine, const char *text, struct err *err)
{
	char *name = xasprintf("%s-router", text);
	int node = topo_build_node(machine, text, strlen(text), err);
	int router = node < 0 ? -1 : topo_build_router(machine, name, strlen(name), err);

	free(name);
	if (router < 0 || topo_build_link(machine, node, router, LINK_TERMINAL, err) != 0)
		return -1;
	return router;
}

static int build_vertices(struct edge_list *list, struct topo_build *machine, bool has_own_nodes,
			  struct err *err)
{
	for (size_t i = 0; i < list->names.n; i++) {
		struct edge_name *name = &list->names.at[i];
		size_t n = strlen(name->text);
		struct err why;

		name->handle = has_own_nodes   ? build_pair(machine, name->text, &why)
			       : name->is_node ? topo_build_node(machine, name->text, n, &why)
					       : topo_build_router(machine, name->text, n, &why);
		if (name->handle < 0)
			return line_error(name->file, name->line, why.msg, err);
	}
	return 0;
}

static int build_links(struct edge_list *list, struct topo_build *machine, struct err *err)
{
	for (size_t i = 0; i < list->edges.n; i++) {
		const struct edge *edge = &list->edges.at[i];
		int a = list->names.at[edge->ends[0]].handle;
		int b = list->names.at[edge->ends[1]].handle, level;
		bool has_node = topo_build_is_node(a) || topo_build_is_node(b);
		const char *name = edge->level ? edge->level : has_node ? "terminal" : "local";
		struct err why;

		level = topo_build_level(machine, name, strlen(name), &why);
		if (level < 0)
			return line_error(edge->file, edge->line, why.msg, err);
		for (int cable = 0; cable < edge->ncables; cable++)
			if (topo_build_link(machine, a, b, level, &why) != 0)
				return line_error(edge->file, edge->line, why.msg, err);
	}
	return 0;
}

static int build(struct topo **topo, struct edge_list *list, const struct topo_import *from,
		 struct err *err)
{
	bool has_own_nodes = pick_is(from->pick, "nodes", "all");
	char name[TOPO_NAME];
	struct topo_build *machine;

	if (!has_own_nodes && mark_nodes(list) == 0)
		return err_set(err, "no line is of the level 'terminal', and no name has a single "
				    "cable, so none is a node: is it edges:nodes=all?");
	topo_import_name(from, name);
	machine = topo_build_new(name);
	if (build_vertices(list, machine, has_own_nodes, err) != 0 ||
	    build_links(list, machine, err) != 0) {
		topo_build_free(machine);
		return -1;
	}
	return topo_build_finish(topo, machine, err);
}

static int read(struct topo **topo, const struct topo_import *from, struct err *err)
{
	char *const *paths = in_paths(from->paths);
	struct edge_list list = {0};
	int status = 0;

	for (; *paths != NULL && status == 0; paths++)
		status = read_file(&list, *paths, err);
	if (status == 0 && pick_bool(from->pick, "both-directions"))
		status = merge_directions(&list, err);
	if (status == 0)
		status = build(topo, &list, from, err);
	map_free(&list.ids);
	free(list.names.at);
	free(list.edges.at);
	arena_free(&list.arena);
	return status;
}

static const struct param params[] = {
	{.key = "nodes",
	 .type = PARAM_WORD,
	 .def = "ends",
	 .choices = "ends|all",
	 .meaning =
		 "which names are nodes: ends: the first one of each line of the level terminal, "
		 "or, where no line has it, those with a single cable; all: every name is a node "
		 "with a separate router"},
	{.key = "both-directions",
	 .type = PARAM_BOOL,
	 .def = "no",
	 .meaning = "each cable is listed once for each direction"},
	{.key = NULL},
};

const struct topo_importer topo_importer_edges = {
	.entry =
		{
			.name = "edges",
			.summary = "two names a line for each cable, and "
				   "perhaps the level of the link",
			.example = "edges",
			.params = params,
		},
	.read = read,
};
