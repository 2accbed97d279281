/* reader.h - readers: what others write becomes rows of our kinds */
#ifndef CONVERT_READER_READER_H
#define CONVERT_READER_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/registry.h"
#include "base/zone.h"
#include "model/flow.h"
#include "model/kinds.h"

/* What one reading is about. */
struct reader_input {
	const struct pick *pick;   /* the reader's own parameters */
	char *const *paths;        /* at least one; "-" is standard input; ends in NULL */
	struct zone *zone;         /* of a log's times without one, --zone; NULL: not given */
	bool accepts_partial;      /* a truncated stream of ours is taken as whole */
	bool is_strict;            /* a row that cannot be read is an error */
	const char *since, *until; /* what is recorded as ##since= and ##until=; NULL: nothing */
};

struct reader {
	/* .feed of the entry is the command that makes such input on a live system */
	struct entry entry;
	/* The kinds it can make, the usual one first; ends in NULL. */
	const struct table_kind *const *makes;
	/*
	 * Whether the content alone proves the format: a magic number or a line that nothing else
	 * begins with. head [n]: the first bytes after decompression, ended by NUL (at most
	 * READER_HEAD). NULL: never.
	 */
	bool (*is_proof)(const char *head, size_t n);
	/* Takes a file without a byte as one without rows, or says itself what it expected. For all
	 * others it is the sign of a pipe that failed. */
	bool sees_empty;
	/*
	 * Reads all paths as one stream of flow->kind, which is one of .makes: declares columns,
	 * sets cells, calls flow_emit for each row; not flow_end. Rows come in the order of the
	 * input and in bounded memory where the format allows it. *whole becomes false when the
	 * input says itself that it was truncated (it is true before). Sets flow->file and ->line
	 * as it goes, for the messages of whoever takes the rows.
	 */
	int (*read)(const struct reader_input *input, struct flow *flow, bool *whole,
		    struct err *err);
};

/* The parameter of readers of one program's profile or trace. */
#define READER_APP                                                                                 \
	{                                                                                          \
		.key = "app", .type = PARAM_TEXT, .optional = true,                                \
		.meaning = "name of the application; default: the program's file name"             \
	}

enum { READER_HEAD = 4096 };

extern const struct registry readers;

static inline const struct reader *reader_of(const struct entry *entry)
{
	return (const struct reader *)entry;
}

#endif
