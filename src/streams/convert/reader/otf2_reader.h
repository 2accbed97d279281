/* otf2_reader.h - what the parts of the reader of OTF2 archives share */
#ifndef CONVERT_READER_OTF2_READER_H
#define CONVERT_READER_OTF2_READER_H

#include "convert/reader/reader.h"
#include "traces/otf2/otf2.h"
#include "model/mpitrace.h"
#include "model/otf2_sizes.h"
#include "model/profile.h"

/* What a region means to us. */
struct otf2_function {
	const char *name;
	bool is_mpi, is_init, is_finalize, is_sendrecv,
		is_shown; /* is_shown: enter and leave rows */
	enum mpi_group group;
};

/* One archive that is read. */
struct otf2_input {
	struct otf *otf;
	const char *path;
	const struct pick *pick;
	struct flow *flow;
	struct trace_comms comms;
	int32_t *comm_of;  /* [ncomms] of otf: number in comms; -1: all ranks; -2: none of MPI's */
	int32_t *place_of; /* [ncomms] of the rank that is read there, … */
	int32_t *place_rank;                 /* [ncomms] … if this is that rank */
	VEC(struct otf2_function) functions; /* by region */
	bool is_exact;                       /* sizes of collectives are exact (our own archive) */
};

/* The function of a region, looked up once. */
const struct otf2_function *otf2_function(struct otf2_input *input, uint32_t region);

/* A collective event of a rank as a row's operation, sizes, communicator and root. 0: set; 1: it is
 * of no communicator that we know; -1: error. */
int otf2_set_collective(struct otf2_input *input, const struct otf_event *event, int32_t rank,
			struct mpi_call *call, struct err *err);

/* Rows of kind mpitrace. */
int otf2_read_trace(struct otf2_input *input, struct err *err);

#endif
