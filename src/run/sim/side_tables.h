/* side_tables.h - tables of the ranks and the links of simulations */
#ifndef SIM_SIDE_TABLES_H
#define SIM_SIDE_TABLES_H

#include "base/run_context.h"
#include "formats/out.h"
#include "formats/table.h"
#include "sim/simulation.h"

/* A table in a separate file. */
struct side_table {
	struct out *out;
	struct table_out *table;
};

/* path NULL: no such table. in: whose ##lines are carried on. */
int side_table_open(struct side_table *side, const struct run_context *context, const char *path,
		    const struct table_kind *kind, const struct table_in *in,
		    const struct sim_options *options, struct err *err);
int side_table_close(struct side_table *side, bool whole, struct err *err);

/* run and policy of a row, where the job has them; and the first job that has them, which says it
 * of what belongs to the whole simulation. */
void side_put_run(struct table_out *table, const struct sim_job *job);
const struct sim_job *side_speaker(const struct simulation *simulation);

/* Every rank of every job that ran. */
void ranks_write(struct side_table *side, const struct simulation *simulation,
		 const struct sim_options *options);
/* Every directed channel, used or not. */
void links_write(struct side_table *side, const struct simulation *simulation,
		 const struct sim_options *options);

#endif
