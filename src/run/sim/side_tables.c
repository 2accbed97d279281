/* side_tables.c - tables of the ranks and the links of simulations */
#include "sim/side_tables.h"

#include "machine/load.h"
#include "model/kinds.h"

int side_table_open(struct side_table *side, const struct run_context *context, const char *path,
		    const struct table_kind *kind, const struct table_in *in,
		    const struct sim_options *options, struct err *err)
{
	*side = (struct side_table){0};
	if (path == NULL)
		return 0;
	if (out_open(&side->out, path, context->command, err) != 0)
		return -1;
	side->table = table_out_new(side->out, kind);
	table_out_meta_of(side->table, in);
	topo_record(options->topo, side->table);
	/* columns are in the order of this list */
	for (const struct column *column = kind->columns; column->name != NULL; column++)
		if (column->required)
			table_out_column(side->table, column->name);
	for (int i = 0; i < 2; i++)
		if (table_find(in, i == 0 ? "run" : "policy") >= 0)
			table_out_column(side->table, i == 0 ? "run" : "policy");
	return 0;
}

int side_table_close(struct side_table *side, bool whole, struct err *err)
{
	int status;

	if (side->out == NULL)
		return 0;
	table_out_end(side->table, whole);
	status = out_close(side->out, whole, err);
	side->out = NULL;
	return status;
}

/* run and policy, where the jobs have them. */
void side_put_run(struct table_out *table, const struct sim_job *job)
{
	if (job->run != NULL)
		table_out_text(table, table_out_column(table, "run"), job->run);
	if (job->policy != NULL)
		table_out_text(table, table_out_column(table, "policy"), job->policy);
}

void ranks_write(struct side_table *side, const struct simulation *simulation,
		 const struct sim_options *options)
{
	struct table_out *table = side->table;
	char name[TOPO_NAME];

	if (side->out == NULL)
		return;
	for (size_t i = 0; i < simulation->jobs.n; i++) {
		const struct sim_job *job = &simulation->jobs.at[i];

		for (int rank = 0; job->ranks != NULL && rank < job->nranks; rank++) {
			const struct mpi_rank_times *times = &job->ranks[rank];

			side_put_run(table, job);
			table_out_text(table, table_out_column(table, "job"), job->name);
			table_out_int(table, table_out_column(table, "rank"), rank);
			table_out_text(table, table_out_column(table, "node"),
				       topo_node_name(options->topo, job->node_of[rank], name));
			if (times->is_done && job->iterations > 0)
				table_out_real(table, table_out_column(table, "comm_time_s"),
					       (double)(times->end_ps - job->start_ps) / 1e12);
			else
				table_out_text(table, table_out_column(table, "comm_time_s"), NULL);
			table_out_real(table, table_out_column(table, "compute_s"),
				       (double)times->compute_ps / 1e12);
			table_out_real(table, table_out_column(table, "mpi_s"),
				       (double)times->mpi_ps / 1e12);
			if (job->rank_io_s != NULL)
				table_out_real(table, table_out_column(table, "io_time_s"),
					       job->rank_io_s[rank]);
			table_out_real(table, table_out_column(table, "wait_s"),
				       (double)times->wait_ps / 1e12);
			table_out_real(table, table_out_column(table, "copy_s"),
				       (double)times->copy_ps / 1e12);
			table_out_int(table, table_out_column(table, "sent_bytes"),
				      times->sent_bytes);
			table_out_int(table, table_out_column(table, "received_bytes"),
				      times->received_bytes);
			if (times->has_loop) {
				table_out_real(table, table_out_column(table, "loop_s"),
					       (double)times->loop_ps / 1e12);
				table_out_real(table, table_out_column(table, "loop_compute_s"),
					       (double)times->loop_compute_ps / 1e12);
			}
			if (options->params->gpu != GPU_NONE)
				table_out_text(table, table_out_column(table, "gpu"),
					       gpu_modes[options->params->gpu]);
			table_out_emit(table);
		}
	}
}

static const char *vertex_name(const struct topo *topo, int vertex, char text[TOPO_NAME])
{
	return vertex < topo->nnodes ? topo_node_name(topo, vertex, text)
				     : topo_router_name(topo, vertex - topo->nnodes, text);
}

/* The first job that has them says which run and policy the links are of. */
const struct sim_job *side_speaker(const struct simulation *simulation)
{
	const struct sim_job *best = &simulation->jobs.at[0];

	for (size_t i = 0; i < simulation->jobs.n; i++)
		if (simulation->jobs.at[i].policy != NULL)
			return &simulation->jobs.at[i];
	return best;
}

/* Which copy of a link it is, where there are several. */
static void put_copy(struct table_out *table, const struct simulation *simulation,
		     const struct net_copy *copy)
{
	if (simulation->nplanes > 1)
		table_out_int(table, table_out_column(table, "plane"), copy->plane);
	if (simulation->nnics > 1 && copy->nic >= 0)
		table_out_int(table, table_out_column(table, "nic"), copy->nic);
	else if (simulation->nnics > 1)
		table_out_text(table, table_out_column(table, "nic"), NULL);
}

void links_write(struct side_table *side, const struct simulation *simulation,
		 const struct sim_options *options)
{
	const struct topo *topo = options->topo;
	const struct topo_graph *graph = topo_graph(options->topo);
	double elapsed = (double)simulation->elapsed_ps;
	struct table_out *table = side->table;
	char name[TOPO_NAME];

	if (side->out == NULL || simulation->channels == NULL)
		return;
	for (int64_t i = 0; i < simulation->nchannels; i++) {
		const struct net_copy *copy = &simulation->copies[i];
		const struct topo_link *link = &graph->links[copy->channel / 2];
		const struct net_channel *channel = &simulation->channels[i];
		bool is_back = copy->channel % 2 != 0;

		side_put_run(table, side_speaker(simulation));
		table_out_int(table, table_out_column(table, "link"), i);
		table_out_text(table, table_out_column(table, "from"),
			       vertex_name(topo, is_back ? link->b : link->a, name));
		table_out_text(table, table_out_column(table, "to"),
			       vertex_name(topo, is_back ? link->a : link->b, name));
		table_out_text(table, table_out_column(table, "level"),
			       topo->levels[link->level].name);
		put_copy(table, simulation, copy);
		table_out_real(table, table_out_column(table, "capacity_Bps"),
			       options->params->levels[link->level].bandwidth);
		table_out_real(table, table_out_column(table, "bytes"), (double)channel->bytes);
		table_out_real(table, table_out_column(table, "packets"), (double)channel->packets);
		table_out_real(table, table_out_column(table, "stall_s"),
			       (double)channel->stall_ps / 1e12);
		table_out_real(table, table_out_column(table, "utilization"),
			       elapsed > 0 ? (double)channel->busy_ps / elapsed : 0);
		table_out_emit(table);
	}
}
