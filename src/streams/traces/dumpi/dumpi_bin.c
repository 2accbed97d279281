/* dumpi_bin.c - binary DUMPI traces */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/umap.h"
#include "traces/dumpi/dumpi_priv.h"

/*
 * The magic number, then the calls; header, footer (how often each function was called), names of
 * traced functions and sizes of datatypes; last the index: the magic number again, and the offsets
 * of sizes, function names, counters' names, header, calls, footer and key-value pairs. Older
 * versions lack the first of the index's offsets.
 */
static const char magic[8] = {'\xff', '\xaa', '\xdd', 'D', 'U', 'M', 'P', 'I'};

enum { SIZES, ADDRESSES, COUNTERS, HEADER, BODY, FOOTER, KEYVALS, NSECTIONS };

/* The mask of a record: which parts it has. */
enum {
	HAS_STATUS = 3,
	HAS_CPU = 1 << 2,
	HAS_WALL = 1 << 3,
	HAS_THREAD = 1 << 6,
	HAS_PERF = 1 << 7
};

struct trace {
	const struct dumpi_file *file;
	const unsigned char *at, *end; /* what is read: at … end of its section */
	uint64_t offsets[NSECTIONS];   /* 0: the file has none */
	int version[3];
	int64_t cpu_s, wall_s; /* what is added to times */
	struct umap name_of;   /* address of a traced function → where its name is in names */
	struct buf names;
	struct dumpi_layout *layouts; /* [dumpi_nfunctions()] */
	struct dumpi_parse parse;
};

static int trouble(const struct trace *trace, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static int trouble(const struct trace *trace, struct err *err, const char *fmt, ...)
{
	char what[800];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return err_set(err, "%s: at byte %lld: %s", trace->file->name,
		       (long long)((const char *)trace->at - trace->file->at), what);
}

static uint64_t big_endian(const unsigned char *bytes, int n)
{
	uint64_t value = 0;

	for (int i = 0; i < n; i++)
		value = value << 8 | bytes[i];
	return value;
}

/* ---- numbers ---- */

static int need(struct trace *trace, uint64_t n, struct err *err)
{
	if (n > (uint64_t)(trace->end - trace->at))
		return trouble(trace, err, "%s: the record ends in its middle",
			       trace->parse.call.name);
	return 0;
}

/* The number's bytes must be there. */
static int64_t take(struct trace *trace, enum dumpi_type type)
{
	static const int widths[] = {4, 2, 1, 8};
	int n = widths[type];
	uint64_t value = big_endian(trace->at, n);

	trace->at += n;
	switch (type) {
	case DUMPI_TYPE_INT:
		return (int32_t)value;
	case DUMPI_TYPE_HALF:
		return (int16_t)value;
	case DUMPI_TYPE_BYTE:
		return (int8_t)value;
	default:
		return (int64_t)value;
	}
}

static int get(struct trace *trace, enum dumpi_type type, int64_t *value, struct err *err)
{
	if (need(trace, type == DUMPI_TYPE_LONG ? 8 : 4 >> type, err) != 0)
		return -1;
	*value = take(trace, type);
	return 0;
}

/* How many elements of at least `size` bytes follow; negative counts are none, as DUMPI
 * takes them. */
static int get_count(struct trace *trace, uint64_t size, int64_t *n, struct err *err)
{
	if (get(trace, DUMPI_TYPE_INT, n, err) != 0)
		return -1;
	if (*n < 0)
		*n = 0;
	if ((uint64_t)*n > (uint64_t)(trace->end - trace->at) / size)
		return trouble(trace, err, "%s: %lld elements are more than the file holds",
			       trace->parse.call.name, (long long)*n);
	return 0;
}

/* ---- arguments ---- */

static int get_text(struct trace *trace, bool keep, struct err *err)
{
	int64_t n;

	if (get_count(trace, 1, &n, err) != 0)
		return -1;
	if (keep)
		dumpi_call_text(&trace->parse, (const char *)trace->at, (size_t)n);
	trace->at += n;
	return 0;
}

/* Whether the writer is older than 0.6.subsub. */
static bool is_before(const struct trace *trace, int subsub)
{
	const int *version = trace->version;

	return version[0] == 0 && (version[1] < 6 || (version[1] == 6 && version[2] < subsub));
}

/* Texts, or arrays of texts. */
static int get_texts(struct trace *trace, const struct dumpi_field *field, struct err *err)
{
	int64_t n, nested;

	if (get_count(trace, 4, &n, err) != 0)
		return -1;
	if (field->since > 0 && is_before(trace, field->since) &&
	    get(trace, DUMPI_TYPE_INT, &nested, err) != 0)
		return -1;
	for (int64_t i = 0; i < n; i++) {
		nested = 1;
		if (field->ndims > 1 && get_count(trace, 4, &nested, err) != 0)
			return -1;
		for (int64_t k = 0; k < nested; k++)
			if (get_text(trace, i == 0 && k == 0 && field->ndims == 1, err) != 0)
				return -1;
	}
	return 0;
}

static int get_statuses(struct trace *trace, struct err *err)
{
	bool has_tags = !is_before(trace, 3);
	int64_t n;

	if (get_count(trace, has_tags ? 14 : 10, &n, err) != 0)
		return -1;
	for (int64_t i = 0; i < n; i++) {
		struct dumpi_status status = {.tag = DUMPI_ANY};

		status.bytes = (int32_t)take(trace, DUMPI_TYPE_INT);
		status.source = (int32_t)take(trace, DUMPI_TYPE_INT);
		status.is_cancelled = take(trace, DUMPI_TYPE_BYTE) != 0;
		trace->at++; /* the error */
		if (has_tags)
			status.tag = (int32_t)take(trace, DUMPI_TYPE_INT);
		vec_push(&trace->parse.statuses, status);
	}
	return 0;
}

static int get_row(struct trace *trace, const struct dumpi_field *field, struct err *err)
{
	int64_t n;

	if (get_count(trace, 4 >> field->type, &n, err) != 0)
		return -1;
	if (field->arg < 0) {
		trace->at += n * (4 >> field->type);
		return 0;
	}
	vec_reserve(&trace->parse.ints, trace->parse.ints.n + (size_t)n);
	for (int64_t i = 0; i < n; i++)
		vec_push(&trace->parse.ints, (int32_t)take(trace, field->type));
	return 0;
}

static int get_array(struct trace *trace, const struct dumpi_field *field, struct err *err)
{
	int64_t nrows = 1;

	dumpi_call_array(&trace->parse, field->arg);
	if (field->ndims > 1 && get_count(trace, 4, &nrows, err) != 0)
		return -1;
	for (int64_t i = 0; i < nrows; i++)
		if (get_row(trace, field, err) != 0)
			return -1;
	dumpi_call_array_end(&trace->parse, field->arg);
	return 0;
}

static int get_field(struct trace *trace, const struct dumpi_field *field, int mask,
		     struct err *err)
{
	int64_t value;

	if (field->type == DUMPI_TYPE_STATUS)
		return (mask & HAS_STATUS) != 0 ? get_statuses(trace, err) : 0;
	if (field->type == DUMPI_TYPE_STRING)
		return field->ndims > 0 ? get_texts(trace, field, err)
					: get_text(trace, false, err);
	if (field->ndims > 0 && (field->since == 0 || !is_before(trace, field->since)))
		return get_array(trace, field, err);
	if (get(trace, field->type, &value, err) != 0)
		return -1;
	if (field->ndims == 0)
		dumpi_call_number(&trace->parse, field->arg, value);
	return 0;
}

/* ---- calls ---- */

static int get_clock(struct trace *trace, int64_t bias_s, int64_t ns[2], struct err *err)
{
	if (need(trace, 12, err) != 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		int64_t seconds = (int64_t)big_endian(trace->at, 2) + bias_s;

		trace->at += 2;
		ns[i] = seconds * 1000000000 + take(trace, DUMPI_TYPE_INT);
	}
	return 0;
}

/* Pairs of values, as many as there are names of counters. */
static int skip_counters(struct trace *trace, struct err *err)
{
	int64_t n;

	if (get(trace, DUMPI_TYPE_BYTE, &n, err) != 0 ||
	    need(trace, (uint64_t)(uint8_t)n * 16, err) != 0)
		return -1;
	trace->at += (int64_t)(uint8_t)n * 16;
	return 0;
}

static int get_call(struct trace *trace, int function, struct err *err)
{
	struct dumpi_layout *layout = &trace->layouts[function];
	struct dumpi_parse *parse = &trace->parse;
	struct dumpi_call *call = &parse->call;
	int64_t mask, number = 0, where;

	dumpi_call_begin(parse, function);
	if (!layout->is_made)
		dumpi_layout_make(layout, function);
	if (layout->n < 0)
		return trouble(trace, err, "a record of %s, which no version of DUMPI writes",
			       call->name);
	call->wall_ns[0] = call->wall_ns[1] = call->cpu_ns[0] = call->cpu_ns[1] = 0;
	if (get(trace, DUMPI_TYPE_BYTE, &mask, err) != 0 ||
	    ((mask & HAS_THREAD) != 0 && get(trace, DUMPI_TYPE_HALF, &number, err) != 0) ||
	    ((mask & HAS_CPU) != 0 && get_clock(trace, trace->cpu_s, call->cpu_ns, err) != 0) ||
	    ((mask & HAS_WALL) != 0 && get_clock(trace, trace->wall_s, call->wall_ns, err) != 0) ||
	    ((mask & HAS_PERF) != 0 && skip_counters(trace, err) != 0))
		return -1;
	call->thread = (int)(uint16_t)number;
	for (int i = 0; i < layout->n; i++) {
		const struct dumpi_field *field = &layout->fields[i];

		if (field->root_only &&
		    dumpi_number(call, DUMPI_COMMRANK, -1) != dumpi_number(call, DUMPI_ROOT, -2))
			continue;
		if (get_field(trace, field, (int)mask, err) != 0)
			return -1;
	}
	if (dumpi_has(call, DUMPI_FN) &&
	    umap_get(&trace->name_of, (uint64_t)call->args[DUMPI_FN].number, &where))
		call->text = trace->names.text + where;
	return dumpi_call_take(parse, err);
}

static int get_calls(struct trace *trace, struct err *err)
{
	int last = dumpi_nfunctions();
	bool has_finalized = false;

	for (;;) {
		int64_t function;

		trace->parse.call.name = "the calls";
		/* before the mark of their end was written, they went on up to the next section */
		if (trace->at == trace->end)
			return 0;
		if (get(trace, DUMPI_TYPE_HALF, &function, err) != 0)
			return -1;
		if (function == last || (has_finalized && function == 0))
			return 0;
		if (function < 0 || function > last)
			return trouble(trace, err, "%lld is not a number of an MPI function",
				       (long long)function);
		if (get_call(trace, (int)function, err) != 0)
			return -1;
		has_finalized = has_finalized || str_eq(trace->parse.call.name, "MPI_Finalize");
	}
}

/* ---- other sections ---- */

/* Goes to a section. Where it ends is not said: not behind the index, nor (its calls) behind the
 * section that begins next. */
static int go_to(struct trace *trace, int section, const char *what, struct err *err)
{
	uint64_t offset = trace->offsets[section];

	trace->parse.call.name = what;
	if (offset < sizeof(magic) ||
	    offset > (uint64_t)((const char *)trace->end - trace->file->at)) {
		trace->at = trace->end;
		return trouble(trace, err, "%s would be at %llu, outside the file", what,
			       (unsigned long long)offset);
	}
	trace->at = (const unsigned char *)trace->file->at + offset;
	return 0;
}

static int get_index(struct trace *trace, struct err *err)
{
	const char *end = trace->file->at + trace->file->n, *found = NULL;
	int first;

	if (trace->file->n < 8 || memcmp(trace->file->at, magic, sizeof(magic)) != 0)
		return err_set(err, "%s: no DUMPI trace: those begin with ff aa dd \"DUMPI\"",
			       trace->file->name);
	for (first = 0; first <= HEADER && found == NULL; first++) {
		const char *at = end - 8 * (NSECTIONS - first + 1);

		if (trace->file->n >= (size_t)(end - at) + 8 && memcmp(at, magic, 8) == 0)
			found = at;
	}
	if (found == NULL)
		return err_set(err,
			       "%s: has no index at its end: it was truncated, or "
			       "the program that wrote it was killed",
			       trace->file->name);
	for (int i = first - 1; i < NSECTIONS; i++) {
		found += 8;
		trace->offsets[i] = big_endian((const unsigned char *)found, 8);
	}
	trace->end = (const unsigned char *)end - 8 * (NSECTIONS - first + 2);
	return 0;
}

static int get_header(struct trace *trace, struct err *err)
{
	if (go_to(trace, HEADER, "the header", err) != 0 || need(trace, 3, err) != 0)
		return -1;
	for (int i = 0; i < 3; i++)
		trace->version[i] = (int)take(trace, DUMPI_TYPE_BYTE);
	/* records have been the same since 0.6.9; 8.0 is the newest that was looked at */
	if (trace->version[0] < 0)
		return trouble(trace, err, "%d.%d.%d is not a version of DUMPI", trace->version[0],
			       trace->version[1], trace->version[2]);
	return 0;
}

static int get_addresses(struct trace *trace, struct err *err)
{
	int64_t n, length, address;

	if (trace->offsets[ADDRESSES] == 0)
		return 0;
	if (go_to(trace, ADDRESSES, "the names of functions", err) != 0 ||
	    get_count(trace, 10, &n, err) != 0)
		return -1;
	for (int64_t i = 0; i < n; i++) {
		if (get(trace, DUMPI_TYPE_LONG, &address, err) != 0 ||
		    get(trace, DUMPI_TYPE_HALF, &length, err) != 0 ||
		    need(trace, (uint16_t)length, err) != 0)
			return -1;
		umap_set(&trace->name_of, (uint64_t)address, (int64_t)trace->names.n);
		buf_add(&trace->names, (const char *)trace->at, (uint16_t)length);
		buf_char(&trace->names, '\0');
		trace->at += (uint16_t)length;
	}
	return 0;
}

static int get_sizes(struct trace *trace, struct err *err)
{
	int64_t n;

	if (trace->offsets[SIZES] == 0)
		return 0;
	if (go_to(trace, SIZES, "the sizes of datatypes", err) != 0 ||
	    get_count(trace, 4, &n, err) != 0)
		return -1;
	for (int64_t i = 0; i < n; i++) {
		int64_t size = take(trace, DUMPI_TYPE_INT);

		if (trace->parse.taker->type_size != NULL)
			trace->parse.taker->type_size(trace->parse.context, i, size);
	}
	return 0;
}

static int get_body(struct trace *trace, struct err *err)
{
	uint64_t body = trace->offsets[BODY];

	for (int i = 0; i < NSECTIONS; i++)
		if (trace->offsets[i] > body &&
		    trace->offsets[i] < (uint64_t)((const char *)trace->end - trace->file->at))
			trace->end = (const unsigned char *)trace->file->at + trace->offsets[i];
	if (go_to(trace, BODY, "the calls", err) != 0 ||
	    get(trace, DUMPI_TYPE_INT, &trace->cpu_s, err) != 0 ||
	    get(trace, DUMPI_TYPE_INT, &trace->wall_s, err) != 0)
		return -1;
	return get_calls(trace, err);
}

int dumpi_read_binary(const struct dumpi_file *file, const struct dumpi_taker *taker, void *context,
		      struct err *err)
{
	struct trace trace = {.file = file, .parse = {.taker = taker, .context = context}};
	int status = -1;

	trace.layouts = xcalloc((size_t)dumpi_nfunctions(), sizeof(*trace.layouts));
	if (get_index(&trace, err) == 0 && get_header(&trace, err) == 0 &&
	    get_addresses(&trace, err) == 0 && get_sizes(&trace, err) == 0)
		status = get_body(&trace, err);
	free(trace.layouts);
	umap_free(&trace.name_of);
	buf_free(&trace.names);
	dumpi_parse_free(&trace.parse);
	return status;
}

bool dumpi_is_binary(const char *head, size_t n)
{
	return n >= sizeof(magic) && memcmp(head, magic, sizeof(magic)) == 0;
}
