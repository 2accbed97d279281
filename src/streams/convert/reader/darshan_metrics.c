/* darshan_metrics.c - Darshan records as rows of metrics, one by one or added up */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/reader/darshan_reader.h"
#include "base/str.h"

void darshan_metric_columns(struct darshan_metric_columns *columns, struct flow *flow)
{
	columns->scope = flow_column(flow, "scope");
	columns->id = flow_column(flow, "id");
	columns->metric = flow_column(flow, "metric");
	columns->value = flow_column(flow, "value");
	columns->unit = flow_column(flow, "unit");
	columns->note = flow_column(flow, "note");
	columns->rank = flow_column(flow, "rank");
	columns->record = flow_column(flow, "record");
	columns->file = flow_column(flow, "file");
	columns->mount = flow_column(flow, "mount");
	columns->fs = flow_column(flow, "fs");
}

/* The unit in a counter's name. */
static const char *unit_of(const char *name)
{
	if (strstr(name, "VARIANCE") != NULL)
		return NULL;
	if (str_ends(name, "_TIMESTAMP") || str_ends(name, "_TIME") || str_ends(name, "_SECONDS"))
		return "s";
	if (strstr(name, "_BYTES") != NULL && strstr(name, "_F_") == NULL)
		return "bytes";
	return NULL;
}

int darshan_emit_record(const struct darshan_record *record,
			const struct darshan_metric_columns *columns, struct flow *flow,
			struct err *err)
{
	char id[64], number[32], counted[32];

	snprintf(id, sizeof(id), "%lld:%llu", (long long)record->rank,
		 (unsigned long long)record->id);
	snprintf(number, sizeof(number), "%llu", (unsigned long long)record->id);
	for (int i = 0; i < record->n; i++) {
		const struct darshan_counter *counter = &record->counters[i];

		flow_text(flow, columns->scope, record->module);
		flow_text(flow, columns->id, id);
		flow_text(flow, columns->metric, counter->name);
		flow_text(flow, columns->unit, unit_of(counter->name));
		flow_int(flow, columns->rank, record->rank);
		flow_text(flow, columns->record, number);
		flow_text(flow, columns->file, record->file);
		flow_text(flow, columns->mount, record->mount);
		flow_text(flow, columns->fs, record->fs);
		switch (counter->type) {
		case DARSHAN_INT:
			flow_int(flow, columns->value, counter->number);
			break;
		case DARSHAN_REAL:
			if (counter->real >= -1e300 && counter->real <= 1e300)
				flow_real(flow, columns->value, counter->real);
			else
				flow_text(flow, columns->note, "not a finite number");
			break;
		case DARSHAN_ID:
			snprintf(counted, sizeof(counted), "%llu", (unsigned long long)counter->id);
			flow_text(flow, columns->value, counted);
			break;
		case DARSHAN_TEXT:
			flow_text(flow, columns->note, counter->text);
			break;
		}
		if (flow_emit(flow, err) != 0)
			return -1;
	}
	return 0;
}

/* ---- sums ---- */

/* What one file's records of a module say together. */
struct file_total {
	int64_t rank; /* of the only record so far */
	bool is_shared;
	double bytes_read, bytes_written;
};

struct module_total {
	char module[32];
	VEC(char *) names; /* of counters that add up */
	VEC(double) sums;  /* -1: not measured in any record */
	struct map name_of;
	VEC(struct file_total) files;
	struct umap file_of;    /* record id → place in files */
	VEC(double) rank_times; /* of records that are one rank's */
	VEC(double) rank_meta_times;
	VEC(int64_t) ranks;
	struct umap rank_of;
	double shared_time; /* Σ over shared files of their slowest rank's time */
};

struct darshan_totals {
	VEC(struct module_total *) modules;
};

static struct module_total *find_module(struct darshan_totals **totals, const char *module)
{
	struct module_total *total;

	if (*totals == NULL)
		*totals = xcalloc(1, sizeof(**totals));
	for (size_t i = 0; i < (*totals)->modules.n; i++)
		if (str_eq((*totals)->modules.at[i]->module, module))
			return (*totals)->modules.at[i];
	total = xcalloc(1, sizeof(*total));
	snprintf(total->module, sizeof(total->module), "%s", module);
	vec_push(&(*totals)->modules, total);
	return total;
}

/* Counters that are numbers of operations or bytes, and times spent: they add up over records. */
static bool adds_up(const struct darshan_counter *counter)
{
	static const char *const others[] = {
		"_MODE",    "_ALIGNMENT", "_MAX_",   "_ACCESS",  "STRIDE",  "_RANK",
		"VARIANCE", "TIMESTAMP",  "_MIN_",   "NDIMS",    "NPOINTS", "_CHUNK_",
		"_USE_",    "DATATYPE",   "LUSTRE_", "HEATMAP_", "BGQ_"};

	if (counter->type != DARSHAN_INT && counter->type != DARSHAN_REAL)
		return false;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strstr(counter->name, others[i]) != NULL)
			return false;
	return true;
}

static void add_sums(struct module_total *total, const struct darshan_record *record)
{
	for (int i = 0; i < record->n; i++) {
		const struct darshan_counter *counter = &record->counters[i];
		double number;
		int64_t place;

		if (!adds_up(counter))
			continue;
		number = counter->type == DARSHAN_INT ? (double)counter->number : counter->real;
		place = map_add(&total->name_of, counter->name, strlen(counter->name),
				(int64_t)total->names.n);
		if (place == (int64_t)total->names.n) {
			vec_push(&total->names, xstrdup(counter->name));
			vec_push(&total->sums, -1);
		}
		if (!(number >= 0 && number <= 1e300)) /* not measured */
			continue;
		if (total->sums.at[place] < 0)
			total->sums.at[place] = 0;
		total->sums.at[place] += number;
	}
}

static const char *prefix_of(const char *module)
{
	return str_eq(module, "MPI-IO") ? "MPIIO" : module;
}

static double prefixed(const struct darshan_record *record, const char *name)
{
	char whole[64];

	snprintf(whole, sizeof(whole), "%s_%s", prefix_of(record->module), name);
	return darshan_value(record, whole);
}

static void add_file(struct module_total *total, const struct darshan_record *record)
{
	struct file_total *file;
	int64_t place;

	if (!umap_get(&total->file_of, record->id, &place)) {
		place = (int64_t)total->files.n;
		umap_set(&total->file_of, record->id, place);
		vec_push(&total->files, (struct file_total){.rank = record->rank});
	}
	file = &total->files.at[place];
	if (record->rank < 0 || record->rank != file->rank)
		file->is_shared = true;
	file->bytes_read += prefixed(record, "BYTES_READ");
	file->bytes_written += prefixed(record, "BYTES_WRITTEN");
}

static void add_time(struct module_total *total, const struct darshan_record *record)
{
	int64_t place;

	if (record->rank < 0) {
		total->shared_time += prefixed(record, "F_SLOWEST_RANK_TIME");
		return;
	}
	if (!umap_get(&total->rank_of, (uint64_t)record->rank, &place)) {
		place = (int64_t)total->ranks.n;
		umap_set(&total->rank_of, (uint64_t)record->rank, place);
		vec_push(&total->ranks, record->rank);
		vec_push(&total->rank_times, 0);
		vec_push(&total->rank_meta_times, 0);
	}
	total->rank_meta_times.at[place] += prefixed(record, "F_META_TIME");
	total->rank_times.at[place] += prefixed(record, "F_META_TIME") +
				       prefixed(record, "F_READ_TIME") +
				       prefixed(record, "F_WRITE_TIME");
}

static bool moves_files(const char *module)
{
	return str_eq(module, "POSIX") || str_eq(module, "MPI-IO") || str_eq(module, "STDIO");
}

void darshan_totals_add(struct darshan_totals **totals, const struct darshan_record *record)
{
	struct module_total *total = find_module(totals, record->module);

	add_sums(total, record);
	if (moves_files(record->module)) {
		add_file(total, record);
		add_time(total, record);
	}
}

struct sink {
	const struct darshan_metric_columns *columns;
	struct flow *flow;
	const char *scope, *id;
	int status;
	struct err *err;
};

static void put(struct sink *sink, const char *metric, double value, const char *unit)
{
	if (sink->status != 0)
		return;
	flow_text(sink->flow, sink->columns->scope, sink->scope);
	flow_text(sink->flow, sink->columns->id, sink->id);
	flow_text(sink->flow, sink->columns->metric, metric);
	flow_real(sink->flow, sink->columns->value, value);
	flow_text(sink->flow, sink->columns->unit, unit);
	sink->status = flow_emit(sink->flow, sink->err);
}

/* How many files were only read, …, and the bytes that were moved. */
static double put_files(struct sink *sink, const struct module_total *total)
{
	double read_only = 0, write_only = 0, both = 0, shared = 0, bytes = 0;

	for (size_t i = 0; i < total->files.n; i++) {
		const struct file_total *file = &total->files.at[i];

		read_only += file->bytes_read > 0 && file->bytes_written == 0;
		write_only += file->bytes_written > 0 && file->bytes_read == 0;
		both += file->bytes_read > 0 && file->bytes_written > 0;
		shared += file->is_shared;
		bytes += file->bytes_read + file->bytes_written;
	}
	put(sink, "files", (double)total->files.n, "files");
	put(sink, "files_read_only", read_only, "files");
	put(sink, "files_write_only", write_only, "files");
	put(sink, "files_read_write", both, "files");
	put(sink, "files_unique", (double)total->files.n - shared, "files");
	put(sink, "files_shared", shared, "files");
	put(sink, "total_bytes", bytes, "bytes");
	return bytes;
}

/* The rank that was slowest at its own files, and the shared files' slowest ranks. */
static void put_performance(struct sink *sink, const struct module_total *total, double bytes)
{
	double slowest = 0, meta = 0, time;

	for (size_t i = 0; i < total->ranks.n; i++)
		if (total->rank_times.at[i] > slowest) {
			slowest = total->rank_times.at[i];
			meta = total->rank_meta_times.at[i];
		}
	time = slowest + total->shared_time;
	put(sink, "unique_slowest_rank_io_time", slowest, "s");
	put(sink, "unique_slowest_rank_meta_only_time", meta, "s");
	put(sink, "shared_time_by_slowest", total->shared_time, "s");
	put(sink, "agg_time_by_slowest", time, "s");
	if (time > 0)
		put(sink, "agg_perf_by_slowest", bytes / 1048576 / time, "MiB/s");
}

int darshan_totals_emit(struct darshan_totals *totals, const struct darshan_job *job,
			const struct darshan_metric_columns *columns, struct flow *flow,
			struct err *err)
{
	struct sink sink = {.columns = columns, .flow = flow, .id = job->jobid, .err = err};

	sink.scope = "job";
	put(&sink, "nprocs", (double)job->nprocs, "ranks");
	put(&sink, "run_time", job->run_s, "s");
	for (size_t i = 0; totals != NULL && i < totals->modules.n; i++) {
		const struct module_total *total = totals->modules.at[i];

		sink.scope = total->module;
		for (size_t k = 0; k < total->names.n; k++)
			if (total->sums.at[k] >= 0)
				put(&sink, total->names.at[k], total->sums.at[k],
				    unit_of(total->names.at[k]));
		if (moves_files(total->module))
			put_performance(&sink, total, put_files(&sink, total));
	}
	return sink.status;
}

void darshan_totals_free(struct darshan_totals *totals)
{
	for (size_t i = 0; totals != NULL && i < totals->modules.n; i++) {
		struct module_total *total = totals->modules.at[i];

		for (size_t k = 0; k < total->names.n; k++)
			free(total->names.at[k]);
		vec_free(&total->names);
		vec_free(&total->sums);
		vec_free(&total->files);
		vec_free(&total->rank_times);
		vec_free(&total->rank_meta_times);
		vec_free(&total->ranks);
		map_free(&total->name_of);
		umap_free(&total->file_of);
		umap_free(&total->rank_of);
		free(total);
	}
	if (totals != NULL)
		vec_free(&totals->modules);
	free(totals);
}
