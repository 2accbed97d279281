/* darshan_log.c - binary Darshan logs: header, job, names; and which modules follow */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "traces/darshan/darshan_priv.h"
#include "formats/in.h"

/*
 * char version[8]; int64 magic; uint8 compression (0 zlib, 1 bzip2, 2 none); then
 * up to 3.21: uint32 partial at 20, {offset, length} of the names at 24, of 16 modules at 40, and
 * 16 uint32 versions: 360 bytes; since 3.41: uint64 partial at 24, names at 32, 64 modules: 1328.
 */
enum { MAGIC = 6567223, NAMES_MOST = 1 << 28, LOG_MOST = INT32_MAX };

bool darshan_is_log(const char *head, size_t n)
{
	uint64_t magic;

	if (n < 17)
		return false;
	memcpy(&magic, head + 8, sizeof(magic));
	return magic == MAGIC || __builtin_bswap64(magic) == MAGIC;
}

/* ---- regions ---- */

/* ---- header ---- */

static int read_header(struct darshan_log *log, struct err *err)
{
	const char *bytes = log->bytes;
	size_t at;
	bool is_new;

	if (log->nbytes < 360 || !darshan_is_log(bytes, log->nbytes))
		return darshan_error(log, err,
				     "is not a Darshan log of version 3: expected the number %d in "
				     "its ninth to sixteenth byte",
				     MAGIC);
	memcpy(log->job.version, bytes, 8);
	log->swapped = darshan_u64(log, bytes + 8) != MAGIC;
	log->compression = (unsigned char)bytes[16];
	if (log->job.version[0] != '3')
		return darshan_error(log, err, "log version '%s': expected 3.00 to 3.41",
				     log->job.version);
	if (log->compression == 1)
		return darshan_error(log, err,
				     "its regions are compressed by bzip2, which is not read "
				     "here: convert it first, darshan-convert IN OUT");
	if (log->compression != 0 && log->compression != 2)
		return darshan_error(log, err, "compression method %d is not known",
				     log->compression);
	is_new = strcmp(log->job.version, "3.40") >= 0;
	log->nslots = is_new ? 64 : 16;
	if (is_new && log->nbytes < 1328)
		return darshan_error(log, err, "the header is truncated");
	log->partial = is_new ? darshan_u64(log, bytes + 24) : darshan_u32(log, bytes + 20);
	at = is_new ? 32 : 24;
	log->name_offset = darshan_u64(log, bytes + at);
	log->name_length = darshan_u64(log, bytes + at + 8);
	for (int i = 0; i < log->nslots; i++) {
		at += 16;
		log->offset[i] = darshan_u64(log, bytes + at);
		log->length[i] = darshan_u64(log, bytes + at + 8);
	}
	at += 16;
	for (int i = 0; i < log->nslots; i++, at += 4)
		log->version[i] = darshan_u32(log, bytes + at);
	log->header_end = at;
	return 0;
}

/* ---- job ---- */

static int by_length(const void *a, const void *b)
{
	const struct darshan_mount *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return strcmp(x->path, y->path);
}

/* The command line, then a line "FSTYPE\tPATH" for each mount. */
static void read_mounts(struct darshan_log *log, char *text)
{
	char *line = strchr(text, '\n');

	log->job.exe = arena_strndup(&log->arena, text, strcspn(text, "\n"));
	while (line != NULL && line[1] != '\0') {
		char *fs = line + 1, *tab;
		struct darshan_mount mount;

		line = strchr(fs, '\n');
		if (line != NULL)
			*line = '\0';
		tab = strchr(fs, '\t');
		if (tab == NULL)
			continue;
		*tab = '\0';
		mount.n = strlen(tab + 1);
		mount.path = arena_strndup(&log->arena, tab + 1, mount.n);
		mount.fs = arena_strndup(&log->arena, fs, strlen(fs));
		vec_push(&log->mounts, mount);
	}
	if (log->mounts.n > 0)
		qsort(log->mounts.at, log->mounts.n, sizeof(*log->mounts.at), by_length);
}

/* uid, start, end, nprocs, jobid; with their nanoseconds since 3.41; then 1024 bytes of metadata */
static int read_job(struct darshan_log *log, struct err *err)
{
	bool is_new = log->nslots == 64;
	size_t nfields = is_new ? 7 : 5, fixed = nfields * 8 + 1024;
	struct darshan_region region;
	char bytes[4096 + 1], id[NUM_TEXT];
	int64_t field[7];
	size_t n = 0;
	int status;

	if (darshan_region_open(&region, log, "job record", log->header_end,
				log->nbytes - log->header_end, err) != 0)
		return -1;
	status = darshan_region_get(&region, bytes, fixed, err);
	/* the rest is as long as it is, up to 4 KiB in all */
	for (; status == 1 && !region.ended && fixed + n < 4096; n++)
		status = darshan_region_get(&region, bytes + fixed + n, 1, err);
	darshan_region_close(&region);
	if (status < 0)
		return -1;
	if (status == 0 && n == 0)
		return darshan_error(log, err, "has no job record");
	bytes[fixed + n] = '\0';
	for (size_t i = 0; i < nfields; i++)
		field[i] = (int64_t)darshan_u64(log, bytes + 8 * i);
	log->job.start_s = (double)field[1];
	if (is_new) {
		log->job.start_s += (double)field[2] / 1e9;
		log->job.run_s = (double)field[3] - (double)field[1] +
				 ((double)field[4] - (double)field[2]) / 1e9;
	} else {
		log->job.run_s = (double)field[2] - (double)field[1] + 1;
	}
	log->job.nprocs = field[is_new ? 5 : 3];
	if (log->job.nprocs < 1 || log->job.nprocs > INT32_MAX || !(log->job.run_s >= 0) ||
	    log->job.run_s > 1e12)
		return darshan_error(log, err,
				     "%lld processes that ran %.6g s: that can't be meant",
				     (long long)log->job.nprocs, log->job.run_s);
	snprintf(id, sizeof(id), "%lld", (long long)field[is_new ? 6 : 4]);
	log->job.jobid = arena_strndup(&log->arena, id, strlen(id));
	read_mounts(log, bytes + fixed);
	return 0;
}

/* ---- names ---- */

/* id, then: 3.00: uint32 length and the name; later: the name and a NUL. */
static int read_names(struct darshan_log *log, struct err *err)
{
	bool is_old = strcmp(log->job.version, "3.10") < 0;
	struct darshan_region region;
	struct buf name = {0};
	size_t total = 0;
	int status;

	if (log->name_length == 0)
		return 0;
	if (darshan_region_open(&region, log, "table of names", log->name_offset, log->name_length,
				err) != 0)
		return -1;
	for (;;) {
		unsigned char id[8], size[4];
		uint32_t left = UINT32_MAX;
		char c;

		status = darshan_region_get(&region, id, 8, err);
		if (status == 1 && is_old) {
			status = darshan_region_get(&region, size, 4, err);
			left = status == 1 ? darshan_u32(log, size) : 0;
		}
		if (status != 1)
			break;
		buf_clear(&name);
		while (left-- > 0 && (status = darshan_region_get(&region, &c, 1, err)) == 1 &&
		       (is_old || c != '\0'))
			buf_char(&name, c);
		total += name.n;
		if (status == 0 || total > NAMES_MOST)
			status = darshan_error(log, err, "the table of names %s",
					       status == 0 ? "ends in the middle of a name"
							   : "has more than 256 MiB");
		if (status < 0)
			break;
		umap_set(&log->name_of, darshan_u64(log, id), (int64_t)log->names.n);
		vec_push(&log->names, arena_strndup(&log->arena, buf_text(&name), name.n));
	}
	darshan_region_close(&region);
	buf_free(&name);
	return status;
}

/* ---- modules ---- */

/* What the slots of the header are for; three generations. */
static const char *module_name(const struct darshan_log *log, int slot)
{
	static const char *const first[] = {"NULL", "POSIX",  "MPI-IO", "H5F",       "PNETCDF",
					    "BG/Q", "LUSTRE", "STDIO",  "DXT_POSIX", "DXT_MPIIO"};
	static const char *const second[] = {"NULL",      "POSIX", "MPI-IO", "H5F",   "H5D",
					     "PNETCDF",   "BG/Q",  "LUSTRE", "STDIO", "DXT_POSIX",
					     "DXT_MPIIO", "MDHIM", "APXC",   "APMPI", "HEATMAP"};
	static const char *const third[] = {
		"NULL",        "POSIX", "MPI-IO", "H5F",     "H5D",       "PNETCDF_FILE",
		"PNETCDF_VAR", "BG/Q",  "LUSTRE", "STDIO",   "DXT_POSIX", "DXT_MPIIO",
		"MDHIM",       "APXC",  "APMPI",  "HEATMAP", "DFS",       "DAOS"};

	if (log->nslots == 64)
		return slot < 18 ? third[slot] : NULL;
	if (strcmp(log->job.version, "3.20") >= 0)
		return slot < 15 ? second[slot] : NULL;
	return slot < 10 ? first[slot] : NULL;
}

static int read_modules(struct darshan_log *log, struct err *err)
{
	for (int slot = 0; slot < log->nslots; slot++) {
		const char *module = module_name(log, slot);
		char number[32];

		if (log->length[slot] == 0)
			continue;
		if (module == NULL) {
			snprintf(number, sizeof(number), "%d", slot);
			darshan_note(log, "module number %s is not known: it is left out", number);
			continue;
		}
		if (log->partial >> slot & 1)
			darshan_note(log,
				     "the data of module %s is not complete: "
				     "Darshan ran out of its memory",
				     module);
		if (darshan_read_module(log, slot, module, err) != 0)
			return -1;
	}
	return 0;
}

static int read_whole(struct darshan_log *log, struct err *err)
{
	if (read_header(log, err) != 0 || read_job(log, err) != 0 || read_names(log, err) != 0)
		return -1;
	if (log->taker->job != NULL && log->taker->job(log->context, &log->job, err) != 0)
		return -1;
	return read_modules(log, err);
}

int darshan_read_log(const char *path, const struct darshan_taker *taker, void *context,
		     struct err *err)
{
	struct darshan_log log = {.path = path, .taker = taker, .context = context};
	struct in *in;
	int status;

	if (in_open(&in, path, err) != 0)
		return -1;
	status = in_all(in, &log.bytes, &log.nbytes, LOG_MOST, err);
	in_close(in);
	if (status == 0)
		status = read_whole(&log, err);
	free(log.bytes);
	free(log.mounts.at);
	free(log.names.at);
	free(log.apmpi);
	umap_free(&log.name_of);
	arena_free(&log.arena);
	return status;
}

/* ---- counters ---- */

const struct darshan_counter *darshan_find(const struct darshan_record *record, const char *name)
{
	for (int i = 0; i < record->n; i++)
		if (str_eq(record->counters[i].name, name))
			return &record->counters[i];
	return NULL;
}

double darshan_value(const struct darshan_record *record, const char *name)
{
	const struct darshan_counter *counter = darshan_find(record, name);
	double value = 0;

	if (counter != NULL && counter->type == DARSHAN_REAL)
		value = counter->real;
	else if (counter != NULL && counter->type == DARSHAN_INT)
		value = (double)counter->number;
	return value > 0 && value <= 1e300 ? value : 0;
}
