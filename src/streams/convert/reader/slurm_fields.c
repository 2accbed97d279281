/* slurm_fields.c - what the readers of Slurm's listings share: tables by name, times */
#include "convert/reader/slurm_fields.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "convert/reader/text.h"
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

enum { DELIMITER_MOST = 16 };

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
			line[kept++] = line[i++];
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
	static const char *const texts[] = {"SubmitLine", "Comment", "AdminComment",
					    "SystemComment", "Extra"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (strcasecmp(name, texts[i]) == 0)
			return true;
	return false;
}

static void find_texts(struct slurm_table *table)
{
	for (int i = 0; i < table->ncolumns; i++)
		table->has_texts |= is_text(table->names[i]);
	table->ends_in_text = table->ncolumns > 0 && is_text(table->names[table->ncolumns - 1]);
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
	buf_free(&table->joined);
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
		return in_error(
			table->in, err,
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
			return in_error(table->in, err,
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

/* Joins the lines of a row by blanks, until it has its cells. 0, or -1; fewer cells at the end of
 * the file. */
static int join_lines(struct slurm_table *table, struct err *err)
{
	char *line;
	size_t n;
	int status = 1;

	for (int i = 1; i < table->ncells; i++)
		*(table->cells[i] - 1) = table->sep;
	table->has_blanks = true;
	buf_clear(&table->joined);
	buf_str(&table->joined, table->cells[0]);
	while (table->ncells < table->ncolumns &&
	       (status = in_line(table->in, &line, &n, err)) == 1) {
		if (table->delimiter != NULL)
			join_delimiters(table, line, &n);
		for (size_t i = 0; i < n; i++)
			table->ncells += line[i] == table->sep;
		buf_char(&table->joined, ' ');
		buf_add(&table->joined, line, n);
	}
	table->ncells = split(table->joined.text, table->joined.n, table->sep, table->cells);
	return status < 0 ? -1 : 0;
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

int slurm_next(struct slurm_table *table, struct err *err)
{
	char *line;
	size_t n;
	int status;

	while ((status = in_line(table->in, &line, &n, err)) == 1) {
		if (line[strspn(line, " \t")] == '\0')
			continue;
		if ((!table->has_begun || table->is_ruled) && read_ruling(table, line))
			continue;
		table->has_begun = true;
		table->has_blanks = has_blanks(table, line, n);
		if (table->sep == 0) {
			if ((table->is_ruled ? cut_ruled(table, line, err)
					     : cut_fixed(table, line, err)) != 0)
				return -1;
		} else {
			if (table->delimiter != NULL)
				join_delimiters(table, line, &n);
			table->ncells = split(line, n, table->sep, table->cells);
			if (table->ncells < table->ncolumns && table->ends_in_text &&
			    !isdigit((unsigned char)*line))
				continue; /* the text before goes on */
			if (table->ncells < table->ncolumns && table->has_texts &&
			    join_lines(table, err) != 0)
				return -1;
			if (table->ncells > table->ncolumns &&
			    (table->ends_in_sep || table->ncells == table->ncolumns + 1) &&
			    table->cells[table->ncells - 1][0] == '\0')
				table->ncells--;
		}
		if (is_names_again(table))
			continue;
		if (table->ncells < table->ncolumns)
			return in_error(table->in, err, "has %d fields, expected %d", table->ncells,
					table->ncolumns);
		return 1;
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
	static const char *const nothing[] = {"N/A",  "n/a",    "Unknown",
					      "None", "(null)", "None assigned"};
	const char *text;

	if (column < 0)
		return NULL;
	text = table->has_blanks ? str_trim(table->cells[column]) : table->cells[column];
	if (*text == '\0')
		return NULL;
	if (*text != 'N' && *text != 'n' && *text != 'U' && *text != '(')
		return text; /* as most do */
	for (size_t i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++)
		if (str_eq(text, nothing[i]))
			return NULL;
	return text;
}

bool slurm_is_listing(const char *head, const char *first, const char *or_first, const char *has)
{
	for (int line = 0; line < 2 && *head != '\0'; line++) {
		size_t n = strcspn(head, "\n");
		const char *at = head + strspn(head, " "), *found = strstr(head, has);

		if ((str_starts(at, first) || str_starts(at, or_first)) && found != NULL &&
		    found < head + n)
			return true;
		head += n + (head[n] == '\n');
	}
	return false;
}

/* ---- times ---- */

int slurm_time(const struct reader_input *input, const char *text, int64_t *ns, struct err *err)
{
	int status;

	if (text == NULL || str_eq(text, "NONE")) /* squeue's %e of a job without a limit */
		return 0;
	status = time_parse(text, ns);
	if (status == -2) {
		if (input->zone == NULL)
			return err_set(err,
				       "the time '%s' has no zone: say it with --zone, or set "
				       "SLURM_TIME_FORMAT=%%s where the listing is made",
				       text);
		status = zone_time(input->zone, text, ns);
	}
	return status == 0 ? 1 : err_set(err, "'%s' is not a time", text);
}

/* The numbers of "1-02:03:04" after the days, at most three; -1: something else. */
static int clock_parts(char *text, int64_t *parts)
{
	char *words[4];
	int n = str_split(text, ':', words, 4);

	if (n > 3)
		return -1;
	for (int i = 0; i < n; i++)
		if (num_int(words[i], 0, INT32_MAX, &parts[i]) != 0)
			return -1;
	return n;
}

static int parse_duration(char *text, int64_t *seconds)
{
	int64_t days = 0, part[4] = {0};
	char *dash = strchr(text, '-');
	int n;

	if (dash != NULL) {
		*dash = '\0';
		if (num_int(text, 0, 1000000, &days) != 0)
			return -1;
		text = dash + 1;
	}
	text[strcspn(text, ".")] = '\0'; /* milliseconds of an elapsed time */
	n = clock_parts(text, part);
	if (n < 1)
		return -1;
	if (dash != NULL || n == 3) /* hours[:minutes[:seconds]] */
		*seconds = part[0] * 3600 + part[1] * 60 + part[2];
	else /* minutes[:seconds] */
		*seconds = part[0] * 60 + part[1];
	*seconds += days * 86400;
	return *seconds <= SLURM_SECONDS_MOST ? 0 : -1;
}

int slurm_duration(const char *text, int64_t *seconds, struct err *err)
{
	static const char *const none[] = {"UNLIMITED", "Partition_Limit", "INVALID", "NOT_SET"};
	char *copy;
	int status;

	if (text == NULL)
		return 0;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (str_eq(text, none[i]))
			return 0;
	copy = xstrdup(text);
	status = parse_duration(copy, seconds);
	free(copy);
	return status == 0 ? 1 : err_set(err, "'%s' is not a time such as 1-02:03:04", text);
}
