/* lft.h - forwarding tables as the tools of InfiniBand print them */
#ifndef MACHINE_LFT_LFT_H
#define MACHINE_LFT_LFT_H

#include "base/registry.h"
#include "formats/in.h"

#include "base/mem.h"

enum { LFT_NONE = 255 }; /* a port that leads nowhere */

/* A switch whose table, or a part of it, was read. */
struct lft_switch {
	uint64_t guid; /* 0: unknown */
	int lid;       /* 0: unknown */
	int nentries;
	const char *file;
	long line;
};

/* What is for a LID leaves by a port; 0 is the switch itself. */
struct lft_entry {
	int sw; /* which of the switches */
	int lid, port;
	long line;
};

struct lft {
	VEC(struct lft_switch) switches;
	VEC(struct lft_entry) entries;
	struct arena arena;
};

/* One file: src/ground/machine/lft/NAME.c ends in lft_reader_NAME; one line in readers.def. read
 * appends what in holds; file is its name, kept with the tables. */
struct lft_reader {
	struct entry entry;
	int (*read)(struct lft *lft, struct in *in, const char *file, struct err *err);
};

extern const struct registry lft_readers; /* "routes" */

/* "FORMAT:FILE", as topogen --routes has it; FILE "-" is standard input. */
int lft_read(struct lft *lft, const char *text, struct err *err);
void lft_free(struct lft *lft);

int lft_add_switch(struct lft *lft, uint64_t guid, int lid, const char *file, long line);
void lft_add_entry(struct lft *lft, int sw, int lid, int port, long line);

#endif
