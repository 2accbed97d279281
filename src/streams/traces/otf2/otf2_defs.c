/* otf2_defs.c - the global definitions of an OTF2 archive: regions, ranks, communicators */
#include "traces/otf2/otf2_priv.h"

#ifdef HAVE_OTF2

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/* Definitions number what they define from 0 on; a greater reference is damage, not size. */
enum { REF_MOST = 1 << 24 };

int32_t otf_refs_get(const struct otf_refs *refs, uint32_t ref)
{
	return ref < refs->at.n ? refs->at.at[ref] : -1;
}

int otf_refs_set(struct otf_refs *refs, uint32_t ref, int32_t place)
{
	if (ref >= REF_MOST)
		return -1;
	while (refs->at.n <= ref)
		vec_push(&refs->at, -1);
	refs->at.at[ref] = place;
	return 0;
}

const char *otf_string(const struct otf *otf, uint32_t ref)
{
	int32_t place = otf_refs_get(&otf->string_of, ref);

	return place >= 0 ? otf->strings.at[place] : "";
}

static OTF2_CallbackCode define(struct otf *otf, struct otf_refs *refs, uint32_t ref, size_t place,
				const char *what)
{
	if (otf_refs_set(refs, ref, (int32_t)place) == 0)
		return OTF2_CALLBACK_SUCCESS;
	otf_error(otf, &otf->err, "%s number %u: that can't be meant", what, ref);
	return OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode on_clock(void *context, uint64_t resolution, uint64_t offset,
				  uint64_t length, uint64_t realtime)
{
	struct otf *otf = context;

	(void)length;
	(void)realtime;
	otf->ticks_per_s = resolution;
	otf->per_s = (double)resolution;
	otf->offset = offset;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *context, OTF2_StringRef self, const char *text)
{
	struct otf *otf = context;

	vec_push(&otf->strings, arena_strndup(&otf->arena, text, strlen(text)));
	return define(otf, &otf->string_of, self, otf->strings.n - 1, "string");
}

static OTF2_CallbackCode on_attribute(void *context, OTF2_AttributeRef self, OTF2_StringRef name,
				      OTF2_StringRef description, OTF2_Type type)
{
	struct otf *otf = context;

	(void)description;
	(void)type;
	vec_push(&otf->attributes, (struct otf_attribute){self, name});
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_tree_node(void *context, OTF2_SystemTreeNodeRef self,
				      OTF2_StringRef name, OTF2_StringRef class_name,
				      OTF2_SystemTreeNodeRef parent)
{
	struct otf *otf = context;

	vec_push(&otf->nodes, (struct otf_tree_node){name, class_name, parent});
	return define(otf, &otf->node_of, self, otf->nodes.n - 1, "system tree node");
}

static OTF2_CallbackCode on_location_group(void *context, OTF2_LocationGroupRef self,
					   OTF2_StringRef name, OTF2_LocationGroupType type,
					   OTF2_SystemTreeNodeRef parent,
					   OTF2_LocationGroupRef creator)
{
	struct otf *otf = context;

	(void)name;
	(void)type;
	(void)creator;
	vec_push(&otf->location_groups, (struct otf_location_group){self, parent, -1});
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *context, OTF2_LocationRef self, OTF2_StringRef name,
				     OTF2_LocationType type, uint64_t nevents,
				     OTF2_LocationGroupRef group)
{
	struct otf *otf = context;

	(void)name;
	(void)nevents;
	if (type == OTF2_LOCATION_TYPE_CPU_THREAD)
		vec_push(&otf->locations, (struct otf_location_def){self, group});
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_region(void *context, OTF2_RegionRef self, OTF2_StringRef name,
				   OTF2_StringRef canonical, OTF2_StringRef description,
				   OTF2_RegionRole role, OTF2_Paradigm paradigm,
				   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
				   uint32_t end)
{
	struct otf *otf = context;
	enum otf_region_kind kind = paradigm == OTF2_PARADIGM_MPI    ? OTF_REGION_MPI
				    : paradigm == OTF2_PARADIGM_USER ? OTF_REGION_USER
								     : OTF_REGION_OTHER;

	(void)canonical;
	(void)description;
	(void)role;
	(void)flags;
	(void)file;
	(void)begin;
	(void)end;
	vec_push(&otf->regions, (struct otf_region){"", kind});
	vec_push(&otf->region_names, name);
	return define(otf, &otf->region_of, self, otf->regions.n - 1, "region");
}

static OTF2_CallbackCode on_group(void *context, OTF2_GroupRef self, OTF2_StringRef name,
				  OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
				  uint32_t n, const uint64_t *members)
{
	struct otf *otf = context;
	struct otf_group group = {.n = n,
				  .type = type,
				  .is_mpi = paradigm == OTF2_PARADIGM_MPI,
				  .is_global = (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0};

	(void)name;
	group.members = arena_alloc(&otf->arena, (n + 1) * sizeof(*group.members));
	if (n > 0)
		memcpy(group.members, members, n * sizeof(*group.members));
	vec_push(&otf->groups, group);
	return define(otf, &otf->group_of, self, otf->groups.n - 1, "group");
}

static OTF2_CallbackCode add_comm(struct otf *otf, struct otf_comm_def def)
{
	vec_push(&otf->comm_defs, def);
	return define(otf, &otf->comm_of, def.ref, otf->comm_defs.n - 1, "communicator");
}

static OTF2_CallbackCode on_comm(void *context, OTF2_CommRef self, OTF2_StringRef name,
				 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
	(void)parent;
	(void)flags;
	return add_comm(context, (struct otf_comm_def){self, name, group, 0, false});
}

static OTF2_CallbackCode on_inter_comm(void *context, OTF2_CommRef self, OTF2_StringRef name,
				       OTF2_GroupRef a, OTF2_GroupRef b, OTF2_CommRef common,
				       OTF2_CommFlag flags)
{
	(void)common;
	(void)flags;
	return add_comm(context, (struct otf_comm_def){self, name, a, b, true});
}

static OTF2_CallbackCode on_window(void *context, OTF2_RmaWinRef self, OTF2_StringRef name,
				   OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
	struct otf *otf = context;

	(void)name;
	(void)flags;
	vec_push(&otf->windows, comm);
	return define(otf, &otf->window_of, self, otf->windows.n - 1, "window");
}

void otf_define_callbacks(OTF2_GlobalDefReaderCallbacks *callbacks)
{
	OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
	OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
	OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, on_attribute);
	OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(callbacks, on_tree_node);
	OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_location_group);
	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
	OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
	OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
	OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
	OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_inter_comm);
	OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_window);
}

/* ---- once everything is defined ---- */

static int by_group(const void *a, const void *b)
{
	const struct otf_location_def *x = a, *y = b;

	if (x->group != y->group)
		return x->group > y->group ? 1 : -1;
	return (x->ref > y->ref) - (x->ref < y->ref);
}

static int by_location(const void *a, const void *b)
{
	const struct otf_location_def *x = a, *y = b;

	return (x->ref > y->ref) - (x->ref < y->ref);
}

static int by_ref(const void *a, const void *b)
{
	const struct otf_location_group *x = a, *y = b;

	return (x->ref > y->ref) - (x->ref < y->ref);
}

static struct otf_location_group *find_group(const struct otf *otf, uint32_t ref)
{
	struct otf_location_group key = {.ref = ref};

	return otf->location_groups.n == 0 ? NULL
					   : bsearch(&key, otf->location_groups.at,
						     otf->location_groups.n, sizeof(key), by_ref);
}

/* The location group of a location that is defined; -1: none. */
static int32_t group_of_location(const struct otf *otf, uint64_t location)
{
	struct otf_location_def key = {.ref = location}, *found = NULL;
	struct otf_location_group *group;

	if (otf->locations.n > 0)
		found = bsearch(&key, otf->locations.at, otf->locations.n, sizeof(key),
				by_location);
	group = found != NULL ? find_group(otf, found->group) : NULL;
	return group != NULL ? (int32_t)(group - otf->location_groups.at) : -1;
}

/* A rank's other locations are those of its process. locations are sorted by group now. */
static void add_threads(struct otf *otf)
{
	for (size_t i = 0; i < otf->locations.n;) {
		uint32_t ref = otf->locations.at[i].group;
		struct otf_location_group *group = find_group(otf, ref);
		struct otf_rank *rank =
			group != NULL && group->rank >= 0 ? &otf->ranks.at[group->rank] : NULL;
		size_t end = i;
		uint64_t *locations;

		while (end < otf->locations.n && otf->locations.at[end].group == ref)
			end++;
		if (rank != NULL) {
			locations = arena_alloc(&otf->arena, (end - i + 1) * sizeof(*locations));
			locations[0] = rank->locations[0];
			for (; i < end; i++)
				if (otf->locations.at[i].ref != locations[0])
					locations[rank->n++] = otf->locations.at[i].ref;
			rank->locations = locations;
		}
		i = end;
	}
}

/* MPI's ranks: the members of its one group of locations. */
static int find_ranks(struct otf *otf, struct err *err)
{
	const struct otf_group *group = NULL;

	for (size_t i = 0; i < otf->groups.n && group == NULL; i++)
		if (otf->groups.at[i].is_mpi &&
		    otf->groups.at[i].type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
			group = &otf->groups.at[i];
	if (group == NULL || group->n == 0)
		return otf_error(otf, err,
				 "no rank of MPI is defined: expected the trace of an MPI program");
	if (group->n > INT32_MAX / 2)
		return otf_error(otf, err, "%u ranks: that can't be meant", group->n);
	if (otf->locations.n > 0)
		qsort(otf->locations.at, otf->locations.n, sizeof(*otf->locations.at), by_location);
	if (otf->location_groups.n > 0)
		qsort(otf->location_groups.at, otf->location_groups.n,
		      sizeof(*otf->location_groups.at), by_ref);
	for (uint32_t i = 0; i < group->n; i++) {
		struct otf_rank rank = {&group->members[i], 1,
					group_of_location(otf, group->members[i])};

		if (rank.group >= 0)
			otf->location_groups.at[rank.group].rank = (int32_t)i;
		vec_push(&otf->ranks, rank);
	}
	if (otf->locations.n > 0)
		qsort(otf->locations.at, otf->locations.n, sizeof(*otf->locations.at), by_group);
	add_threads(otf);
	return 0;
}

/* The world ranks of a group of a communicator. 0 or -1. */
static int make_ranks(struct otf *otf, struct otf_group *group, struct err *err)
{
	if (group->ranks != NULL)
		return 0;
	group->ranks = arena_alloc(&otf->arena, (group->n + 1) * sizeof(*group->ranks));
	for (uint32_t i = 0; i < group->n; i++) {
		if (group->members[i] >= otf->ranks.n)
			return otf_error(otf, err, "a group names rank %llu of %zu",
					 (unsigned long long)group->members[i], otf->ranks.n);
		group->ranks[i] = (int32_t)group->members[i];
	}
	return 0;
}

/* The group that a communicator refers to, with its ranks; NULL in *group: none of MPI's. */
static int find_members(struct otf *otf, uint32_t ref, struct otf_group **group, struct err *err)
{
	int32_t place = otf_refs_get(&otf->group_of, ref);

	*group = place >= 0 && otf->groups.at[place].is_mpi ? &otf->groups.at[place] : NULL;
	if (*group == NULL || (*group)->type == OTF2_GROUP_TYPE_COMM_SELF)
		return 0;
	return make_ranks(otf, *group, err);
}

static bool is_everybody(const struct otf *otf, const int32_t *ranks, int n)
{
	if (ranks == NULL || n != (int)otf->ranks.n)
		return false;
	for (int i = 0; i < n; i++)
		if (ranks[i] != i)
			return false;
	return true;
}

static int make_comms(struct otf *otf, struct err *err)
{
	bool has_world = false;

	for (size_t i = 0; i < otf->comm_defs.n; i++) {
		const struct otf_comm_def *def = &otf->comm_defs.at[i];
		struct otf_group *group, *remote = NULL;
		struct otf_comm comm = {0};

		if (find_members(otf, def->group, &group, err) != 0 ||
		    (def->has_remote && find_members(otf, def->remote, &remote, err) != 0))
			return -1;
		if (group != NULL && group->type == OTF2_GROUP_TYPE_COMM_SELF) {
			comm.is_self = true;
			comm.n = 1;
		} else if (group != NULL) {
			comm.ranks = group->ranks;
			comm.n = (int)group->n;
			comm.is_global = group->is_global;
		}
		if (remote != NULL && remote->ranks != NULL) {
			comm.remote = remote->ranks;
			comm.nremote = (int)remote->n;
		}
		comm.is_world =
			!has_world && !def->has_remote && is_everybody(otf, comm.ranks, comm.n);
		has_world = has_world || comm.is_world;
		vec_push(&otf->comms, comm);
	}
	return 0;
}

int otf_resolve(struct otf *otf, struct err *err)
{
	if (otf->ticks_per_s == 0)
		return otf_error(otf, err, "no clock is defined");
	for (size_t i = 0; i < otf->regions.n; i++)
		otf->regions.at[i].name = otf_string(otf, otf->region_names.at[i]);
	for (size_t i = 0; i < otf->attributes.n; i++) {
		const char *name = otf_string(otf, otf->attributes.at[i].name);

		if (str_eq(name, "MPI_SRC_BUF_LOCATION"))
			otf->source_attribute = otf->attributes.at[i].ref;
		if (str_eq(name, "MPI_DST_BUF_LOCATION"))
			otf->destination_attribute = otf->attributes.at[i].ref;
	}
	return find_ranks(otf, err) != 0 || make_comms(otf, err) != 0 ? -1 : 0;
}

#endif
