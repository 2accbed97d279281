/* otf2_priv.h - what reading and writing of OTF2 archives share; only where libotf2 is there */
#ifndef TRACES_OTF2_OTF2_PRIV_H
#define TRACES_OTF2_OTF2_PRIV_H

#ifdef HAVE_OTF2

#include <otf2/otf2.h>

#include "base/mem.h"
#include "base/umap.h"
#include "traces/otf2/otf2.h"

#define OTF_CREATOR "placetools"

/* From references, which files choose, to places in our arrays; -1: not defined. */
struct otf_refs {
	VEC(int32_t) at;
};

struct otf_group {
	uint64_t *members; /* [n] */
	uint32_t n;
	OTF2_GroupType type;
	bool is_mpi, is_global;
	int32_t *ranks; /* [n] members as world ranks, once asked for */
};

struct otf_location_def {
	uint64_t ref;
	uint32_t group; /* place in location_groups */
};

struct otf_location_group {
	uint32_t ref, node; /* node: reference of a system tree node */
	int32_t rank;       /* -1: none */
};

struct otf_attribute {
	uint32_t ref, name;
};

/* A node of the system tree; name and class are references of strings. */
struct otf_tree_node {
	uint32_t name, class_name, parent;
};

struct otf_rank {
	uint64_t *locations; /* [n]; the rank's own one first */
	int n;
	int32_t group; /* place in location_groups; -1: not known */
};

/* A communicator as it was defined, until all groups are known. */
struct otf_comm_def {
	uint32_t ref, name, group, remote;
	bool has_remote;
};

struct otf {
	char *path;
	OTF2_Reader *reader;
	OTF2_ErrorCallback old_callback;
	struct err lib_err; /* what libotf2 said last */
	struct err err;     /* of a callback of ours */
	bool evt_open, def_open;
	struct umap defined; /* locations whose own definitions are read */
	double per_s;
	uint64_t ticks_per_s, offset;
	struct arena arena;
	struct otf_refs string_of, region_of, group_of, comm_of, window_of, node_of;
	VEC(const char *) strings;
	VEC(struct otf_region) regions;
	VEC(uint32_t) region_names; /* references, until all strings are known */
	VEC(struct otf_group) groups;
	VEC(struct otf_comm_def) comm_defs;
	VEC(struct otf_comm) comms;
	VEC(uint32_t) windows; /* reference of the communicator */
	VEC(struct otf_tree_node) nodes;
	VEC(struct otf_location_def) locations;
	VEC(struct otf_location_group) location_groups;
	VEC(struct otf_rank) ranks;
	VEC(struct otf_attribute) attributes;
	uint32_t source_attribute, destination_attribute; /* OTF2_UNDEFINED_ATTRIBUTE: none */
};

int32_t otf_refs_get(const struct otf_refs *refs, uint32_t ref);
/* -1: the reference is beyond anything that can be meant. */
int otf_refs_set(struct otf_refs *refs, uint32_t ref, int32_t place);
const char *otf_string(const struct otf *otf, uint32_t ref); /* "" when not defined */

/* The first error, which is kept: "PATH: what". Both return -1. */
int otf_error(struct otf *otf, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* After libotf2 returned a failure: its words, or those of our callback. */
int otf_failed(struct otf *otf, const char *what, OTF2_ErrorCode code, struct err *err);

/* Sets the callbacks of the global definitions. */
void otf_define_callbacks(OTF2_GlobalDefReaderCallbacks *callbacks);
/* Names, groups, ranks and communicators, once all definitions are read. */
int otf_resolve(struct otf *otf, struct err *err);

#endif
#endif
