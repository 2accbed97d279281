/* traffic_table_read.c - a whole traffic table: what is known of every router, window by window */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/kinds.h"
#include "model/traffic_table.h"

/* While the rows come in. */
struct traffic_reader {
	struct traffic_in in;
	const struct topo *topo;
	int *nodes_of; /* [nrouters]: how many nodes hang on each router, for tables per node */
	VEC(struct traffic_window) windows;
	VEC(int *) nseen; /* [windows.n][nrouters]: complete nodes, for tables per node */
	struct map keys;  /* "run", tab, end in ns → window */
	struct traffic *traffic;
};

static struct traffic_window *new_window(struct traffic_reader *reading,
					 const struct traffic_row *row)
{
	struct arena *arena = &reading->traffic->arena;
	size_t n = (size_t)reading->topo->nrouters;
	struct traffic_window window = {
		.run = row->run != NULL ? arena_strndup(arena, row->run, strlen(row->run)) : NULL,
		.end_ns = row->end_ns,
		.window_ns = row->window_ns,
		.traffic = arena_alloc(arena, n * sizeof(double)),
		.stall = arena_alloc(arena, n * sizeof(double)),
		.is_complete = arena_alloc(arena, n * sizeof(bool)),
	};

	for (size_t i = 0; i < n; i++) {
		window.traffic[i] = window.stall[i] = NAN;
		window.is_complete[i] = false;
	}
	vec_push(&reading->windows, window);
	vec_push(&reading->nseen, reading->in.per == TRAFFIC_NODE ? xcalloc(n, sizeof(int)) : NULL);
	return &reading->windows.at[reading->windows.n - 1];
}

/* The index of the window that a row belongs to, or -1. */
static int find_window(struct traffic_reader *reading, const struct traffic_row *row,
		       const struct row *at, struct err *err)
{
	char *key = xasprintf("%s\t%lld", row->run != NULL ? row->run : "", (long long)row->end_ns);
	int64_t i = map_add(&reading->keys, key, strlen(key), (int64_t)reading->windows.n);

	free(key);
	if ((size_t)i == reading->windows.n)
		new_window(reading, row);
	if (reading->windows.at[i].window_ns != row->window_ns)
		return row_error(at, err, "another window that ends then has another length");
	return (int)i;
}

/* A sum in which NAN is "nothing yet". */
static void add(double *sum, double value)
{
	if (!isnan(value))
		*sum = isnan(*sum) ? value : *sum + value;
}

static int add_row(struct traffic_reader *reading, const struct traffic_row *row,
		   const struct row *at, struct err *err)
{
	const struct topo *topo = reading->topo;
	const char *noun = traffic_per_column(reading->in.per);
	size_t n = strlen(row->name);
	bool is_node = reading->in.per == TRAFFIC_NODE;
	int id =
		is_node ? topo_node_find(topo, row->name, n) : topo_router_find(topo, row->name, n);
	struct traffic_window *window;
	int router, i;

	if (id < 0)
		return row_error(at, err, "'%s' is not a %s of the machine %s", row->name, noun,
				 topo->name);
	i = find_window(reading, row, at, err);
	if (i < 0)
		return -1;
	window = &reading->windows.at[i];
	router = is_node ? topo->router_of[id] : id;
	add(&window->traffic[router], row->traffic);
	add(&window->stall[router], row->stall);
	if (!is_node)
		window->is_complete[router] = !row->incomplete;
	else if (!row->incomplete)
		window->is_complete[router] =
			++reading->nseen.at[i][router] == reading->nodes_of[router];
	return 0;
}

static int read_rows(struct traffic_reader *reading, struct err *err)
{
	struct traffic_row traffic;
	struct row row;
	int status;

	while ((status = traffic_in_next(&reading->in, &traffic, &row, err)) == 1)
		if (add_row(reading, &traffic, &row, err) != 0)
			return -1;
	return status;
}

static int by_run_and_end(const void *a, const void *b)
{
	const struct traffic_window *x = a, *y = b;
	int order = strcmp(x->run != NULL ? x->run : "", y->run != NULL ? y->run : "");

	if (order != 0)
		return order;
	return (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

static int check_table(const struct table_in *table, const struct traffic_in *in, struct err *err)
{
	if (table_ncolumns(table) == 0 || in->per == TRAFFIC_ROUTER || in->per == TRAFFIC_NODE)
		return 0;
	return err_set(err, "expected a traffic table per router or node; this one is per %s",
		       traffic_per_column(in->per));
}

static void count_nodes(struct traffic_reader *reading)
{
	const struct topo *topo = reading->topo;

	reading->nodes_of = xcalloc((size_t)topo->nrouters, sizeof(int));
	for (int node = 0; node < topo->nnodes; node++)
		if (topo->router_of[node] >= 0)
			reading->nodes_of[topo->router_of[node]]++;
}

static void free_reading(struct traffic_reader *reading)
{
	for (size_t i = 0; i < reading->nseen.n; i++)
		free(reading->nseen.at[i]);
	vec_free(&reading->nseen);
	free(reading->nodes_of);
	map_free(&reading->keys);
}

int traffic_read(struct traffic *traffic, const struct topo *topo, char *const *paths,
		 bool accepts_partial, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_traffic, NULL};
	struct traffic_reader reading = {.topo = topo, .traffic = traffic};
	struct table_in *table;
	int status;

	*traffic = (struct traffic){.nrouters = topo->nrouters};
	if (table_open(&table, kinds, paths, accepts_partial, err) != 0)
		return -1;
	table_unique(table);
	traffic_in_bind(&reading.in, table);
	count_nodes(&reading);
	status = check_table(table, &reading.in, err);
	if (status == 0)
		status = read_rows(&reading, err);
	if (status == 0) {
		if (reading.windows.n > 0)
			qsort(reading.windows.at, reading.windows.n, sizeof(*reading.windows.at),
			      by_run_and_end);
		traffic->unit = reading.in.unit;
		traffic->is_whole = table_is_whole(table);
	}
	traffic->windows = reading.windows.at;
	traffic->nwindows = (int)reading.windows.n;
	free_reading(&reading);
	table_close(table);
	if (status != 0)
		traffic_free(traffic);
	return status;
}

void traffic_free(struct traffic *traffic)
{
	free(traffic->windows);
	arena_free(&traffic->arena);
	*traffic = (struct traffic){0};
}

/* The last window of one run that ended by then, or NULL. */
static const struct traffic_window *last_by(const struct traffic *traffic,
					    const struct traffic_window *wanted)
{
	int low = 0, high = traffic->nwindows; /* windows before low sort not after wanted */
	const struct traffic_window *found;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (by_run_and_end(&traffic->windows[middle], wanted) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	found = &traffic->windows[low - 1];
	return by_run_and_end(&(struct traffic_window){.run = found->run},
			      &(struct traffic_window){.run = wanted->run}) == 0
		       ? found
		       : NULL;
}

const struct traffic_window *traffic_at(const struct traffic *traffic, const char *run,
					int64_t time_ns)
{
	struct traffic_window wanted = {.end_ns = time_ns};
	const struct traffic_window *of_all = last_by(traffic, &wanted), *of_run;

	if (traffic->nwindows == 0)
		return NULL;
	wanted.run = (char *)run;
	if (run == NULL) {
		const char *first = traffic->windows[0].run;
		const char *last = traffic->windows[traffic->nwindows - 1].run;

		if (first == NULL || !str_eq(first, last))
			return of_all;
		wanted.run = (char *)first;
	}
	of_run = last_by(traffic, &wanted);
	if (of_run == NULL || (of_all != NULL && of_all->end_ns > of_run->end_ns))
		return of_all;
	return of_run;
}
