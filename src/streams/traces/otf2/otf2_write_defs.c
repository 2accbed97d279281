/* otf2_write_defs.c - the definitions of an OTF2 archive that is written */
#include "traces/otf2/otf2_write.h"

#ifdef HAVE_OTF2

#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"

static const char *const strings[NSTRINGS] = {"",
					      "MPI",
					      "User",
					      "MPI_COMM_WORLD",
					      "machine",
					      "Master thread",
					      "MPI_SRC_BUF_LOCATION",
					      "Location of source buffer: 1 = host, 2 = GPU",
					      "MPI_DST_BUF_LOCATION",
					      "Location of destination buffer: 1 = host, 2 = GPU"};
enum { GROUP_LOCATIONS, GROUP_SELF, GROUP_FIRST };

#define TRY(call)                                                                                  \
	do {                                                                                       \
		OTF2_ErrorCode code_ = (call);                                                     \
		if (code_ != OTF2_SUCCESS)                                                         \
			return code_;                                                              \
	} while (0)

static OTF2_ErrorCode define_strings(const struct otf_writer *writer, OTF2_GlobalDefWriter *to)
{
	uint32_t next = NSTRINGS;

	TRY(OTF2_GlobalDefWriter_WriteString(to, STRING_PROGRAM,
					     writer->program != NULL ? writer->program : ""));
	for (uint32_t i = 0; i < STRING_PROGRAM; i++)
		TRY(OTF2_GlobalDefWriter_WriteString(to, i, strings[i]));
	for (size_t i = 0; i < writer->regions.n; i++)
		TRY(OTF2_GlobalDefWriter_WriteString(to, next++, writer->regions.at[i].name));
	for (int rank = 0; rank < writer->nranks; rank++) {
		char name[32];

		snprintf(name, sizeof(name), "MPI Rank %d", rank);
		TRY(OTF2_GlobalDefWriter_WriteString(to, next++, name));
	}
	return OTF2_SUCCESS;
}

/* After Score-P: what a function is for, so that viewers colour it. */
static OTF2_RegionRole role_of(const struct otf_region_def *region)
{
	static const struct {
		const char *name;
		OTF2_RegionRole role;
	} roles[] = {
		{"Barrier", OTF2_REGION_ROLE_BARRIER},
		{"Bcast", OTF2_REGION_ROLE_COLL_ONE2ALL},
		{"Scatter", OTF2_REGION_ROLE_COLL_ONE2ALL},
		{"Reduce", OTF2_REGION_ROLE_COLL_ALL2ONE},
		{"Gather", OTF2_REGION_ROLE_COLL_ALL2ONE},
		{"All", OTF2_REGION_ROLE_COLL_ALL2ALL},
		{"Scan", OTF2_REGION_ROLE_COLL_OTHER},
		{"Exscan", OTF2_REGION_ROLE_COLL_OTHER},
		{"Send", OTF2_REGION_ROLE_POINT2POINT},
		{"Recv", OTF2_REGION_ROLE_POINT2POINT},
		{"Isend", OTF2_REGION_ROLE_POINT2POINT},
		{"Irecv", OTF2_REGION_ROLE_POINT2POINT},
		{"Wait", OTF2_REGION_ROLE_POINT2POINT},
		{"Test", OTF2_REGION_ROLE_POINT2POINT},
	};

	if (region->kind != OTF_REGION_MPI)
		return OTF2_REGION_ROLE_FUNCTION;
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (str_starts(region->name, "MPI_") && str_starts(region->name + 4, roles[i].name))
			return roles[i].role;
	return OTF2_REGION_ROLE_FUNCTION;
}

static OTF2_ErrorCode define_regions(const struct otf_writer *writer, OTF2_GlobalDefWriter *to)
{
	TRY(OTF2_GlobalDefWriter_WriteParadigm(to, OTF2_PARADIGM_MPI, STRING_MPI,
					       OTF2_PARADIGM_CLASS_PROCESS));
	TRY(OTF2_GlobalDefWriter_WriteAttribute(to, ATTRIBUTE_SOURCE, STRING_SOURCE,
						STRING_SOURCE_MEANING, OTF2_TYPE_UINT32));
	TRY(OTF2_GlobalDefWriter_WriteAttribute(to, ATTRIBUTE_DESTINATION, STRING_DESTINATION,
						STRING_DESTINATION_MEANING, OTF2_TYPE_UINT32));
	for (uint32_t i = 0; i < writer->regions.n; i++) {
		const struct otf_region_def *region = &writer->regions.at[i];

		TRY(OTF2_GlobalDefWriter_WriteRegion(
			to, i, NSTRINGS + i, NSTRINGS + i, STRING_EMPTY, role_of(region),
			region->kind == OTF_REGION_MPI ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
			OTF2_REGION_FLAG_NONE, STRING_EMPTY, 0, 0));
	}
	return OTF2_SUCCESS;
}

static OTF2_ErrorCode define_ranks(const struct otf_writer *writer, OTF2_GlobalDefWriter *to)
{
	uint32_t name = NSTRINGS + (uint32_t)writer->regions.n;

	TRY(OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, STRING_MACHINE, STRING_MACHINE,
						     OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	for (uint32_t rank = 0; rank < (uint32_t)writer->nranks; rank++) {
		TRY(OTF2_GlobalDefWriter_WriteLocationGroup(to, rank, name + rank,
							    OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
							    OTF2_UNDEFINED_LOCATION_GROUP));
		TRY(OTF2_GlobalDefWriter_WriteLocation(
			to, rank, STRING_THREAD, OTF2_LOCATION_TYPE_CPU_THREAD,
			rank < writer->nevents.n ? writer->nevents.at[rank] : 0, rank));
	}
	return OTF2_SUCCESS;
}

static OTF2_ErrorCode define_group(OTF2_GlobalDefWriter *to, uint32_t group, OTF2_GroupType type,
				   const int32_t *ranks, int n)
{
	uint64_t *members = xcalloc((size_t)n + 1, sizeof(*members));
	OTF2_ErrorCode code;

	for (int i = 0; i < n; i++)
		members[i] = (uint64_t)(ranks != NULL ? ranks[i] : i);
	code = OTF2_GlobalDefWriter_WriteGroup(to, group, STRING_EMPTY, type, OTF2_PARADIGM_MPI,
					       OTF2_GROUP_FLAG_NONE, (uint32_t)n, members);
	free(members);
	return code;
}

static OTF2_ErrorCode define_comms(const struct otf_writer *writer, OTF2_GlobalDefWriter *to)
{
	uint32_t group = GROUP_FIRST;

	TRY(define_group(to, GROUP_LOCATIONS, OTF2_GROUP_TYPE_COMM_LOCATIONS, NULL,
			 writer->nranks));
	TRY(define_group(to, GROUP_SELF, OTF2_GROUP_TYPE_COMM_SELF, NULL, 0));
	TRY(define_group(to, group, OTF2_GROUP_TYPE_COMM_GROUP, NULL, writer->nranks));
	TRY(OTF2_GlobalDefWriter_WriteComm(to, 0, STRING_WORLD, group++, OTF2_UNDEFINED_COMM,
					   OTF2_COMM_FLAG_NONE));
	for (uint32_t i = 0; i < writer->comms.n; i++) {
		const struct otf_comm_made *comm = &writer->comms.at[i];
		uint32_t of = comm->ranks != NULL ? group++ : GROUP_SELF;

		if (comm->ranks != NULL)
			TRY(define_group(to, of, OTF2_GROUP_TYPE_COMM_GROUP, comm->ranks, comm->n));
		if (comm->remote == NULL) {
			TRY(OTF2_GlobalDefWriter_WriteComm(to, i + 1, STRING_EMPTY, of, 0,
							   OTF2_COMM_FLAG_NONE));
			continue;
		}
		TRY(define_group(to, group, OTF2_GROUP_TYPE_COMM_GROUP, comm->remote,
				 comm->nremote));
		TRY(OTF2_GlobalDefWriter_WriteInterComm(to, i + 1, STRING_EMPTY, of, group++, 0,
							OTF2_COMM_FLAG_NONE));
	}
	/* every communicator may have a window, of the same number */
	for (uint32_t i = 0; i <= writer->comms.n; i++)
		TRY(OTF2_GlobalDefWriter_WriteRmaWin(to, i, STRING_EMPTY, i,
						     OTF2_RMA_WIN_FLAG_NONE));
	return OTF2_SUCCESS;
}

/* Ranks without events, and the local definitions, are empty files: readers want them. */
static OTF2_ErrorCode complete_locations(struct otf_writer *writer)
{
	for (int rank = 0; rank < writer->nranks; rank++)
		if ((size_t)rank >= writer->is_done.n || !writer->is_done.at[rank]) {
			OTF2_EvtWriter *events =
				OTF2_Archive_GetEvtWriter(writer->archive, (uint64_t)rank);

			if (events == NULL)
				return OTF2_ERROR_FILE_CAN_NOT_OPEN;
			TRY(OTF2_Archive_CloseEvtWriter(writer->archive, events));
		}
	TRY(OTF2_Archive_CloseEvtFiles(writer->archive));
	TRY(OTF2_Archive_OpenDefFiles(writer->archive));
	for (int rank = 0; rank < writer->nranks; rank++) {
		OTF2_DefWriter *defs = OTF2_Archive_GetDefWriter(writer->archive, (uint64_t)rank);

		if (defs == NULL)
			return OTF2_ERROR_FILE_CAN_NOT_OPEN;
		TRY(OTF2_Archive_CloseDefWriter(writer->archive, defs));
	}
	return OTF2_Archive_CloseDefFiles(writer->archive);
}

OTF2_ErrorCode otf_write_definitions(struct otf_writer *writer)
{
	OTF2_GlobalDefWriter *to;

	TRY(complete_locations(writer));
	to = OTF2_Archive_GetGlobalDefWriter(writer->archive);
	if (to == NULL)
		return OTF2_ERROR_FILE_CAN_NOT_OPEN;
	TRY(OTF2_GlobalDefWriter_WriteClockProperties(to, 1000000000, 0, writer->end,
						      OTF2_UNDEFINED_TIMESTAMP));
	TRY(define_strings(writer, to));
	TRY(define_regions(writer, to));
	TRY(define_ranks(writer, to));
	return define_comms(writer, to);
}

#endif
