/* dumpi_reader.c - traces of DUMPI, a file for each rank, as MPI calls */
#include "convert/reader/dumpi_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/reader/text.h"
#include "base/die.h"
#include "base/num.h"
#include "base/str.h"
#include "formats/in.h"

enum { RANKS_MOST = 1 << 24 };
#define BYTES_MOST ((size_t)1 << 36)

/* One rank's file. */
struct rank_file {
	char *path;
	const char *name; /* for messages */
	int32_t rank;     /* −1: not known yet */
	char *kept;       /* [n] what can be read only once; or NULL */
	size_t n;
	struct dumpi_types types;
	struct dumpi_clock clock;
};

typedef int read_fn(const struct dumpi_file *file, const struct dumpi_taker *taker, void *context,
		    struct err *err);

struct dumpi_conversion {
	const struct pick *pick;
	struct flow *flow;
	read_fn *read;
	VEC(struct rank_file) files;
	int file;          /* that is read */
	int32_t nranks;    /* that the program says; 0: not yet */
	int32_t most_rank; /* that was spoken of */
	int64_t start_ns;  /* of the first call */
	bool has_start;
	char *app;
	int32_t app_rank;
	bool *is_noted; /* [dumpi_nfunctions()] functions that dumpi_comms wants to know of */
	struct dumpi_comms *meanings;
	struct trace_comms comms;
	struct trace_columns columns;
	struct dumpi_rows *rows;
};

/* ---- files ---- */

static void add_file(struct dumpi_conversion *reading, const char *path)
{
	vec_push(&reading->files, (struct rank_file){.path = xstrdup(path), .rank = -1});
}

/* KEY=VALUE lines: the files are FILEPREFIX-0000.bin … beside it, one for each of numprocs. */
static int add_meta(struct dumpi_conversion *reading, const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	int folder = slash != NULL ? (int)(slash - path) + 1 : 0, status;
	char *line, *prefix = NULL;
	int64_t n = 0;
	struct in *in;

	if (in_open(&in, path, err) != 0)
		return -1;
	while ((status = in_line(in, &line, NULL, err)) == 1) {
		if (str_starts(line, "numprocs=") && n == 0 &&
		    num_int(line + 9, 1, RANKS_MOST, &n) != 0) {
			status = in_error(in, err, "'%.40s' is not a number of ranks", line + 9);
			break;
		}
		if (str_starts(line, "fileprefix=") && prefix == NULL) {
			const char *last = strrchr(line + 11, '/');

			prefix = xstrdup(last != NULL ? last + 1 : line + 11);
		}
	}
	if (status == 0 && (n == 0 || prefix == NULL))
		status = err_set(err, "%s: expected numprocs= and fileprefix=", path);
	for (int64_t i = 0; i < n && status == 0; i++) {
		char *name = xasprintf("%.*s%s-%04lld.bin", folder, path, prefix, (long long)i);
		struct in *rank;

		/* no more of them are believed in than are there */
		status = in_open(&rank, name, err);
		if (status == 0) {
			in_close(rank);
			add_file(reading, name);
		}
		free(name);
	}
	free(prefix);
	in_close(in);
	return status;
}

static int load(struct rank_file *file, struct dumpi_file *loaded, struct err *err)
{
	struct in *in;
	char *bytes;
	int status;

	if (file->kept == NULL) {
		if (in_open(&in, file->path, err) != 0)
			return -1;
		status = in_all(in, &bytes, &file->n, BYTES_MOST, err);
		in_close(in);
		if (status != 0)
			return -1;
		file->kept = bytes;
	}
	file->name = str_eq(file->path, "-") ? "standard input" : file->path;
	*loaded = (struct dumpi_file){.name = file->name, .at = file->kept, .n = file->n};
	return 0;
}

/* Standard input, and what may be a pipe, can't be read once more. */
static void unload(struct rank_file *file, bool is_last)
{
	if (is_last || (!str_eq(file->path, "-") && !str_starts(file->path, "/dev/") &&
			!str_starts(file->path, "/proc/"))) {
		free(file->kept);
		file->kept = NULL;
	}
}

static int read_file(struct dumpi_conversion *reading, int number, const struct dumpi_taker *taker,
		     bool is_last, struct err *err)
{
	struct rank_file *file = &reading->files.at[number];
	struct dumpi_file loaded;
	int status;

	reading->file = number;
	if (load(file, &loaded, err) != 0)
		return -1;
	status = reading->read(&loaded, taker, reading, err);
	unload(file, is_last);
	return status;
}

static void take_size(void *context, int64_t type, int64_t size)
{
	struct dumpi_conversion *reading = context;

	dumpi_types_list(&reading->files.at[reading->file].types, type, size);
}

/* ---- the first reading ---- */

/* Ranks that a call of all ranks' communicator speaks of. */
static void see_ranks(struct dumpi_conversion *reading, const struct dumpi_call *call)
{
	static const enum dumpi_arg ranks[] = {DUMPI_DEST, DUMPI_SOURCE, DUMPI_ROOT, DUMPI_RANK};

	for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
		int64_t rank = dumpi_number(call, ranks[i], -1);

		if (rank > reading->most_rank && rank < RANKS_MOST)
			reading->most_rank = (int32_t)rank;
	}
}

static int see_world(struct dumpi_conversion *reading, const struct dumpi_call *call,
		     struct err *err)
{
	struct rank_file *file = &reading->files.at[reading->file];
	int64_t rank = dumpi_number(call, DUMPI_RANK, -1),
		size = dumpi_number(call, DUMPI_SIZE, -1);

	see_ranks(reading, call);
	if (str_eq(call->name, "MPI_Comm_rank")) {
		if (rank < 0 || rank >= RANKS_MOST)
			return err_set(err, "%s: rank %lld: expected 0 to %d", file->name,
				       (long long)rank, RANKS_MOST - 1);
		file->rank = (int32_t)rank;
	}
	if (!str_eq(call->name, "MPI_Comm_size"))
		return 0;
	if (size < 1 || size > RANKS_MOST)
		return err_set(err, "%s: %lld ranks: expected 1 to %d", file->name, (long long)size,
			       RANKS_MOST);
	if (reading->nranks > 0 && size != reading->nranks)
		return err_set(err, "%s: is of a run of %lld ranks, others are of one of %d",
			       file->name, (long long)size, reading->nranks);
	reading->nranks = (int32_t)size;
	return 0;
}

static int see_call(void *context, const struct dumpi_call *call, struct err *err)
{
	struct dumpi_conversion *reading = context;
	int64_t start_ns, end_ns;

	dumpi_clock_read(&reading->files.at[reading->file].clock, call, &start_ns, &end_ns);
	if (!reading->has_start || start_ns < reading->start_ns)
		reading->start_ns = start_ns;
	reading->has_start = true;
	if (call->text != NULL && reading->app == NULL && str_starts(call->name, "MPI_Init"))
		reading->app = text_program(call->text);
	if (reading->is_noted[call->function])
		dumpi_comms_note(reading->meanings, reading->file, call);
	if (dumpi_number(call, DUMPI_COMM, 0) == DUMPI_COMM_WORLD)
		return see_world(reading, call, err);
	return 0;
}

/* PREFIX-0003.bin is rank 3's. */
static int32_t rank_of_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *dash = strrchr(slash != NULL ? slash : path, '-');
	size_t n = dash != NULL ? strspn(dash + 1, "0123456789") : 0;
	uint64_t rank;

	if (n == 0 || (dash[1 + n] != '.' && dash[1 + n] != '\0'))
		return -1;
	return num_digits(dash + 1, n, &rank) == 0 && rank < RANKS_MOST ? (int32_t)rank : -1;
}

static int compare_ranks(const void *a, const void *b)
{
	const struct rank_file *const *x = a, *const *y = b;

	return ((*x)->rank > (*y)->rank) - ((*x)->rank < (*y)->rank);
}

/* Which rank each file is of, and how many there are. order [files.n]: the files, by rank. */
static int find_ranks(struct dumpi_conversion *reading, struct rank_file **order, struct err *err)
{
	int32_t most = reading->most_rank;

	for (size_t i = 0; i < reading->files.n; i++) {
		struct rank_file *file = order[i] = &reading->files.at[i];

		if (file->rank < 0)
			file->rank = rank_of_name(file->path);
		if (file->rank < 0 && reading->files.n == 1)
			file->rank = 0;
		if (file->rank < 0)
			return err_set(err,
				       "%s: of which rank? Neither MPI_Comm_rank was traced, nor "
				       "does the name end in -RANK.bin",
				       file->name);
		most = file->rank > most ? file->rank : most;
	}
	if (reading->nranks == 0)
		reading->nranks = most + 1;
	qsort(order, reading->files.n, sizeof(*order), compare_ranks);
	for (size_t i = 1; i < reading->files.n; i++)
		if (order[i]->rank == order[i - 1]->rank)
			return err_set(err, "%s and %s are both of rank %d", order[i - 1]->name,
				       order[i]->name, order[i]->rank);
	if (order[reading->files.n - 1]->rank >= reading->nranks)
		return err_set(err, "%s: is of rank %d, and the run had %d ranks",
			       order[reading->files.n - 1]->name, order[reading->files.n - 1]->rank,
			       reading->nranks);
	if (reading->files.n < (size_t)reading->nranks)
		warn("%zu of the run's %d ranks are there", reading->files.n, reading->nranks);
	return 0;
}

static int first_reading(struct dumpi_conversion *reading, struct err *err)
{
	static const struct dumpi_taker taker = {see_call, take_size};

	reading->meanings = dumpi_comms_new((int)reading->files.n);
	reading->is_noted = xcalloc((size_t)dumpi_nfunctions(), sizeof(*reading->is_noted));
	for (int i = 0; i < dumpi_nfunctions(); i++)
		reading->is_noted[i] = dumpi_comms_concern(dumpi_function_name(i));
	for (size_t i = 0; i < reading->files.n; i++)
		if (read_file(reading, (int)i, &taker, false, err) != 0)
			return -1;
	if (!reading->has_start)
		return err_set(err, "%s: holds no call", reading->files.at[0].name);
	return 0;
}

/* ---- the second reading ---- */

static int take_call(void *context, const struct dumpi_call *call, struct err *err)
{
	struct dumpi_conversion *reading = context;

	return dumpi_rows_take(reading->rows, call, err);
}

static int read_rank(struct dumpi_conversion *reading, struct rank_file *file, struct err *err)
{
	static const struct dumpi_taker taker = {take_call, NULL};
	const struct dumpi_rows_of source = {.flow = reading->flow,
					     .columns = &reading->columns,
					     .comms = &reading->comms,
					     .meanings = reading->meanings,
					     .types = &file->types,
					     .path = file->name,
					     .rank = file->rank,
					     .start_ns = reading->start_ns};
	int number = (int)(file - reading->files.at), status;

	reading->flow->file = file->name;
	dumpi_comms_begin(reading->meanings, number);
	reading->rows = dumpi_rows_begin(&source);
	status = read_file(reading, number, &taker, true, err);
	if (status == 0)
		status = dumpi_rows_end(reading->rows, err);
	dumpi_rows_free(reading->rows);
	dumpi_types_free(&file->types);
	reading->flow->file = NULL;
	return status;
}

static void write_meta(struct dumpi_conversion *reading)
{
	const char *app =
		pick_has(reading->pick, "app") ? pick_word(reading->pick, "app") : reading->app;
	struct buf text = {0};

	if (app != NULL && *app != '\0')
		flow_meta(reading->flow, "app", app);
	buf_printf(&text, "%d", reading->nranks);
	flow_meta(reading->flow, "ranks", buf_text(&text));
	for (size_t i = 0; i < reading->comms.at.n; i++)
		flow_meta(reading->flow, "comm", trace_comm_text(&reading->comms.at.at[i], &text));
	buf_free(&text);
}

static int second_reading(struct dumpi_conversion *reading, struct err *err)
{
	size_t n = reading->files.n;
	struct rank_file **order = xcalloc(n, sizeof(*order));
	int32_t *ranks = xcalloc(n, sizeof(*ranks));
	int status = find_ranks(reading, order, err);

	for (size_t i = 0; i < n; i++)
		ranks[i] = reading->files.at[i].rank;
	reading->comms.nranks = reading->nranks;
	if (status == 0)
		status = dumpi_comms_resolve(reading->meanings, ranks, reading->nranks,
					     &reading->comms, err);
	if (status == 0) {
		write_meta(reading);
		trace_columns_make(&reading->columns, reading->flow);
	}
	for (size_t i = 0; i < n && status == 0; i++)
		status = read_rank(reading, order[i], err);
	free(ranks);
	free(order);
	return status;
}

/* ---- the readers ---- */

static int read_traces(const struct reader_input *input, read_fn *read, struct flow *flow,
		       struct err *err)
{
	struct dumpi_conversion reading = {.pick = input->pick, .flow = flow, .read = read};
	int status = 0;

	for (char *const *path = input->paths; *path != NULL && status == 0; path++)
		if (read == dumpi_read_binary && str_ends(*path, ".meta"))
			status = add_meta(&reading, *path, err);
		else
			add_file(&reading, *path);
	if (status == 0)
		status = first_reading(&reading, err);
	if (status == 0)
		status = second_reading(&reading, err);
	for (size_t i = 0; i < reading.files.n; i++) {
		free(reading.files.at[i].path);
		free(reading.files.at[i].kept);
		dumpi_types_free(&reading.files.at[i].types);
	}
	vec_free(&reading.files);
	dumpi_comms_free(reading.meanings);
	trace_comms_free(&reading.comms);
	free(reading.is_noted);
	free(reading.app);
	return status;
}

static int read_binaries(const struct reader_input *input, struct flow *flow, bool *whole,
			 struct err *err)
{
	(void)whole;
	return read_traces(input, dumpi_read_binary, flow, err);
}

static int read_texts(const struct reader_input *input, struct flow *flow, bool *whole,
		      struct err *err)
{
	(void)whole;
	return read_traces(input, dumpi_read_text, flow, err);
}

static const struct param params[] = {READER_APP, {0}};
static const struct table_kind *const makes[] = {&kind_mpitrace, NULL};

const struct reader reader_dumpi = {
	.entry = {.name = "dumpi",
		  .example = "dumpi:app=lammps",
		  .summary = "binary traces of DUMPI (SST): name the .meta "
			     "file, or all ranks' .bin files",
		  .feed = "LD_PRELOAD=libdumpi.so srun PROGRAM; traceconv "
			  "--from dumpi --to mpitrace dumpi-*.meta",
		  .params = params},
	.makes = makes,
	.is_proof = dumpi_is_binary,
	.read = read_binaries,
};

const struct reader reader_dumpi_ascii = {
	.entry = {.name = "dumpi-ascii",
		  .example = "dumpi-ascii:app=lammps",
		  .summary = "output of dumpi2ascii for each rank",
		  .feed = "for f in dumpi-*.bin; do dumpi2ascii -S -X $f >$f.txt; done; traceconv "
			  "--from dumpi-ascii --to mpitrace dumpi-*.bin.txt",
		  .params = params},
	.makes = makes,
	.is_proof = dumpi_is_text,
	.read = read_texts,
};
