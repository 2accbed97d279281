/* opencl.h - OpenCL devices as a file of devices selects them */
#ifndef LIVE_RUNTIME_OPENCL_H
#define LIVE_RUNTIME_OPENCL_H

#include <stdbool.h>

#include "base/err.h"
#include "live/runtime/runtime.h"
#include "model/devices.h"

struct opencl_node;

struct opencl_options {
	bool is_shared;   /* two of the devices may be the same one of OpenCL */
	double timeout_s; /* of one slice; 0: none */
	bool is_whole;    /* the program goes out as it is, and is launched whole */
};

/* The devices of the file, or "" as one: the first that there is. Finds and cuts them; contexts and
 * programs are made when a worker opens one. -1: no platform, no such device, … */
int opencl_node_open(struct opencl_node **node, const struct devices *devices,
		     const struct opencl_options *options, struct err *err);
void opencl_node_close(struct opencl_node *node); /* NULL is allowed */
/* device [i] of the file */
struct live_device opencl_node_device(struct opencl_node *node, int i);
/* "PLATFORM, DEVICE": lives as long as the node */
const char *opencl_node_text(const struct opencl_node *node, int i);
/* Its cl_device_id. */
void *opencl_node_id(struct opencl_node *node, int i);
/* A launch of the whole, without prelude, from now on or no more. */
void opencl_node_whole(struct opencl_node *node, bool is_whole);

extern const struct runtime opencl_runtime;

#endif
