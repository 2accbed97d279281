/* feed.c - samples of counters out of one file */
#include "traffic/feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "formats/in.h"
#include "formats/ldms.h"
#include "model/kinds.h"

/* ±146 years around the epoch: sums of two times fit into 64 bits. */
#define TIME_MOST 4611686018000000000LL

struct feed {
	char *path, *paths[2]; /* paths: as a list that ends in NULL */
	const char *header_path;
	struct csv *csv;        /* or */
	struct table_in *table; /* one of ours */
	const struct header *header;
	struct header_set *set;
	struct feed_counts *counts;
	struct csv_cell *cells; /* of a table's row */
	struct arena names;     /* of the header being read */
	bool is_begun;
};

void feed_count_broken(struct feed_counts *counts, const struct sample *sample, const char *what)
{
	if (counts->broken++ == 0)
		snprintf(counts->first_broken, sizeof(counts->first_broken), "%s:%ld: %s",
			 sample->file, sample->line, what);
}

int feed_time(const struct csv_cell *cell, int64_t *ns)
{
	const char *point = memchr(cell->text, '.', cell->n);
	size_t n = point != NULL ? (size_t)(point - cell->text) : cell->n;
	size_t nafter = point != NULL ? cell->n - n - 1 : 0;
	uint64_t seconds, part = 0;

	if (nafter > 9 || num_digits(cell->text, n, &seconds) != 0 ||
	    (nafter > 0 && num_digits(point + 1, nafter, &part) != 0) ||
	    seconds >= TIME_MOST / 1000000000)
		return -1;
	for (; nafter < 9; nafter++)
		part *= 10;
	*ns = (int64_t)(seconds * 1000000000 + part);
	return 0;
}

/* ---- LDMS CSV ---- */

static int take_header(struct feed *feed, const char *line, size_t n, const char *file, long lineno,
		       struct err *err)
{
	char **names;
	int nnames;

	arena_reset(&feed->names);
	nnames = ldms_names(line, n, &feed->names, &names);
	feed->header = header_get(feed->set, line, n, names, nnames, false, err);
	if (feed->header == NULL)
		return err_prefix(err, "%s:%ld: ", file, lineno);
	if (feed->csv != NULL)
		csv_want(feed->csv, feed->header->wanted, feed->header->nwanted);
	return 0;
}

/* From the file that has only the header. */
static int read_header_file(struct feed *feed, struct err *err)
{
	char *path = feed->header_path != NULL ? xstrdup(feed->header_path)
					       : ldms_header_path(feed->path);
	struct csv_row row;
	struct csv *csv;
	int status;

	if (path == NULL)
		return err_set(err,
			       "%s:1: expected a header: a line that begins "
			       "with #Time, or a file %s beside it",
			       feed->path, "NAME.HEADER");
	status = csv_open(&csv, path, err);
	if (status == 0) {
		status = csv_next(csv, &row, err);
		if (status == 1 && ldms_is_header(row.line, row.n))
			status = take_header(feed, row.line, row.n, path, 1, err);
		else if (status >= 0)
			status = err_set(err, "%s:1: expected a header that starts with #Time",
					 path);
		csv_close(csv);
	}
	feed->counts->beside++;
	free(path);
	return status;
}

/* Time and, where it is a whole number, what Time_usec adds. */
static int sample_time(const struct header *header, struct sample *sample)
{
	const struct csv_cell *time = &sample->cells[header->time];
	const struct csv_cell *usec = header->usec >= 0 ? &sample->cells[header->usec] : NULL;
	uint64_t whole, more = 0;

	if (!header->is_msec && (usec == NULL || memchr(time->text, '.', time->n) != NULL))
		return feed_time(time, &sample->time_ns);
	if (num_digits(time->text, time->n, &whole) != 0 ||
	    (usec != NULL && num_digits(usec->text, usec->n, &more) != 0) || more > 999999)
		return -1;
	if (whole >= TIME_MOST / (header->is_msec ? 1000000 : 1000000000))
		return -1;
	whole *= header->is_msec ? 1000000 : 1000000000;
	sample->time_ns = (int64_t)(whole + more * 1000);
	return 0;
}

/* 1: a sample; 0: none. */
static int take_row(struct feed *feed, const struct csv_row *row, struct sample *sample)
{
	const struct header *header = feed->header;
	int last = header->wanted[header->nwanted - 1];

	sample->header = header;
	sample->cells = row->cells;
	sample->file = csv_name(feed->csv);
	sample->line = row->lineno;
	sample->dt_ns = -1;
	if (row->nfields < header->ncolumns || (row->is_cut && last == row->nfields - 1)) {
		feed->counts->cut++;
		return 0;
	}
	if (row->nfields > header->ncolumns) {
		feed_count_broken(feed->counts, sample, "more columns than the header has");
		return 0;
	}
	if (sample_time(header, sample) != 0) {
		feed_count_broken(feed->counts, sample, "its Time is not a time in seconds");
		return 0;
	}
	if (header->dt >= 0 && feed_time(&sample->cells[header->dt], &sample->dt_ns) != 0) {
		feed_count_broken(feed->counts, sample, "its DT is not a time in seconds");
		return 0;
	}
	if (header->time_flag >= 0) {
		const struct csv_cell *flag = &sample->cells[header->time_flag];

		if (flag->n != 1 || flag->text[0] != '0') {
			feed->counts->flagged++;
			return 0;
		}
	}
	feed->counts->rows++;
	return 1;
}

static int next_of_csv(struct feed *feed, struct sample *sample, struct err *err)
{
	struct csv_row row;
	int status;

	while ((status = csv_next(feed->csv, &row, err)) == 1) {
		char first = row.n > 0 ? row.line[0] : '\n';

		if (first == '#' || first == 'T' || first == '"') {
			if (ldms_is_header(row.line, row.n)) {
				if (take_header(feed, row.line, row.n, csv_name(feed->csv),
						row.lineno, err) != 0)
					return -1;
				continue;
			}
			if (first == '#')
				continue;
		}
		if (first == '\n')
			continue;
		if (feed->header == NULL) {
			if (read_header_file(feed, err) != 0)
				return -1;
			/* this line was split before the columns to read were known */
			status = csv_again(feed->csv, &row, err);
			if (status != 1)
				return status;
		}
		if (take_row(feed, &row, sample))
			return 1;
	}
	return status;
}

/* ---- our own tables ---- */

static int begin_table(struct feed *feed, struct err *err)
{
	int n = table_ncolumns(feed->table);
	char **names = arena_alloc(&feed->names, (size_t)(n + 1) * sizeof(char *));
	struct buf line = {0};

	if (n == 0)
		return 0;
	for (int i = 0; i < n; i++) {
		names[i] = (char *)table_column(feed->table, i);
		buf_printf(&line, "%s\t", names[i]);
	}
	feed->header = header_get(feed->set, line.text, line.n, names, n, true, err);
	buf_free(&line);
	if (feed->header == NULL)
		return err_prefix(err, "%s: ", feed->path);
	feed->cells = xcalloc((size_t)feed->header->nwanted, sizeof(*feed->cells));
	return 0;
}

static int next_of_table(struct feed *feed, struct sample *sample, struct err *err)
{
	const struct header *header;
	struct row row;
	int status = table_next(feed->table, &row, err);

	if (status == 1 && !feed->is_begun) {
		feed->is_begun = true;
		if (begin_table(feed, err) != 0)
			return -1;
	}
	if (status != 1)
		return status;
	header = feed->header;
	for (int i = 0; i < header->nwanted; i++) {
		char *cell = row.cells[header->wanted[i]];

		feed->cells[i] = (struct csv_cell){cell, strlen(cell)};
	}
	*sample = (struct sample){.dt_ns = -1,
				  .header = header,
				  .cells = feed->cells,
				  .file = row.file,
				  .line = row.line};
	if (row_seconds(&row, header->wanted[header->time], "time_s", &sample->time_ns, err) != 1)
		return -1;
	if (sample->time_ns > TIME_MOST || sample->time_ns < -TIME_MOST)
		return row_error(&row, err, "time_s is beyond what can be computed with");
	feed->counts->rows++;
	return 1;
}

/* ---- both ---- */

int feed_open(struct feed **result, const char *path, const char *header_path,
	      struct header_set *set, struct feed_counts *counts, bool accepts_partial,
	      struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_counters, NULL};
	static const char mark[] = "##placetools=";
	char head[sizeof(mark)];
	struct feed *feed;
	size_t n;
	int status;

	*result = NULL;
	if (in_head(path, head, sizeof(mark) - 1, &n, err) != 0)
		return -1;
	feed = xcalloc(1, sizeof(*feed));
	feed->header_path = header_path;
	feed->set = set;
	feed->counts = counts;
	feed->path = feed->paths[0] = xstrdup(path);
	status = str_eq(head, mark)
			 ? table_open(&feed->table, kinds, feed->paths, accepts_partial, err)
			 : csv_open(&feed->csv, path, err);
	if (status == 0)
		*result = feed;
	else
		feed_close(feed);
	return status;
}

void feed_close(struct feed *feed)
{
	if (feed == NULL)
		return;
	csv_close(feed->csv);
	table_close(feed->table);
	arena_free(&feed->names);
	free(feed->cells);
	free(feed->path);
	free(feed);
}

int feed_next(struct feed *feed, struct sample *sample, struct err *err)
{
	return feed->csv != NULL ? next_of_csv(feed, sample, err)
				 : next_of_table(feed, sample, err);
}

const struct table_in *feed_table(const struct feed *feed)
{
	return feed->table;
}

bool feed_is_whole(struct feed *feed)
{
	return feed->table == NULL || table_is_whole(feed->table);
}
