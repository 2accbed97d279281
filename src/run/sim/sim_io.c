/* sim_io.c - what the I/O of a simulation came to, and its tables */
#include "sim/sim_io.h"

#include <stdlib.h>
#include <string.h>

/* ---- keeping ---- */

/* The k-th phase of a job is the k-th of all its ranks. */
static int64_t phases_ps(const struct storage *storage, const struct mpi *mpi, int number,
			 int nranks)
{
	int64_t total = 0;

	for (int k = 0;; k++) {
		int64_t start = INT64_MAX, end = INT64_MIN;

		for (int rank = 0; rank < nranks; rank++) {
			struct storage_client_sums sums =
				storage_client_sums(storage, mpi_client(mpi, number, rank));

			if (k >= sums.nphases)
				continue;
			if (sums.phases[k].start_ps < start)
				start = sums.phases[k].start_ps;
			if (sums.phases[k].end_ps > end)
				end = sums.phases[k].end_ps;
		}
		if (end == INT64_MIN)
			return total;
		total += end - start;
	}
}

/* Links, of which there is one more than routers; 0: nothing of it was on the network. */
static double hops_mean(const struct net_hops *hops)
{
	if (hops->packets == 0)
		return 0;
	return (double)(hops->packet_hops + hops->packets) / (double)hops->packets;
}

static void keep_records(struct simulation *simulation, struct sim_job *job,
			 const struct storage *storage, int rank,
			 const struct storage_client_sums *sums)
{
	const char *last = NULL, *kept = NULL;

	for (int i = 0; i < sums->nrecords; i++) {
		const struct storage_record *record = &sums->records[i];
		const char *file = record->op.file;

		if (file != last && file != NULL)
			kept = arena_strndup(&simulation->arena, file, strlen(file));
		last = file;
		vec_push(&job->records,
			 ((struct io_record){
				 .rank = rank,
				 .file = file != NULL ? kept : NULL,
				 .entry = storage_entry_name(storage, record->op.entry),
				 .kind = record->op.kind,
				 .offset = record->op.offset,
				 .bytes = record->op.bytes,
				 .start_ps = record->start_ps,
				 .end_ps = record->end_ps,
				 .hops = hops_mean(&record->hops),
			 }));
	}
}

void sim_io_keep_job(struct simulation *simulation, struct sim_job *job,
		     const struct storage *storage, const struct mpi *mpi, int number,
		     const struct sim_options *options)
{
	if (storage == NULL)
		return;
	if (options->keeps_ranks)
		job->rank_io_s = xcalloc((size_t)job->nranks, sizeof(*job->rank_io_s));
	for (int rank = 0; rank < job->nranks; rank++) {
		struct storage_client_sums sums =
			storage_client_sums(storage, mpi_client(mpi, number, rank));

		job->io.io_ps += (double)sums.io_ps;
		job->io.bytes_read += sums.bytes_read;
		job->io.bytes_written += sums.bytes_written;
		if (options->keeps_ranks)
			job->rank_io_s[rank] = (double)sums.io_ps / 1e12;
		if (options->keeps_io)
			keep_records(simulation, job, storage, rank, &sums);
	}
	job->io.io_ps /= job->nranks > 0 ? job->nranks : 1;
	job->io.phase_ps = phases_ps(storage, mpi, number, job->nranks);
}

void sim_io_keep_devices(struct simulation *simulation, const struct storage *storage)
{
	if (storage == NULL)
		return;
	simulation->ndevices = storage_ndevices(storage);
	simulation->devices = xcalloc((size_t)simulation->ndevices, sizeof(*simulation->devices));
	for (int i = 0; i < simulation->ndevices; i++)
		simulation->devices[i] = storage_device_sums(storage, i);
}

void sim_io_free_job(struct sim_job *job)
{
	free(job->rank_io_s);
	vec_free(&job->records);
}

/* ---- tables ---- */

void io_write(struct side_table *side, const struct simulation *simulation,
	      const struct sim_options *options)
{
	static const char *const ops[] = {"read", "write", "sync"};
	struct table_out *table = side->table;

	(void)options;
	if (side->out == NULL)
		return;
	for (size_t i = 0; i < simulation->jobs.n; i++) {
		const struct sim_job *job = &simulation->jobs.at[i];

		for (size_t k = 0; k < job->records.n; k++) {
			const struct io_record *record = &job->records.at[k];

			side_put_run(table, job);
			table_out_int(table, table_out_column(table, "rank"), record->rank);
			table_out_text(table, table_out_column(table, "op"), ops[record->kind]);
			table_out_seconds(table, table_out_column(table, "start_s"),
					  (record->start_ps + 500) / 1000);
			table_out_int(table, table_out_column(table, "bytes"), record->bytes);
			table_out_text(table, table_out_column(table, "job"), job->name);
			table_out_text(table, table_out_column(table, "file"), record->file);
			if (record->kind == STORAGE_SYNC)
				table_out_text(table, table_out_column(table, "offset"), NULL);
			else
				table_out_int(table, table_out_column(table, "offset"),
					      record->offset);
			table_out_seconds(table, table_out_column(table, "end_s"),
					  (record->end_ps + 500) / 1000);
			table_out_text(table, table_out_column(table, "target"), record->entry);
			table_out_real(table, table_out_column(table, "hops"), record->hops);
			table_out_emit(table);
		}
	}
}

void storage_write(struct side_table *side, const struct simulation *simulation,
		   const struct sim_options *options)
{
	struct table_out *table = side->table;
	char name[TOPO_NAME];

	if (side->out == NULL)
		return;
	for (int i = 0; i < simulation->ndevices; i++) {
		const struct storage_device_sums *device = &simulation->devices[i];

		side_put_run(table, side_speaker(simulation));
		table_out_text(table, table_out_column(table, "device"), device->entry);
		table_out_text(table, table_out_column(table, "node"),
			       topo_node_name(options->topo, device->node, name));
		table_out_real(table, table_out_column(table, "bytes_read"),
			       (double)device->bytes_read);
		table_out_real(table, table_out_column(table, "bytes_written"),
			       (double)device->bytes_written);
		table_out_int(table, table_out_column(table, "ops"), device->ops);
		table_out_real(table, table_out_column(table, "busy_s"),
			       (double)device->busy_ps / 1e12);
		table_out_real(table, table_out_column(table, "wait_s"),
			       (double)device->wait_ps / 1e12);
		table_out_int(table, table_out_column(table, "queue_max"), device->queue_max);
		table_out_real(table, table_out_column(table, "bytes_drained"),
			       (double)device->bytes_drained);
		table_out_real(table, table_out_column(table, "elapsed_s"),
			       (double)simulation->network_ps / 1e12);
		table_out_emit(table);
	}
}
