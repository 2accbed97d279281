/* darshan_records.c - binary Darshan logs: the records of each module */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "traces/darshan/darshan_priv.h"

/* Counts in records are data: they are believed as far as the region is long, and no record has
 * more parts than that. */
enum { PARTS_MOST = 1 << 22, RECORD_MOST = 2048 };

/* A record while it is read. */
struct record_reader {
	struct darshan_log *log;
	struct darshan_region region;
	struct darshan_record record;
	VEC(struct darshan_counter) counters;
	struct arena arena;
};

static void begin_record(struct record_reader *reader, const unsigned char *head)
{
	const struct darshan_log *log = reader->log;
	struct darshan_record *record = &reader->record;

	reader->counters.n = 0;
	arena_reset(&reader->arena);
	record->id = darshan_u64(log, head);
	record->rank = (int64_t)darshan_u64(log, head + 8);
	darshan_name(log, record->id, &record->file, &record->mount, &record->fs);
}

static int end_record(struct record_reader *reader, struct err *err)
{
	struct darshan_log *log = reader->log;

	if (reader->record.rank < -1 || reader->record.rank >= log->job.nprocs)
		return darshan_error(log, err, "the %s has a record of rank %lld of %lld",
				     reader->region.what, (long long)reader->record.rank,
				     (long long)log->job.nprocs);
	reader->record.counters = reader->counters.at;
	reader->record.n = (int)reader->counters.n;
	if (log->taker->record == NULL)
		return 0;
	if (log->taker->record(log->context, &reader->record, err) == 0)
		return 0;
	log->is_refused = true;
	return -1;
}

static void add_int(struct record_reader *reader, const char *name, int64_t number)
{
	vec_push(&reader->counters, (struct darshan_counter){.name = name, .number = number});
}

static void add_id(struct record_reader *reader, const char *name, uint64_t id)
{
	vec_push(&reader->counters,
		 (struct darshan_counter){.name = name, .type = DARSHAN_ID, .id = id});
}

static void add_real(struct record_reader *reader, const char *name, double real)
{
	vec_push(&reader->counters,
		 (struct darshan_counter){.name = name, .type = DARSHAN_REAL, .real = real});
}

static void add_text(struct record_reader *reader, const char *name, const char *text)
{
	vec_push(&reader->counters,
		 (struct darshan_counter){.name = name, .type = DARSHAN_TEXT, .text = text});
}

/* The next part of a record that has begun. */
static int get_part(struct record_reader *reader, void *bytes, size_t n, struct err *err)
{
	int status = darshan_region_get(&reader->region, bytes, n, err);

	if (status == 0)
		return darshan_error(reader->log, err, "the %s ends in the middle of a record",
				     reader->region.what);
	return status == 1 ? 0 : -1;
}

static const char *make_name(struct record_reader *reader, const char *fmt, int a, int b)
{
	char name[96];

	snprintf(name, sizeof(name), fmt, a, b);
	return arena_strndup(&reader->arena, name, strlen(name));
}

/* ---- modules of fixed counters ---- */

static size_t record_size(const struct darshan_layout *layout, int version, int nskipped)
{
	size_t n = 16 + 8 * (size_t)nskipped;
	int value;

	if (layout->id_counter != NULL && version >= layout->id_since)
		n += 8;
	for (int i = 0; i < layout->nints; i++)
		n += darshan_is_lacking(layout, version, layout->ints[i], &value) ? 0 : 8;
	for (int i = 0; i < layout->nreals; i++)
		n += darshan_is_lacking(layout, version, layout->reals[i], &value) ? 0 : 8;
	return n;
}

static void add_counters(struct record_reader *reader, const struct darshan_layout *layout,
			 int version, const unsigned char *at, int skip_at, int nskipped)
{
	const struct darshan_log *log = reader->log;
	uint64_t id = 0;
	int value, nread = 0;

	if (layout->id_counter != NULL && version >= layout->id_since) {
		id = darshan_u64(log, at);
		at += 8;
	}
	for (int i = 0; i < layout->nints; i++) {
		bool is_id = str_eq(layout->ints[i], "POSIX_RENAMED_FROM");

		if (nread == skip_at)
			at += 8 * nskipped;
		if (darshan_is_lacking(layout, version, layout->ints[i], &value)) {
			add_int(reader, layout->ints[i], value);
			continue;
		}
		if (is_id)
			add_id(reader, layout->ints[i], darshan_u64(log, at));
		else
			add_int(reader, layout->ints[i], (int64_t)darshan_u64(log, at));
		at += 8;
		nread++;
	}
	for (int i = 0; i < layout->nreals; i++) {
		if (darshan_is_lacking(layout, version, layout->reals[i], &value)) {
			add_real(reader, layout->reals[i], value);
			continue;
		}
		add_real(reader, layout->reals[i], darshan_f64(log, at));
		at += 8;
	}
	if (layout->id_counter != NULL)
		add_id(reader, layout->id_counter, id);
}

static int read_fixed(struct record_reader *reader, const struct darshan_layout *layout,
		      int version, struct err *err)
{
	/* Version 1 of POSIX has four counters of stdio behind its sixth; records in which the
	 * first of them is not 0 are of stdio as much as of POSIX, and are left out. */
	bool is_mixed = version == 1 && str_eq(layout->module, "POSIX");
	int nskipped = is_mixed ? 4 : 0;
	size_t n = record_size(layout, version, nskipped);
	unsigned char bytes[RECORD_MOST];
	int status;

	while ((status = darshan_region_get(&reader->region, bytes, n, err)) == 1) {
		if (is_mixed && (int64_t)darshan_u64(reader->log, bytes + 16 + 6 * 8) > 0)
			continue;
		begin_record(reader, bytes);
		if (*reader->record.file == '\0' && str_eq(layout->module, "BG/Q"))
			reader->record.file = "darshan-bgq-record";
		add_counters(reader, layout, version, bytes + 16, is_mixed ? 6 : -1, nskipped);
		if (end_record(reader, err) != 0)
			return -1;
	}
	return status;
}

/* ---- Lustre ---- */

enum { COMPONENT_INTS = 7, POOL_NAME = 16 };

static const char *pattern_text(int64_t pattern)
{
	switch (pattern) {
	case 0:
		return "raid0";
	case 2:
		return "mdt";
	case 4:
		return "raid0,overstriped";
	case 8:
		return "foreign";
	default:
		return "N/A";
	}
}

static const char *flags_text(struct record_reader *reader, int64_t flags)
{
	static const char *const names[] = {"stale",    "prefrd",  "prefwr",    "offline",
					    "init",     "nosync",  "extension", "parity",
					    "compress", "partial", "nocompr",   "neg"};
	char text[128];
	size_t n = 0;

	if (flags == -1)
		return "N/A";
	text[0] = '\0';
	for (int i = 0; i < 12; i++)
		if (flags >> i & 1)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", n ? "," : "",
					      names[i]);
	return n > 0 ? arena_strndup(&reader->arena, text, n) : "0";
}

/* A layout's component; returns its number of stripes. */
static int64_t add_component(struct record_reader *reader, int number, const int64_t *ints,
			     const char *pool)
{
	add_int(reader, make_name(reader, "LUSTRE_COMP%d_STRIPE_SIZE", number, 0), ints[0]);
	add_int(reader, make_name(reader, "LUSTRE_COMP%d_STRIPE_COUNT", number, 0), ints[1]);
	add_text(reader, make_name(reader, "LUSTRE_COMP%d_STRIPE_PATTERN", number, 0),
		 pattern_text(ints[2]));
	add_text(reader, make_name(reader, "LUSTRE_COMP%d_FLAGS", number, 0),
		 flags_text(reader, ints[3]));
	add_int(reader, make_name(reader, "LUSTRE_COMP%d_EXT_START", number, 0), ints[4]);
	add_int(reader, make_name(reader, "LUSTRE_COMP%d_EXT_END", number, 0), ints[5]);
	add_int(reader, make_name(reader, "LUSTRE_COMP%d_MIRROR_ID", number, 0), ints[6]);
	add_text(reader, make_name(reader, "LUSTRE_COMP%d_POOL_NAME", number, 0),
		 *pool != '\0' ? pool : "N/A");
	return ints[1];
}

static int bad_parts(struct record_reader *reader, int64_t n, struct err *err)
{
	return darshan_error(reader->log, err,
			     "the %s has a record of %lld parts: that can't be meant",
			     reader->region.what, (long long)n);
}

/* The storage targets of a component. */
static int add_targets(struct record_reader *reader, int number, int64_t n, struct err *err)
{
	unsigned char bytes[8];

	if (n < 0 || n > PARTS_MOST - (int64_t)reader->counters.n)
		return bad_parts(reader, n, err);
	for (int i = 0; i < n; i++) {
		if (get_part(reader, bytes, 8, err) != 0)
			return -1;
		add_int(reader, make_name(reader, "LUSTRE_COMP%d_OST_ID_%d", number, i),
			(int64_t)darshan_u64(reader->log, bytes));
	}
	return 0;
}

/* Version 1: OSTs, MDTs, stripe offset, stripe size, stripe count, then the targets. */
static int read_lustre_old(struct record_reader *reader, struct err *err)
{
	unsigned char bytes[7 * 8];
	int status;

	while ((status = darshan_region_get(&reader->region, bytes, sizeof(bytes), err)) == 1) {
		int64_t count = (int64_t)darshan_u64(reader->log, bytes + 48);
		int64_t ints[COMPONENT_INTS] = {
			(int64_t)darshan_u64(reader->log, bytes + 40), count, -1, -1, 0, -1, -1};

		begin_record(reader, bytes);
		add_int(reader, "LUSTRE_NUM_COMPONENTS", 1);
		add_int(reader, "LUSTRE_NUM_STRIPES", count);
		add_component(reader, 1, ints, "");
		if (add_targets(reader, 1, count, err) != 0 || end_record(reader, err) != 0)
			return -1;
	}
	return status;
}

struct component {
	int64_t ints[COMPONENT_INTS];
	char pool[POOL_NAME + 1];
};

/* All components of a record come before all targets; those of size -1 were never used. */
static int add_components(struct record_reader *reader, int64_t ncomponents, int64_t nstripes,
			  struct err *err)
{
	VEC(struct component) components = {0};
	int64_t used_stripes = 0;
	size_t used;
	int status = 0;

	for (int64_t i = 0; status == 0 && i < ncomponents; i++) {
		unsigned char bytes[COMPONENT_INTS * 8 + POOL_NAME];
		struct component component;

		status = get_part(reader, bytes, sizeof(bytes), err);
		if (status != 0)
			break;
		for (int k = 0; k < COMPONENT_INTS; k++)
			component.ints[k] = (int64_t)darshan_u64(reader->log, bytes + 8 * k);
		memcpy(component.pool, bytes + 8 * COMPONENT_INTS, POOL_NAME);
		component.pool[POOL_NAME] = '\0';
		vec_push(&components, component);
	}
	for (used = 0; used < components.n && components.at[used].ints[0] != -1; used++)
		used_stripes += components.at[used].ints[1] >= 0 &&
						components.at[used].ints[1] <= PARTS_MOST
					? components.at[used].ints[1]
					: PARTS_MOST;
	if (status == 0 && used_stripes > nstripes)
		status = bad_parts(reader, used_stripes, err);
	add_int(reader, "LUSTRE_NUM_COMPONENTS", (int64_t)used);
	add_int(reader, "LUSTRE_NUM_STRIPES", used_stripes);
	for (size_t i = 0; status == 0 && i < used; i++) {
		const char *pool = arena_strndup(&reader->arena, components.at[i].pool,
						 strlen(components.at[i].pool));
		int64_t n = add_component(reader, (int)i + 1, components.at[i].ints, pool);

		status = add_targets(reader, (int)i + 1, n, err);
	}
	/* the targets of components that were never used */
	for (int64_t i = used_stripes; status == 0 && i < nstripes; i++) {
		unsigned char bytes[8];

		status = get_part(reader, bytes, 8, err);
	}
	vec_free(&components);
	return status;
}

static int read_lustre(struct record_reader *reader, int version, struct err *err)
{
	unsigned char bytes[32];
	int status;

	if (version == 1)
		return read_lustre_old(reader, err);
	while ((status = darshan_region_get(&reader->region, bytes, sizeof(bytes), err)) == 1) {
		int64_t ncomponents = (int64_t)darshan_u64(reader->log, bytes + 16);
		int64_t nstripes = (int64_t)darshan_u64(reader->log, bytes + 24);

		if (ncomponents < 0 || ncomponents > PARTS_MOST || nstripes < 0 ||
		    nstripes > PARTS_MOST)
			return bad_parts(reader, ncomponents, err);
		begin_record(reader, bytes);
		if (add_components(reader, ncomponents, nstripes, err) != 0 ||
		    end_record(reader, err) != 0)
			return -1;
	}
	return status;
}

/* ---- heat maps ---- */

/* darshan-parser prints the n read bins first. */
static void reads_first(struct record_reader *reader, size_t n)
{
	struct darshan_counter *bins = reader->counters.at + 1;

	for (size_t i = 0; i < n; i++) {
		struct darshan_counter write = bins[i];

		bins[i] = bins[n + i];
		bins[n + i] = write;
	}
}

/* Bin width, number of bins, two pointers that mean nothing here; the written bins, the
 * read ones. */
static int read_heatmap(struct record_reader *reader, struct err *err)
{
	unsigned char bytes[48];
	int status;

	while ((status = darshan_region_get(&reader->region, bytes, sizeof(bytes), err)) == 1) {
		int64_t n = (int64_t)darshan_u64(reader->log, bytes + 24);

		if (n < 0 || n > PARTS_MOST)
			return bad_parts(reader, n, err);
		begin_record(reader, bytes);
		add_real(reader, "HEATMAP_F_BIN_WIDTH_SECONDS",
			 darshan_f64(reader->log, bytes + 16));
		for (int64_t i = 0; i < 2 * n; i++) {
			unsigned char bin[8];

			if (get_part(reader, bin, 8, err) != 0)
				return -1;
			add_int(reader,
				make_name(reader,
					  i < n ? "HEATMAP_WRITE_BIN_%d" : "HEATMAP_READ_BIN_%d",
					  (int)(i < n ? i : i - n), 0),
				(int64_t)darshan_u64(reader->log, bin));
		}
		reads_first(reader, (size_t)n);
		if (end_record(reader, err) != 0)
			return -1;
	}
	return status;
}

/* ---- AutoPerf: MPI ---- */

#define APMPI_MAGIC 0x41504d5049 /* "APMPI" */

static void add_apmpi(struct record_reader *reader, const unsigned char *bytes, bool has_syncs)
{
	const struct darshan_apmpi *names = reader->log->apmpi;
	const unsigned char *at = bytes + 16;
	const char *node = (const char *)at + 8 * (APMPI_INTS + APMPI_REALS + APMPI_SYNCS + 2);

	add_text(reader, "MPI_PROCESSOR_NAME",
		 arena_strndup(&reader->arena, node, strnlen(node, APMPI_NODE)));
	for (int i = 0; i < APMPI_INTS; i++, at += 8)
		add_int(reader, names->ints[i], (int64_t)darshan_u64(reader->log, at));
	for (int i = 0; i < APMPI_REALS; i++, at += 8)
		add_real(reader, names->reals[i], darshan_f64(reader->log, at));
	for (int i = 0; i < APMPI_SYNCS; i++, at += 8)
		if (has_syncs)
			add_real(reader, names->syncs[i], darshan_f64(reader->log, at));
	add_real(reader, "MPI_TOTAL_COMM_TIME", darshan_f64(reader->log, at));
	if (has_syncs)
		add_real(reader, "MPI_TOTAL_COMM_SYNC_TIME", darshan_f64(reader->log, at + 8));
}

static int read_apmpi(struct record_reader *reader, struct err *err)
{
	unsigned char bytes[16 + 8 * (APMPI_INTS + APMPI_REALS + APMPI_SYNCS + 2) + APMPI_NODE];
	bool has_syncs;
	int status = darshan_region_get(&reader->region, bytes, 48, err);

	if (status != 1)
		return status;
	if (darshan_u64(reader->log, bytes + 16) != APMPI_MAGIC)
		return darshan_error(reader->log, err,
				     "the %s does not begin with its magic number",
				     reader->region.what);
	if (reader->log->apmpi == NULL) {
		reader->log->apmpi = xmalloc(sizeof(*reader->log->apmpi));
		darshan_apmpi_names(reader->log->apmpi);
	}
	has_syncs = darshan_u32(reader->log, bytes + 24) != 0;
	begin_record(reader, bytes);
	reader->record.file = reader->record.mount = reader->record.fs = "";
	add_real(reader, "MPI_TOTAL_COMM_TIME_VARIANCE", darshan_f64(reader->log, bytes + 32));
	if (has_syncs)
		add_real(reader, "MPI_TOTAL_COMM_SYNC_TIME_VARIANCE",
			 darshan_f64(reader->log, bytes + 40));
	if (end_record(reader, err) != 0)
		return -1;
	while ((status = darshan_region_get(&reader->region, bytes, sizeof(bytes), err)) == 1) {
		begin_record(reader, bytes);
		reader->record.file = reader->record.mount = reader->record.fs = "";
		add_apmpi(reader, bytes, has_syncs);
		if (end_record(reader, err) != 0)
			return -1;
	}
	return status;
}

/* ---- extended traces ---- */

enum { HOST_NAME = 64 };

/* id, rank, shared, host, written, read; then that many segments of offset, length, start, end. */
static int read_segments(struct record_reader *reader, struct err *err)
{
	struct darshan_log *log = reader->log;
	unsigned char bytes[16 + 8 + HOST_NAME + 16], part[32];
	int status;

	while ((status = darshan_region_get(&reader->region, bytes, sizeof(bytes), err)) == 1) {
		int64_t nwrites = (int64_t)darshan_u64(log, bytes + 24 + HOST_NAME);
		int64_t nreads = (int64_t)darshan_u64(log, bytes + 32 + HOST_NAME);
		struct darshan_segment segment = {.module = reader->record.module};
		char host[HOST_NAME + 1];

		if (nwrites < 0 || nreads < 0 || nwrites > INT64_MAX - nreads)
			return bad_parts(reader, nwrites < 0 ? nwrites : nreads, err);
		begin_record(reader, bytes);
		memcpy(host, bytes + 24, HOST_NAME);
		host[HOST_NAME] = '\0';
		segment.rank = reader->record.rank;
		segment.id = reader->record.id;
		segment.file = reader->record.file;
		segment.mount = reader->record.mount;
		segment.fs = reader->record.fs;
		segment.host = host;
		for (int64_t i = 0; i < nwrites + nreads; i++) {
			if (get_part(reader, part, sizeof(part), err) != 0)
				return -1;
			segment.is_write = i < nwrites;
			segment.offset = (int64_t)darshan_u64(log, part);
			segment.length = (int64_t)darshan_u64(log, part + 8);
			segment.start_s = darshan_f64(log, part + 16);
			segment.end_s = darshan_f64(log, part + 24);
			if (log->taker->segment == NULL ||
			    log->taker->segment(log->context, &segment, err) == 0)
				continue;
			log->is_refused = true;
			return -1;
		}
	}
	return status;
}

/* ---- all modules ---- */

int darshan_read_module(struct darshan_log *log, int slot, const char *module, struct err *err)
{
	const struct darshan_layout *layout = darshan_layout(module);
	uint32_t version = log->version[slot];
	struct record_reader reader = {.log = log, .record.module = module};
	bool is_dxt = str_starts(module, "DXT_");
	char what[64];
	int status;

	if (layout != NULL ? (int64_t)version < layout->oldest || (int64_t)version > layout->version
			   : !((is_dxt && version >= 1 && version <= 2) ||
			       (str_eq(module, "LUSTRE") && version >= 1 && version <= 2) ||
			       (str_eq(module, "HEATMAP") && version == 1) ||
			       (str_eq(module, "APMPI") && version == 1))) {
		snprintf(what, sizeof(what), "module %s, version %u", module, version);
		darshan_note(log, "%s, is not understood: it is left out", what);
		return 0;
	}
	snprintf(what, sizeof(what), "data of module %s", module);
	if (darshan_region_open(&reader.region, log, what, log->offset[slot], log->length[slot],
				err) != 0)
		return -1;
	if (layout != NULL)
		status = read_fixed(&reader, layout, (int)version, err);
	else if (is_dxt)
		status = read_segments(&reader, err);
	else if (str_eq(module, "LUSTRE"))
		status = read_lustre(&reader, (int)version, err);
	else if (str_eq(module, "HEATMAP"))
		status = read_heatmap(&reader, err);
	else
		status = read_apmpi(&reader, err);
	darshan_region_close(&reader.region);
	vec_free(&reader.counters);
	arena_free(&reader.arena);
	if (status == 0 || log->is_refused)
		return status;
	/* the others are as good as they were: each has a separate region */
	if (log->taker->note != NULL)
		log->taker->note(log->context, err->msg);
	darshan_note(log, "the rest of module %s is left out", module);
	return 0;
}
