/* work.h - a kernel, its range and its arguments: what devices do slices of */
#ifndef LIVE_KERNEL_WORK_H
#define LIVE_KERNEL_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "live/kernel/formula.h"
#include "live/merge/merge.h"
#include "live/slice/prelude.h"
#include "live/slice/slice.h"

enum { WORK_ARGS = 64, WORK_PARAMETERS = 32, WORK_VALUE = 128 };

enum work_arg_kind { ARG_BUFFER, ARG_VALUE, ARG_LOCAL };

struct work_arg {
	char *name;
	enum work_arg_kind kind;
	const struct element *element; /* of a buffer or value */
	size_t bytes;                  /* of a buffer, a value, or local memory */
	unsigned char value[WORK_VALUE];
	/* Of a buffer: */
	bool is_read, is_written;
	const struct merge *merge; /* of one that is written */
	int same;                  /* 1 + the earlier argument that is the same buffer; 0: none */
	int map;                   /* argument that holds its owners; -1: none */
	unsigned char *host;       /* [bytes] what is copied in, and the output */
	unsigned char *parts;      /* [slices · bytes] of a sum of real numbers: each slice's */
	long line;
};

struct work {
	char *name, *size;      /* of the application */
	char *file;             /* that describes it */
	char *source, *options; /* text of the program, as in the file; options of the compiler */
	bool is_binary;
	size_t source_bytes;
	char *kernel;
	int slice_argument; /* the argument that takes the first work item; -1: none */
	enum prelude_manner manner;
	int dimension; /* -1: chosen */
	struct range range;
	struct slicing slicing;
	int nargs;
	struct work_arg args[WORK_ARGS];
	struct formula_name parameters[WORK_PARAMETERS];
	int nparameters;
	unsigned doubts; /* enum cl_doubt */
	char *doubt_text;
};

struct work_options {
	const char *const *set; /* [nset] NAME=VALUE in the place of the file's parameters */
	int nset;
	int64_t nslices;   /* 0: 16 */
	bool by_parameter; /* slices come in one more argument, not in the offset */
	int64_t seed;      /* of random contents, beside the file's own */
};

/* Reads kernel.yaml, the program it names, and fills the buffers. -1: FILE:LINE. */
int work_load(struct work *work, const char *path, const struct work_options *options,
	      struct err *err);
void work_free(struct work *work);

/* A sum whose order matters: its parts are added slice by slice when all are there. */
static inline bool work_is_ordered(const struct work_arg *arg)
{
	return arg->is_written && arg->merge->is_sum && arg->element->is_real;
}
void work_add_parts(struct work *work);

/* Cuts its range again, and checks that its buffers can be merged this way. */
int work_slice(struct work *work, int64_t nslices, struct err *err);
/* Whether slices of it may be dealt to several devices (or one); -1 with the reason. */
int work_may_share(const struct work *work, int ndevices, struct err *err);
/* Bytes of all buffers: what each device needs. */
double work_bytes(const struct work *work);

#endif
