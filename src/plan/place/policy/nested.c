/* nested.c - the best nodes in nested domains, as jobs ask for them: fewest domains, then fewest
 * idle nodes left in them */
#include <stdlib.h>
#include <string.h>

#include "model/domain_asks.h"
#include "place/policy/nested_tree.h"
#include "place/policy/policy.h"

/* One hierarchy, or the network, while it is planned in. */
struct forest {
	struct nested_tree tree; /* nlevels 0: not made yet */
	int *of;                 /* [nnodes] leaf, counted from 0; -1: in none */
	int *first, *member;     /* nodes of a leaf: member[first[leaf]] … */
	int *taken;              /* [vertices] */
};

struct nested {
	struct forest *forests; /* [nhierarchies + 1]: the last one is the network */
	struct domain_texts usual;
};

/* ---- trees ---- */

/* Of "[block:32,rack:16]" what is inside; NULL: not set. To be freed. */
static char *word_in(const struct pick *pick, const char *key)
{
	const char *text = pick_word(pick, key);
	char *kept;
	size_t n;

	if (text == NULL)
		return NULL;
	kept = xstrdup(text[0] == '[' ? text + 1 : text);
	n = strlen(kept);
	if (n > 0 && kept[n - 1] == ']')
		kept[n - 1] = '\0';
	return kept;
}

/* The level of the tree: 1 is the outermost one; 0: node, which is inside of the leaves. */
static int tree_level(const struct level_ref *ref)
{
	if (ref->hierarchy != NULL)
		return ref->level + 1;
	return ref->level >= 0 ? ref->topo->ntiers - ref->level : 0;
}

/* The domain of the next level outside, or -1. */
static int above(const struct topo *topo, const struct hierarchy *hierarchy, int level, int domain)
{
	if (hierarchy != NULL)
		return hierarchy->levels[level - 1].above[domain];
	return topo->tiers[topo->ntiers - level + 1].of[domain];
}

static void make_tree(struct nested_tree *tree, const struct topo *topo,
		      const struct hierarchy *hierarchy)
{
	int *parent;

	tree->nlevels = hierarchy != NULL ? hierarchy->nlevels : topo->ntiers;
	tree->first[0] = 0;
	tree->first[1] = 1;
	for (int l = 1; l <= tree->nlevels; l++)
		tree->first[l + 1] =
			tree->first[l] + (hierarchy != NULL ? hierarchy->levels[l - 1].n
							    : topo->tiers[topo->ntiers - l].n);
	parent = xmalloc(((size_t)tree->first[tree->nlevels + 1] + 1) * sizeof(*parent));
	parent[0] = -1;
	for (int l = 1; l <= tree->nlevels; l++)
		for (int v = tree->first[l]; v < tree->first[l + 1]; v++) {
			int outer = l == 1 ? 0 : above(topo, hierarchy, l, v - tree->first[l]);

			parent[v] = outer < 0 ? -1 : tree->first[l - 1] + outer;
		}
	nested_tree_make(tree, parent);
}

static struct forest *forest_of(struct alloc *alloc, const struct hierarchy *hierarchy)
{
	struct nested *nested = alloc->state;
	const struct topo *topo = alloc->topo;
	struct forest *forest = &nested->forests[hierarchy != NULL ? hierarchy - topo->hierarchies
								   : topo->nhierarchies];
	struct level_ref leaf = {topo, hierarchy, hierarchy != NULL ? hierarchy->nlevels - 1 : 0};

	if (forest->of != NULL)
		return forest;
	make_tree(&forest->tree, topo, hierarchy);
	forest->of = level_domains(&leaf);
	forest->taken =
		xcalloc((size_t)forest->tree.first[forest->tree.nlevels + 1] + 1, sizeof(int));
	domain_members(forest->of, topo->nnodes, level_count(&leaf), &forest->first,
		       &forest->member);
	return forest;
}

/* ---- what the job asks ---- */

/* The hierarchy that all levels are of; *nnamed: how many are named beside "node". */
static bool are_of_one(const struct domain_asks *asks, const struct hierarchy **hierarchy,
		       int *nnamed)
{
	const struct level_ref *refs[3 * DOMAIN_LEVELS_MOST + 1];
	int n = 0;

	for (int i = 0; i < asks->nwithin; i++)
		refs[n++] = &asks->within[i].level;
	for (int i = 0; i < asks->nslices; i++)
		refs[n++] = &asks->slices[i].level;
	for (int i = 0; i < asks->nspread; i++)
		refs[n++] = &asks->spread[i].level;
	if (asks->has_balance)
		refs[n++] = &asks->balance;
	*nnamed = 0;
	*hierarchy = NULL;
	for (int i = 0; i < n; i++) {
		if (tree_level(refs[i]) == 0)
			continue;
		if ((*nnamed)++ > 0 && refs[i]->hierarchy != *hierarchy)
			return false;
		*hierarchy = refs[i]->hierarchy;
	}
	return true;
}

/* Why it cannot be at all; NULL: it may. */
static const char *ask(struct nested_request *request, const struct domain_asks *asks)
{
	for (int i = 0; i < asks->nslices; i++) {
		int level = tree_level(&asks->slices[i].level);

		if (request->units % asks->slices[i].size != 0)
			return "they are not a multiple of its slices";
		if (level == 0 && asks->slices[i].size > 1)
			return "a node is one unit, and no slice of more";
		request->slice[level] = level > 0 ? asks->slices[i].size : 0;
	}
	for (int i = 0; i < asks->nspread; i++)
		if (tree_level(&asks->spread[i].level) > 0)
			request->most[tree_level(&asks->spread[i].level)] = asks->spread[i].size;
	for (int i = 0; i < asks->nwithin; i++) {
		int level = tree_level(&asks->within[i].level);

		if (level == 0 && !asks->within[i].is_soft && request->units > 1)
			return "they are within no node";
		if (!asks->within[i].is_soft && level > request->single)
			request->single = level;
	}
	request->balance = asks->has_balance ? tree_level(&asks->balance) : 0;
	return NULL;
}

/* The innermost level that the job would be within, if it can be. */
static int soft_level(const struct domain_asks *asks)
{
	int soft = 0;

	for (int i = 0; i < asks->nwithin; i++)
		if (asks->within[i].is_soft && tree_level(&asks->within[i].level) > soft)
			soft = tree_level(&asks->within[i].level);
	return soft;
}

/* ---- a choice ---- */

static void take(const struct forest *forest, const struct alloc_request *request, int_vec *nodes)
{
	int first = forest->tree.first[forest->tree.nlevels];
	int end = forest->tree.first[forest->tree.nlevels + 1];

	for (int v = first; v < end; v++) {
		int left = forest->taken[v];

		for (int i = forest->first[v - first]; left > 0; i++)
			if (machine_is_idle(request->machine, forest->member[i])) {
				alloc_take(request, forest->member[i], nodes);
				left--;
			}
	}
}

static void count_idle(const struct forest *forest, const struct machine *machine)
{
	int *idle = forest->tree.idle + forest->tree.first[forest->tree.nlevels];
	int nleaves = forest->tree.first[forest->tree.nlevels + 1] -
		      forest->tree.first[forest->tree.nlevels];

	memset(idle, 0, (size_t)nleaves * sizeof(*idle));
	for (int i = 0; i < machine->idle.nwords[0]; i++)
		for (uint64_t word = machine->idle.level[0][i]; word != 0; word &= word - 1) {
			int leaf = forest->of[64 * i + __builtin_ctzll(word)];

			if (leaf >= 0)
				idle[leaf]++;
		}
}

static void read_texts(const struct nested *nested, const struct job *job,
		       struct domain_texts *texts)
{
	const struct domain_texts *own = &job->domains, *usual = &nested->usual;

	*texts = (struct domain_texts){
		.within = own->within != NULL ? own->within : usual->within,
		.slices = own->slices != NULL ? own->slices : usual->slices,
		.spread = own->spread != NULL ? own->spread : usual->spread,
		.balance = own->balance != NULL ? own->balance : usual->balance,
	};
}

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	const struct job *job = request->job;
	struct nested_request asked = {.units = job->nnodes};
	const struct hierarchy *hierarchy;
	struct domain_texts texts;
	struct domain_asks asks;
	struct forest *forest;
	const char *why = NULL;
	bool is_found = false;
	struct err bad;
	int nnamed, hard;

	read_texts(alloc->state, job, &texts);
	if (domain_asks_read(&asks, alloc->topo, &texts, &bad) != 0)
		return row_error(&job->row, err, "%s", bad.msg);
	if (!are_of_one(&asks, &hierarchy, &nnamed))
		why = "its levels are of two hierarchies";
	if (why == NULL)
		why = ask(&asked, &asks);
	if (why != NULL) {
		buf_printf(reason, "%d nodes requested: %s", job->nnodes, why);
		return 0;
	}
	if (nnamed == 0 && alloc->topo->nhierarchies > 0)
		hierarchy = &alloc->topo->hierarchies[0];
	forest = forest_of(alloc, hierarchy);
	count_idle(forest, request->machine);
	hard = asked.single;
	for (int single = soft_level(&asks); single > hard && !is_found; single--) {
		asked.single = single;
		is_found = nested_best(&forest->tree, &asked, forest->taken);
	}
	asked.single = hard;
	is_found = is_found || nested_best(&forest->tree, &asked, forest->taken);
	if (is_found)
		take(forest, request, nodes);
	else
		buf_printf(reason, "%d nodes requested, in no domains as it asks", job->nnodes);
	return is_found;
}

static void close(struct alloc *alloc)
{
	struct nested *nested = alloc->state;

	if (nested == NULL)
		return;
	for (int h = 0; h <= alloc->topo->nhierarchies; h++) {
		struct forest *forest = &nested->forests[h];

		nested_tree_free(&forest->tree);
		free(forest->of);
		free(forest->first);
		free(forest->member);
		free(forest->taken);
	}
	free(nested->forests);
	free((char *)nested->usual.within);
	free((char *)nested->usual.slices);
	free((char *)nested->usual.spread);
	free((char *)nested->usual.balance);
	free(nested);
}

static int nested_open(struct alloc *alloc, struct err *err)
{
	struct nested *nested = xcalloc(1, sizeof(*nested));
	struct domain_asks asks;

	alloc->state = nested;
	nested->forests = xcalloc((size_t)alloc->topo->nhierarchies + 1, sizeof(*nested->forests));
	nested->usual = (struct domain_texts){.within = word_in(alloc->pick, "within"),
					      .slices = word_in(alloc->pick, "slices"),
					      .spread = word_in(alloc->pick, "spread"),
					      .balance = word_in(alloc->pick, "balance")};
	return domain_asks_read(&asks, alloc->topo, &nested->usual, err);
}

const struct alloc_policy alloc_policy_nested = {
	.entry =
		{
			.name = "nested",
			.example = "nested",
			.summary =
				"the fewest domains, then the fewest idle nodes left in them, exactly; "
				"within, slices, spread and balance as jobs ask",
			.params =
				(const struct param[]){
					{.key = "within",
					 .type = PARAM_TEXT,
					 .optional = true,
					 .meaning =
						 "for jobs without the column within: [block,rack?]"},
					{.key = "slices",
					 .type = PARAM_TEXT,
					 .optional = true,
					 .meaning = "likewise: [block:32,rack:16]"},
					{.key = "spread",
					 .type = PARAM_TEXT,
					 .optional = true,
					 .meaning = "likewise: rack:4"},
					{.key = "balance",
					 .type = PARAM_TEXT,
					 .optional = true,
					 .meaning = "likewise: rack"},
					{0}},
		},
	.may_refuse = true,
	.heeds_domains = true,
	.open = nested_open,
	.close = close,
	.choose = choose,
};
