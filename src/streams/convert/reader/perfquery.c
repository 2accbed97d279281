/* perfquery.c - InfiniBand port counters as perfquery prints them */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/reader/samples.h"
#include "convert/reader/text.h"
#include "base/num.h"
#include "base/str.h"
#include "base/time.h"

struct perfquery_reader {
	struct samples samples;
	struct in *in;
	bool has_time, is_open; /* a time holds; a record is open */
	int64_t time_ns;
	struct map names; /* LID → place in labels */
	VEC(const char *) labels;
	struct arena arena;
};

/* "# Port extended counters: Lid 19 port 1 (CapMask: 0x5A00)": the name of the port's owner,
 * "lid19" unless the map file knows it, and the port. */
static int read_head(struct perfquery_reader *reading, char *line, struct err *err)
{
	char *lid = strstr(line, ": Lid "), *words[4], component[40];
	int n = lid != NULL ? text_words(lid + strlen(": Lid "), words, 4) : 0;
	int64_t number, at;

	if (n < 3 || !str_eq(words[1], "port") || num_int(words[0], 0, 0xffff, &number) != 0)
		return in_error(reading->in, err, "expected '# Port counters: Lid N port M'");
	if (!reading->has_time)
		return in_error(reading->in, err,
				"no time is known: perfquery:time= says it, or a line with seconds "
				"since the epoch (date +%%s) before the record");
	at = map_get(&reading->names, words[0], strlen(words[0]));
	snprintf(component, sizeof(component), "lid%s", words[0]);
	samples_row(&reading->samples, at >= 0 ? reading->labels.at[at] : component, words[2], true,
		    reading->time_ns);
	reading->is_open = true;
	return 0;
}

/* "PortXmitData:....................63216"; selectors are no counters. */
static int read_value(struct perfquery_reader *reading, char *line, struct err *err)
{
	char *colon = strchr(line, ':'), *value;
	uint64_t number;

	*colon = '\0';
	value = colon + 1 + strspn(colon + 1, ". \t");
	if (str_starts(line, "PortSelect") || str_starts(line, "CounterSelect"))
		return 0;
	if (num_uint(value, UINT64_MAX, &number) != 0)
		return in_error(reading->in, err, "%s: '%s' is not a count", line, value);
	if (!samples_put(&reading->samples, line, value))
		return in_error(reading->in, err, "%s is there twice", line);
	return 0;
}

/* A name, a colon and dots. */
static bool is_value(const char *line)
{
	size_t n = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");

	return n > 0 && line[n] == ':' && line[n + 1] == '.';
}

/* Other lines (warnings of the tool) are passed over. */
static int read_line(struct perfquery_reader *reading, char *line, struct err *err)
{
	int64_t ns;

	line = str_trim(line);
	if (str_starts(line, "# Port ") && strstr(line, "counters:") != NULL)
		return read_head(reading, line, err);
	if (is_value(line)) {
		if (!reading->is_open)
			return in_error(reading->in, err,
					"a counter before '# Port counters: Lid N port M'");
		return read_value(reading, line, err);
	}
	if (*line >= '0' && *line <= '9' && time_parse(line, &ns) == 0) {
		reading->time_ns = ns;
		reading->has_time = true;
	}
	return 0;
}

static int read_file(void *context, struct in *in, struct err *err)
{
	struct perfquery_reader *reading = context;
	char *line;
	int status;

	reading->in = in;
	reading->is_open = false;
	while ((status = in_line(in, &line, NULL, err)) == 1)
		if (read_line(reading, line, err) != 0)
			return -1;
	return status;
}

/* "19 leaf3" */
static void take_name(void *context, const char *lid, const char *name)
{
	struct perfquery_reader *reading = context;

	map_set(&reading->names, lid, strlen(lid), (int64_t)reading->labels.n);
	vec_push(&reading->labels, arena_strndup(&reading->arena, name, strlen(name)));
}

static int read_perfquery(const struct reader_input *input, struct flow *flow, bool *whole,
			  struct err *err)
{
	struct perfquery_reader reading = {.samples = {.flow = flow}};
	const char *names = pick_word(input->pick, "names");
	const char *time = pick_word(input->pick, "time");
	int status = 0;

	(void)whole;
	if (time != NULL && time_parse(time, &reading.time_ns) != 0)
		status = err_set(err, "time: '%s' is not a time with its zone", time);
	reading.has_time = time != NULL;
	if (status == 0 && names != NULL)
		status = text_read_pairs(names, "a LID and a name", take_name, &reading, err);
	if (status == 0)
		status = text_read_files(input->paths, read_file, &reading, err);
	if (status == 0)
		status = samples_emit(&reading.samples, "port", err);
	samples_free(&reading.samples);
	map_free(&reading.names);
	vec_free(&reading.labels);
	arena_free(&reading.arena);
	return status;
}

static bool is_perfquery(const char *head, size_t n)
{
	(void)n;
	return str_starts(head, "# Port counters: Lid ") ||
	       str_starts(head, "# Port extended counters: Lid ");
}

static const struct param params[] = {
	{.key = "time",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "time of reading, for output without a line of 'date +%s' before each"
		    " record"},
	{.key = "names",
	 .type = PARAM_FILE,
	 .optional = true,
	 .meaning = "a file of lines 'LID NAME'; default: components are called lidN"},
	{0}};
static const struct table_kind *const makes[] = {&kind_counters, NULL};

const struct reader reader_perfquery = {
	.entry = {.name = "perfquery",
		  .example = "perfquery:time=1545400200",
		  .summary = "perfquery's port counters; PortXmitData and "
			     "PortRcvData count words of 4 bytes",
		  .feed = "while sleep 1; do date +%s; perfquery -x LID PORT; done",
		  .params = params},
	.makes = makes,
	.is_proof = is_perfquery,
	.read = read_perfquery,
};
