/* dumpi_priv.h - what the readers of binary and printed DUMPI traces share */
#ifndef TRACES_DUMPI_DUMPI_PRIV_H
#define TRACES_DUMPI_DUMPI_PRIV_H

#include "base/mem.h"
#include "base/str.h"
#include "traces/dumpi/dumpi.h"

enum dumpi_type {
	DUMPI_TYPE_INT,  /* 32 bits; all are big endian */
	DUMPI_TYPE_HALF, /* 16: handles of communicators, datatypes, groups, windows, files, … */
	DUMPI_TYPE_BYTE,
	DUMPI_TYPE_LONG,
	DUMPI_TYPE_STRING,
	DUMPI_TYPE_STATUS
};

/* One argument in a record. */
struct dumpi_field {
	enum dumpi_type type;
	int ndims;      /* 0; 1: an array, a 32-bit count before it; 2: an array of arrays */
	int since;      /* as it is since version 0.6.since; before, the count was wrong */
	bool root_only; /* there where the rank is the root */
	int arg;        /* enum dumpi_arg; -1: not used */
};

enum { DUMPI_MOST_FIELDS = 16 };
struct dumpi_layout {
	bool is_made;
	int n;
	struct dumpi_field fields[DUMPI_MOST_FIELDS];
};

void dumpi_layout_make(struct dumpi_layout *layout, int function);
int dumpi_arg_find(const char *name, size_t n); /* -1: not used */

/* A call that is being read, with what its arrays are in. */
struct dumpi_parse {
	const struct dumpi_taker *taker;
	void *context;
	struct dumpi_call call;
	VEC(int32_t) ints;
	VEC(struct dumpi_status) statuses;
	struct buf text;
};

/* An empty call of a function. */
void dumpi_call_begin(struct dumpi_parse *parse, int function);
void dumpi_call_number(struct dumpi_parse *parse, int arg, int64_t number);
/* Begins an array; what is pushed to parse->ints until dumpi_call_array_end belongs to it. */
void dumpi_call_array(struct dumpi_parse *parse, int arg);
void dumpi_call_array_end(struct dumpi_parse *parse, int arg);
/* A copy of text [n] becomes the call's. */
void dumpi_call_text(struct dumpi_parse *parse, const char *text, size_t n);
int dumpi_call_take(struct dumpi_parse *parse, struct err *err);
void dumpi_parse_free(struct dumpi_parse *parse);

#endif
