/* sim_io.h - what the I/O of a simulation came to, and its tables */
#ifndef SIM_SIM_IO_H
#define SIM_SIM_IO_H

#include "sim/side_tables.h"
#include "sim/simulation.h"

/* Of the run that has just ended; number: of the job in it. */
void sim_io_keep_job(struct simulation *simulation, struct sim_job *job,
		     const struct storage *storage, const struct mpi *mpi, int number,
		     const struct sim_options *options);
void sim_io_keep_devices(struct simulation *simulation, const struct storage *storage);
void sim_io_free_job(struct sim_job *job);

/* Each operation of the ranks of all jobs: a stream of the kind iotrace. */
void io_write(struct side_table *side, const struct simulation *simulation,
	      const struct sim_options *options);
/* What each device did: kind storage. */
void storage_write(struct side_table *side, const struct simulation *simulation,
		   const struct sim_options *options);

#endif
