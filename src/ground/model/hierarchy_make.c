/* hierarchy_make.c - hierarchies of named domains are made, level by level */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/hierarchy.h"
#include "model/topo_names.h"

/* Room for one more, doubled where it is full. */
static void *room_for(void *at, int n, size_t size)
{
	if ((n & (n - 1)) != 0)
		return at;
	return xrealloc(at, n > 0 ? 2 * (size_t)n : 1, size);
}

static int check_name(const char *name, size_t n, const char *what, struct err *err)
{
	if (name_is_good(name, n) && strcspn(name, ":\"%=?|") >= n && !(n == 1 && *name == '.'))
		return 0;
	return err_set(err, "'%.*s' cannot be the name of a %s", n < 80 ? (int)n : 80, name, what);
}

int hierarchy_add(struct topo *topo, const char *name, size_t n, struct err *err)
{
	int h = topo->nhierarchies;
	struct hierarchy *at;

	if (check_name(name, n, "hierarchy", err) != 0)
		return -1;
	for (int i = 0; i < h; i++)
		if (strlen(topo->hierarchies[i].name) == n &&
		    memcmp(topo->hierarchies[i].name, name, n) == 0)
			return err_set(err, "the hierarchy '%.*s' is there twice", (int)n, name);
	if (n == strlen("network") && memcmp(name, "network", n) == 0)
		return err_set(err, "the hierarchy 'network' is that of the links: expected "
				    "another name");
	topo->hierarchies = room_for(topo->hierarchies, h, sizeof(*topo->hierarchies));
	topo->nhierarchies++;
	at = &topo->hierarchies[h];
	*at = (struct hierarchy){.name = arena_strndup(&topo->arena, name, n)};
	at->levels = xcalloc(DOMAIN_LEVELS_MOST, sizeof(*at->levels));
	at->of = xmalloc(((size_t)topo->nnodes + 1) * sizeof(*at->of));
	for (int node = 0; node < topo->nnodes; node++)
		at->of[node] = -1;
	return h;
}

int hierarchy_level(struct topo *topo, int hierarchy, const char *name, size_t n,
		    const struct domain_level *like, struct err *err)
{
	struct hierarchy *at = &topo->hierarchies[hierarchy];
	struct level_ref other;
	struct err none;

	if (check_name(name, n, "level", err) != 0)
		return -1;
	if (level_find(&other, topo, name, n, &none) == 0)
		return err_set(err,
			       "the level '%.*s' is there twice: another one, or a tier of "
			       "the network, has that name",
			       (int)n, name);
	if (at->nlevels == DOMAIN_LEVELS_MOST)
		return err_set(err, "'%.*s' would be level %d of a hierarchy; there can be %d",
			       (int)n, name, DOMAIN_LEVELS_MOST + 1, DOMAIN_LEVELS_MOST);
	at->levels[at->nlevels] = (struct domain_level){
		.name = arena_strndup(&topo->arena, name, n),
		.every = like->every,
		.size = like->size,
		.up = like->up,
	};
	return at->nlevels++;
}

/* Adds one that has no name in the map yet. */
static int add_domain(struct topo *topo, struct domain_level *level, const char *name, size_t n,
		      int above)
{
	int domain = level->n;

	level->names = room_for(level->names, domain, sizeof(*level->names));
	level->above = room_for(level->above, domain, sizeof(*level->above));
	level->names[domain] = arena_strndup(&topo->arena, name, n);
	level->above[domain] = above;
	level->n++;
	return domain;
}

int hierarchy_domain(struct topo *topo, int hierarchy, int level, const char *name, size_t n,
		     int above, struct err *err)
{
	struct domain_level *at = &topo->hierarchies[hierarchy].levels[level];

	if (!name_is_good(name, n) || (n == 1 && *name == '.'))
		return err_set(err, "'%.*s' cannot be the name of a %s", n < 80 ? (int)n : 80, name,
			       at->name);
	if (map_add(&at->ids, name, n, at->n) != at->n)
		return err_set(err, "the %s '%.*s' is there twice", at->name, (int)n, name);
	return add_domain(topo, at, name, n, above);
}

int hierarchy_outside(const struct topo *topo, int hierarchy, int level)
{
	while (--level >= 0 && topo->hierarchies[hierarchy].levels[level].every > 0)
		;
	return level;
}

int hierarchy_inside(const struct topo *topo, int hierarchy, int level)
{
	const struct hierarchy *at = &topo->hierarchies[hierarchy];

	while (++level < at->nlevels && at->levels[level].every > 0)
		;
	return level < at->nlevels ? level : -1;
}

int hierarchy_nodes(struct topo *topo, int hierarchy, int domain, int first, int last,
		    struct err *err)
{
	struct hierarchy *at = &topo->hierarchies[hierarchy];
	int listed = hierarchy_outside(topo, hierarchy, at->nlevels);
	char text[TOPO_NAME];

	for (int node = first; node <= last; node++) {
		if (at->of[node] >= 0)
			return err_set(err, "%s is in two domains of the level %s: %s and %s",
				       topo_node_name(topo, node, text), at->levels[listed].name,
				       at->levels[listed].names[at->of[node]],
				       at->levels[listed].names[domain]);
		at->of[node] = domain;
	}
	return 0;
}

/* Domains of k consecutive ones of the level inside; above [n] of that leads out to a listed level
 * so far, and to these then. */
static int make_every(struct topo *topo, struct hierarchy *at, int l, int *above, int n,
		      struct err *err)
{
	struct domain_level *level = &at->levels[l];
	char name[TOPO_NAME];

	for (int i = 0; i < n; i++) {
		int domain = i / level->every;

		if (domain == level->n) {
			int length = snprintf(name, sizeof(name), "%.200s-%d", level->name, domain);

			map_add(&level->ids, name, (size_t)length, domain);
			add_domain(topo, level, name, (size_t)length, above[i]);
		}
		if (level->above[domain] != above[i])
			return err_set(err,
				       "the domain %s of every %d would be in two domains of the "
				       "level outside",
				       level->names[domain], level->every);
		above[i] = domain;
	}
	return 0;
}

int hierarchy_finish(struct topo *topo, int hierarchy, struct err *err)
{
	struct hierarchy *at = &topo->hierarchies[hierarchy];
	int *above = at->of, n = topo->nnodes;

	if (at->nlevels == 0)
		return err_set(err, "the hierarchy '%s' has no levels", at->name);
	for (int l = at->nlevels - 1; l >= 0; l--) {
		if (at->levels[l].every > 0 && make_every(topo, at, l, above, n, err) != 0)
			return -1;
		above = at->levels[l].above;
		n = at->levels[l].n;
	}
	return 0;
}

void hierarchies_free(struct topo *topo)
{
	for (int h = 0; h < topo->nhierarchies; h++) {
		struct hierarchy *at = &topo->hierarchies[h];

		for (int l = 0; l < at->nlevels; l++) {
			free(at->levels[l].names);
			free(at->levels[l].above);
			map_free(&at->levels[l].ids);
		}
		free(at->levels);
		free(at->of);
	}
	free(topo->hierarchies);
}
