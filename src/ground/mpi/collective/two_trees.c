/* two_trees.c - two binary trees over the same members, each with the other's leaves inside */
#include "mpi/collective/nccl.h"

/* Where a domain stands in the first tree, and back. */
static int seen_from(int n, int tree, int d)
{
	if (tree == 0)
		return d;
	return n % 2 == 0 ? n - 1 - d : (d + n - 1) % n;
}

static int back_from(int n, int tree, int d)
{
	if (tree == 0)
		return d;
	return n % 2 == 0 ? n - 1 - d : (d + 1) % n;
}

int nccl_tree_parent(int n, int tree, int d)
{
	int at = seen_from(n, tree, d), bit = at & -at, above = (at ^ bit) | bit << 1;

	if (at == 0)
		return -1;
	return back_from(n, tree, above < n ? above : at ^ bit);
}

int nccl_tree_depth(int n, int tree, int d)
{
	int depth = 0;

	while ((d = nccl_tree_parent(n, tree, d)) >= 0)
		depth++;
	return depth;
}

int nccl_tree_children(int n, int tree, int d, int *children)
{
	int at = seen_from(n, tree, d), bit = at == 0 ? 1 << collective_log2_up(n) : at & -at;
	int count = 0;

	if (at > 0 && bit > 1)
		children[count++] = back_from(n, tree, at - bit / 2);
	for (bit /= 2; bit > 0 && at + bit >= n;)
		bit /= 2;
	if (bit > 0)
		children[count++] = back_from(n, tree, at + bit);
	return count;
}

double nccl_tree_load(int n)
{
	return n < 2 ? 0 : n == 2 ? 1 : n == 3 ? 1.5 : 2;
}
