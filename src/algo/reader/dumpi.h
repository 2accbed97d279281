/* dumpi.h - what the parts of the readers of DUMPI traces share */
#ifndef ALGO_READER_DUMPI_H
#define ALGO_READER_DUMPI_H

#include "algo/reader/reader.h"
#include "base/umap.h"
#include "formats/dumpi.h"
#include "model/mpitrace.h"

/* ---- communicators ---- */

/*
 * A trace says of a communicator only what one rank passed to the call that made it, and numbers
 * them anew on each rank. So the files are read twice: first all such calls are noted, then worked
 * through as MPI would, each rank going on until a call needs what the others said.
 */
struct dumpi_comms;

enum { DUMPI_WORLD = -1, DUMPI_UNKNOWN = -2 };

/* nfiles: ranks whose traces are there; ranks [nfiles]: world ranks, rising. */
struct dumpi_comms *dumpi_comms_new(int nfiles);
void dumpi_comms_free(struct dumpi_comms *comms); /* NULL is allowed */
/* Whether a function is of concern: it makes or frees a communicator or a group. */
bool dumpi_comms_concern(const char *function);
/* A call of rank number `file` (0 … nfiles - 1), in the first reading. */
void dumpi_comms_note(struct dumpi_comms *comms, int file, const struct dumpi_call *call);
/* Finds the members of all of them, which become made's. */
int dumpi_comms_resolve(struct dumpi_comms *comms, const int32_t *ranks, int32_t nranks,
			struct trace_comms *made, struct err *err);

/* In the second reading, rank by rank: begins one; */
void dumpi_comms_begin(struct dumpi_comms *comms, int file);
/* the next of the calls that are of concern: what it does; */
enum dumpi_deed { DUMPI_MAKES_COMM, DUMPI_FREES_COMM, DUMPI_MAKES_GROUP };
enum dumpi_deed dumpi_comms_next(struct dumpi_comms *comms);
/* what a number of the trace means now: a number in trace_comms, DUMPI_WORLD or DUMPI_UNKNOWN. */
int32_t dumpi_comms_meaning(const struct dumpi_comms *comms, int64_t comm);

/* ---- datatypes ---- */

/* Sizes of datatypes; those of the user as the calls that made them say. */
struct dumpi_types {
	struct umap sizes;    /* as the file lists them */
	struct umap of_calls; /* as the calls say, which is what counts */
};

void dumpi_types_free(struct dumpi_types *types);
void dumpi_types_list(struct dumpi_types *types, int64_t type, int64_t size);
/* Any call: some make datatypes. */
void dumpi_types_see(struct dumpi_types *types, const struct dumpi_call *call);
/* Bytes of count elements; -1: that is not known. At most 2^53. */
int64_t dumpi_types_bytes(const struct dumpi_types *types, int64_t count, int64_t type);

/* ---- times ---- */

/* A rank's clock: seconds are kept in 16 bits, so that those of long runs begin anew. */
struct dumpi_clock {
	bool has_begun;
	int64_t last_s, wrapped_s;
};

/* When the next call began and ended: by its wall clock, or without one by its CPU clock. */
void dumpi_clock_read(struct dumpi_clock *clock, const struct dumpi_call *call, int64_t *start_ns,
		      int64_t *end_ns);

/* ---- rows ---- */

struct dumpi_rows;

/* The rows of one rank go to flow, whose columns are made. start_ns: the time that is 0. */
struct dumpi_rows_of {
	struct flow *flow;
	const struct trace_columns *columns;
	const struct trace_comms *comms;
	struct dumpi_comms *meanings;
	struct dumpi_types *types;
	const char *path;
	int32_t rank;
	int64_t start_ns;
};
struct dumpi_rows *dumpi_rows_begin(const struct dumpi_rows_of *of);
int dumpi_rows_take(struct dumpi_rows *rows, const struct dumpi_call *call, struct err *err);
/* The rank's calls are over; warns of what was not understood. */
int dumpi_rows_end(struct dumpi_rows *rows, struct err *err);
void dumpi_rows_free(struct dumpi_rows *rows); /* NULL is allowed */

#endif
