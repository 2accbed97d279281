/* live_program.h - unchanged programs, sliced by a layer of OpenCL */
#ifndef LIVE_LIVE_PROGRAM_H
#define LIVE_LIVE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct live_program {
	const char *devices; /* a file or @name, which it shares by the node's state; NULL: all
				that there are, and no state */
	const char *use;     /* some of them for itself, as a+b, without the state; NULL: no */
	const char *grade;   /* choose, slice or share */
	bool is_shared;      /* two of the devices may be the same one of OpenCL */
	int64_t nslices;
	bool tells;           /* what the layer did, on standard error */
	char *const *command; /* ends in NULL */
};

/* Runs it. Returns its status (128 + its signal), or -1. */
int live_program(const struct live_program *how, struct err *err);

#endif
