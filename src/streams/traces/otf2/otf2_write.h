/* otf2_write.h - what writing of OTF2 archives and of their definitions share */
#ifndef TRACES_OTF2_OTF2_WRITE_H
#define TRACES_OTF2_OTF2_WRITE_H

#ifdef HAVE_OTF2

#include "base/names.h"
#include "traces/otf2/otf2_priv.h"

struct otf_region_def {
	char *name;
	enum otf_region_kind kind;
};

struct otf_comm_made {
	int32_t *ranks, *remote; /* [n], [nremote]; ranks NULL: each rank alone */
	int n, nremote;
};

struct otf_writer {
	char *path, *folder; /* folder: its name until it is whole */
	char *program;       /* NULL: not known */
	OTF2_Archive *archive;
	OTF2_ErrorCallback old_callback;
	struct err lib_err;
	OTF2_EvtWriter *events; /* of rank */
	OTF2_AttributeList *attributes;
	int rank, nranks;
	uint64_t last, end;    /* ticks: of the rank, of the whole trace */
	VEC(uint64_t) nevents; /* [rank]; ranks that are done */
	VEC(bool) is_done;
	VEC(struct otf_region_def) regions;
	struct map region_of; /* kind and name → place */
	VEC(struct otf_comm_made) comms;
	struct arena arena;
};

/* Strings that are always there; those of regions and ranks follow. */
enum {
	STRING_EMPTY,
	STRING_MPI,
	STRING_USER,
	STRING_WORLD,
	STRING_MACHINE,
	STRING_THREAD,
	STRING_SOURCE,
	STRING_SOURCE_MEANING,
	STRING_DESTINATION,
	STRING_DESTINATION_MEANING,
	STRING_PROGRAM, /* its text is the writer's */
	NSTRINGS
};
enum { ATTRIBUTE_SOURCE, ATTRIBUTE_DESTINATION };

/* Everything that is not an event, once the last rank has ended. */
OTF2_ErrorCode otf_write_definitions(struct otf_writer *writer);

#endif
#endif
