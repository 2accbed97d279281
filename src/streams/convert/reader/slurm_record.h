/* slurm_record.h - records of Key=value pairs: scontrol show job and node, jobcomp/filetxt */
#ifndef CONVERT_READER_SLURM_RECORD_H
#define CONVERT_READER_SLURM_RECORD_H

#include "base/mem.h"
#include "base/str.h"
#include "formats/in.h"
#include "model/flow.h"

struct slurm_pair {
	char *key, *value; /* in the record's text */
};

/* A record is one line (scontrol -o, jobcomp) or a line and the indented ones behind it. */
struct slurm_record {
	const char *first_key; /* that every record begins with: JobId */
	const char *nothing;   /* how a line begins that stands for no records; NULL: none does */
	struct buf text;       /* of the record, its lines ended by newlines */
	struct buf next;       /* the first line of the record after it */
	VEC(struct slurm_pair) pairs;
	long line, next_line;
	/* Records have JobName, or Name, behind which lines may break: line ends of a name are
	 * joined, by what must follow it. */
	bool has_names;
	bool is_of_lines; /* a record of the file had more than its first line */
};

/*
 * The next record of a file, its pairs in order; a key may come more than once. A value ends before
 * the next " Key=" or at the end of its line; names of jobs, which may hold anything, at the last
 * key that always follows them. 1; 0 at the end; -1: a file that does not begin with first_key.
 */
int slurm_record_next(struct slurm_record *record, struct in *in, struct err *err);
/*
 * Calls put for the records of all files, with flow->file and flow->line set; the first error ends
 * it, and gets FILE:LINE if it has none. 0 or -1. Frees the record.
 */
typedef int slurm_record_fn(void *context, struct err *err);
int slurm_records_read(struct slurm_record *record, char *const *paths, struct flow *flow,
		       slurm_record_fn *put, void *context, struct err *err);
/* The first value of a key; NULL: not there, or a word that means nothing: (null), N/A, Unknown,
 * None, NONE. */
const char *slurm_record_value(const struct slurm_record *record, const char *key);
void slurm_record_free(struct slurm_record *record);

#endif
