/* otf2_write.c - writing OTF2 archives: one location for each rank of MPI */
#include "traces/otf2/otf2_priv.h"

#ifdef HAVE_OTF2

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "formats/out.h"
#include "traces/otf2/otf2_write.h"

static OTF2_ErrorCode on_lib_error(void *context, const char *file, uint64_t line,
				   const char *function, OTF2_ErrorCode code, const char *fmt,
				   va_list ap)
{
	struct otf_writer *writer = context;

	(void)file;
	(void)line;
	(void)function;
	if (writer->lib_err.msg[0] == '\0')
		vsnprintf(writer->lib_err.msg, sizeof(writer->lib_err.msg), fmt, ap);
	return code;
}

static int failed(struct otf_writer *writer, OTF2_ErrorCode code, struct err *err)
{
	return err_set(err, "%s: libotf2 can't write it: %s%s%s", writer->path,
		       code != OTF2_SUCCESS ? OTF2_Error_GetDescription(code) : "unknown error",
		       writer->lib_err.msg[0] != '\0' ? ": " : "", writer->lib_err.msg);
}

static OTF2_FlushType on_flush(void *context, OTF2_FileType type, OTF2_LocationRef location,
			       void *caller, bool is_final)
{
	(void)context;
	(void)type;
	(void)location;
	(void)caller;
	(void)is_final;
	return OTF2_FLUSH;
}

/* A file or a folder of the archive; 0, or errno. */
static int sync_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), code = 0;

	(void)st;
	(void)flag;
	(void)ftw;
	if (fd < 0 || (fsync(fd) != 0 && errno != EINVAL))
		code = errno;
	if (fd >= 0)
		close(fd);
	return code;
}

static int start_archive(struct otf_writer *writer, struct err *err)
{
	static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = on_flush};
	OTF2_ErrorCode code;

	writer->archive = OTF2_Archive_Open(
		writer->folder, "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
		OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (writer->archive == NULL)
		return failed(writer, OTF2_SUCCESS, err);
	code = OTF2_Archive_SetFlushCallbacks(writer->archive, &flush, NULL);
	if (code == OTF2_SUCCESS)
		code = OTF2_Archive_SetSerialCollectiveCallbacks(writer->archive);
	if (code == OTF2_SUCCESS)
		code = OTF2_Archive_SetCreator(writer->archive, OTF_CREATOR " " PLACETOOLS_VERSION);
	if (code == OTF2_SUCCESS)
		code = OTF2_Archive_SetBoolProperty(
			writer->archive, "OTF2::MPI_COMMUNICATION_COMPLETE", true, false);
	if (code == OTF2_SUCCESS)
		code = OTF2_Archive_OpenEvtFiles(writer->archive);
	return code == OTF2_SUCCESS ? 0 : failed(writer, code, err);
}

int otf_writer_open(struct otf_writer **result, const char *path, struct err *err)
{
	struct otf_writer *writer;
	struct stat st;

	*result = NULL;
	if (lstat(path, &st) == 0)
		return err_set(err, "%s: is there already: a folder with an archive is made new",
			       path);
	writer = xcalloc(1, sizeof(*writer));
	writer->rank = -1;
	writer->path = xstrdup(path);
	writer->folder = xasprintf("%s.XXXXXX", path);
	writer->old_callback = OTF2_Error_RegisterCallback(on_lib_error, writer);
	writer->attributes = OTF2_AttributeList_New();
	*result = writer;
	if (out_folder_make(writer->folder) != 0) {
		err_set(err, "%s: %s", path, strerror(errno));
	} else if (start_archive(writer, err) == 0) {
		mode_t mask = umask(0);

		umask(mask);
		chmod(writer->folder, 0777 & ~mask);
		return 0;
	}
	otf_writer_close(writer, false, NULL);
	*result = NULL;
	return -1;
}

void otf_writer_program(struct otf_writer *writer, const char *name)
{
	if (writer->program == NULL)
		writer->program = xstrdup(name);
}

void otf_writer_ranks(struct otf_writer *writer, int nranks)
{
	if (nranks > writer->nranks)
		writer->nranks = nranks;
}

uint32_t otf_writer_region(struct otf_writer *writer, const char *name, enum otf_region_kind kind)
{
	char key[512];
	int n = snprintf(key, sizeof(key), "%d %s", (int)kind, name);
	size_t length = n < (int)sizeof(key) ? (size_t)n : sizeof(key) - 1;
	int64_t place = map_add(&writer->region_of, key, length, (int64_t)writer->regions.n);

	if (place == (int64_t)writer->regions.n)
		vec_push(&writer->regions,
			 (struct otf_region_def){arena_strndup(&writer->arena, name, strlen(name)),
						 kind});
	return (uint32_t)place;
}

const char *otf_writer_region_name(const struct otf_writer *writer, uint32_t region)
{
	return writer->regions.at[region].name;
}

static int32_t *copy_ranks(struct otf_writer *writer, const int32_t *ranks, int n)
{
	int32_t *copy;

	if (ranks == NULL)
		return NULL;
	copy = arena_alloc(&writer->arena, ((size_t)n + 1) * sizeof(*copy));
	memcpy(copy, ranks, (size_t)n * sizeof(*copy));
	return copy;
}

int32_t otf_writer_comm(struct otf_writer *writer, const int32_t *ranks, int n,
			const int32_t *remote, int nremote)
{
	struct otf_comm_made comm = {copy_ranks(writer, ranks, n),
				     copy_ranks(writer, remote, nremote), n, nremote};

	vec_push(&writer->comms, comm);
	return (int32_t)writer->comms.n;
}

/* ---- events ---- */

static int end_rank(struct otf_writer *writer, struct err *err)
{
	OTF2_ErrorCode code;

	if (writer->rank < 0)
		return 0;
	OTF2_EvtWriter_GetNumberOfEvents(writer->events, &writer->nevents.at[writer->rank]);
	writer->is_done.at[writer->rank] = true;
	code = OTF2_Archive_CloseEvtWriter(writer->archive, writer->events);
	writer->rank = -1;
	return code == OTF2_SUCCESS ? 0 : failed(writer, code, err);
}

static int begin_rank(struct otf_writer *writer, int rank, uint64_t ticks, struct err *err)
{
	OTF2_ErrorCode code = OTF2_SUCCESS;

	if (end_rank(writer, err) != 0)
		return -1;
	otf_writer_ranks(writer, rank + 1);
	while (writer->nevents.n < (size_t)rank + 1) {
		vec_push(&writer->nevents, 0);
		vec_push(&writer->is_done, false);
	}
	if (writer->is_done.at[rank])
		return err_set(err, "%s: rank %d comes a second time: expected rows rank by rank",
			       writer->path, rank);
	writer->events = OTF2_Archive_GetEvtWriter(writer->archive, (OTF2_LocationRef)rank);
	if (writer->events == NULL)
		return failed(writer, OTF2_SUCCESS, err);
	writer->rank = rank;
	writer->last = 0;
	if (writer->program != NULL)
		code = OTF2_EvtWriter_ProgramBegin(writer->events, NULL, ticks, STRING_PROGRAM, 0,
						   NULL);
	return code == OTF2_SUCCESS ? 0 : failed(writer, code, err);
}

static OTF2_ErrorCode write_enter(struct otf_writer *writer, const struct otf_event *event)
{
	OTF2_AttributeList *attributes = writer->attributes;

	if (event->send_location != OTF_LOCATION_NONE)
		OTF2_AttributeList_AddUint32(attributes, ATTRIBUTE_SOURCE, event->send_location);
	if (event->recv_location != OTF_LOCATION_NONE)
		OTF2_AttributeList_AddUint32(attributes, ATTRIBUTE_DESTINATION,
					     event->recv_location);
	return OTF2_EvtWriter_Enter(writer->events, attributes, event->ticks, event->region);
}

static OTF2_ErrorCode write_event(struct otf_writer *writer, const struct otf_event *event)
{
	OTF2_EvtWriter *to = writer->events;
	uint64_t t = event->ticks;
	uint32_t peer = (uint32_t)event->peer, comm = (uint32_t)event->comm;
	uint32_t tag = (uint32_t)event->tag;
	uint32_t root = event->root < 0 ? OTF2_COLLECTIVE_ROOT_NONE : (uint32_t)event->root;

	switch (event->type) {
	case OTF_ENTER:
		return write_enter(writer, event);
	case OTF_LEAVE:
		return OTF2_EvtWriter_Leave(to, NULL, t, event->region);
	case OTF_MEASUREMENT:
		return OTF2_EvtWriter_MeasurementOnOff(
			to, NULL, t, event->is_on ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF);
	case OTF_SEND:
		return OTF2_EvtWriter_MpiSend(to, NULL, t, peer, comm, tag, event->bytes);
	case OTF_RECV:
		return OTF2_EvtWriter_MpiRecv(to, NULL, t, peer, comm, tag, event->bytes);
	case OTF_ISEND:
		return OTF2_EvtWriter_MpiIsend(to, NULL, t, peer, comm, tag, event->bytes,
					       event->request);
	case OTF_ISEND_COMPLETE:
		return OTF2_EvtWriter_MpiIsendComplete(to, NULL, t, event->request);
	case OTF_IRECV_REQUEST:
		return OTF2_EvtWriter_MpiIrecvRequest(to, NULL, t, event->request);
	case OTF_IRECV:
		return OTF2_EvtWriter_MpiIrecv(to, NULL, t, peer, comm, tag, event->bytes,
					       event->request);
	case OTF_CANCELLED:
		return OTF2_EvtWriter_MpiRequestCancelled(to, NULL, t, event->request);
	case OTF_COLLECTIVE:
		return OTF2_EvtWriter_MpiCollectiveEnd(to, NULL, t,
						       (OTF2_CollectiveOp)event->collective, comm,
						       root, event->bytes, event->recv_bytes);
	case OTF_COLLECTIVE_BEGIN:
		return OTF2_EvtWriter_MpiCollectiveBegin(to, NULL, t);
	case OTF_COLLECTIVE_REQUEST:
		return OTF2_EvtWriter_NonBlockingCollectiveRequest(to, NULL, t, event->request);
	case OTF_COLLECTIVE_COMPLETE:
		return OTF2_EvtWriter_NonBlockingCollectiveComplete(
			to, NULL, t, (OTF2_CollectiveOp)event->collective, comm, root, event->bytes,
			event->recv_bytes, event->request);
	case OTF_PUT:
		return OTF2_EvtWriter_RmaPut(to, NULL, t, comm, peer, event->bytes, 0);
	case OTF_GET:
		return OTF2_EvtWriter_RmaGet(to, NULL, t, comm, peer, event->recv_bytes, 0);
	default:
		return OTF2_ERROR_INVALID_ARGUMENT;
	}
}

int otf_writer_event(struct otf_writer *writer, int rank, const struct otf_event *event,
		     struct err *err)
{
	OTF2_ErrorCode code;

	if (rank != writer->rank && begin_rank(writer, rank, event->ticks, err) != 0)
		return -1;
	if (event->ticks < writer->last)
		return err_set(
			err, "%s: rank %d: time runs backwards: expected rows in the order of time",
			writer->path, rank);
	writer->last = event->ticks;
	if (event->ticks > writer->end)
		writer->end = event->ticks;
	code = write_event(writer, event);
	return code == OTF2_SUCCESS ? 0 : failed(writer, code, err);
}

/* All of a file, ended by NUL, to be freed; NULL with errno. */
static char *read_whole(const char *folder, const char *name, size_t *n)
{
	char *path = xasprintf("%s/%s", folder, name), *bytes = NULL;
	FILE *in = fopen(path, "rbe");
	struct stat st;

	if (in != NULL && fstat(fileno(in), &st) == 0) {
		*n = (size_t)st.st_size;
		bytes = xmalloc(*n + 1);
		if (fread(bytes, 1, *n, in) != *n) {
			free(bytes);
			bytes = NULL;
		}
	}
	if (in != NULL)
		fclose(in);
	free(path);
	return bytes;
}

/* libotf2 takes the trace's number from the clock. It is made of the definitions instead, which
 * have the clock's range and the counts of all events: the same input gives the same bytes. */
static int settle_number(const struct otf_writer *writer, struct err *err)
{
	size_t ndefs, n = 0;
	char *defs = read_whole(writer->folder, "traces.def", &ndefs);
	char *anchor = read_whole(writer->folder, "traces.otf2", &n), *at;
	uint64_t settled = defs != NULL ? str_hash(defs, ndefs) : 0, number = 0;
	char *path = xasprintf("%s/traces.otf2", writer->folder);
	OTF2_Reader *reader = OTF2_Reader_Open(path); /* only a reader may ask */
	int fd = -1, status = -1;

	if (reader != NULL) {
		OTF2_Reader_GetTraceId(reader, &number);
		OTF2_Reader_Close(reader);
	}
	at = anchor != NULL ? memmem(anchor, n, &number, sizeof(number)) : NULL;
	if (defs == NULL || anchor == NULL)
		err_set(err, "%s: %s", writer->path, strerror(errno));
	else if (at == NULL)
		err_set(err, "%s: libotf2 wrote an anchor without the trace's number",
			writer->path);
	else if ((fd = open(path, O_WRONLY | O_CLOEXEC)) < 0 ||
		 pwrite(fd, &settled, sizeof(settled), at - anchor) != sizeof(settled))
		err_set(err, "%s: %s", writer->path, strerror(errno));
	else
		status = 0;
	if (fd >= 0)
		close(fd);
	free(path);
	free(anchor);
	free(defs);
	return status;
}

/* The finished folder gets its name, once what is in it is on the disk. */
static int finish(struct otf_writer *writer, struct err *err)
{
	OTF2_ErrorCode code;
	int error;

	if (end_rank(writer, err) != 0)
		return -1;
	code = otf_write_definitions(writer);
	if (code != OTF2_SUCCESS)
		return failed(writer, code, err);
	code = OTF2_Archive_Close(writer->archive);
	writer->archive = NULL;
	if (code != OTF2_SUCCESS || writer->lib_err.msg[0] != '\0')
		return failed(writer, code, err);
	if (settle_number(writer, err) != 0)
		return -1;
	error = nftw(writer->folder, sync_one, 16, FTW_DEPTH | FTW_PHYS);
	if (error == 0 && rename(writer->folder, writer->path) != 0)
		error = errno;
	return error == 0
		       ? 0
		       : err_set(err, "%s: %s", writer->path, strerror(error > 0 ? error : errno));
}

int otf_writer_close(struct otf_writer *writer, bool whole, struct err *err)
{
	int status = whole ? finish(writer, err) : 0;

	if (writer->archive != NULL) {
		if (writer->rank >= 0)
			OTF2_Archive_CloseEvtWriter(writer->archive, writer->events);
		OTF2_Archive_Close(writer->archive);
	}
	out_folder_end(whole && status == 0);
	OTF2_Error_RegisterCallback(writer->old_callback, NULL);
	OTF2_AttributeList_Delete(writer->attributes);
	map_free(&writer->region_of);
	free(writer->nevents.at);
	free(writer->is_done.at);
	free(writer->regions.at);
	free(writer->comms.at);
	arena_free(&writer->arena);
	free(writer->path);
	free(writer->folder);
	free(writer->program);
	free(writer);
	return status;
}

#endif
