/* darshan.h - Darshan logs, binary or as darshan-parser and darshan-dxt-parser print them */
#ifndef TRACES_DARSHAN_DARSHAN_H
#define TRACES_DARSHAN_DARSHAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* What a log says about the whole run. */
struct darshan_job {
	char version[9];   /* of the log: "3.21" */
	const char *exe;   /* the command line; "" when not known */
	const char *jobid; /* as text; "" when not known */
	int64_t nprocs;
	double start_s; /* since the epoch */
	double run_s;   /* run time, as darshan-parser prints it: up to 3.21 in whole seconds, ends
			   included */
};

enum darshan_type { DARSHAN_INT, DARSHAN_ID, DARSHAN_REAL, DARSHAN_TEXT };
struct darshan_counter {
	const char *name; /* "POSIX_OPENS" */
	enum darshan_type type;
	union {
		int64_t number; /* -1: not measured, of most counters */
		uint64_t id;
		double real; /* seconds are since the job's start */
		const char *text;
	};
};

/* One record of a module: what one rank (-1: all of them) did to one file, mostly. */
struct darshan_record {
	const char *module; /* "POSIX", "MPI-IO", "STDIO", "APMPI", … as darshan-parser calls it */
	int64_t rank;
	uint64_t id;
	const char *file, *mount,
		*fs; /* file "": the log has no name for it; mount, fs: "UNKNOWN" */
	const struct darshan_counter *counters; /* [n] */
	int n;
};

/* One operation of the modules DXT_POSIX and DXT_MPIIO. */
struct darshan_segment {
	const char *module; /* "DXT_POSIX" */
	int64_t rank;
	uint64_t id;
	const char *file, *mount, *fs, *host;
	bool is_write;
	int64_t offset, length;
	double start_s, end_s; /* since the job's start */
};

/*
 * Who takes what is read, in the order of the log; the job first. Any may be NULL; each returns 0,
 * or -1 with a message. What they get is valid until they return.
 */
struct darshan_taker {
	int (*job)(void *context, const struct darshan_job *job, struct err *err);
	int (*record)(void *context, const struct darshan_record *record, struct err *err);
	int (*segment)(void *context, const struct darshan_segment *segment, struct err *err);
	/* A warning: a module whose data is incomplete, damaged or not understood, say. */
	void (*note)(void *context, const char *text);
};

/*
 * Reads a binary log, 3.00 to 3.41 (plain, or compressed as a whole; "-" is standard input): both
 * header layouts, either byte order. Old records are given the counters of today, -1 where they
 * lack them, as darshan-util does it. Regions compressed by bzip2 are refused. Memory: the file as
 * it is, its names, and one record.
 */
int darshan_read_log(const char *path, const struct darshan_taker *taker, void *context,
		     struct err *err);

/* Reads what darshan-parser or darshan-dxt-parser printed. Memory: one record. */
int darshan_read_text(const char *path, const struct darshan_taker *taker, void *context,
		      struct err *err);

/* Whether the first bytes are those of a binary log; head [n] */
bool darshan_is_log(const char *head, size_t n);

/* A counter of a record; NULL: it has none of that name. */
const struct darshan_counter *darshan_find(const struct darshan_record *record, const char *name);
/* Its number, or 0 where it is missing or was not measured (negative). */
double darshan_value(const struct darshan_record *record, const char *name);

#endif
