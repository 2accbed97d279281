/* classes.c - link levels of cables that differ in where they are and how fast */
#include "machine/import/classes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void class_set(struct link_class *class, int rank_a, int rank_b, const char *rate, double bandwidth)
{
	*class = (struct link_class){.rate = rate, .bandwidth = bandwidth};
	if (rank_a < 0) {
		snprintf(class->place, sizeof(class->place), "terminal");
		return;
	}
	rank_link_name(rank_a, rank_b, class->place);
	class->order = 1 + (rank_a < rank_b ? rank_a : rank_b) * 1024 +
		       (rank_a < rank_b ? rank_b - rank_a : rank_a - rank_b);
}

static struct link_class *find(const class_vec *classes, const struct link_class *wanted)
{
	for (size_t i = 0; i < classes->n; i++)
		if (str_eq(classes->at[i].place, wanted->place) &&
		    str_eq(classes->at[i].rate, wanted->rate))
			return &classes->at[i];
	return NULL;
}

void class_count(class_vec *classes, const struct link_class *wanted)
{
	struct link_class *class = find(classes, wanted);

	if (class == NULL) {
		vec_push(classes, *wanted);
		class = &classes->at[classes->n - 1];
	}
	class->ncables++;
}

int class_level(const class_vec *classes, const struct link_class *class)
{
	return find(classes, class)->level;
}

static int by_weight(const void *va, const void *vb)
{
	const struct link_class *a = va, *b = vb;

	if (a->order != b->order)
		return a->order < b->order ? -1 : 1;
	if (a->ncables != b->ncables)
		return a->ncables > b->ncables ? -1 : 1;
	if (a->bandwidth != b->bandwidth)
		return a->bandwidth > b->bandwidth ? -1 : 1;
	return strcmp(a->rate, b->rate);
}

static int add_level(struct topo_build *build, struct link_class *class, bool is_plain,
		     struct err *err)
{
	const char *rate = class->rate[0] != '\0' ? class->rate : "unknown";
	char name[2 * RANK_NAME + 64];

	snprintf(name, sizeof(name), "%s%s%.60s", class->place, is_plain ? "" : "-",
		 is_plain ? "" : rate);
	class->level = topo_build_level(build, name, strlen(name), err);
	if (class->level < 0)
		return -1;
	if (class->bandwidth > 0)
		topo_build_bandwidth(build, class->level, class->bandwidth);
	else
		topo_build_guess(build, class->level);
	return 0;
}

int class_build(class_vec *classes, struct topo_build *build, struct err *err)
{
	if (classes->n > 0)
		qsort(classes->at, classes->n, sizeof(*classes->at), by_weight);
	for (size_t i = 0; i < classes->n; i++)
		if (add_level(build, &classes->at[i],
			      i == 0 || classes->at[i].order != classes->at[i - 1].order, err) != 0)
			return -1;
	return 0;
}
