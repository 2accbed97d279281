/* otf2.h - OTF2 archives through libotf2: definitions, events of a location, writing */
#ifndef TRACES_OTF2_OTF2_H
#define TRACES_OTF2_OTF2_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/*
 * The names begin with otf_, not otf2_: libotf2 exports symbols that begin so. Built
 * without libotf2 (3.0 or newer) every function that opens an archive says so and returns -1.
 */

/* ---- reading ---- */

struct otf;

/* Opens the anchor file (traces.otf2) and reads all global definitions. */
int otf_open(struct otf **otf, const char *path, struct err *err);
void otf_close(struct otf *otf); /* NULL is allowed */

double otf_ticks_per_s(const struct otf *otf);
/* Nanoseconds since the beginning of the trace (CLOCK_PROPERTIES' offset), rounded to nearest. */
int64_t otf_ns(const struct otf *otf, uint64_t ticks);

/* Whether our own writer made the archive: its sizes of collectives leave no doubt. */
bool otf_is_ours(const struct otf *otf);

int otf_nranks(const struct otf *otf); /* of MPI; at least 1 */
/* The locations of a rank's process that may hold MPI events, the rank's own one first. */
int otf_nlocations(const struct otf *otf, int rank);
uint64_t otf_location(const struct otf *otf, int rank, int i);
const char *otf_node(const struct otf *otf, int rank); /* its node's name; NULL: not known */

enum otf_region_kind { OTF_REGION_OTHER, OTF_REGION_USER, OTF_REGION_MPI };
struct otf_region {
	const char *name;
	enum otf_region_kind kind;
};
/* region: as events number them */
const struct otf_region *otf_region(const struct otf *otf, uint32_t region);

/* Communicators are numbered from 0; ranks [n] are world ranks; is_self: each rank alone. */
struct otf_comm {
	const int32_t *ranks;
	int n;
	const int32_t *remote; /* [nremote] of an inter-communicator; else NULL */
	int nremote;
	bool is_self, is_world; /* is_world: the first one of all ranks in order */
	bool is_global;         /* events name world ranks, not ranks of the communicator */
};
int otf_ncomms(const struct otf *otf);
const struct otf_comm *otf_comm(const struct otf *otf, int comm);

enum otf_event_type {
	OTF_ENTER = 1,
	OTF_LEAVE = 2,
	OTF_MEASUREMENT = 4, /* is_on */
	OTF_PROGRAM = 8,     /* name */
	OTF_SEND = 16,
	OTF_RECV = 32,
	OTF_ISEND = 64,
	OTF_ISEND_COMPLETE = 128,
	OTF_IRECV_REQUEST = 256,
	OTF_IRECV = 512,
	OTF_CANCELLED = 1024,
	OTF_COLLECTIVE = 2048,
	OTF_COLLECTIVE_REQUEST = 4096,
	OTF_COLLECTIVE_COMPLETE = 8192,
	OTF_PUT = 16384, /* one-sided, of windows of MPI */
	OTF_GET = 32768,
	OTF_ALL = 65535,
	OTF_COLLECTIVE_BEGIN = 65536 /* only written */
};

enum { OTF_LOCATION_NONE = 0, OTF_LOCATION_HOST = 1, OTF_LOCATION_GPU = 2 };

/* One event; what its type has no use for is 0. */
struct otf_event {
	enum otf_event_type type;
	uint64_t ticks;
	uint32_t region;
	/* attributes MPI_SRC_BUF_LOCATION and MPI_DST_BUF_LOCATION of an ENTER */
	uint32_t send_location, recv_location;
	bool is_on;
	const char *name;
	int32_t peer; /* world rank */
	int32_t comm; /* -1: it is not defined */
	int32_t tag;
	uint64_t bytes, recv_bytes; /* of collectives as Score-P counts: size × partners */
	uint64_t request;
	uint32_t collective; /* OTF2_CollectiveOp */
	int32_t root;        /* world rank; -1: none */
};

/* Returns 0 to go on, or -1 with a message. */
typedef int otf_event_fn(void *context, const struct otf_event *event, struct err *err);

/* Opens the events of a location of a rank: those of the types (OTF_ENTER | …) go to event. */
struct otf_reader;
int otf_reader_open(struct otf_reader **reader, struct otf *otf, int rank, uint64_t location,
		    unsigned types, otf_event_fn *event, void *context, struct err *err);
/* Reads up to n records. 1: there may be more; 0: the end; -1: error. */
int otf_reader_read(struct otf_reader *reader, uint64_t n, struct err *err);
void otf_reader_close(struct otf_reader *reader); /* NULL is allowed */

/* ---- writing ---- */

struct otf_writer;

/*
 * A new folder with the archive path/traces.otf2, which is under another name until it is
 * whole; path must not be there yet. Ticks are nanoseconds since the beginning of the trace.
 */
int otf_writer_open(struct otf_writer **writer, const char *path, struct err *err);
/* whole: writes the definitions; else what was written is removed. Frees writer either way. */
int otf_writer_close(struct otf_writer *writer, bool whole, struct err *err);

/* The program that every rank ran, before the first event. */
void otf_writer_program(struct otf_writer *writer, const char *name);
/* Ranks 0 … nranks - 1 have one location each; a communicator's number is what is returned. */
void otf_writer_ranks(struct otf_writer *writer, int nranks);
uint32_t otf_writer_region(struct otf_writer *writer, const char *name, enum otf_region_kind kind);
const char *otf_writer_region_name(const struct otf_writer *writer, uint32_t region);
/* ranks NULL: each rank alone; remote NULL: no inter-communicator. Number 0 is all ranks. */
int32_t otf_writer_comm(struct otf_writer *writer, const int32_t *ranks, int n,
			const int32_t *remote, int nremote);
/* Events come rank by rank, in the order of time; peer, root: ranks of the communicator. */
int otf_writer_event(struct otf_writer *writer, int rank, const struct otf_event *event,
		     struct err *err);

#endif
