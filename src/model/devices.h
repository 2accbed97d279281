/* devices.h - the devices of a node that jobs share: CPUs, GPUs, FPGAs */
#ifndef MODEL_DEVICES_H
#define MODEL_DEVICES_H

#include <stdint.h>

#include "base/err.h"

enum { DEVICES_MAX = 16 };

struct device {
	char *name, *kind;         /* kind: as the file says, or "" */
	double memory_bytes;       /* 0: not known */
	int64_t open_ns, close_ns; /* to set the device up for a job, and to clean up after it */
	double copy_in_Bps, copy_out_Bps; /* 0: copies take no time */
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
