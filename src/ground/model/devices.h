/* devices.h - the devices of a node that jobs share: CPUs, GPUs, FPGAs */
#ifndef MODEL_DEVICES_H
#define MODEL_DEVICES_H

#include <stdint.h>

#include "base/err.h"

enum { DEVICES_MAX = 16, DEVICES_PARTS = 16 };

struct device {
	char *name, *kind;         /* kind: as the file says, or "" */
	double memory_bytes;       /* 0: not known */
	int64_t open_ns, close_ns; /* to set the device up for a job, and to clean up after it */
	double copy_in_Bps, copy_out_Bps; /* 0: copies take no time */
	/* Which OpenCL device it is; simulations don't ask. */
	char *platform;                /* part of the platform's name; NULL: any */
	char *type;                    /* cpu, gpu, accelerator; NULL: any */
	int64_t index;                 /* among those that match */
	int64_t counts[DEVICES_PARTS]; /* [ncounts] compute units of the parts it is cut into */
	int ncounts;                   /* 0: whole */
	int64_t part;                  /* which of them it is */
	int64_t host_units;            /* compute units left to the host's threads */
	double slow;                   /* times slower than it is: work is added */
};

struct devices {
	char *name; /* of the node; "" */
	int n;
	struct device at[DEVICES_MAX];
};

/* FILE.yaml, or @NAME: share/devices/NAME.yaml. Returns 0, or -1 with FILE:LINE. */
int devices_load(struct devices *devices, const char *ref, struct err *err);
void devices_free(struct devices *devices);

/* "gpu", "cpu+gpu": the mask of the set; 0 and a message: unknown, or named twice. */
uint32_t devices_set(const struct devices *devices, const char *text, struct err *err);
/* The names in the file's order, joined by +; "." for none. text [n] */
enum { DEVICES_TEXT = 1024 };
void devices_text(const struct devices *devices, uint32_t set, char text[DEVICES_TEXT]);

#endif
