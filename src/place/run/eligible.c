/* eligible.c - which nodes a job may have at all: one island, its partition, its features */
#include "place/run/eligible.h"

#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "model/topo_type.h"
#include "place/run/choose.h"

/* Sets of nodes by name: words [nwords] each. */
struct name_sets {
	struct map ids;
	VEC(uint64_t *) sets;
};

struct eligible {
	int nnodes, nwords;
	int nislands;   /* 1: one network */
	int *island_of; /* [nnodes], or NULL */
	int *nidle;     /* [nislands], of the set that is looked at */
	bool has_partitions, has_features;
	struct name_sets partitions, features;
	uint64_t *allowed, *wanted; /* [nwords] */
	int_vec hidden;
};

static struct eligible *need(struct eligible **eligible, const struct topo *topo)
{
	if (*eligible == NULL) {
		*eligible = xcalloc(1, sizeof(**eligible));
		(*eligible)->nnodes = topo->nnodes;
		(*eligible)->nwords = (topo->nnodes + 63) / 64;
		(*eligible)->nislands = 1;
		(*eligible)->nidle = xcalloc(1, sizeof(int));
		(*eligible)->allowed = xcalloc((size_t)(*eligible)->nwords, sizeof(uint64_t));
		(*eligible)->wanted = xcalloc((size_t)(*eligible)->nwords, sizeof(uint64_t));
	}
	return *eligible;
}

static void free_sets(struct name_sets *sets)
{
	for (size_t i = 0; i < sets->sets.n; i++)
		free(sets->sets.at[i]);
	vec_free(&sets->sets);
	map_free(&sets->ids);
}

void eligible_close(struct eligible *eligible)
{
	if (eligible == NULL)
		return;
	free_sets(&eligible->partitions);
	free_sets(&eligible->features);
	free(eligible->island_of);
	free(eligible->nidle);
	free(eligible->allowed);
	free(eligible->wanted);
	vec_free(&eligible->hidden);
	free(eligible);
}

bool eligible_has_partitions(const struct eligible *eligible)
{
	return eligible != NULL && eligible->has_partitions;
}

/* ---- what is known of nodes ---- */

static int find_root(int *parent, int v)
{
	while (parent[v] != v) {
		parent[v] = parent[parent[v]];
		v = parent[v];
	}
	return v;
}

void eligible_islands(struct eligible **eligible, const struct topo *topo)
{
	const struct topo_graph *graph;
	int nvertices = topo->nnodes + topo->nrouters, nislands = 0;
	int *parent, *island, *island_of;

	if (topo->type->distance != NULL) /* a closed form: one network by construction */
		return;
	graph = topo_graph((struct topo *)topo);
	parent = xmalloc((size_t)nvertices * sizeof(*parent) + 1);
	island = xmalloc((size_t)nvertices * sizeof(*island) + 1);
	island_of = xmalloc((size_t)topo->nnodes * sizeof(*island_of) + 1);
	for (int v = 0; v < nvertices; v++) {
		parent[v] = v;
		island[v] = -1;
	}
	for (int64_t i = 0; i < graph->nlinks; i++) {
		int a = find_root(parent, graph->links[i].a),
		    b = find_root(parent, graph->links[i].b);

		parent[a > b ? a : b] = a > b ? b : a;
	}
	for (int node = 0; node < topo->nnodes; node++) {
		int root = find_root(parent, node);

		if (island[root] < 0)
			island[root] = nislands++;
		island_of[node] = island[root];
	}
	free(parent);
	free(island);
	if (nislands < 2) {
		free(island_of);
		return;
	}
	need(eligible, topo)->island_of = island_of;
	(*eligible)->nislands = nislands;
	free((*eligible)->nidle);
	(*eligible)->nidle = xcalloc((size_t)nislands, sizeof(int));
}

static void add_names(struct eligible *eligible, struct name_sets *sets, int node,
		      const char *names)
{
	while (names != NULL && *names != '\0') {
		size_t n = strcspn(names, ",");
		int64_t id = map_add(&sets->ids, names, n, (int64_t)sets->sets.n);

		if (id == (int64_t)sets->sets.n)
			vec_push(&sets->sets, xcalloc((size_t)eligible->nwords, sizeof(uint64_t)));
		sets->sets.at[id][node / 64] |= UINT64_C(1) << node % 64;
		names += n + (names[n] == ',');
	}
}

void eligible_partitions(struct eligible **eligible, const struct topo *topo, int node,
			 const char *names)
{
	need(eligible, topo)->has_partitions = true;
	add_names(*eligible, &(*eligible)->partitions, node, names);
}

void eligible_features(struct eligible **eligible, const struct topo *topo, int node,
		       const char *names)
{
	need(eligible, topo)->has_features = true;
	add_names(*eligible, &(*eligible)->features, node, names);
}

/* ---- features ---- */

/* The nodes of a name; NULL: no node has it. */
static const uint64_t *set_of(const struct name_sets *sets, const char *name, size_t n)
{
	int64_t id = map_get(&sets->ids, name, n);

	return id >= 0 ? sets->sets.at[id] : NULL;
}

/* a&b|(c&d), from left to right; *text moves behind it. words [nwords]. -1: not such a thing. */
static int read_features(const struct eligible *eligible, const char **text, uint64_t *words,
			 int depth)
{
	uint64_t *other = xcalloc((size_t)eligible->nwords, sizeof(*other));
	char op = '|';
	int status = depth < 16 ? 0 : -1;

	memset(words, 0, (size_t)eligible->nwords * sizeof(*words));
	while (status == 0) {
		memset(other, 0, (size_t)eligible->nwords * sizeof(*other));
		if (**text == '(') {
			++*text;
			status = read_features(eligible, text, other, depth + 1);
			if (status == 0 && *(*text)++ != ')')
				status = -1;
		} else {
			size_t n = strcspn(*text, "&|()[]*");
			const uint64_t *set = set_of(&eligible->features, *text, n);

			if (n == 0 || (*text)[n] == '*' || (*text)[n] == '[')
				status = -1;
			if (set != NULL)
				memcpy(other, set, (size_t)eligible->nwords * sizeof(*other));
			*text += n;
		}
		for (int i = 0; i < eligible->nwords && status == 0; i++)
			words[i] = op == '|' ? words[i] | other[i] : words[i] & other[i];
		if (status != 0 || (**text != '&' && **text != '|'))
			break;
		op = *(*text)++;
	}
	free(other);
	return status;
}

/* The next of the alternatives of "[a|b]", or the only one of "a|b". 1, 0: no more, -1. */
static int next_features(const struct eligible *eligible, const char **text, uint64_t *words)
{
	char *one;
	const char *at;
	size_t n;
	int status;

	if (**text == '\0')
		return 0;
	if (**text != '[' && **text != '|') {
		status = read_features(eligible, text, words, 0);
		return status == 0 && **text == '\0' ? 1 : -1;
	}
	if (str_eq(*text, "]"))
		return 0;
	n = strcspn(*text + 1, "|]");
	one = xstrndup(*text + 1, n);
	at = one;
	status = read_features(eligible, &at, words, 0) == 0 && *at == '\0' ? 1 : -1;
	free(one);
	*text += n + 1;
	if (**text == ']')
		*text += 1;
	return **text == '\0' || **text == '|' ? status : -1;
}

/* ---- choosing ---- */

/* Takes the idle nodes outside of a set and island; island -1: all. */
static void hide(struct eligible *eligible, struct machine *machine, int island)
{
	eligible->hidden.n = 0;
	for (int node = 0; node < eligible->nnodes; node++) {
		bool is_in = (eligible->allowed[node / 64] >> node % 64 & 1) != 0 &&
			     (island < 0 || eligible->island_of[node] == island);

		if (!is_in && machine_is_idle(machine, node))
			vec_push(&eligible->hidden, node);
	}
	machine_take_all(machine, eligible->hidden.at, eligible->hidden.n);
}

static int choose_there(struct schedule *schedule, const struct alloc_request *request,
			int64_t now_ns, int island, int_vec *nodes, struct buf *reason,
			struct err *err)
{
	struct machine *machine = request->machine;
	size_t mark = machine_mark(machine);
	int status;

	hide(schedule->eligible, machine, island);
	status = sched_choose_any(schedule, request, now_ns, nodes, reason, err);
	machine_undo(machine, mark);
	if (status == 1)
		machine_take_all(machine, nodes->at, nodes->n);
	return status;
}

/* Idle nodes of the set by island; returns how many in all. */
static int count_idle(struct eligible *eligible, const struct machine *machine)
{
	int n = 0;

	memset(eligible->nidle, 0, (size_t)eligible->nislands * sizeof(int));
	for (int node = 0; node < eligible->nnodes; node++)
		if ((eligible->allowed[node / 64] >> node % 64 & 1) != 0 &&
		    machine_is_idle(machine, node)) {
			eligible->nidle[eligible->island_of != NULL ? eligible->island_of[node]
								    : 0]++;
			n++;
		}
	return n;
}

/* The island with the fewest idle nodes that are enough, of those not tried; -1: none. */
static int next_island(struct eligible *eligible, int wanted)
{
	int best = -1;

	for (int i = 0; i < eligible->nislands; i++)
		if (eligible->nidle[i] >= wanted &&
		    (best < 0 || eligible->nidle[i] < eligible->nidle[best]))
			best = i;
	return best;
}

/* Of the nodes that are allowed. */
static int choose_island(struct schedule *schedule, const struct alloc_request *request,
			 int64_t now_ns, int_vec *nodes, struct buf *reason, struct err *err)
{
	struct eligible *eligible = schedule->eligible;
	int nidle = count_idle(eligible, request->machine), island, status = 0;

	while (status == 0 && (island = next_island(eligible, request->job->nnodes)) >= 0) {
		eligible->nidle[island] = -1;
		status =
			choose_there(schedule, request, now_ns,
				     eligible->island_of != NULL ? island : -1, nodes, reason, err);
		if (status == 0)
			nidle = -1; /* the reason is the policy's own */
	}
	if (status == 0 && nidle >= 0) {
		buf_clear(reason);
		buf_printf(reason, "%d nodes requested, %d of those it may have are idle%s",
			   request->job->nnodes, nidle,
			   nidle >= request->job->nnodes ? ", on islands apart" : "");
	}
	return status;
}

/* Of one partition; each alternative of the features in turn. */
static int choose_features(struct schedule *schedule, const struct alloc_request *request,
			   const uint64_t *partition, int64_t now_ns, int_vec *nodes,
			   struct buf *reason, struct err *err)
{
	struct eligible *eligible = schedule->eligible;
	const char *features = eligible->has_features ? request->job->features : NULL;
	int status = 0, more = 1;

	do {
		if (features != NULL)
			more = next_features(eligible, &features, eligible->wanted);
		if (more < 0)
			buf_printf(reason, "features '%s' are not understood",
				   request->job->features);
		if (more <= 0)
			return status;
		for (int i = 0; i < eligible->nwords; i++)
			eligible->allowed[i] =
				(partition != NULL ? partition[i] : ~UINT64_C(0)) &
				(features != NULL ? eligible->wanted[i] : ~UINT64_C(0));
		status = choose_island(schedule, request, now_ns, nodes, reason, err);
	} while (status == 0 && features != NULL);
	return status;
}

int eligible_choose(struct schedule *schedule, const struct alloc_request *request, int64_t now_ns,
		    int_vec *nodes, struct buf *reason, struct err *err)
{
	struct eligible *eligible = schedule->eligible;
	const char *names = eligible->has_partitions ? request->job->partition : NULL;
	int status = 0;

	nodes->n = 0;
	buf_clear(reason);
	if (names == NULL)
		return choose_features(schedule, request, NULL, now_ns, nodes, reason, err);
	while (status == 0 && *names != '\0') {
		size_t n = strcspn(names, ",");
		const uint64_t *partition = set_of(&eligible->partitions, names, n);

		if (partition != NULL)
			status = choose_features(schedule, request, partition, now_ns, nodes,
						 reason, err);
		else
			buf_printf(reason, "no node is in the partition %.*s", (int)n, names);
		names += n + (names[n] == ',');
	}
	return status;
}
