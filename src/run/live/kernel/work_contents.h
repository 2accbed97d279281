/* work_contents.h - what a buffer holds before the kernel runs */
#ifndef LIVE_KERNEL_WORK_CONTENTS_H
#define LIVE_KERNEL_WORK_CONTENTS_H

#include "formats/yaml.h"
#include "live/kernel/work.h"

/* The keys file, random, below, value, step, start and period of an argument. Returns 0, or -1 with
 * FILE:LINE. folder: of the files that it names. */
int work_contents(struct work *work, struct work_arg *arg, const struct yaml_file *file,
		  const struct yaml *map, const char *folder, int64_t seed, struct err *err);

/* A scalar's formula. */
int work_formula(const struct work *work, const struct yaml_file *file, const struct yaml *node,
		 int64_t *value, struct err *err);
/* Reads a file whole, at most limit bytes; ended by a NUL that *n does not count. To be freed. */
char *work_read_file(const char *path, size_t limit, size_t *n, struct err *err);

#endif
