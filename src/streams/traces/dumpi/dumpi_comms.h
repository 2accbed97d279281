/* dumpi_comms.h - what the communicators of DUMPI traces are made of */
#ifndef TRACES_DUMPI_DUMPI_COMMS_H
#define TRACES_DUMPI_DUMPI_COMMS_H

#include "base/err.h"
#include "base/umap.h"
#include "traces/dumpi/dumpi.h"
#include "model/mpitrace.h"

/*
 * A trace says about a communicator only what one rank passed to the call that made it, and numbers
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
/* Finds the members of all of them, which become trace_comms's. */
int dumpi_comms_resolve(struct dumpi_comms *comms, const int32_t *ranks, int32_t nranks,
			struct trace_comms *trace_comms, struct err *err);

/* In the second reading, rank by rank: begins one; */
void dumpi_comms_begin(struct dumpi_comms *comms, int file);
/* the next of the calls that are of concern: what it does; */
enum dumpi_deed { DUMPI_MAKES_COMM, DUMPI_FREES_COMM, DUMPI_MAKES_GROUP };
enum dumpi_deed dumpi_comms_next(struct dumpi_comms *comms);
/* what a number of the trace means now: a number in trace_comms, DUMPI_WORLD or DUMPI_UNKNOWN. */
int32_t dumpi_comms_meaning(const struct dumpi_comms *comms, int64_t comm);

#endif
