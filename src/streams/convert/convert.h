/* convert.h - from a format of others through one of our kinds to another format */
#ifndef CONVERT_CONVERT_H
#define CONVERT_CONVERT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "convert/filter/filter.h"
#include "convert/reader/reader.h"
#include "convert/writer/writer.h"

/*
 * What a conversion goes through: the reader makes rows of .kind, each filter takes them and hands
 * on its own, the writer takes the last one's. Filters that only lead from one kind to another
 * (filter.is_bridge) are put in where they are needed, as few as possible.
 */
struct conversion {
	struct pick from, to;
	const struct table_kind *kind;
	VEC(struct pick) filters;
};

/*
 * Plans one: from NULL means that the content of paths[0] must prove its format. filters [nfilters]
 * as on the command line. Returns -1 when there is no such way, and says what there is.
 */
int conversion_plan(struct conversion *conversion, const char *from, const char *to,
		    const char *const *filters, int nfilters, char *const *paths, struct err *err);
void conversion_free(struct conversion *conversion);
/* "swf → jobs → at → nodes → nodes"; to be freed. */
char *conversion_text(const struct conversion *conversion);

struct conversion_result {
	bool whole; /* the input was not truncated */
	bool is_no; /* nothing was written: struct writer */
};

/* Runs it on an input, whose pick is the conversion's. out is NULL for a writer of archives, which
 * takes path. */
int conversion_run(const struct conversion *conversion, const struct reader_input *input,
		   struct out *out, const char *path, struct conversion_result *result,
		   struct err *err);

/* Every pair of formats that works, with the kind between, and the commands that feed readers. */
void conversion_list(FILE *out);

#endif
