/* nested.c - whether jobs have their nodes in domains as they ask: within, slices, spread, together
 */
#include "measure/check/nested.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "model/per_node.h"

enum { NAMED_MOST = 16 }; /* domains that a message names */

/* The units of a job in one domain. */
struct share_of {
	int domain;
	int64_t units;
};

typedef VEC(struct share_of) share_vec;

static const char *text_of(const struct checking *checking, const struct row *row,
			   const char *column)
{
	return row_text(row, table_find(checking->in, column));
}

void nested_texts(const struct checking *checking, const struct row *row,
		  struct domain_texts *texts)
{
	*texts = (struct domain_texts){
		.within = text_of(checking, row, "within"),
		.slices = text_of(checking, row, "slices"),
		.spread = text_of(checking, row, "spread"),
		.balance = text_of(checking, row, "balance"),
		.together = text_of(checking, row, "together"),
	};
}

bool nested_units_are_gpus(const struct checking *checking, const struct row *row)
{
	const char *exclusive = text_of(checking, row, "exclusive");
	int64_t gpus;

	return exclusive != NULL && str_eq(exclusive, "no") &&
	       cell_int(row, table_find(checking->in, "gpus"), &gpus) && gpus > 0;
}

void nested_units(const struct checking *checking, const struct row *row, int64_t *units, size_t n)
{
	const char *list = text_of(checking, row, "gpus_per_node");
	bool are_gpus = nested_units_are_gpus(checking, row);
	int64_t gpus = 0;
	struct err none;

	if (are_gpus && list != NULL && per_node_read(list, units, (int)n, &none) == 0)
		return;
	if (are_gpus)
		cell_int(row, table_find(checking->in, "gpus"), &gpus);
	for (size_t i = 0; i < n; i++)
		units[i] = are_gpus ? per_node_of(gpus, (int)n, (int)i) : 1;
}

static int by_domain(const void *a, const void *b)
{
	const struct share_of *x = a, *y = b;

	return (x->domain > y->domain) - (x->domain < y->domain);
}

/* The shares of a level's domains, ascending; a node in no domain is found once, and false
 * returned. */
static bool count(struct checking *checking, const struct row *row, const char *column,
		  const struct level_ref *level, const int *nodes, const int64_t *units, size_t n,
		  share_vec *shares)
{
	char text[TOPO_NAME];
	size_t ndomains = 0;

	shares->n = 0;
	for (size_t i = 0; i < n; i++) {
		int domain = nodes[i] >= 0 ? level_domain(level, nodes[i]) : -1;

		if (nodes[i] < 0)
			continue;
		if (domain < 0) {
			found_at(checking, row, "%s: %s is in no %s", column,
				 topo_node_name(checking->topo, nodes[i], text), level_name(level));
			return false;
		}
		vec_push(shares, (struct share_of){domain, units[i]});
	}
	if (shares->n > 1)
		qsort(shares->at, shares->n, sizeof(*shares->at), by_domain);
	for (size_t i = 0; i < shares->n; i++)
		if (ndomains > 0 && shares->at[ndomains - 1].domain == shares->at[i].domain)
			shares->at[ndomains - 1].units += shares->at[i].units;
		else
			shares->at[ndomains++] = shares->at[i];
	shares->n = ndomains;
	return true;
}

static void list_domains(const struct level_ref *level, const int *domains, size_t n,
			 struct buf *list)
{
	char text[TOPO_NAME];

	for (size_t i = 0; i < n && i < NAMED_MOST; i++)
		buf_printf(list, "%s%s", i > 0 ? ", " : "",
			   level_domain_name(level, domains[i], text));
	if (n > NAMED_MOST)
		buf_str(list, ", …");
}

static int *domains_of(const share_vec *shares)
{
	int *domains = xmalloc((shares->n + 1) * sizeof(*domains));

	for (size_t i = 0; i < shares->n; i++)
		domains[i] = shares->at[i].domain;
	return domains;
}

/* ---- one job ---- */

static void check_within(struct checking *checking, const struct row *row,
			 const struct level_ref *level, const share_vec *shares)
{
	struct buf list = {0};
	int *domains;

	if (shares->n <= 1)
		return;
	domains = domains_of(shares);
	list_domains(level, domains, shares->n, &list);
	found_at(checking, row, "within: the nodes are in %zu domains of the level %s: %s",
		 shares->n, level_name(level), buf_text(&list));
	buf_free(&list);
	free(domains);
}

static void check_sizes(struct checking *checking, const struct row *row,
			const struct domain_ask *ask, const share_vec *shares, bool is_slice)
{
	char text[TOPO_NAME];

	for (size_t i = 0; i < shares->n; i++) {
		const struct share_of *share = &shares->at[i];
		const char *name = level_domain_name(&ask->level, share->domain, text);

		if (is_slice && share->units % ask->size != 0)
			found_at(checking, row, "slices: %lld in %s %s are not slices of %d",
				 (long long)share->units, level_name(&ask->level), name, ask->size);
		if (!is_slice && share->units > ask->size)
			found_at(checking, row, "spread: %lld in %s %s, %d are allowed",
				 (long long)share->units, level_name(&ask->level), name, ask->size);
	}
}

/* ---- groups ---- */

/* The first job of the row's group; *is_first: this one. */
static struct nested_group *group_of(struct nested_check *nested, const struct checking *checking,
				     const struct row *row, const char *together, bool *is_first)
{
	const char *run = text_of(checking, row, "run"), *policy = text_of(checking, row, "policy");
	char *key = xasprintf("%s\t%s\t%s", run != NULL ? run : "", policy != NULL ? policy : "",
			      together);
	size_t at =
		(size_t)map_add(&nested->group_ids, key, strlen(key), (int64_t)nested->groups.n);

	free(key);
	*is_first = at == nested->groups.n;
	if (*is_first)
		vec_push(&nested->groups, (struct nested_group){.name = NULL});
	return &nested->groups.at[at];
}

/* Appends what b [nb] has beyond a [na], both ascending; returns how many there are then. */
static int unite(const int *a, int na, const int *b, int nb, int *all)
{
	int n = 0, i = 0, k = 0;

	while (i < na || k < nb) {
		if (k == nb || (i < na && a[i] <= b[k])) {
			k += k < nb && a[i] == b[k];
			all[n++] = a[i++];
		} else {
			all[n++] = b[k++];
		}
	}
	return n;
}

static void check_together(struct nested_check *nested, struct checking *checking,
			   const struct row *row, const struct domain_asks *asks,
			   const char *together, const share_vec *shares)
{
	const char *name = text_of(checking, row, "job");
	int *own = domains_of(shares), *all, nall;
	struct buf list = {0};
	bool is_first;
	struct nested_group *group = group_of(nested, checking, row, together, &is_first);

	all = xmalloc((shares->n + (size_t)group->ndomains + 1) * sizeof(*all));
	nall = unite(group->domains, group->ndomains, own, (int)shares->n, all);
	list_domains(&asks->together, all, (size_t)nall, &list);
	if (is_first) {
		group->name = arena_strndup(&nested->arena, name, strlen(name));
		group->domains = own;
		group->ndomains = (int)shares->n;
	}
	if (is_first && nall > 1)
		found_at(checking, row, "together: %s is in %d domains of the level %s: %s", name,
			 nall, level_name(&asks->together), buf_text(&list));
	/* what the first one broke alone is said of it */
	if (!is_first && nall > 1 && (nall > group->ndomains || shares->n > 1))
		found_at(checking, row, "together: %s and %s are in %d domains of the level %s: %s",
			 group->name, name, nall, level_name(&asks->together), buf_text(&list));
	if (!is_first)
		free(own);
	free(all);
	buf_free(&list);
}

void nested_check(struct nested_check *nested, struct checking *checking, const struct row *row,
		  const int *nodes, size_t n)
{
	struct domain_texts texts;
	struct domain_asks asks;
	share_vec shares = {0};
	int64_t *units;
	struct err why;

	nested_texts(checking, row, &texts);
	if (!domain_texts_any(&texts) || checking->topo == NULL)
		return;
	if (domain_asks_read(&asks, checking->topo, &texts, &why) != 0) {
		found_at(checking, row, "%s", why.msg);
		return;
	}
	units = xmalloc((n + 1) * sizeof(*units));
	nested_units(checking, row, units, n);
	for (int i = 0; i < asks.nwithin; i++)
		if (!asks.within[i].is_soft &&
		    count(checking, row, "within", &asks.within[i].level, nodes, units, n, &shares))
			check_within(checking, row, &asks.within[i].level, &shares);
	for (int i = 0; i < asks.nslices; i++)
		if (count(checking, row, "slices", &asks.slices[i].level, nodes, units, n, &shares))
			check_sizes(checking, row, &asks.slices[i], &shares, true);
	for (int i = 0; i < asks.nspread; i++)
		if (count(checking, row, "spread", &asks.spread[i].level, nodes, units, n, &shares))
			check_sizes(checking, row, &asks.spread[i], &shares, false);
	if (asks.has_together &&
	    count(checking, row, "together", &asks.together, nodes, units, n, &shares))
		check_together(nested, checking, row, &asks, texts.together, &shares);
	free(units);
	vec_free(&shares);
}

void nested_free(struct nested_check *nested)
{
	for (size_t i = 0; i < nested->groups.n; i++)
		free(nested->groups.at[i].domains);
	vec_free(&nested->groups);
	map_free(&nested->group_ids);
	arena_free(&nested->arena);
}
