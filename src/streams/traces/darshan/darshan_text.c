/* darshan_text.c - what darshan-parser and darshan-dxt-parser print */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "traces/darshan/darshan.h"
#include "formats/in.h"

struct text {
	struct in *in;
	const struct darshan_taker *taker;
	void *context;
	struct darshan_job job;
	bool is_job_told;
	/* the record whose lines come; module "": none */
	struct darshan_record record;
	VEC(struct darshan_counter) counters;
	struct arena arena;     /* of the record */
	struct arena job_arena; /* of the whole input */
	/* the block of DXT lines that is read */
	struct darshan_segment segment;
	struct arena block_arena;
};

static const char *keep(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

static int tell_job(struct text *text, struct err *err)
{
	if (text->is_job_told)
		return 0;
	if (text->job.nprocs < 1)
		return in_error(text->in, err,
				"no line '# nprocs:' before: is this the output of "
				"darshan-parser or darshan-dxt-parser?");
	text->is_job_told = true;
	return text->taker->job != NULL ? text->taker->job(text->context, &text->job, err) : 0;
}

static int tell_record(struct text *text, struct err *err)
{
	struct darshan_record *record = &text->record;
	int status = 0;

	if (text->counters.n > 0 && text->taker->record != NULL) {
		record->counters = text->counters.at;
		record->n = (int)text->counters.n;
		status = text->taker->record(text->context, record, err);
	}
	text->counters.n = 0;
	arena_reset(&text->arena);
	return status;
}

/* ---- lines with # ---- */

/* "# key: value": whether it is, and then where value begins. */
static const char *value_of(const char *line, const char *key)
{
	size_t n = strlen(key);

	if (!str_starts(line, "# ") || strncmp(line + 2, key, n) != 0 || line[2 + n] != ':')
		return NULL;
	line += 3 + n;
	return line + strspn(line, " \t");
}

static int read_header(struct text *text, const char *line, struct err *err)
{
	struct darshan_job *job = &text->job;
	const char *value;

	if ((value = value_of(line, "darshan log version")) != NULL) {
		snprintf(job->version, sizeof(job->version), "%.8s", value);
	} else if ((value = value_of(line, "exe")) != NULL) {
		job->exe = keep(&text->job_arena, value);
	} else if ((value = value_of(line, "jobid")) != NULL) {
		job->jobid = keep(&text->job_arena, value);
	} else if ((value = value_of(line, "start_time")) != NULL) {
		if (num_real(value, -1e12, 1e12, &job->start_s) != 0)
			return in_error(text->in, err, "start_time: '%s' is not a number", value);
	} else if ((value = value_of(line, "nprocs")) != NULL) {
		if (num_int(value, 1, INT32_MAX, &job->nprocs) != 0)
			return in_error(text->in, err, "nprocs: '%s' is not a number of processes",
					value);
	} else if ((value = value_of(line, "run time")) != NULL) {
		if (num_real(value, 0, 1e12, &job->run_s) != 0)
			return in_error(text->in, err, "run time: '%s' is not a time", value);
	} else if (str_starts(line, "# *ERROR*") && text->taker->note != NULL) {
		text->taker->note(text->context, line + 2);
	}
	return 0;
}

/* "# DXT, file_id: ID, file_name: NAME", "# DXT, rank: N, hostname: NAME",
 * "# DXT, mnt_pt: PATH, fs_type: NAME" */
static int read_block(struct text *text, char *line, struct err *err)
{
	struct darshan_segment *segment = &text->segment;
	char *rest = line + strlen("# DXT, "), *second = strstr(rest, ", ");

	if (second != NULL) {
		*second = '\0';
		second += 2;
	}
	if (str_starts(rest, "file_id: ")) {
		arena_reset(&text->block_arena);
		*segment = (struct darshan_segment){
			.rank = -1, .file = "", .mount = "UNKNOWN", .fs = "UNKNOWN", .host = ""};
		if (num_uint(rest + 9, UINT64_MAX, &segment->id) != 0)
			return in_error(text->in, err, "file_id: '%s' is not a record's number",
					rest + 9);
		if (second != NULL && str_starts(second, "file_name: "))
			segment->file = keep(&text->block_arena, second + 11);
	} else if (str_starts(rest, "rank: ")) {
		if (num_int(rest + 6, -1, INT32_MAX, &segment->rank) != 0)
			return in_error(text->in, err, "rank: '%s' is not a rank", rest + 6);
		if (second != NULL && str_starts(second, "hostname: "))
			segment->host = keep(&text->block_arena, second + 10);
	} else if (str_starts(rest, "mnt_pt: ")) {
		segment->mount = keep(&text->block_arena, rest + 8);
		if (second != NULL && str_starts(second, "fs_type: "))
			segment->fs = keep(&text->block_arena, second + 9);
	}
	return 0;
}

/* ---- rows ---- */

/* " X_POSIX 0 write 0 <offset> <length> <start> <end> …": what follows (a thread, storage targets
 * in brackets) depends on the version and is left out. */
static int read_segment(struct text *text, char *line, struct err *err)
{
	struct darshan_segment *segment = &text->segment;
	char *words[8], *p = line;
	int n = 0;

	while (n < 8) {
		p += strspn(p, " \t");
		if (*p == '\0')
			break;
		words[n++] = p;
		p += strcspn(p, " \t");
		if (*p != '\0')
			*p++ = '\0';
	}
	if (n < 8 || num_int(words[1], -1, INT32_MAX, &segment->rank) != 0 ||
	    num_int(words[4], 0, INT64_MAX, &segment->offset) != 0 ||
	    num_int(words[5], 0, INT64_MAX, &segment->length) != 0 ||
	    num_real(words[6], -1e9, 1e12, &segment->start_s) != 0 ||
	    num_real(words[7], -1e9, 1e12, &segment->end_s) != 0 ||
	    (!str_eq(words[2], "write") && !str_eq(words[2], "read")))
		return in_error(text->in, err,
				"expected a row of darshan-dxt-parser: module, rank, write or "
				"read, segment, offset, length, start, end");
	segment->module = str_eq(words[0], "X_POSIX") ? "DXT_POSIX" : "DXT_MPIIO";
	segment->is_write = words[2][0] == 'w';
	if (tell_job(text, err) != 0)
		return -1;
	return text->taker->segment != NULL ? text->taker->segment(text->context, segment, err) : 0;
}

/* Counters that are words even where they look like numbers. */
static bool is_word(const char *name)
{
	return str_ends(name, "_FLAGS") || str_ends(name, "_POOL_NAME") ||
	       str_ends(name, "_STRIPE_PATTERN") || str_eq(name, "MPI_PROCESSOR_NAME");
}

/* A whole number, a real one, or neither: text. */
static struct darshan_counter make_counter(struct text *text, const char *name, const char *value)
{
	struct darshan_counter counter = {.name = keep(&text->arena, name)};
	bool is_id = str_eq(name, "POSIX_RENAMED_FROM") || str_ends(name, "_FILE_REC_ID");

	if (is_word(name)) {
		counter.type = DARSHAN_TEXT;
		counter.text = keep(&text->arena, value);
	} else if (is_id && num_uint(value, UINT64_MAX, &counter.id) == 0) {
		counter.type = DARSHAN_ID;
	} else if (!is_id && num_int(value, INT64_MIN + 1, INT64_MAX, &counter.number) == 0) {
		counter.type = DARSHAN_INT;
	} else if (num_real(value, -1e300, 1e300, &counter.real) == 0) {
		counter.type = DARSHAN_REAL;
	} else {
		counter.type = DARSHAN_TEXT;
		counter.text = keep(&text->arena, value);
	}
	return counter;
}

/* module, rank, record id, counter, value, file, mount point, type of file system */
static int read_row(struct text *text, char *line, struct err *err)
{
	struct darshan_record *record = &text->record;
	char *cells[8];
	uint64_t id;
	int64_t rank;
	int n = str_split(line, '\t', cells, 8);

	if (n < 5 || num_int(cells[1], -1, INT32_MAX, &rank) != 0 ||
	    num_uint(cells[2], UINT64_MAX, &id) != 0)
		return in_error(text->in, err,
				"expected a row of darshan-parser: module, rank, record, counter, "
				"value, file, mount point, file system, with tabs between");
	if (tell_job(text, err) != 0)
		return -1;
	if (text->counters.n == 0 || record->rank != rank || record->id != id ||
	    !str_eq(record->module, cells[0])) {
		if (tell_record(text, err) != 0)
			return -1;
		record->module = keep(&text->arena, cells[0]);
		record->rank = rank;
		record->id = id;
		record->file = keep(&text->arena, n > 5 ? cells[5] : "");
		record->mount = keep(&text->arena, n > 6 ? cells[6] : "");
		record->fs = keep(&text->arena, n > 7 ? cells[7] : "");
	}
	vec_push(&text->counters, make_counter(text, cells[3], cells[4]));
	return 0;
}

static int read_lines(struct text *text, struct err *err)
{
	char *line;
	int status;

	while ((status = in_line(text->in, &line, NULL, err)) == 1) {
		if (line[0] == '\0')
			continue;
		if (str_starts(line, "# DXT, "))
			status = read_block(text, line, err);
		else if (line[0] == '#')
			status = read_header(text, line, err);
		else if (str_starts(line, " X_"))
			status = read_segment(text, line, err);
		else
			status = read_row(text, line, err);
		if (status != 0)
			return -1;
	}
	if (status < 0 || tell_job(text, err) != 0)
		return -1;
	return tell_record(text, err);
}

int darshan_read_text(const char *path, const struct darshan_taker *taker, void *context,
		      struct err *err)
{
	struct text text = {.taker = taker,
			    .context = context,
			    .job.exe = "",
			    .job.jobid = "",
			    .segment.rank = -1,
			    .segment.file = "",
			    .segment.mount = "UNKNOWN",
			    .segment.fs = "UNKNOWN",
			    .segment.host = ""};
	int status;

	if (in_open(&text.in, path, err) != 0)
		return -1;
	status = read_lines(&text, err);
	in_close(text.in);
	vec_free(&text.counters);
	arena_free(&text.arena);
	arena_free(&text.job_arena);
	arena_free(&text.block_arena);
	return status;
}
