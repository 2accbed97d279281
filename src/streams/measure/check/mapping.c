/* mapping.c - what must hold of a mapping: ranks and cores are in bijection */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "measure/check/check.h"
#include "base/names.h"
#include "model/kinds.h"

/* Rows that agree in run, policy, mapper and job. */
struct one {
	int64_t nranks, greatest;
	const char *name;
	char *file;
	long line; /* of its last row */
};

struct mappings {
	struct map ids, slots;
	VEC(struct one) at;
	struct buf key;
	struct arena arena;
};

static void mapping_open(struct checking *checking)
{
	checking->state = xcalloc(1, sizeof(struct mappings));
}

/* "run 1, policy x, job a", or "" where the stream has no such columns. */
static const char *name_of(struct mappings *all, const struct checking *checking,
			   const struct row *at)
{
	static const char *const columns[] = {"run", "policy", "mapper", "job"};

	buf_clear(&all->key);
	for (int i = 0; i < 4; i++) {
		const char *text = row_text(at, table_find(checking->in, columns[i]));

		if (text != NULL)
			buf_printf(&all->key, "%s%s %s", all->key.n > 0 ? ", " : "", columns[i],
				   text);
	}
	return buf_text(&all->key);
}

static struct one *mapping_of(struct mappings *all, const struct checking *checking,
			      const struct row *at)
{
	const char *name = name_of(all, checking, at);
	int64_t id = map_add(&all->ids, name, all->key.n, (int64_t)all->at.n);

	if (id == (int64_t)all->at.n)
		vec_push(&all->at,
			 (struct one){.greatest = -1,
				      .name = arena_strndup(&all->arena, name, all->key.n)});
	return &all->at.at[id];
}

/* A core takes one rank of a mapping. */
static void check_slot(struct checking *checking, const struct row *at, int node)
{
	struct mappings *all = checking->state;
	const struct topo *topo = checking->topo;
	int64_t core, line;
	int cores;

	if (!cell_int(at, table_find(checking->in, "core"), &core))
		return;
	buf_printf(&all->key, "\t%s\t%" PRId64, row_text(at, table_find(checking->in, "node")),
		   core);
	line = map_add(&all->slots, buf_text(&all->key), all->key.n, at->line);
	if (line != at->line)
		found_at(checking, at, "core: core %" PRId64 " of %s has the rank of line %" PRId64,
			 core, row_text(at, table_find(checking->in, "node")), line);
	if (node < 0)
		return;
	cores = topo->cores_of != NULL ? topo->cores_of[node] : topo->cores;
	if (cores > 1 && core >= cores)
		found_at(checking, at, "core: there is no core %" PRId64 ": the node has %d", core,
			 cores);
}

static void row(struct checking *checking, const struct row *at)
{
	struct mappings *all = checking->state;
	struct one *one = mapping_of(all, checking, at);
	int64_t rank;

	if (cell_int(at, table_find(checking->in, "rank"), &rank)) {
		one->nranks++;
		one->greatest = rank > one->greatest ? rank : one->greatest;
	}
	if (one->file == NULL)
		one->file = arena_strndup(&all->arena, at->file, strlen(at->file));
	one->line = at->line;
	check_slot(checking, at, check_node(checking, at, "node"));
}

/* The table reports a rank that occurs twice. */
static void close(struct checking *checking)
{
	struct mappings *all = checking->state;

	for (size_t i = 0; i < all->at.n; i++) {
		const struct one *one = &all->at.at[i];

		if (one->greatest >= one->nranks)
			found_in(checking, one->file, one->line,
				 "rank: the greatest is %" PRId64 ", but there are %" PRId64
				 " rows%s%s: ranks are missing",
				 one->greatest, one->nranks, one->name[0] ? " of " : "", one->name);
	}
	map_free(&all->ids);
	map_free(&all->slots);
	vec_free(&all->at);
	buf_free(&all->key);
	arena_free(&all->arena);
	free(all);
}

const struct check check_mapping = {
	.entry =
		{
			.name = "mapping",
			.example = "mapping",
			.summary = "every rank has a separate core, none is missing, "
				   "nodes and cores exist",
		},
	.kind = &kind_mapping,
	.open = mapping_open,
	.row = row,
	.close = close,
};
