/* feed.h - samples of counters out of one file: LDMS CSV, or a table of counters of ours */
#ifndef TRAFFIC_FEED_H
#define TRAFFIC_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "traffic/header.h"
#include "formats/csv.h"

/* One line, whole and with a time. Texts live until the next one of the feed. */
struct sample {
	int64_t time_ns;
	int64_t dt_ns; /* what the line says about its interval's length; -1: nothing */
	const struct header *header;
	const struct csv_cell *cells; /* [header->nwanted] */
	const char *file;
	long line;
};

/* What was left out, and the first line that was no sample. */
struct feed_counts {
	int64_t rows;   /* samples */
	int64_t cut;    /* lines with fewer columns than their header; a last one without its end */
	int64_t broken; /* lines that are no samples: too many columns, no time, no number */
	int64_t flagged; /* lines whose TimeFlag is set */
	int64_t beside;  /* files whose header is in another file */
	char first_broken[512];
};

struct feed;

/*
 * Opens a file ("-": standard input) and finds out what it is. header_path: the file with the
 * header, NULL: the first line, else FILE.HEADER as store_csv names it. set and counts must outlive
 * it.
 */
int feed_open(struct feed **feed, const char *path, const char *header_path, struct header_set *set,
	      struct feed_counts *counts, bool accepts_partial, struct err *err);
void feed_close(struct feed *feed); /* NULL is allowed */
/* 1: a sample; 0: the end; -1: error. */
int feed_next(struct feed *feed, struct sample *sample, struct err *err);
/* The table that it reads, or NULL. */
const struct table_in *feed_table(const struct feed *feed);
/* After the end: false when a table's ##end is missing. */
bool feed_is_whole(struct feed *feed);

/* Counts a line as broken. */
void feed_count_broken(struct feed_counts *counts, const struct sample *sample, const char *what);

/* Seconds as decimal text, or -1; within what fits twice into 64 bits. */
int feed_time(const struct csv_cell *cell, int64_t *ns);

#endif
