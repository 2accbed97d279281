/* otf2.c - opening OTF2 archives, and what their definitions say */
#include "traces/otf2/otf2.h"

#ifdef HAVE_OTF2

#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"
#include "traces/otf2/otf2_priv.h"

/* libotf2 prints its errors itself unless somebody listens. */
static OTF2_ErrorCode on_lib_error(void *context, const char *file, uint64_t line,
				   const char *function, OTF2_ErrorCode code, const char *fmt,
				   va_list ap)
{
	struct otf *otf = context;

	(void)file;
	(void)line;
	(void)function;
	/* the first one is nearest to the cause */
	if (otf->lib_err.msg[0] == '\0')
		vsnprintf(otf->lib_err.msg, sizeof(otf->lib_err.msg), fmt, ap);
	return code;
}

int otf_failed(struct otf *otf, const char *what, OTF2_ErrorCode code, struct err *err)
{
	const char *why = code != OTF2_SUCCESS ? OTF2_Error_GetDescription(code) : NULL;

	if (otf->err.msg[0] != '\0') {
		*err = otf->err;
		return -1;
	}
	return otf_error(otf, err, "%s%s%s%s%s: the archive is damaged or truncated", what,
			 why != NULL ? ": " : "", why != NULL ? why : "",
			 otf->lib_err.msg[0] != '\0' ? ": " : "", otf->lib_err.msg);
}

static int read_definitions(struct otf *otf, struct err *err)
{
	OTF2_GlobalDefReader *reader = OTF2_Reader_GetGlobalDefReader(otf->reader);
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	OTF2_ErrorCode code = OTF2_ERROR_INVALID_CALL;
	uint64_t n;

	if (reader != NULL && callbacks != NULL) {
		otf_define_callbacks(callbacks);
		code = OTF2_Reader_RegisterGlobalDefCallbacks(otf->reader, reader, callbacks, otf);
	}
	if (callbacks != NULL)
		OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	if (code == OTF2_SUCCESS)
		code = OTF2_Reader_ReadAllGlobalDefinitions(otf->reader, reader, &n);
	if (code != OTF2_SUCCESS)
		return otf_failed(otf, "reading the definitions", code, err);
	OTF2_Reader_CloseGlobalDefReader(otf->reader, reader);
	return otf_resolve(otf, err);
}

static int open_files(struct otf *otf, struct err *err)
{
	OTF2_ErrorCode code = OTF2_SUCCESS;

	for (size_t i = 0; i < otf->ranks.n && code == OTF2_SUCCESS; i++)
		for (int k = 0; k < otf->ranks.at[i].n && code == OTF2_SUCCESS; k++)
			code = OTF2_Reader_SelectLocation(otf->reader,
							  otf->ranks.at[i].locations[k]);
	if (code != OTF2_SUCCESS)
		return otf_failed(otf, "selecting locations", code, err);
	otf->def_open = OTF2_Reader_OpenDefFiles(otf->reader) == OTF2_SUCCESS;
	code = OTF2_Reader_OpenEvtFiles(otf->reader);
	otf->evt_open = code == OTF2_SUCCESS;
	return otf->evt_open ? 0 : otf_failed(otf, "opening the events", code, err);
}

/* libotf2 takes as much memory as the anchor says that a chunk has, more than it would
 * ever write. */
static int check_chunks(struct otf *otf, struct err *err)
{
	uint64_t events, definitions;

	if (OTF2_Reader_GetChunkSize(otf->reader, &events, &definitions) != OTF2_SUCCESS)
		return otf_failed(otf, "opening", OTF2_SUCCESS, err);
	if (events > OTF2_CHUNK_SIZE_MAX || definitions > OTF2_CHUNK_SIZE_MAX)
		return otf_error(otf, err, "its chunks have %llu bytes, expected at most %llu",
				 (unsigned long long)(events > definitions ? events : definitions),
				 (unsigned long long)OTF2_CHUNK_SIZE_MAX);
	return 0;
}

int otf_open(struct otf **result, const char *path, struct err *err)
{
	struct otf *otf = xcalloc(1, sizeof(*otf));
	int status;

	*result = otf;
	otf->path = xstrdup(path);
	otf->source_attribute = otf->destination_attribute = OTF2_UNDEFINED_ATTRIBUTE;
	otf->old_callback = OTF2_Error_RegisterCallback(on_lib_error, otf);
	otf->reader = OTF2_Reader_Open(path);
	if (otf->reader == NULL)
		status = otf_error(otf, err,
				   "libotf2 can't open it: %s; expected the anchor "
				   "file of an OTF2 archive (traces.otf2)",
				   otf->lib_err.msg);
	else if (OTF2_Reader_SetSerialCollectiveCallbacks(otf->reader) != OTF2_SUCCESS)
		status = otf_failed(otf, "opening", OTF2_SUCCESS, err);
	else
		status = check_chunks(otf, err) != 0 || read_definitions(otf, err) != 0
				 ? -1
				 : open_files(otf, err);
	if (status != 0) {
		otf_close(otf);
		*result = NULL;
	}
	return status;
}

void otf_close(struct otf *otf)
{
	if (otf == NULL)
		return;
	if (otf->evt_open)
		OTF2_Reader_CloseEvtFiles(otf->reader);
	if (otf->def_open)
		OTF2_Reader_CloseDefFiles(otf->reader);
	if (otf->reader != NULL)
		OTF2_Reader_Close(otf->reader);
	OTF2_Error_RegisterCallback(otf->old_callback, NULL);
	free(otf->string_of.at.at);
	free(otf->region_of.at.at);
	free(otf->group_of.at.at);
	free(otf->comm_of.at.at);
	free(otf->window_of.at.at);
	free(otf->node_of.at.at);
	free(otf->strings.at);
	free(otf->regions.at);
	free(otf->region_names.at);
	free(otf->groups.at);
	free(otf->comm_defs.at);
	free(otf->comms.at);
	free(otf->windows.at);
	free(otf->nodes.at);
	free(otf->locations.at);
	free(otf->location_groups.at);
	free(otf->ranks.at);
	free(otf->attributes.at);
	umap_free(&otf->defined);
	arena_free(&otf->arena);
	free(otf->path);
	free(otf);
}

double otf_ticks_per_s(const struct otf *otf)
{
	return otf->per_s;
}

int64_t otf_ns(const struct otf *otf, uint64_t ticks)
{
	bool before = ticks < otf->offset; /* a clock's correction may put an event there */
	uint64_t distance = before ? otf->offset - ticks : ticks - otf->offset;
	unsigned __int128 ns = ((unsigned __int128)distance * 1000000000u + otf->ticks_per_s / 2) /
			       otf->ticks_per_s;
	int64_t bounded = ns < INT64_MAX / 2 ? (int64_t)ns : INT64_MAX / 2;

	return before ? -bounded : bounded;
}

bool otf_is_ours(const struct otf *otf)
{
	char *creator = NULL;
	bool ours = OTF2_Reader_GetCreator(otf->reader, &creator) == OTF2_SUCCESS &&
		    creator != NULL && str_starts(creator, OTF_CREATOR);

	free(creator);
	return ours;
}

int otf_nranks(const struct otf *otf)
{
	return (int)otf->ranks.n;
}

int otf_nlocations(const struct otf *otf, int rank)
{
	return otf->ranks.at[rank].n;
}

uint64_t otf_location(const struct otf *otf, int rank, int i)
{
	return otf->ranks.at[rank].locations[i];
}

const char *otf_node(const struct otf *otf, int rank)
{
	int32_t group = otf->ranks.at[rank].group;
	uint32_t ref = OTF2_UNDEFINED_SYSTEM_TREE_NODE;

	if (group >= 0)
		ref = otf->location_groups.at[group].node;
	/* a tree that is a cycle is damage: its depth is bounded */
	for (int depth = 0; depth < 64; depth++) {
		int32_t place = otf_refs_get(&otf->node_of, ref);
		const struct otf_tree_node *node = place >= 0 ? &otf->nodes.at[place] : NULL;
		const char *name = node != NULL ? otf_string(otf, node->name) : "";

		if (node == NULL || *name == '\0')
			return NULL;
		if (str_eq(otf_string(otf, node->class_name), "node"))
			return name;
		ref = node->parent;
	}
	return NULL;
}

const struct otf_region *otf_region(const struct otf *otf, uint32_t region)
{
	return &otf->regions.at[region];
}

int otf_ncomms(const struct otf *otf)
{
	return (int)otf->comms.n;
}

const struct otf_comm *otf_comm(const struct otf *otf, int comm)
{
	return &otf->comms.at[comm];
}

#endif
