/* ldms_csv.c - samples that LDMS stored as CSV (store_csv, store_function_csv) as counters */
#include <stdlib.h>
#include <string.h>

#include "convert/reader/reader.h"
#include "base/die.h"
#include "base/names.h"
#include "base/num.h"
#include "base/str.h"
#include "formats/csv.h"
#include "formats/in.h"
#include "formats/ldms.h"

enum { DROPPED = -1 };

struct ldms_csv_reader {
	struct flow *flow;
	struct in *in;
	const char *component_name; /* the column that says what was sampled */
	char *header;               /* the line that holds now; NULL: none yet */
	int nfields;                /* of a whole line */
	bool is_msec;               /* Time_msec: ms, and Time_usec what is left of it in µs */
	int time, usec, component, time_flag; /* fields; -1: absent */
	int *to;                              /* [nfields] column of the flow, or DROPPED */
	int *flag;                            /* [nfields] field that flags this one, or -1 */
	char **fields;                        /* [nfields] of the current line */
	int time_column, component_column;
	long ncut, nbroken, nflagged;
	char first_broken[256];
	struct map clean_names; /* names that lost a #, so that two do not become one */
	struct arena arena, row;
};

/* ---- headers ---- */

/* What is not a counter: the time, and what flags or repeats something. */
static bool is_dropped(const struct ldms_csv_reader *reading, char *const *names, int i)
{
	static const char *const dropped[] = {"Time", "Time_msec", "Time_usec", "DT_usec",
					      "TimeFlag"};

	for (size_t k = 0; k < sizeof(dropped) / sizeof(dropped[0]); k++)
		if (str_eq(names[i], dropped[k]))
			return true;
	return i == reading->component || str_ends(names[i], ".Flag");
}

static int find_name(char *const *names, int n, const char *wanted)
{
	for (int i = 0; i < n; i++)
		if (str_eq(names[i], wanted))
			return i;
	return -1;
}

/* A # in a name becomes _, and a ##column= line keeps what it was. */
static int column_of(struct ldms_csv_reader *reading, const char *name)
{
	char *clean, *original;
	int column;

	if (str_eq(name, "DT"))
		return flow_column(reading->flow, "dt_s");
	if (strpbrk(name, "#\t") == NULL)
		return flow_column(reading->flow, name);
	clean = arena_strndup(&reading->arena, name, strlen(name));
	for (char *p = clean; *p != '\0'; p++)
		if (*p == '#' || *p == '\t')
			*p = '_';
	if (map_add(&reading->clean_names, clean, strlen(clean), 1) == 1 &&
	    flow_find(reading->flow, clean) < 0) {
		original = xasprintf("%s %s", clean, name);
		flow_meta(reading->flow, "column", original);
		free(original);
	}
	column = flow_column(reading->flow, clean);
	return column;
}

/* The first header fixes the columns; a later one may have fewer, or another order. */
static int map_columns(struct ldms_csv_reader *reading, char *const *names, int n, struct err *err)
{
	size_t nknown = reading->flow->is_begun ? reading->flow->columns.n : SIZE_MAX;

	for (int i = 0; i < n; i++) {
		char flag[512];
		size_t length = strlen(names[i]);

		reading->to[i] = DROPPED;
		reading->flag[i] = -1;
		if (is_dropped(reading, names, i))
			continue;
		if (length == 0 || length + 6 > sizeof(flag))
			return in_error(reading->in, err,
					"column %d has no name, or too long a one", i + 1);
		reading->to[i] = column_of(reading, names[i]);
		if (reading->flow->columns.n > nknown)
			return in_error(reading->in, err,
					"another header with a new column '%s': "
					"convert such files one by one",
					names[i]);
		memcpy(flag, names[i], length);
		memcpy(flag + length, ".Flag", 6);
		reading->flag[i] = find_name(names, n, flag);
		for (int j = 0; j < i; j++)
			if (reading->to[j] == reading->to[i])
				return in_error(reading->in, err, "the column '%s' is there twice",
						names[i]);
	}
	return 0;
}

static int take_header(struct ldms_csv_reader *reading, const char *line, size_t n, struct err *err)
{
	char **names;
	int nnames;

	if (reading->header != NULL && str_eq(reading->header, line))
		return 0;
	arena_reset(&reading->row);
	nnames = ldms_names(line, n, &reading->row, &names);
	free(reading->header);
	reading->header = xstrdup(line);
	reading->nfields = nnames;
	reading->to = xrealloc(reading->to, (size_t)nnames, sizeof(*reading->to));
	reading->flag = xrealloc(reading->flag, (size_t)nnames, sizeof(*reading->flag));
	reading->fields = xrealloc(reading->fields, (size_t)nnames + 1, sizeof(*reading->fields));
	reading->is_msec = find_name(names, nnames, "Time_msec") >= 0;
	reading->time = find_name(names, nnames, reading->is_msec ? "Time_msec" : "Time");
	reading->usec = find_name(names, nnames, "Time_usec");
	reading->time_flag = find_name(names, nnames, "TimeFlag");
	reading->component = find_name(names, nnames, reading->component_name);
	if (reading->time < 0)
		return in_error(reading->in, err, "the header has no column Time or Time_msec");
	if (reading->component < 0)
		return in_error(reading->in, err,
				"the header has no column '%s': component= names "
				"the one that says what was sampled",
				reading->component_name);
	return map_columns(reading, names, nnames, err);
}

/* Of an empty file beside which the header is, SCHEMA.HEADER, or the one that was named. */
static int read_header_file(struct ldms_csv_reader *reading, const char *path, struct err *err)
{
	struct in *data = reading->in;
	char *line;
	size_t n;
	int status;

	if (in_open(&reading->in, path, err) != 0) {
		reading->in = data;
		return -1;
	}
	status = in_line(reading->in, &line, &n, err);
	if (status == 1 && ldms_is_header(line, n))
		status = take_header(reading, line, n, err);
	else if (status >= 0)
		status = in_error(reading->in, err, "expected a header that starts with #Time");
	in_close(reading->in);
	reading->in = data;
	return status;
}

/* ---- rows ---- */

/* Cuts the line at its commas, in place; quotes take the slow way. Returns how many fields. */
static int split(struct ldms_csv_reader *reading, char *line, size_t n)
{
	int nfields = 0;

	if (memchr(line, '"', n) != NULL) {
		char **fields;

		arena_reset(&reading->row);
		nfields = csv_split(line, n, &reading->row, &fields);
		for (int i = 0; i < nfields && i <= reading->nfields; i++)
			reading->fields[i] = fields[i];
		return nfields;
	}
	for (char *p = line, *comma;; p = comma + 1) {
		if (nfields <= reading->nfields)
			reading->fields[nfields] = p;
		nfields++;
		comma = memchr(p, ',', n - (size_t)(p - line));
		if (comma == NULL)
			return nfields;
		*comma = '\0';
	}
}

static void count_broken(struct ldms_csv_reader *reading, const char *what)
{
	struct err why;

	if (reading->nbroken++ > 0)
		return;
	in_error(reading->in, &why, "%s", what);
	memcpy(reading->first_broken, why.msg, sizeof(reading->first_broken) - 1);
}

/* -1: it is none. Before 1677 or after 2262 nothing was sampled. */
static int row_time(const struct ldms_csv_reader *reading, int64_t *ns)
{
	const char *text = reading->fields[reading->time];
	int64_t whole, usec = 0;

	if (!reading->is_msec && (strchr(text, '.') != NULL || reading->usec < 0))
		return num_seconds(text, ns);
	if (num_int(text, 0, INT64_MAX, &whole) != 0 ||
	    (reading->usec >= 0 &&
	     num_int(reading->fields[reading->usec], 0, 999999, &usec) != 0) ||
	    __builtin_mul_overflow(whole, reading->is_msec ? 1000000 : 1000000000, ns) ||
	    __builtin_add_overflow(*ns, usec * 1000, ns))
		return -1;
	return 0;
}

static bool is_flagged(const char *text)
{
	return text[strspn(text, "0 ")] != '\0';
}

static int put_row(struct ldms_csv_reader *reading, struct err *err)
{
	struct flow *flow = reading->flow;
	int64_t ns;

	if (row_time(reading, &ns) != 0 || *reading->fields[reading->component] == '\0') {
		count_broken(reading, "no time, or no component");
		return 0;
	}
	if (reading->time_flag >= 0 && is_flagged(reading->fields[reading->time_flag])) {
		reading->nflagged++;
		return 0;
	}
	flow_seconds(flow, reading->time_column, ns);
	flow_text(flow, reading->component_column, reading->fields[reading->component]);
	for (int i = 0; i < reading->nfields; i++)
		if (reading->to[i] != DROPPED &&
		    (reading->flag[i] < 0 || !is_flagged(reading->fields[reading->flag[i]])))
			flow_text(flow, reading->to[i], reading->fields[i]);
	flow->line = in_lineno(reading->in);
	return flow_emit(flow, err);
}

static int read_line(struct ldms_csv_reader *reading, char *line, size_t n, struct err *err)
{
	int nfields;

	if (n == 0)
		return 0;
	nfields = split(reading, line, n);
	if (nfields < reading->nfields || !in_had_newline(reading->in)) {
		reading->ncut++;
		return 0;
	}
	if (nfields > reading->nfields) {
		count_broken(reading, "more fields than the header has");
		return 0;
	}
	return put_row(reading, err);
}

static int begin_file(struct ldms_csv_reader *reading, const char *path, const char *header_path,
		      struct err *err)
{
	char *found = header_path != NULL ? xstrdup(header_path) : ldms_header_path(path);
	int status;

	if (found == NULL)
		return in_error(reading->in, err,
				"expected a header: a line that begins with #Time, "
				"or a file NAME.HEADER beside it");
	status = read_header_file(reading, found, err);
	free(found);
	return status;
}

static int read_file(struct ldms_csv_reader *reading, const char *path, const char *header_path,
		     struct err *err)
{
	bool has_header = false;
	char *line;
	size_t n;
	int status;

	reading->flow->file = in_name(reading->in);
	while ((status = in_line(reading->in, &line, &n, err)) == 1) {
		if ((line[0] == '#' || line[0] == 'T' || line[0] == '"') &&
		    ldms_is_header(line, n)) {
			if (take_header(reading, line, n, err) != 0)
				return -1;
			has_header = true;
			continue;
		}
		if (!has_header && begin_file(reading, path, header_path, err) != 0)
			return -1;
		has_header = true;
		if (read_line(reading, line, n, err) != 0)
			return -1;
	}
	return status;
}

static void tell(const struct ldms_csv_reader *reading)
{
	if (reading->ncut > 0)
		warn("%ld truncated lines were left out", reading->ncut);
	if (reading->nbroken > 0)
		warn("%ld lines are no samples and were left out; the first: %s", reading->nbroken,
		     reading->first_broken);
	if (reading->nflagged > 0)
		warn("%ld lines whose TimeFlag is set were left out", reading->nflagged);
}

static int read_ldms(const struct reader_input *input, struct flow *flow, bool *whole,
		     struct err *err)
{
	struct ldms_csv_reader reading = {.flow = flow,
					  .component_name = pick_word(input->pick, "component")};
	int status = 0;

	(void)whole;
	reading.time_column = flow_column(flow, "time_s");
	reading.component_column = flow_column(flow, "component");
	for (char *const *path = input->paths; *path != NULL && status == 0; path++) {
		status = in_open(&reading.in, *path, err);
		if (status == 0)
			status = read_file(&reading, *path, pick_word(input->pick, "header"), err);
		flow->file = NULL;
		in_close(reading.in);
		reading.in = NULL;
	}
	if (status == 0)
		tell(&reading);
	free(reading.header);
	free(reading.to);
	free(reading.flag);
	free(reading.fields);
	map_free(&reading.clean_names);
	arena_free(&reading.arena);
	arena_free(&reading.row);
	return status;
}

static bool is_ldms(const char *head, size_t n)
{
	return (str_starts(head, "#Time,Time_usec,") ||
		str_starts(head, "#Time_msec,Time_usec,")) &&
	       n > 20;
}

static const struct param params[] = {
	{.key = "component",
	 .type = PARAM_TEXT,
	 .def = "ProducerName",
	 .meaning = "the column that names what was sampled"},
	{.key = "header",
	 .type = PARAM_FILE,
	 .optional = true,
	 .meaning = "header of files that have none; default: NAME.HEADER in the same "
		    "folder"},
	{0}};
static const struct table_kind *const makes[] = {&kind_counters, NULL};

const struct reader reader_ldms_csv = {
	.entry = {.name = "ldms-csv",
		  .example = "ldms-csv:component=ProducerName",
		  .summary = "CSV of LDMS's store_csv and store_function_csv; "
			     "values that it flags are missing ones",
		  .params = params},
	.makes = makes,
	.is_proof = is_ldms,
	.read = read_ldms,
};
