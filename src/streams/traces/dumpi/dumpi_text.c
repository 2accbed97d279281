/* dumpi_text.c - DUMPI traces as dumpi2ascii prints them */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/num.h"
#include "base/str.h"
#include "traces/dumpi/dumpi_priv.h"

/*
 * MPI_Isend entering at walltime 1296777956.739674000, cputime 0.008347000 seconds in thread 0.
 * int count=1
 * MPI_Datatype datatype=9 (MPI_INT)
 * MPI_Request requests[2]=[4, 5]
 * MPI_Status status=[{bytes=4, cancelled=0, source=1, tag=7, error=0}]
 * int ranges[2][3]=[[0, 3, 1]
 * , [4, 7, 1]
 * ]MPI_Group newgroup=4 (user-defined-group)
 * MPI_Isend returning at walltime ...
 */
struct text {
	const struct dumpi_file *file;
	size_t at; /* where the next line begins */
	long lineno;
	struct buf line;
	struct map functions; /* name → number */
	struct dumpi_parse parse;
	bool in_call;
	int open_ranges; /* the argument whose arrays go on in the next line; -1: none */
	bool in_string;  /* a text that may hold ends of lines */
};

static int trouble(const struct text *text, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static int trouble(const struct text *text, struct err *err, const char *fmt, ...)
{
	char what[800];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return err_set(err, "%s:%ld: %s", text->file->name, text->lineno, what);
}

/* false: the end. */
static bool next_line(struct text *text)
{
	const char *begin = text->file->at + text->at, *end;
	size_t rest = text->file->n - text->at, n;

	if (rest == 0)
		return false;
	end = memchr(begin, '\n', rest);
	n = end != NULL ? (size_t)(end - begin) : rest;
	text->at += n + (end != NULL);
	text->lineno++;
	if (n > 0 && begin[n - 1] == '\r')
		n--;
	buf_clear(&text->line);
	buf_add(&text->line, begin, n);
	return true;
}

/* ---- numbers ---- */

/* A whole number at *at, which is moved behind it. */
static bool take_number(char **at, int64_t *value)
{
	size_t n = **at == '-';
	char saved;
	bool good;

	n += strspn(*at + n, "0123456789");
	saved = (*at)[n];
	(*at)[n] = '\0';
	good = num_int(*at, INT64_MIN, INT64_MAX, value) == 0;
	(*at)[n] = saved;
	*at += n;
	return good;
}

static bool take_literal(char **at, const char *literal)
{
	size_t n = strlen(literal);

	if (strncmp(*at, literal, n) != 0)
		return false;
	*at += n;
	return true;
}

/* 1296777956.739674000: seconds, and nine digits of nanoseconds. */
static bool take_time(char **at, int64_t *ns)
{
	int64_t seconds, rest;

	if (!take_number(at, &seconds) || !take_literal(at, ".") || !take_number(at, &rest) ||
	    seconds < INT32_MIN || seconds > UINT32_MAX || rest < INT32_MIN || rest > INT32_MAX)
		return false;
	*ns = seconds * 1000000000 + rest;
	return true;
}

/* ---- arguments ---- */

/* "[1, 2, 3]", appended to the array that is open; *at is moved behind it. */
static bool take_row(struct text *text, char **at)
{
	int64_t value;

	if (!take_literal(at, "["))
		return false;
	while (**at != ']') {
		if (!take_number(at, &value) || value < INT32_MIN || value > INT32_MAX)
			return false;
		vec_push(&text->parse.ints, (int32_t)value);
		take_literal(at, ", ");
	}
	++*at;
	return true;
}

static bool take_statuses(struct text *text, char *at)
{
	if (!take_literal(&at, "["))
		return str_eq(at, "<IGNORED>");
	while (*at == '{') {
		struct dumpi_status status;
		int64_t bytes, source, tag, cancelled, error;

		if (!take_literal(&at, "{bytes=") || !take_number(&at, &bytes) ||
		    !take_literal(&at, ", cancelled=") || !take_number(&at, &cancelled) ||
		    !take_literal(&at, ", source=") || !take_number(&at, &source) ||
		    !take_literal(&at, ", tag=") || !take_number(&at, &tag) ||
		    !take_literal(&at, ", error=") || !take_number(&at, &error) ||
		    !take_literal(&at, "}"))
			return false;
		status = (struct dumpi_status){.bytes = (int32_t)bytes,
					       .source = (int32_t)source,
					       .tag = (int32_t)tag,
					       .is_cancelled = cancelled != 0};
		vec_push(&text->parse.statuses, status);
		take_literal(&at, ", ");
	}
	return str_eq(at, "]");
}

/* ["./mpi", "-x"]: the first is kept; they may hold anything, ends of lines too. */
static void take_strings(struct text *text, int arg_is_argv, char *at)
{
	char *end;

	text->in_string = !str_ends(at, "\"") && !str_ends(at, "\"]") && !str_eq(at, "<IGNORED>");
	if (!arg_is_argv || !take_literal(&at, "[\""))
		return;
	end = strchr(at, '"');
	if (end != NULL)
		*end = '\0';
	dumpi_call_text(&text->parse, at, strlen(at));
}

/* What follows NAME= of one argument that somebody asks for. */
static bool take_value(struct text *text, int arg, int ndims, char *at)
{
	int64_t value;

	if (str_eq(at, "<IGNORED>"))
		return true;
	if (ndims == 0) {
		bool is_boxed = take_literal(&at, "["); /* MPI_Request request=[2] */

		if (!take_number(&at, &value) || (is_boxed && *at != ']'))
			return false;
		dumpi_call_number(&text->parse, arg, value);
		if (arg == DUMPI_FN && take_literal(&at, " (\"") && strrchr(at, '"') != NULL) {
			size_t n = (size_t)(strrchr(at, '"') - at);

			if (n != 6 || strncmp(at, "(null)", n) != 0)
				dumpi_call_text(&text->parse, at, n);
		}
		return true;
	}
	dumpi_call_array(&text->parse, arg);
	if (ndims > 1) {
		if (!take_literal(&at, "["))
			return false;
		text->open_ranges = arg;
	}
	if (!take_row(text, &at) || *at != '\0')
		return false;
	dumpi_call_array_end(&text->parse, arg);
	return true;
}

/* TYPE NAME=VALUE, TYPE NAME[N]=VALUE */
static int take_argument(struct text *text, char *line, struct err *err)
{
	char *name = strchr(line, ' '), *equals = name != NULL ? strchr(name, '=') : NULL;
	int ndims = 0, arg;
	size_t n;

	if (equals == NULL) {
		if (text->in_string)
			return 0;
		return trouble(text, err, "expected an argument of %s (TYPE NAME=VALUE)",
			       text->parse.call.name);
	}
	name++;
	n = strcspn(name, "[=");
	for (const char *p = name; p < equals; p++)
		ndims += *p == '[';
	arg = dumpi_arg_find(name, n);
	if (str_starts(line, "string ")) {
		take_strings(text, n == 4 && strncmp(name, "argv", n) == 0, equals + 1);
		return 0;
	}
	if (str_starts(line, "MPI_Status ")) {
		if (!take_statuses(text, equals + 1))
			return trouble(text, err, "'%.60s' is not a list of statuses", equals + 1);
		return 0;
	}
	text->in_string = false;
	if (arg >= 0 && !take_value(text, arg, ndims, equals + 1))
		return trouble(text, err, "'%.60s' is not a value of %.*s", equals + 1, (int)n,
			       name);
	return 0;
}

/* The rest of an array of arrays: ", [4, 7, 1]", then "]" and, in the same line, what
 * comes next. */
static int go_on(struct text *text, char *at, struct err *err)
{
	int arg = text->open_ranges;

	if (*at == ']') {
		text->open_ranges = -1;
		return at[1] == '\0' ? 0 : take_argument(text, at + 1, err);
	}
	if (!take_literal(&at, ", ") || !take_row(text, &at) || *at != '\0')
		return trouble(text, err, "expected the rest of an array of arrays");
	dumpi_call_array_end(&text->parse, arg);
	return 0;
}

/* ---- calls ---- */

/* NAME entering at walltime …: returns what follows "at ", the name ended by NUL. */
static char *split_mark(char *line, const char *mark)
{
	char *blank = strchr(line, ' ');

	if (blank == NULL || !str_starts(blank + 1, mark))
		return NULL;
	*blank = '\0';
	return blank + 1 + strlen(mark);
}

static bool take_clocks(struct text *text, char *at, int which)
{
	struct dumpi_call *call = &text->parse.call;
	int64_t thread;

	if (!take_time(&at, &call->wall_ns[which]) || !take_literal(&at, ", cputime ") ||
	    !take_time(&at, &call->cpu_ns[which]) || !take_literal(&at, " seconds in thread ") ||
	    !take_number(&at, &thread) || thread < 0 || thread > UINT16_MAX)
		return false;
	call->thread = (int)thread;
	return true;
}

static const char entering[] = "entering at walltime ", returning[] = "returning at walltime ";

static int begin_call(struct text *text, char *clocks, struct err *err)
{
	const char *name = text->line.text;
	int64_t function = map_get(&text->functions, name, strlen(name));

	if (text->in_call)
		return trouble(text, err, "%s begins before %s returned", name,
			       text->parse.call.name);
	if (function < 0)
		return trouble(text, err, "'%.60s' is not a function that DUMPI knows", name);
	dumpi_call_begin(&text->parse, (int)function);
	text->in_call = true;
	text->in_string = false;
	text->open_ranges = -1;
	if (!take_clocks(text, clocks, 0))
		return trouble(text, err, "expected times of %s", name);
	return 0;
}

static int end_call(struct text *text, char *clocks, struct err *err)
{
	const char *name = text->line.text;

	if (!text->in_call || !str_eq(name, text->parse.call.name))
		return trouble(text, err, "%.60s returns, and did not begin", name);
	if (!take_clocks(text, clocks, 1))
		return trouble(text, err, "expected times of %s", name);
	text->in_call = false;
	return dumpi_call_take(&text->parse, err);
}

/* Datatype 9 (MPI_INT) has size 4; all other lines between calls are of no concern. */
static void take_size(struct text *text, char *line)
{
	char *mark = strstr(line, " has size ");
	int64_t type, size;

	if (mark == NULL || text->parse.taker->type_size == NULL ||
	    !take_literal(&line, "Datatype ") || !take_number(&line, &type))
		return;
	line = mark + strlen(" has size ");
	if (take_number(&line, &size))
		text->parse.taker->type_size(text->parse.context, type, size);
}

static int take_line(struct text *text, struct err *err)
{
	char *line = text->line.text, *clocks = split_mark(line, entering);

	if (clocks != NULL)
		return begin_call(text, clocks, err);
	clocks = split_mark(line, returning);
	if (clocks != NULL)
		return end_call(text, clocks, err);
	if (!text->in_call) {
		take_size(text, line);
		return 0;
	}
	if (str_starts(line, "Perfcounters: "))
		return 0;
	return text->open_ranges >= 0 ? go_on(text, line, err) : take_argument(text, line, err);
}

int dumpi_read_text(const struct dumpi_file *file, const struct dumpi_taker *taker, void *context,
		    struct err *err)
{
	struct text text = {
		.file = file, .open_ranges = -1, .parse = {.taker = taker, .context = context}};
	int status = 0;

	for (int i = 0; i < dumpi_nfunctions(); i++)
		map_add(&text.functions, dumpi_function_name(i), strlen(dumpi_function_name(i)), i);
	while (status == 0 && next_line(&text))
		status = take_line(&text, err);
	if (status == 0 && text.in_call)
		status = trouble(&text, err, "ends within %s: it was truncated",
				 text.parse.call.name);
	map_free(&text.functions);
	buf_free(&text.line);
	dumpi_parse_free(&text.parse);
	return status;
}

bool dumpi_is_text(const char *head, size_t n)
{
	(void)n;
	if (str_starts(head, "version=")) /* of dumpi2ascii -a or -H */
		return strstr(head, "\nstarttime=") != NULL && strstr(head, "\nmeshdim=") != NULL;
	return str_starts(head, "MPI_") &&
	       strncmp(head + strcspn(head, " \n"), " entering at walltime ", 22) == 0;
}
