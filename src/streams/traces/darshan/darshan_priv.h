/* darshan_priv.h - what the parts of the reader of binary Darshan logs share */
#ifndef TRACES_DARSHAN_DARSHAN_PRIV_H
#define TRACES_DARSHAN_DARSHAN_PRIV_H

#include <zlib.h>

#include "base/mem.h"
#include "base/umap.h"
#include "traces/darshan/darshan.h"
#include "traces/darshan/darshan_layout.h"

enum { DARSHAN_MODULES = 64 };

struct darshan_mount {
	const char *path, *fs;
	size_t n; /* length of path */
};

struct darshan_log {
	const char *path;
	char *bytes; /* [nbytes]: the whole file */
	size_t nbytes;
	bool swapped;    /* the writer's byte order is not ours */
	int compression; /* 0: zlib; 2: none */
	int nslots;      /* modules in the header */
	size_t header_end;
	uint64_t name_offset, name_length;
	uint64_t offset[DARSHAN_MODULES], length[DARSHAN_MODULES];
	uint32_t version[DARSHAN_MODULES];
	uint64_t partial; /* one bit for each module whose data is not complete */
	struct darshan_job job;
	VEC(struct darshan_mount) mounts; /* the longest path first */
	struct umap name_of;              /* record id → place in names */
	VEC(const char *) names;
	struct darshan_apmpi *apmpi; /* NULL: not yet needed */
	struct arena arena;
	const struct darshan_taker *taker;
	bool is_refused; /* by the taker: not an error of the module */
	void *context;
};

/* A compressed part of the file, read from its beginning to its end. */
struct darshan_region {
	const struct darshan_log *log;
	const char *what; /* for messages */
	z_stream stream;
	bool started, ended;
	const unsigned char *at; /* uncompressed regions: at … end */
	const unsigned char *end;
};

int darshan_region_open(struct darshan_region *region, const struct darshan_log *log,
			const char *what, uint64_t offset, uint64_t length, struct err *err);
void darshan_region_close(struct darshan_region *region);
/* 1: n bytes; 0: the end, before the first of them; -1: error, the end in their middle too. */
int darshan_region_get(struct darshan_region *region, void *bytes, size_t n, struct err *err);

/* "PATH: …", returns -1. */
int darshan_error(const struct darshan_log *log, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

uint64_t darshan_u64(const struct darshan_log *log, const void *bytes);
uint32_t darshan_u32(const struct darshan_log *log, const void *bytes);
double darshan_f64(const struct darshan_log *log, const void *bytes);

/* file, mount and fs of a record. */
void darshan_name(const struct darshan_log *log, uint64_t id, const char **file, const char **mount,
		  const char **fs);

/* A warning to the taker: "PATH: " and fmt, in which %s is the module. */
void darshan_note(const struct darshan_log *log, const char *fmt, const char *module);

/* All records of the module in a slot; of one that is damaged those before the damage, with a note.
 * A file that is too short is an error. */
int darshan_read_module(struct darshan_log *log, int slot, const char *module, struct err *err);

#endif
