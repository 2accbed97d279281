/* dumpi_comms.c - members of the communicators of a DUMPI trace */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/dumpi/dumpi_comms.h"
#include "traces/dumpi/dumpi_groups.h"
#include "base/str.h"

enum event_kind {
	COMM_DUP,
	COMM_CREATE,
	COMM_SPLIT,
	CART_CREATE,
	CART_SUB,
	GRAPH_CREATE,
	COMM_OTHER, /* between groups, and with other programs: not known */
	COMM_FREE,
	COMM_GROUP,
	GROUP_UNION,
	GROUP_INTERSECTION,
	GROUP_DIFFERENCE,
	GROUP_INCL,
	GROUP_EXCL,
	GROUP_RANGE_INCL,
	GROUP_RANGE_EXCL,
	GROUP_OTHER,
	NKINDS
};

static const struct {
	const char *function;
	enum event_kind kind;
} functions[] = {
	{"MPI_Comm_dup", COMM_DUP},
	{"MPI_Comm_create", COMM_CREATE},
	{"MPI_Comm_split", COMM_SPLIT},
	{"MPI_Cart_create", CART_CREATE},
	{"MPI_Cart_sub", CART_SUB},
	{"MPI_Graph_create", GRAPH_CREATE},
	{"MPI_Intercomm_create", COMM_OTHER},
	{"MPI_Intercomm_merge", COMM_OTHER},
	{"MPI_Comm_accept", COMM_OTHER},
	{"MPI_Comm_connect", COMM_OTHER},
	{"MPI_Comm_spawn", COMM_OTHER},
	{"MPI_Comm_spawn_multiple", COMM_OTHER},
	{"MPI_Comm_free", COMM_FREE},
	{"MPI_Comm_disconnect", COMM_FREE},
	{"MPI_Comm_group", COMM_GROUP},
	{"MPI_Comm_remote_group", GROUP_OTHER},
	{"MPI_Win_get_group", GROUP_OTHER},
	{"MPI_File_get_group", GROUP_OTHER},
	{"MPI_Group_union", GROUP_UNION},
	{"MPI_Group_intersection", GROUP_INTERSECTION},
	{"MPI_Group_difference", GROUP_DIFFERENCE},
	{"MPI_Group_incl", GROUP_INCL},
	{"MPI_Group_excl", GROUP_EXCL},
	{"MPI_Group_range_incl", GROUP_RANGE_INCL},
	{"MPI_Group_range_excl", GROUP_RANGE_EXCL},
};

/* One noted call. */
struct event {
	enum event_kind kind;
	int16_t comm;           /* the old communicator, or the one freed */
	int16_t group1, group2; /* the old groups */
	int16_t handle;         /* communicator or group */
	int32_t color, key;     /* of a split; nodes of a graph are color */
	size_t first;           /* of its array, in ints */
	int32_t n;
	int32_t result; /* number of the communicator in `all`; -1: none */
};

/* A communicator of the run. */
struct members {
	struct rank_list list; /* of WORLD: NULL until somebody asks for it */
	struct rank_list dims; /* of a Cartesian topology; n 0: none */
	struct umap place;     /* rank → place; empty: not asked for yet */
	VEC(int) waiting;      /* files of the ranks that have come to a split */
	int32_t number;        /* in trace_comms */
};

enum { WORLD, SELF };

/* One rank on its way through its events. */
struct walker {
	VEC(struct event) events;
	size_t next;
	int32_t rank;
	struct umap comms;  /* number in the trace → in all */
	struct umap groups; /* → in groups */
	struct umap nmade;  /* communicator in all → how many this rank made of it */
};

struct dumpi_comms {
	struct walker *walkers; /* [nfiles] */
	int nfiles;
	int32_t nranks;
	VEC(int32_t) ints;
	VEC(struct members) all;
	VEC(struct rank_list) groups;
	VEC(int) ready;      /* files whose ranks can go on */
	struct map children; /* parent, how many before, first member → in all */
	struct rank_lists lists;
	int current; /* file of the second reading */
};

struct dumpi_comms *dumpi_comms_new(int nfiles)
{
	struct dumpi_comms *comms = xcalloc(1, sizeof(*comms));

	comms->nfiles = nfiles;
	comms->walkers = xcalloc((size_t)nfiles, sizeof(*comms->walkers));
	vec_reserve(&comms->ints, 1); /* so that empty arrays have a place too */
	return comms;
}

static void forget_walk(struct walker *walker)
{
	umap_free(&walker->comms);
	umap_free(&walker->groups);
	umap_free(&walker->nmade);
}

static void forget_members(struct dumpi_comms *comms)
{
	for (size_t i = 0; i < comms->all.n; i++) {
		umap_free(&comms->all.at[i].place);
		vec_free(&comms->all.at[i].waiting);
	}
	vec_free(&comms->groups);
	vec_free(&comms->ready);
	vec_free(&comms->ints);
	map_free(&comms->children);
	rank_lists_free(&comms->lists);
}

void dumpi_comms_free(struct dumpi_comms *comms)
{
	if (comms == NULL)
		return;
	forget_members(comms);
	for (int i = 0; i < comms->nfiles; i++) {
		forget_walk(&comms->walkers[i]);
		vec_free(&comms->walkers[i].events);
	}
	vec_free(&comms->all);
	free(comms->walkers);
	free(comms);
}

/* ---- noting ---- */

static int kind_of(const char *function)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (str_eq(functions[i].function, function))
			return (int)functions[i].kind;
	return -1;
}

bool dumpi_comms_concern(const char *function)
{
	return kind_of(function) >= 0;
}

void dumpi_comms_note(struct dumpi_comms *comms, int file, const struct dumpi_call *call)
{
	static const enum dumpi_arg arrays[] = {DUMPI_RANKS, DUMPI_RANGES, DUMPI_DIMS,
						DUMPI_REMAIN_DIMS};
	struct event event = {
		.kind = (enum event_kind)kind_of(call->name), .first = comms->ints.n, .result = -1};
	int64_t old = dumpi_number(call, DUMPI_OLDCOMM, DUMPI_COMM_NULL);
	int64_t group = dumpi_number(call, DUMPI_GROUP, 0);

	event.comm = (int16_t)dumpi_number(call, DUMPI_COMM, old);
	event.group1 = (int16_t)dumpi_number(call, DUMPI_GROUP1, group);
	event.group2 = (int16_t)dumpi_number(call, DUMPI_GROUP2, 0);
	event.handle = (int16_t)dumpi_number(
		call, DUMPI_NEWCOMM,
		dumpi_number(call, DUMPI_NEWGROUP, event.kind >= COMM_GROUP ? group : 0));
	event.color = (int32_t)dumpi_number(call, DUMPI_COLOR, dumpi_number(call, DUMPI_NODES, 0));
	event.key = (int32_t)dumpi_number(call, DUMPI_KEY, 0);
	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]) && event.n == 0; i++) {
		const int32_t *ints = dumpi_array(call, arrays[i], &event.n);

		for (int k = 0; k < event.n; k++)
			vec_push(&comms->ints, ints[k]);
	}
	vec_push(&comms->walkers[file].events, event);
}

/* ---- members ---- */

/* The members of a communicator as a rank sees it. */
static struct rank_list members_of(struct dumpi_comms *comms, int32_t comm, int32_t rank)
{
	struct rank_list *list;

	if (comm < 0)
		return rank_list_unknown;
	list = &comms->all.at[comm].list;
	if (comm == SELF)
		return rank_list_keep(&comms->lists, &rank, 1);
	if (comm == WORLD && list->ranks == NULL)
		*list = rank_list_world(&comms->lists, comms->nranks);
	return *list;
}

static int64_t place_of(struct dumpi_comms *comms, int32_t comm, int32_t rank)
{
	struct members *members = &comms->all.at[comm];
	int64_t place;

	if (comm == WORLD)
		return rank;
	if (members->place.n == 0)
		for (int i = 0; i < members->list.n; i++)
			umap_set(&members->place, (uint64_t)members->list.ranks[i], i);
	return umap_get(&members->place, (uint64_t)rank, &place) ? place : -1;
}

/* A new communicator of these members, or the one that another member made in the same call. */
static int32_t make_child(struct dumpi_comms *comms, int32_t parent, int64_t nth,
			  struct rank_list list, struct rank_list dims)
{
	struct {
		int64_t nth;
		int32_t parent, first;
	} key;
	int64_t at;

	if (list.ranks == NULL || list.n == 0)
		return -1;
	memset(&key, 0, sizeof(key));
	key.nth = nth;
	key.parent = parent;
	key.first = list.ranks[0];
	at = map_add(&comms->children, (const char *)&key, sizeof(key), (int64_t)comms->all.n);
	if (at == (int64_t)comms->all.n)
		vec_push(&comms->all, (struct members){.list = list, .dims = dims});
	return (int32_t)at;
}

/* -1: not positive, or more than most */
static int64_t product(const int32_t *factors, int n, int64_t most)
{
	int64_t all = 1;

	for (int i = 0; i < n; i++) {
		if (factors[i] < 1 || factors[i] > most / all)
			return -1;
		all *= factors[i];
	}
	return all;
}

/* The first n of a communicator; unknown: it has fewer. */
static struct rank_list first_of(struct rank_list list, int64_t n)
{
	return n >= 1 && n <= list.n ? (struct rank_list){list.ranks, (int)n} : rank_list_unknown;
}

/* ---- groups ---- */

static struct rank_list group_at(const struct dumpi_comms *comms, const struct walker *walker,
				 int16_t group)
{
	int64_t at;

	if (group == DUMPI_GROUP_EMPTY)
		return rank_list_empty;
	return umap_get(&walker->groups, (uint64_t)group, &at) ? comms->groups.at[at]
							       : rank_list_unknown;
}

static struct rank_list make_group(struct dumpi_comms *comms, struct walker *walker,
				   const struct event *event, int32_t comm)
{
	struct rank_list group = group_at(comms, walker, event->group1);
	struct rank_list other = group_at(comms, walker, event->group2);
	struct rank_list places = {comms->ints.at + event->first, event->n};

	if (event->n == 0)
		places = rank_list_empty;
	switch (event->kind) {
	case COMM_GROUP:
		return members_of(comms, comm, walker->rank);
	case GROUP_UNION:
		return rank_list_union(&comms->lists, group, other);
	case GROUP_INTERSECTION:
	case GROUP_DIFFERENCE:
		return rank_list_filter(&comms->lists, group, other,
					event->kind == GROUP_INTERSECTION);
	case GROUP_RANGE_INCL:
	case GROUP_RANGE_EXCL:
		places = rank_list_ranges(&comms->lists, places.ranks, places.n, group.n);
		return rank_list_choose(&comms->lists, group, places,
					event->kind == GROUP_RANGE_EXCL);
	case GROUP_INCL:
	case GROUP_EXCL:
		return rank_list_choose(&comms->lists, group, places, event->kind == GROUP_EXCL);
	default:
		return rank_list_unknown;
	}
}

/* ---- working through ---- */

static int32_t comm_at(const struct walker *walker, int16_t comm)
{
	int64_t at;

	if (comm == DUMPI_COMM_WORLD || comm == DUMPI_COMM_SELF)
		return comm == DUMPI_COMM_WORLD ? WORLD : SELF;
	return umap_get(&walker->comms, (uint64_t)comm, &at) ? (int32_t)at : -1;
}

static void set_result(struct walker *walker, struct event *event, int32_t result)
{
	event->result = event->handle > DUMPI_COMM_SELF ? result : -1;
	if (event->handle > DUMPI_COMM_SELF)
		umap_set(&walker->comms, (uint64_t)event->handle, event->result);
}

/* How many communicators the rank made of this one before. */
static int64_t count_made(struct walker *walker, int32_t comm)
{
	int64_t n = 0;

	umap_get(&walker->nmade, (uint64_t)comm, &n);
	umap_set(&walker->nmade, (uint64_t)comm, n + 1);
	return n;
}

/* One member of a split. */
struct choice {
	int32_t color, key;
	int64_t place;
	struct walker *walker;
};

static int compare_choices(const void *a, const void *b)
{
	const struct choice *x = a, *y = b;

	if (x->color != y->color)
		return x->color < y->color ? -1 : 1;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/* All members have come: those of one colour are a communicator, by key, then by place. */
static void split(struct dumpi_comms *comms, int32_t parent)
{
	int n = (int)comms->all.at[parent].waiting.n;
	struct choice *choices = xcalloc((size_t)n, sizeof(*choices));
	int32_t *ranks = xcalloc((size_t)n, sizeof(*ranks)), child = -1;

	for (int i = 0; i < n; i++) {
		int file = comms->all.at[parent].waiting.at[i];
		struct walker *walker = &comms->walkers[file];
		const struct event *event = &walker->events.at[walker->next];

		choices[i] = (struct choice){event->color, event->key,
					     place_of(comms, parent, walker->rank), walker};
		vec_push(&comms->ready, file);
	}
	comms->all.at[parent].waiting.n = 0;
	qsort(choices, (size_t)n, sizeof(*choices), compare_choices);
	for (int i = 0; i < n; i++) {
		struct walker *walker = choices[i].walker;
		int64_t nth = count_made(walker, parent);
		int nmembers = 0;

		if (i == 0 || choices[i].color != choices[i - 1].color) {
			for (int k = i; k < n && choices[k].color == choices[i].color; k++)
				ranks[nmembers++] = choices[k].walker->rank;
			child = choices[i].color < 0
					? -1
					: make_child(comms, parent, nth,
						     rank_list_keep(&comms->lists, ranks, nmembers),
						     rank_list_unknown);
		}
		set_result(walker, &walker->events.at[walker->next++], child);
	}
	free(choices);
	free(ranks);
}

/* A communicator that is made without hearing the others. */
static int32_t make_comm(struct dumpi_comms *comms, struct walker *walker,
			 const struct event *event, int32_t parent)
{
	int64_t nth = parent >= 0 ? count_made(walker, parent) : 0;
	struct rank_list list = members_of(comms, parent, walker->rank), dims = rank_list_unknown;
	const int32_t *ints = comms->ints.at + event->first;

	if (list.ranks == NULL)
		return -1;
	switch (event->kind) {
	case COMM_DUP:
		dims = comms->all.at[parent].dims;
		break;
	case COMM_CREATE:
		list = group_at(comms, walker, event->group1);
		break;
	case CART_CREATE:
		list = first_of(list, product(ints, event->n, list.n));
		dims = (struct rank_list){ints, event->n};
		break;
	case GRAPH_CREATE:
		list = first_of(list, event->color);
		break;
	case CART_SUB:
		if (parent == SELF || event->n < comms->all.at[parent].dims.n)
			return -1;
		list = rank_list_sub_grid(&comms->lists, list, comms->all.at[parent].dims, ints,
					  place_of(comms, parent, walker->rank), &dims);
		break;
	default:
		return -1;
	}
	return make_child(comms, parent, nth, list, dims);
}

/* One rank's events, up to the end or a split that others have not come to. */
static void walk(struct dumpi_comms *comms, int file)
{
	struct walker *walker = &comms->walkers[file];

	for (; walker->next < walker->events.n; walker->next++) {
		struct event *event = &walker->events.at[walker->next];
		int32_t comm = comm_at(walker, event->comm);
		int64_t old;

		if (event->kind == COMM_FREE) {
			umap_take(&walker->comms, (uint64_t)event->comm, &old);
		} else if (event->kind >= COMM_GROUP) {
			struct rank_list group = make_group(comms, walker, event, comm);

			umap_set(&walker->groups, (uint64_t)event->handle,
				 (int64_t)comms->groups.n);
			vec_push(&comms->groups, group);
		} else if (event->kind == COMM_SPLIT && comm >= 0 && comm != SELF) {
			int n = comm == WORLD ? comms->nranks : comms->all.at[comm].list.n;

			vec_push(&comms->all.at[comm].waiting, file);
			if ((int64_t)comms->all.at[comm].waiting.n == n)
				split(comms, comm);
			return; /* goes on when it is ready again */
		} else if (event->kind == COMM_SPLIT && comm == SELF && event->color >= 0) {
			set_result(walker, event,
				   make_child(comms, SELF, count_made(walker, SELF),
					      members_of(comms, SELF, walker->rank),
					      rank_list_unknown));
		} else {
			set_result(walker, event, make_comm(comms, walker, event, comm));
		}
	}
}

/* Some members' traces are not there: what those that came to a split made of it is not known. */
static void give_up_splits(struct dumpi_comms *comms)
{
	for (size_t i = 0; i < comms->all.n; i++) {
		for (size_t k = 0; k < comms->all.at[i].waiting.n; k++) {
			int file = comms->all.at[i].waiting.at[k];
			struct walker *walker = &comms->walkers[file];

			count_made(walker, (int32_t)i);
			set_result(walker, &walker->events.at[walker->next++], -1);
			vec_push(&comms->ready, file);
		}
		comms->all.at[i].waiting.n = 0;
	}
}

static int number_all(struct dumpi_comms *comms, struct trace_comms *trace_comms, struct err *err)
{
	for (size_t i = SELF; i < comms->all.n; i++) {
		struct members *list = &comms->all.at[i];
		char id[24];
		struct trace_comm comm = {.id = id,
					  .ranks = (int32_t *)list->list.ranks,
					  .n = i == SELF ? 1 : list->list.n,
					  .is_self = i == SELF};

		snprintf(id, sizeof(id), i == SELF ? "self" : "%zu", i - SELF);
		list->number = (int32_t)trace_comms->at.n;
		if (trace_comms_make(trace_comms, &comm, err) != 0)
			return -1;
	}
	return 0;
}

int dumpi_comms_resolve(struct dumpi_comms *comms, const int32_t *ranks, int32_t nranks,
			struct trace_comms *trace_comms, struct err *err)
{
	int status;

	comms->nranks = nranks;
	vec_push(&comms->all, (struct members){.number = DUMPI_WORLD});
	vec_push(&comms->all, (struct members){.number = 0});
	for (int i = comms->nfiles - 1; i >= 0; i--) {
		comms->walkers[i].rank = ranks[i];
		vec_push(&comms->ready, i);
	}
	while (comms->ready.n > 0) {
		walk(comms, comms->ready.at[--comms->ready.n]);
		if (comms->ready.n == 0)
			give_up_splits(comms);
	}
	if (comms->lists.is_full)
		return err_set(err,
			       "groups and communicators of more than %d ranks, or of %d together",
			       RANK_LIST_LONGEST, RANK_LISTS_MOST);
	status = number_all(comms, trace_comms, err);
	for (int i = 0; i < comms->nfiles; i++)
		forget_walk(&comms->walkers[i]);
	return status;
}

/* ---- the second reading ---- */

void dumpi_comms_begin(struct dumpi_comms *comms, int file)
{
	forget_walk(&comms->walkers[comms->current]);
	comms->current = file;
	comms->walkers[file].next = 0;
}

enum dumpi_deed dumpi_comms_next(struct dumpi_comms *comms)
{
	struct walker *walker = &comms->walkers[comms->current];
	const struct event *event;
	int64_t old;

	if (walker->next >= walker->events.n)
		return DUMPI_MAKES_GROUP; /* the file has grown meanwhile */
	event = &walker->events.at[walker->next++];
	if (event->kind > COMM_FREE)
		return DUMPI_MAKES_GROUP;
	if (event->kind == COMM_FREE) {
		umap_take(&walker->comms, (uint64_t)event->comm, &old);
		return DUMPI_FREES_COMM;
	}
	if (event->handle > DUMPI_COMM_SELF)
		umap_set(&walker->comms, (uint64_t)event->handle, event->result);
	return DUMPI_MAKES_COMM;
}

int32_t dumpi_comms_meaning(const struct dumpi_comms *comms, int64_t comm)
{
	int32_t at = comm_at(&comms->walkers[comms->current], (int16_t)comm);

	return at < 0 ? DUMPI_UNKNOWN : comms->all.at[at].number;
}
