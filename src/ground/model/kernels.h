/* kernels.h - how fast applications are on the devices of a node: a kernels table */
#ifndef MODEL_KERNELS_H
#define MODEL_KERNELS_H

#include <stdint.h>

#include "base/mem.h"
#include "base/names.h"
#include "model/devices.h"

enum { KERNEL_SETS = 16 };

/* One size of an application. */
struct kernel {
	char *app, *size;
	int64_t slices;                 /* of one launch */
	int64_t init_ns;                /* host initialisation; -1: not said */
	double bytes;                   /* memory it needs on each device; -1: not said */
	int64_t slice_ns[DEVICES_MAX];  /* with its overhead; 0: it can't run there */
	double work_s[DEVICES_MAX];     /* all slices of a launch without their overhead */
	double overhead_s[DEVICES_MAX]; /* of each slice */
	int64_t copy_in_ns[DEVICES_MAX], copy_out_ns[DEVICES_MAX];
	uint32_t too_small; /* devices whose memory does not hold it */
	int nmeasured;      /* sets that were measured as such */
	struct {
		uint32_t devices;
		int64_t ns; /* the whole kernel, copies included */
	} measured[KERNEL_SETS];
	/* While rows are read. */
	const char *file;
	long line;
};

struct kernels {
	VEC(struct kernel *) all; /* in the order of their first rows */
	struct map by_name;       /* "app\tsize" */
};

/* paths ends in NULL. Rows whose rate is 0 or missing leave the device out. */
int kernels_read(struct kernels *kernels, const struct devices *devices, char *const *paths,
		 struct err *err);
void kernels_free(struct kernels *kernels);
const struct kernel *kernels_find(const struct kernels *kernels, const char *app,
				  const char *size); /* or NULL */

/* The same work in another number of slices; sets that were measured are not part of it. What it
 * points to stays the kernel's. */
struct kernel kernel_resliced(const struct kernel *kernel, int64_t slices);

#endif
