/* otf2_events.c - the events of one location of an OTF2 archive */
#include "traces/otf2/otf2_priv.h"

#ifdef HAVE_OTF2

#include <stdlib.h>

struct otf_reader {
	struct otf *otf;
	OTF2_EvtReader *reader;
	uint64_t location, last;
	int32_t rank;
	otf_event_fn *event;
	void *context;
};

/* Hands an event on. */
static OTF2_CallbackCode pass(struct otf_reader *reader, struct otf_event *event, uint64_t ticks)
{
	struct otf *otf = reader->otf;

	if (ticks < reader->last) {
		otf_error(otf, &otf->err, "location %llu: time runs backwards",
			  (unsigned long long)reader->location);
		return OTF2_CALLBACK_INTERRUPT;
	}
	reader->last = event->ticks = ticks;
	return reader->event(reader->context, event, &otf->err) == 0 ? OTF2_CALLBACK_SUCCESS
								     : OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode refuse(struct otf_reader *reader, const char *what, uint32_t number)
{
	otf_error(reader->otf, &reader->otf->err, "location %llu: %s %u is not defined",
		  (unsigned long long)reader->location, what, number);
	return OTF2_CALLBACK_INTERRUPT;
}

/* The world rank of a rank of a communicator, seen from the reader's. -1: there is none. */
static int32_t world_rank(const struct otf_reader *reader, int32_t comm, uint32_t rank,
			  bool is_remote)
{
	const struct otf_comm *at = &reader->otf->comms.at[comm];
	const int32_t *ranks = at->ranks;
	int n = at->n;

	if (at->is_self)
		return rank == 0 ? reader->rank : -1;
	if (at->is_global)
		return rank < reader->otf->ranks.n ? (int32_t)rank : -1;
	if (at->remote != NULL && is_remote) {
		/* the other group is meant, which is the first one for members of the second */
		for (int i = 0; i < n && n >= 0; i++)
			if (ranks[i] == reader->rank) {
				ranks = at->remote;
				n = -at->nremote;
			}
		n = n < 0 ? -n : n;
	}
	return ranks != NULL && rank < (uint32_t)n ? ranks[rank] : -1;
}

/* Sets comm and peer of a point-to-point event. Returns 0, or 1 after a refusal. */
static int set_peer(const struct otf_reader *reader, struct otf_event *event, uint32_t comm,
		    uint32_t peer)
{
	event->comm = otf_refs_get(&reader->otf->comm_of, comm);
	if (event->comm < 0) {
		refuse((struct otf_reader *)reader, "communicator", comm);
		return 1;
	}
	event->peer = world_rank(reader, event->comm, peer, true);
	if (event->peer < 0) {
		refuse((struct otf_reader *)reader, "the peer's rank", peer);
		return 1;
	}
	return 0;
}

#define HEAD                                                                                       \
	OTF2_LocationRef location, OTF2_TimeStamp ticks, uint64_t position, void *context,         \
		OTF2_AttributeList *attributes
#define UNUSED_HEAD ((void)location, (void)position, (void)attributes)

static uint32_t buffer_location(OTF2_AttributeList *attributes, uint32_t attribute)
{
	OTF2_Type type;
	OTF2_AttributeValue value;

	if (attribute == OTF2_UNDEFINED_ATTRIBUTE ||
	    !OTF2_AttributeList_TestAttributeByID(attributes, attribute) ||
	    OTF2_AttributeList_GetAttributeByID(attributes, attribute, &type, &value) !=
		    OTF2_SUCCESS)
		return OTF_LOCATION_NONE;
	switch (type) {
	case OTF2_TYPE_UINT8:
		return value.uint8;
	case OTF2_TYPE_UINT16:
		return value.uint16;
	case OTF2_TYPE_UINT32:
	case OTF2_TYPE_INT32:
		return value.uint32;
	case OTF2_TYPE_UINT64:
	case OTF2_TYPE_INT64:
		return (uint32_t)value.uint64;
	default:
		return OTF_LOCATION_NONE;
	}
}

static OTF2_CallbackCode on_region(struct otf_reader *reader, enum otf_event_type type,
				   OTF2_TimeStamp ticks, OTF2_AttributeList *attributes,
				   OTF2_RegionRef region)
{
	struct otf *otf = reader->otf;
	int32_t place = otf_refs_get(&otf->region_of, region);
	struct otf_event event = {.type = type, .region = (uint32_t)place};

	if (place < 0)
		return refuse(reader, "region", region);
	if (type == OTF_ENTER && attributes != NULL &&
	    OTF2_AttributeList_GetNumberOfElements(attributes) > 0) {
		event.send_location = buffer_location(attributes, otf->source_attribute);
		event.recv_location = buffer_location(attributes, otf->destination_attribute);
	}
	return pass(reader, &event, ticks);
}

static OTF2_CallbackCode on_enter(HEAD, OTF2_RegionRef region)
{
	UNUSED_HEAD;
	return on_region(context, OTF_ENTER, ticks, attributes, region);
}

static OTF2_CallbackCode on_leave(HEAD, OTF2_RegionRef region)
{
	UNUSED_HEAD;
	return on_region(context, OTF_LEAVE, ticks, NULL, region);
}

static OTF2_CallbackCode on_measurement(HEAD, OTF2_MeasurementMode mode)
{
	struct otf_event event = {.type = OTF_MEASUREMENT, .is_on = mode == OTF2_MEASUREMENT_ON};

	UNUSED_HEAD;
	return pass(context, &event, ticks);
}

static OTF2_CallbackCode on_program(HEAD, OTF2_StringRef name, uint32_t narguments,
				    const OTF2_StringRef *arguments)
{
	struct otf_reader *reader = context;
	struct otf_event event = {.type = OTF_PROGRAM, .name = otf_string(reader->otf, name)};

	UNUSED_HEAD;
	(void)narguments;
	(void)arguments;
	return pass(reader, &event, ticks);
}

/* All point-to-point events. */
static OTF2_CallbackCode on_message(struct otf_reader *reader, OTF2_TimeStamp ticks,
				    enum otf_event_type type, uint32_t peer, uint32_t comm,
				    uint32_t tag, uint64_t bytes, uint64_t request)
{
	struct otf_event event = {
		.type = type, .tag = (int32_t)tag, .bytes = bytes, .request = request};

	if (set_peer(reader, &event, comm, peer) != 0)
		return OTF2_CALLBACK_INTERRUPT;
	return pass(reader, &event, ticks);
}

static OTF2_CallbackCode on_send(HEAD, uint32_t peer, OTF2_CommRef comm, uint32_t tag,
				 uint64_t bytes)
{
	UNUSED_HEAD;
	return on_message(context, ticks, OTF_SEND, peer, comm, tag, bytes, 0);
}

static OTF2_CallbackCode on_recv(HEAD, uint32_t peer, OTF2_CommRef comm, uint32_t tag,
				 uint64_t bytes)
{
	UNUSED_HEAD;
	return on_message(context, ticks, OTF_RECV, peer, comm, tag, bytes, 0);
}

static OTF2_CallbackCode on_isend(HEAD, uint32_t peer, OTF2_CommRef comm, uint32_t tag,
				  uint64_t bytes, uint64_t request)
{
	UNUSED_HEAD;
	return on_message(context, ticks, OTF_ISEND, peer, comm, tag, bytes, request);
}

static OTF2_CallbackCode on_irecv(HEAD, uint32_t peer, OTF2_CommRef comm, uint32_t tag,
				  uint64_t bytes, uint64_t request)
{
	UNUSED_HEAD;
	return on_message(context, ticks, OTF_IRECV, peer, comm, tag, bytes, request);
}

static OTF2_CallbackCode on_request(void *context, OTF2_TimeStamp ticks, enum otf_event_type type,
				    uint64_t request)
{
	struct otf_event event = {.type = type, .request = request};

	return pass(context, &event, ticks);
}

static OTF2_CallbackCode on_isend_complete(HEAD, uint64_t request)
{
	UNUSED_HEAD;
	return on_request(context, ticks, OTF_ISEND_COMPLETE, request);
}

static OTF2_CallbackCode on_irecv_request(HEAD, uint64_t request)
{
	UNUSED_HEAD;
	return on_request(context, ticks, OTF_IRECV_REQUEST, request);
}

static OTF2_CallbackCode on_cancelled(HEAD, uint64_t request)
{
	UNUSED_HEAD;
	return on_request(context, ticks, OTF_CANCELLED, request);
}

static OTF2_CallbackCode on_collective_request(HEAD, uint64_t request)
{
	UNUSED_HEAD;
	return on_request(context, ticks, OTF_COLLECTIVE_REQUEST, request);
}

static OTF2_CallbackCode on_collective(struct otf_reader *reader, OTF2_TimeStamp ticks,
				       enum otf_event_type type, OTF2_CollectiveOp op,
				       uint32_t comm, uint32_t root, uint64_t sent,
				       uint64_t received, uint64_t request)
{
	struct otf_event event = {.type = type,
				  .bytes = sent,
				  .recv_bytes = received,
				  .collective = op,
				  .root = -1,
				  .request = request};

	event.comm = otf_refs_get(&reader->otf->comm_of, comm);
	if (event.comm < 0)
		return refuse(reader, "communicator", comm);
	if (root == OTF2_COLLECTIVE_ROOT_SELF)
		event.root = reader->rank;
	else if (root != OTF2_COLLECTIVE_ROOT_NONE && root != OTF2_COLLECTIVE_ROOT_THIS_GROUP)
		event.root = world_rank(reader, event.comm, root, true);
	return pass(reader, &event, ticks);
}

static OTF2_CallbackCode on_collective_end(HEAD, OTF2_CollectiveOp op, OTF2_CommRef comm,
					   uint32_t root, uint64_t sent, uint64_t received)
{
	UNUSED_HEAD;
	return on_collective(context, ticks, OTF_COLLECTIVE, op, comm, root, sent, received, 0);
}

static OTF2_CallbackCode on_collective_complete(HEAD, OTF2_CollectiveOp op, OTF2_CommRef comm,
						uint32_t root, uint64_t sent, uint64_t received,
						uint64_t request)
{
	UNUSED_HEAD;
	return on_collective(context, ticks, OTF_COLLECTIVE_COMPLETE, op, comm, root, sent,
			     received, request);
}

/* One-sided messages; those of other windows than MPI's (copies to a GPU) are none. */
static OTF2_CallbackCode on_rma(struct otf_reader *reader, OTF2_TimeStamp ticks,
				enum otf_event_type type, OTF2_RmaWinRef window, uint32_t peer,
				uint64_t bytes, uint64_t recv_bytes)
{
	struct otf *otf = reader->otf;
	struct otf_event event = {.type = type, .bytes = bytes, .recv_bytes = recv_bytes};
	int32_t place = otf_refs_get(&otf->window_of, window), comm;

	if (place < 0)
		return refuse(reader, "window", window);
	comm = otf_refs_get(&otf->comm_of, otf->windows.at[place]);
	if (comm < 0 || (otf->comms.at[comm].ranks == NULL && !otf->comms.at[comm].is_self))
		return OTF2_CALLBACK_SUCCESS;
	if (set_peer(reader, &event, otf->windows.at[place], peer) != 0)
		return OTF2_CALLBACK_INTERRUPT;
	return pass(reader, &event, ticks);
}

static OTF2_CallbackCode on_put(HEAD, OTF2_RmaWinRef window, uint32_t peer, uint64_t bytes,
				uint64_t matching)
{
	UNUSED_HEAD;
	(void)matching;
	return on_rma(context, ticks, OTF_PUT, window, peer, bytes, 0);
}

static OTF2_CallbackCode on_get(HEAD, OTF2_RmaWinRef window, uint32_t peer, uint64_t bytes,
				uint64_t matching)
{
	UNUSED_HEAD;
	(void)matching;
	return on_rma(context, ticks, OTF_GET, window, peer, 0, bytes);
}

static OTF2_CallbackCode on_atomic(HEAD, OTF2_RmaWinRef window, uint32_t peer,
				   OTF2_RmaAtomicType type, uint64_t sent, uint64_t received,
				   uint64_t matching)
{
	UNUSED_HEAD;
	(void)type;
	(void)matching;
	return on_rma(context, ticks, OTF_PUT, window, peer, sent, received);
}

static void set_callbacks(OTF2_EvtReaderCallbacks *callbacks, unsigned types)
{
#define ON(type, name, function)                                                                   \
	do {                                                                                       \
		if (types & (type))                                                                \
			OTF2_EvtReaderCallbacks_Set##name##Callback(callbacks, function);          \
	} while (0)
	ON(OTF_ENTER, Enter, on_enter);
	ON(OTF_LEAVE, Leave, on_leave);
	ON(OTF_MEASUREMENT, MeasurementOnOff, on_measurement);
	ON(OTF_PROGRAM, ProgramBegin, on_program);
	ON(OTF_SEND, MpiSend, on_send);
	ON(OTF_RECV, MpiRecv, on_recv);
	ON(OTF_ISEND, MpiIsend, on_isend);
	ON(OTF_ISEND_COMPLETE, MpiIsendComplete, on_isend_complete);
	ON(OTF_IRECV_REQUEST, MpiIrecvRequest, on_irecv_request);
	ON(OTF_IRECV, MpiIrecv, on_irecv);
	ON(OTF_CANCELLED, MpiRequestCancelled, on_cancelled);
	ON(OTF_COLLECTIVE, MpiCollectiveEnd, on_collective_end);
	ON(OTF_COLLECTIVE_REQUEST, NonBlockingCollectiveRequest, on_collective_request);
	ON(OTF_COLLECTIVE_COMPLETE, NonBlockingCollectiveComplete, on_collective_complete);
	ON(OTF_PUT, RmaPut, on_put);
	ON(OTF_PUT, RmaAtomic, on_atomic);
	ON(OTF_GET, RmaGet, on_get);
#undef ON
}

/* What maps the location's own numbers to the global ones, and corrects its clock; libotf2 keeps it
 * and takes it once. */
static int read_local_definitions(struct otf *otf, uint64_t location, struct err *err)
{
	OTF2_DefReader *reader =
		otf->def_open ? OTF2_Reader_GetDefReader(otf->reader, location) : NULL;
	OTF2_ErrorCode code;
	uint64_t n;

	umap_set(&otf->defined, location, 1);
	if (reader == NULL) { /* not every archive has them */
		otf->lib_err.msg[0] = '\0';
		return 0;
	}
	code = OTF2_Reader_ReadAllLocalDefinitions(otf->reader, reader, &n);
	OTF2_Reader_CloseDefReader(otf->reader, reader);
	return code == OTF2_SUCCESS
		       ? 0
		       : otf_failed(otf, "reading a location's definitions", code, err);
}

int otf_reader_open(struct otf_reader **result, struct otf *otf, int rank, uint64_t location,
		    unsigned types, otf_event_fn *event, void *context, struct err *err)
{
	struct otf_reader *reader;
	OTF2_EvtReaderCallbacks *callbacks;
	OTF2_ErrorCode code;
	int64_t seen;

	*result = NULL;
	if (!umap_get(&otf->defined, location, &seen) &&
	    read_local_definitions(otf, location, err) != 0)
		return -1;
	reader = xcalloc(1, sizeof(*reader));
	*reader = (struct otf_reader){
		.otf = otf, .location = location, .rank = rank, .event = event, .context = context};
	reader->reader = OTF2_Reader_GetEvtReader(otf->reader, location);
	if (reader->reader == NULL) {
		free(reader);
		return otf_failed(otf, "opening a location's events", OTF2_SUCCESS, err);
	}
	*result = reader;
	callbacks = OTF2_EvtReaderCallbacks_New();
	set_callbacks(callbacks, types);
	code = OTF2_Reader_RegisterEvtCallbacks(otf->reader, reader->reader, callbacks, reader);
	OTF2_EvtReaderCallbacks_Delete(callbacks);
	if (code == OTF2_SUCCESS)
		return 0;
	otf_reader_close(reader);
	*result = NULL;
	return otf_failed(otf, "reading events", code, err);
}

int otf_reader_read(struct otf_reader *reader, uint64_t n, struct err *err)
{
	uint64_t did = 0;
	OTF2_ErrorCode code =
		OTF2_Reader_ReadLocalEvents(reader->otf->reader, reader->reader, n, &did);

	if (code != OTF2_SUCCESS)
		return otf_failed(reader->otf, "reading events", code, err);
	return did == n;
}

void otf_reader_close(struct otf_reader *reader)
{
	if (reader == NULL)
		return;
	OTF2_Reader_CloseEvtReader(reader->otf->reader, reader->reader);
	free(reader);
}

#endif
