/* hostfile.h - host files: SLURM_HOSTFILE, PBS_NODEFILE, those of mpirun and mpiexec */
#ifndef FORMATS_HOSTFILE_H
#define FORMATS_HOSTFILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Calls add for every host of a file, line by line: a name or a host list (n[0-3]), and on each
 * host so many slots: "n0 slots=4" (Open MPI), "n0:4" (MPICH), "n0*4" (Slurm). slots 0: the line
 * does not say. '#' begins a comment. A host may come again, as in PBS_NODEFILE, where each line
 * is a slot. add returns 0, or -1 with a message, which gets FILE:LINE.
 */
typedef int hostfile_add_fn(void *context, const char *name, size_t n, int64_t slots,
			    struct err *err);
int hostfile_read(const char *path, hostfile_add_fn *add, void *context, struct err *err);

#endif
