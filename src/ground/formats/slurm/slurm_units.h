/* slurm_units.h - resources as Slurm writes them: memory, TRES and GRES */
#ifndef FORMATS_SLURM_SLURM_UNITS_H
#define FORMATS_SLURM_SLURM_UNITS_H

#include <stdbool.h>
#include <stdint.h>

/* What a list of resources says. -1: it does not say. */
struct slurm_tres {
	int64_t cpus, nodes, gpus;
	double memory_bytes;
	char gpu_type[64]; /* types separated by commas; "": not named */
};

void slurm_tres_clear(struct slurm_tres *tres);

/*
 * "8000M", "62.50G", "1T", "2000" (MiB): bytes, of 1024. A letter n or c behind it, as sacct wrote
 * before 21.08, means per node or per CPU (*per, else 0). Returns 0 or -1: not such a size, or one
 * above 1 PiB, which is a flag that leaked into the number.
 */
int slurm_memory(const char *text, double *bytes, char *per);

/*
 * "cpu=4,mem=8000M,node=1,billing=4,gres/gpu:a100=1,gres/gpu=1": GPUs are counted once, though they
 * are listed with and without their type. Entries that are not understood are passed over; NULL and
 * "" clear only.
 */
void slurm_tres_read(struct slurm_tres *tres, const char *text);

/*
 * "gpu:a100:4(S:0-3),nsight:no_consume:1", "gres/gpu:4", "gres:gpu:4", "(null)": adds the GPUs, of
 * all types, to *gpus (from -1: 0 when the list names resources, but no GPU) and their types to
 * type [64].
 */
void slurm_gres_add(const char *text, int64_t *gpus, char *type);

#endif
