/* writer.h - writers: rows of one of our kinds become what others read */
#ifndef CONVERT_WRITER_WRITER_H
#define CONVERT_WRITER_WRITER_H

#include <stdbool.h>

#include "base/registry.h"
#include "formats/out.h"
#include "model/flow.h"
#include "model/kinds.h"

struct writer_input {
	const struct pick *pick; /* the writer's own parameters */
	struct out *out;         /* the stream to write; NULL for a writer with .makes_archive */
	const char *path;        /* of an archive: -o PATH, which it needs */
};

struct writer {
	struct entry entry;
	/* The kinds it takes; ends in NULL. */
	const struct table_kind *const *takes;
	/* It writes several files under a path instead of one stream. */
	bool makes_archive;
	/* The state of one conversion, or NULL with a message; .stop frees it. */
	void *(*start)(const struct writer_input *input, struct err *err);
	struct taker taker;
	/* After the end: nothing was written, as what was asked for is not there (the job waits):
	 * the tool's status is 1. May be NULL. */
	bool (*is_no)(const void *state);
	void (*stop)(void *state);
};

extern const struct registry writers;

static inline const struct writer *writer_of(const struct entry *entry)
{
	return (const struct writer *)entry;
}

#endif
