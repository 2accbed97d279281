/* slurm_fields.c - what the readers of Slurm's listings share: tables by name, times */
#include "convert/reader/slurm_fields.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "convert/reader/text.h"
#include "base/die.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "base/time.h"

/* ---- listings ---- */

static bool has_name(const struct slurm_table *table, const char *name)
{
	for (int i = 0; i < table->ncolumns; i++)
		if (strcasecmp(table->names[i], name) == 0)
			return true;
	return false;
}

enum { DELIMITER_MOST = 64 };

/* Delimiters of several bytes become this one. */
#define JOINED_SEP '\x1f'

/* Puts one byte in the place of each delimiter; *n: the length, before and after. */
static void join_delimiters(const struct slurm_table *table, char *line, size_t *n)
{
	size_t width = strlen(table->delimiter), kept = 0;

	for (size_t i = 0; i < *n;) {
		if (line[i] == table->delimiter[0] && *n - i >= width &&
		    memcmp(line + i, table->delimiter, width) == 0) {
			line[kept++] = JOINED_SEP;
			i += width;
		} else {
			line[kept++] = line[i] == JOINED_SEP ? ' ' : line[i];
			i++;
		}
	}
	line[kept] = '\0';
	*n = kept;
}

static void set_delimiter(struct slurm_table *table, const char *delimiter)
{
	table->sep = delimiter[1] == '\0' ? delimiter[0] : JOINED_SEP;
	table->delimiter = NULL;
	if (delimiter[1] != '\0') {
		snprintf(table->room, sizeof(table->room), "%s", delimiter);
		table->delimiter = table->room;
	}
}

/* What follows a known name at the beginning of a line: neither a letter nor a blank. */
static bool find_delimiter(struct slurm_table *table, const char *line, const char *known)
{
	char found[DELIMITER_MOST] = "";
	size_t n = 0;

	if (strncasecmp(line, known, strlen(known)) != 0)
		return false;
	line += strlen(known);
	while (n + 1 < sizeof(found) && *line != '\0' && !isalnum((unsigned char)*line) &&
	       strchr(" \t(_%", *line) == NULL)
		found[n++] = *line++;
	if (n == 0 || !isalpha((unsigned char)*line))
		return false;
	set_delimiter(table, found);
	return true;
}

/* With -O names touch when a field is as wide as its name, or cut to its width: of
 * MIN_MEMORYTRES_ALLOC the end is a name that is known. Names stay where they are in the line. */
static void part_names(struct slurm_table *table)
{
	static const char *const known[] = {
		"TRES_ALLOC",    "TRES_PER_NODE",    "START_TIME", "END_TIME",  "SUBMIT_TIME",
		"TIME_LIMIT",    "NODELIST(REASON)", "NODELIST",   "PARTITION", "ACCOUNT",
		"FEATURES",      "MIN_MEMORY",       "REASON",     "GRES_USED", "AVAIL_FEATURES",
		"STATECOMPLETE", "WEIGHT",           "ALLOCMEM"};

	for (int i = 0; i < table->ncolumns && table->ncolumns < SLURM_CELLS; i++) {
		char *name = table->names[i];
		size_t length = strlen(name);

		for (size_t k = 0; k < sizeof(known) / sizeof(*known); k++) {
			size_t n = strlen(known[k]);

			if (length <= n || !str_eq(name + length - n, known[k]) ||
			    strchr("_(", name[length - n - 1]) != NULL)
				continue;
			memmove(&table->names[i + 2], &table->names[i + 1],
				(size_t)(table->ncolumns - i - 1) * sizeof(*table->names));
			table->names[i + 1] = name + length - n;
			table->has_touching = true;
			table->ncolumns++;
			break;
		}
	}
}

/* Cuts the line of names, and notes where each ends. */
static void read_names(struct slurm_table *table, const char *line, const char *known)
{
	size_t n = strlen(line);

	free(table->header);
	table->header = xstrdup(line);
	if (table->sep == 0 || table->is_found) {
		table->sep = strchr(line, '|') != NULL    ? '|'
			     : strchr(line, '\t') != NULL ? '\t'
							  : 0;
		table->is_found = table->sep != 0 || find_delimiter(table, line, known);
	}
	if (table->delimiter != NULL)
		join_delimiters(table, table->header, &n);
	if (table->sep != 0) {
		table->ncolumns = str_split(table->header, table->sep, table->names, SLURM_CELLS);
		/* sacct -p ends every line in a bar */
		table->ends_in_sep = table->names[table->ncolumns - 1][0] == '\0';
		table->ncolumns -= table->ends_in_sep;
	} else {
		table->ncolumns = text_words(table->header, table->names, SLURM_CELLS);
		part_names(table);
	}
	for (int i = 0; i < table->ncolumns; i++) {
		table->names[i] = str_trim(table->names[i]);
		table->ends[i] = (int)(table->names[i] + strlen(table->names[i]) - table->header);
	}
}

/* Of what a user wrote; a line of submission has its --wrap. */
static bool is_text(const char *name)
{
	static const char *const texts[] = {"SubmitLine",    "Comment", "AdminComment",
					    "SystemComment", "Extra",   "JobName",
					    "Name"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (strcasecmp(name, texts[i]) == 0)
			return true;
	return false;
}

static void find_texts(struct slurm_table *table)
{
	const char *last;

	for (int i = 0; i < table->ncolumns; i++)
		table->has_texts |= is_text(table->names[i]);
	last = table->ncolumns > 0 ? table->names[table->ncolumns - 1] : "";
	table->ends_in_text = is_text(last);
	table->has_names = strcasecmp(last, "JobName") == 0 || strcasecmp(last, "Name") == 0;
	table->is_closed = strcasecmp(last, "JobIDRaw") == 0;
}

/* The columns that a pick names: "[JobID,State]" or "JobID|State". */
static int name_columns(struct slurm_table *table, const char *columns, const char *known,
			struct err *err)
{
	char *text;

	table->header = xstrdup(columns[0] == '[' ? columns + 1 : columns);
	text = table->header;
	if (str_ends(text, "]"))
		text[strlen(text) - 1] = '\0';
	for (char *at = text; *at != '\0'; at++)
		if (*at == '|')
			*at = ',';
	table->ncolumns = str_split(text, ',', table->names, SLURM_CELLS);
	for (int i = 0; i < table->ncolumns; i++) {
		table->names[i] = str_trim(table->names[i]);
		table->names[i][strcspn(table->names[i], "%")] = '\0'; /* sacct -o JobName%30 */
	}
	if (!has_name(table, known))
		return err_set(err, "columns: '%s' is not among them", known);
	find_texts(table);
	if (table->sep == 0)
		table->sep = '|';
	return 0;
}

int slurm_open_as(struct slurm_table *table, struct in *in, const char *known, const char *columns,
		  const char *delimiter, struct err *err)
{
	char *line;

	*table = (struct slurm_table){.in = in};
	if (delimiter != NULL)
		set_delimiter(table, delimiter);
	if (columns != NULL)
		return name_columns(table, columns, known, err);
	for (int i = 0; i < 3; i++) {
		int status = in_line(in, &line, NULL, err);

		if (status < 0)
			return -1;
		if (status == 0 && i == 0)
			return in_error(in, err, "is empty: expected a line of names");
		if (status == 0)
			break;
		read_names(table, line, known);
		if (has_name(table, known)) {
			find_texts(table);
			return 0;
		}
	}
	return in_error(in, err, "has no line of names with '%s' at its beginning", known);
}

int slurm_open(struct slurm_table *table, struct in *in, const char *known, struct err *err)
{
	return slurm_open_as(table, in, known, NULL, NULL, err);
}

void slurm_close(struct slurm_table *table)
{
	free(table->header);
	buf_free(&table->row);
	buf_free(&table->ahead);
}

/* Where column i ends in a line of fixed width: where its name ends, or (left) before the next
 * one's beginning. */
static size_t column_end(const struct slurm_table *table, int i, bool left)
{
	return left ? (size_t)(table->names[i + 1] - table->header) - 1 : (size_t)table->ends[i];
}

/* Whether all columns are apart there. */
static bool is_apart(const struct slurm_table *table, const char *line, size_t n, bool left)
{
	if (!left && table->has_touching)
		return false;
	for (int i = 0; i + 1 < table->ncolumns; i++) {
		size_t end = column_end(table, i, left);

		if (end < n && line[end] != ' ')
			return false;
	}
	return true;
}

/* Columns of fixed width: as words where they are as many as the names, else where the names end,
 * as squeue and sinfo align all but some first ones, or where they begin, as with -O. */
static int cut_fixed(struct slurm_table *table, char *line, struct err *err)
{
	size_t n = strlen(line), at = 0;
	char *probe = xstrdup(line), *words[SLURM_CELLS];
	bool left;

	if (!table->has_touching && text_words(probe, words, SLURM_CELLS) == table->ncolumns) {
		table->ncells = text_words(line, table->cells, SLURM_CELLS);
		free(probe);
		return 0;
	}
	free(probe);
	table->ncells = table->ncolumns;
	left = !is_apart(table, line, n, false);
	if (left && !is_apart(table, line, n, true))
		return slurm_row_error(
			table, err,
			"the fields touch, or were cut: expected bars between them (-o '%%i|…')");
	for (int i = 0; i < table->ncolumns; i++) {
		size_t end = i + 1 < table->ncolumns ? column_end(table, i, left) : n;

		table->cells[i] = line + (at < n ? at : n);
		if (end < n && i + 1 < table->ncolumns) {
			line[end] = '\0';
			at = end + 1;
		} else {
			at = n;
		}
		table->cells[i] = str_trim(table->cells[i]);
	}
	return 0;
}

/* Whether the line below the names is a ruling: dashes for each of them. */
static bool read_ruling(struct slurm_table *table, const char *line)
{
	int n = 0, ends[SLURM_CELLS];

	if (table->sep != 0 || line[strspn(line, "- ")] != '\0')
		return false;
	for (size_t at = strspn(line, " "); line[at] != '\0'; at += strspn(line + at, " ")) {
		if (n == table->ncolumns)
			return false;
		at += strspn(line + at, "-");
		ends[n++] = (int)at;
	}
	if (n != table->ncolumns)
		return false;
	memcpy(table->ends, ends, (size_t)n * sizeof(*ends));
	return table->is_ruled = true;
}

/* Each cell is above its dashes; what is longer there would move all behind it. */
static int cut_ruled(struct slurm_table *table, char *line, struct err *err)
{
	size_t n = strlen(line), at = 0;

	table->ncells = table->ncolumns;
	for (int i = 0; i < table->ncolumns; i++) {
		size_t end = (size_t)table->ends[i];

		table->cells[i] = line + (at < n ? at : n);
		if (end < n && line[end] != ' ')
			return slurm_row_error(table, err,
					       "%s is wider than its column: expected sacct -P",
					       table->names[i]);
		if (end < n)
			line[end] = '\0';
		at = end + 1;
		table->cells[i] = str_trim(table->cells[i]);
	}
	return 0;
}

bool slurm_is_cut(const struct slurm_table *table, int column)
{
	int begin = column > 0 ? table->ends[column - 1] + 1 : 0;

	return table->is_ruled && str_ends(table->cells[column], "+") &&
	       (int)strlen(table->cells[column]) == table->ends[column] - begin;
}

/* As str_split, for a line whose length is known: eight letters at a time. */
static int split(char *line, size_t n, char sep, char **cells)
{
	int ncells = 0;

	cells[ncells++] = line;
	for (size_t i = 0; i < n; i += 8) {
		uint64_t found = text_find(line + i, n - i, sep);

		for (; found != 0; found &= found - 1) {
			size_t at = i + (size_t)__builtin_ctzll(found) / 8;

			if (ncells == SLURM_CELLS)
				return ncells;
			line[at] = '\0';
			cells[ncells++] = line + at + 1;
		}
	}
	return ncells;
}

/* ---- rows of several lines ---- */

int slurm_row_error(const struct slurm_table *table, struct err *err, const char *fmt, ...)
{
	char what[900];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return err_set(err, "%s:%ld: %s", in_name(table->in), table->line, what);
}

/* The next line with anything in it, its delimiters of one byte. */
static int read_line(struct slurm_table *table, char **line, size_t *n, struct err *err)
{
	int status;

	while ((status = in_line(table->in, line, n, err)) == 1)
		if ((*line)[strspn(*line, " \t")] != '\0')
			break;
	if (status == 1 && table->delimiter != NULL)
		join_delimiters(table, *line, n);
	return status;
}

/* The line that was looked at before, else the input's. */
static int next_line(struct slurm_table *table, char **line, size_t *n, struct err *err)
{
	struct buf was = table->row;
	int status;

	if (!table->has_ahead) {
		status = read_line(table, line, n, err);
		table->line = in_lineno(table->in);
		return status;
	}
	table->row = table->ahead;
	table->ahead = was;
	table->has_ahead = false;
	table->line = table->ahead_line;
	*line = table->row.text;
	*n = table->row.n;
	return 1;
}

/* Looks at the line behind the row, which must be in table->row. */
static int look_ahead(struct slurm_table *table, struct err *err)
{
	char *line;
	size_t n;
	int status;

	if (table->has_ahead)
		return 1;
	status = read_line(table, &line, &n, err);
	if (status != 1)
		return status;
	buf_clear(&table->ahead);
	buf_add(&table->ahead, line, n);
	table->ahead_line = in_lineno(table->in);
	table->has_ahead = true;
	return 1;
}

static int count_cells(const struct slurm_table *table, const struct buf *line)
{
	int n = 1;

	for (size_t i = 0; i < line->n; i++)
		n += line->text[i] == table->sep;
	return n;
}

/* Whether the line ahead begins a row, whole or truncated: a number, and a separator. */
static bool begins_row(const struct slurm_table *table)
{
	return count_cells(table, &table->ahead) >= table->ncolumns ||
	       (isdigit((unsigned char)table->ahead.text[0]) &&
		count_cells(table, &table->ahead) > 1);
}

/* JobIDRaw closes the row: a number, maybe with a step. */
static bool is_closed(const struct slurm_table *table)
{
	const char *last;

	if (count_cells(table, &table->row) < table->ncolumns + table->ends_in_sep)
		return false;
	last = strrchr(table->row.text, table->sep);
	return table->ends_in_sep || (last != NULL && isdigit((unsigned char)last[1]) &&
				      last[1 + strspn(last + 1, "0123456789._+abcdefghijklmnopqrst"
								"uvwxyz")] == '\0');
}

/*
 * Joins the lines of a row by blanks. Where JobIDRaw closes rows, up to that; else a row is short
 * as a text in it has line ends, or goes on as its last column is one. 0 or -1.
 */
static int join_lines(struct slurm_table *table, char *line, size_t n, struct err *err)
{
	int status = 1;

	if (line != table->row.text) {
		buf_clear(&table->row);
		buf_add(&table->row, line, n);
	}
	for (;;) {
		int ncells = count_cells(table, &table->row);
		bool is_short = table->is_closed ? !is_closed(table) : ncells < table->ncolumns;

		if (!is_short && (table->is_closed || !table->ends_in_text))
			break;
		if ((status = look_ahead(table, err)) != 1)
			break;
		if (!table->is_closed && begins_row(table) &&
		    (!is_short || count_cells(table, &table->ahead) >= table->ncolumns ||
		     ncells + count_cells(table, &table->ahead) - 1 < table->ncolumns))
			break;
		/* the further lines of a line of submission are its script */
		if (is_short || table->has_names) {
			buf_char(&table->row, ' ');
			buf_add(&table->row, table->ahead.text, table->ahead.n);
			table->is_joined = true;
		}
		table->has_ahead = false;
	}
	table->njoined += table->is_joined && !table->is_closed;
	table->has_blanks |= table->is_joined;
	table->ncells = split(table->row.text, table->row.n, table->sep, table->cells);
	return status < 0 ? -1 : 0;
}

void slurm_report_joined(const struct slurm_table *table)
{
	if (table->njoined > 0)
		warn("%s: %ld row%s had several lines, as names may: rows of such a file are in "
		     "doubt; with a delimiter of random letters and JobIDRaw as the last column "
		     "none can be forged",
		     in_name(table->in), table->njoined, table->njoined == 1 ? "" : "s");
}

static bool is_names_again(const struct slurm_table *table)
{
	if (table->ncells < table->ncolumns)
		return false;
	for (int i = 0; i < table->ncolumns; i++)
		if (!str_eq(table->cells[i], table->names[i]))
			return false;
	return true;
}

static bool has_blanks(const struct slurm_table *table, const char *line, size_t n)
{
	return memchr(line, ' ', n) != NULL || memchr(line, '\r', n) != NULL ||
	       (table->sep != '\t' && memchr(line, '\t', n) != NULL);
}

/* The line as cells. 0; -1: it is no row, or (is_bad unset) no line could be read. */
static int cut_row(struct slurm_table *table, char *line, size_t n, struct err *err)
{
	table->is_bad = true;
	table->has_blanks = has_blanks(table, line, n);
	if (table->sep == 0)
		return table->is_ruled ? cut_ruled(table, line, err) : cut_fixed(table, line, err);
	if (table->is_closed || table->ends_in_text) {
		table->is_bad = false;
		if (join_lines(table, line, n, err) != 0)
			return -1;
		table->is_bad = true;
	} else {
		table->ncells = split(line, n, table->sep, table->cells);
		if (table->ncells < table->ncolumns && table->has_texts) {
			for (int i = 1; i < table->ncells; i++)
				*(table->cells[i] - 1) = table->sep;
			table->is_bad = false;
			if (join_lines(table, line, n, err) != 0)
				return -1;
			table->is_bad = true;
		}
	}
	if (table->ncells > table->ncolumns &&
	    (table->ends_in_sep || table->ncells == table->ncolumns + 1) &&
	    table->cells[table->ncells - 1][0] == '\0')
		table->ncells--;
	if (table->ncells < table->ncolumns)
		return slurm_row_error(table, err, "has %d fields, expected %d", table->ncells,
				       table->ncolumns);
	return 0;
}

int slurm_next(struct slurm_table *table, struct flow *flow, struct err *err)
{
	char *line;
	size_t n;
	int status;

	while ((status = next_line(table, &line, &n, err)) == 1) {
		table->is_joined = false;
		if ((!table->has_begun || table->is_ruled) && read_ruling(table, line))
			continue;
		table->has_begun = true;
		if (cut_row(table, line, n, err) == 0) {
			if (is_names_again(table))
				continue;
			return 1;
		}
		if (!table->is_bad || flow_leave_out(flow, err) != 0)
			return -1;
	}
	return status;
}

int slurm_column(const struct slurm_table *table, const char *const *names)
{
	for (; *names != NULL; names++)
		for (int i = 0; i < table->ncolumns; i++)
			if (strcasecmp(table->names[i], *names) == 0)
				return i;
	return -1;
}

const char *slurm_cell(const struct slurm_table *table, int column)
{
	static const char *const nothing[] = {"N/A",  "n/a",    "Unknown",      "unknown",
					      "None", "(null)", "None assigned"};
	const char *text;

	if (column < 0)
		return NULL;
	text = table->has_blanks ? str_trim(table->cells[column]) : table->cells[column];
	if (*text == '\0')
		return NULL;
	if (*text != 'N' && *text != 'n' && *text != 'U' && *text != 'u' && *text != '(')
		return text; /* as most do */
	for (size_t i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++)
		if (str_eq(text, nothing[i]))
			return NULL;
	return text;
}
