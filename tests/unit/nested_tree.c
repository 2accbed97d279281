/* nested_tree.c - the best choice in nested domains against enumeration of all */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "place/policy/nested_tree.h"
#include "check.h"

enum { VERTICES_MOST = 64, LEAVES_MOST = 7, CASES = 4000 };

struct trial {
	struct nested_tree tree;
	struct nested_request request;
	int vertex[VERTICES_MOST]; /* units of each */
	int least[2 * NESTED_LEVELS];
	int share; /* the largest least share with the domains of least */
	bool is_found;
};

static int draw(struct rng *rng, int n)
{
	return (int)rng_below(rng, (uint64_t)n);
}

static void make(struct trial *trial, struct rng *rng)
{
	struct nested_tree *tree = &trial->tree;
	int *parent = xmalloc(VERTICES_MOST * sizeof(*parent)), n = 1, size = 1;

	*trial = (struct trial){.is_found = false};
	tree->nlevels = 1 + draw(rng, 4);
	parent[0] = -1;
	tree->first[1] = 1;
	for (int level = 1; level <= tree->nlevels; level++) {
		int most = level == tree->nlevels ? LEAVES_MOST : LEAVES_MOST - 3;
		int width = 1 + draw(rng, most), before = tree->first[level - 1];

		for (int i = 0; i < width; i++)
			parent[n++] = before + draw(rng, tree->first[level] - before);
		tree->first[level + 1] = n;
	}
	nested_tree_make(tree, parent);
	for (int v = tree->first[tree->nlevels]; v < n; v++)
		tree->idle[v] = draw(rng, 4);
	trial->request.units = 1 + draw(rng, 10);
	for (int level = tree->nlevels; level >= 1; level--) {
		if (draw(rng, 3) == 0) {
			size *= 1 + draw(rng, 2);
			trial->request.slice[level] = size;
		}
		if (draw(rng, 5) == 0)
			trial->request.most[level] = 1 + draw(rng, 5);
		if (draw(rng, 8) == 0)
			trial->request.least[level] = 1 + draw(rng, 3);
	}
	if (draw(rng, 4) == 0)
		trial->request.single = draw(rng, tree->nlevels + 1);
	if (draw(rng, 3) == 0)
		trial->request.balance = 1 + draw(rng, tree->nlevels);
}

/* Domains used by level, then idle units left by level; false: not as requested. share: the least
 * one of a domain of the level to be balanced. */
static bool measure(const struct trial *trial, const int *vertex, int *sums, int *share)
{
	const struct nested_tree *tree = &trial->tree;
	const struct nested_request *request = &trial->request;
	int nlevels = tree->nlevels, idle[VERTICES_MOST] = {0};

	memset(sums, 0, 2 * NESTED_LEVELS * sizeof(*sums));
	*share = 1 << 20;
	for (int v = tree->first[nlevels + 1] - 1; v > 0; v--) {
		if (v >= tree->first[nlevels])
			idle[v] = tree->idle[v];
		idle[tree->parent[v]] += idle[v];
	}
	for (int level = 1; level <= nlevels; level++) {
		for (int v = tree->first[level]; v < tree->first[level + 1]; v++) {
			int units = vertex[v];

			if (units == 0)
				continue;
			if ((request->slice[level] > 0 && units % request->slice[level] != 0) ||
			    (request->most[level] > 0 && units > request->most[level]) ||
			    units < request->least[level])
				return false;
			sums[level - 1]++;
			sums[nlevels + level - 1] += idle[v] - units;
			if (level == request->balance && units < *share)
				*share = units;
		}
		if (level <= request->single && sums[level - 1] > 1)
			return false;
	}
	return true;
}

static void consider(struct trial *trial)
{
	int sums[2 * NESTED_LEVELS], share, nlevels = trial->tree.nlevels;
	bool is_less = !trial->is_found, as_few = true;

	if (!measure(trial, trial->vertex, sums, &share))
		return;
	for (int i = 0; i < 2 * nlevels && !is_less; i++) {
		if (sums[i] > trial->least[i])
			break;
		is_less = sums[i] < trial->least[i];
	}
	for (int i = 0; i < nlevels; i++)
		as_few &= trial->is_found && sums[i] == trial->least[i];
	if (!as_few && is_less)
		trial->share = share;
	else if (as_few && share > trial->share)
		trial->share = share;
	if (is_less)
		memcpy(trial->least, sums, sizeof(sums));
	trial->is_found = true;
}

static void enumerate(struct trial *trial, int leaf, int left)
{
	const struct nested_tree *tree = &trial->tree;

	if (leaf == tree->first[tree->nlevels + 1]) {
		if (left == 0)
			consider(trial);
		return;
	}
	for (int units = 0; units <= tree->idle[leaf] && units <= left; units++) {
		for (int v = leaf; v >= 0; v = tree->parent[v])
			trial->vertex[v] += units;
		enumerate(trial, leaf + 1, left - units);
		for (int v = leaf; v >= 0; v = tree->parent[v])
			trial->vertex[v] -= units;
	}
}

static bool is_tree(const struct trial *trial, const int *taken)
{
	const struct nested_tree *tree = &trial->tree;
	int sum[VERTICES_MOST] = {0};

	for (int v = tree->first[tree->nlevels + 1] - 1; v > 0; v--) {
		if (v >= tree->first[tree->nlevels])
			sum[v] = taken[v];
		if (sum[v] != taken[v] || taken[v] < 0)
			return false;
		sum[tree->parent[v]] += taken[v];
	}
	return sum[0] == trial->request.units;
}

int main(void)
{
	struct rng rng = rng_make(7, "nested", "tree", "unit");
	int nfound = 0, nbalanced = 0;

	for (int i = 0; i < CASES; i++) {
		int taken[VERTICES_MOST], sums[2 * NESTED_LEVELS], share, nlevels;
		struct trial trial;
		bool is_found;

		make(&trial, &rng);
		nlevels = trial.tree.nlevels;
		enumerate(&trial, trial.tree.first[nlevels], trial.request.units);
		is_found = nested_best(&trial.tree, &trial.request, taken);
		CHECK(is_found == trial.is_found);
		if (is_found) {
			CHECK(is_tree(&trial, taken));
			CHECK(measure(&trial, taken, sums, &share));
			for (int k = 0; k < nlevels; k++)
				CHECK(sums[k] == trial.least[k]);
			for (int k = nlevels; k < 2 * nlevels && trial.request.balance == 0; k++)
				CHECK(sums[k] == trial.least[k]);
			if (trial.request.balance > 0)
				CHECK(share == trial.share);
			nfound++;
			nbalanced += trial.request.balance > 0;
		}
		nested_tree_free(&trial.tree);
	}
	CHECK(nfound > CASES / 5 && nfound < CASES && nbalanced > CASES / 20);
	return check_done();
}
