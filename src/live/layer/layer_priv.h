/* layer_priv.h - what the files of the layer share */
#ifndef LIVE_LAYER_LAYER_PRIV_H
#define LIVE_LAYER_LAYER_PRIV_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

/* A program whose text has the prelude before it. */
struct layer_program {
	cl_program program;
	char *source; /* the program's own text */
};

/* The event of a launch that became slices: a marker behind them. */
struct layer_event {
	cl_event event;
	cl_event *slices; /* [n] */
	cl_uint n;
};

/* A process has one OpenCL loader, and so one of these. */
struct layer {
	const cl_icd_dispatch *target; /* who comes next */
	cl_icd_dispatch own;
	pthread_mutex_t lock;
	VEC(struct layer_program) programs;
	VEC(struct layer_event) events;
	int64_t nslices; /* of a launch; 1: launches stay whole */
	bool tells;      /* at the end, what it did */
	int64_t nsliced, nparts, nwhole;
	const char *reason; /* why the last launch stayed whole */
	/* The device that the program may see; NULL: all. */
	bool has_chosen;
	cl_platform_id platform;
	cl_device_id device;
};

extern struct layer layer;

/* ---- layer_choose.c ---- */
cl_int CL_API_CALL layer_get_devices(cl_platform_id platform, cl_device_type type, cl_uint n,
				     cl_device_id *devices, cl_uint *ndevices);
cl_context CL_API_CALL layer_context_from_type(const cl_context_properties *properties,
					       cl_device_type type,
					       void(CL_CALLBACK *notify)(const char *, const void *,
									 size_t, void *),
					       void *data, cl_int *code);

/* ---- layer_launch.c ---- */
cl_int CL_API_CALL layer_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
				const size_t *offset, const size_t *global, const size_t *local,
				cl_uint nwaits, const cl_event *waits, cl_event *event);
/* NULL: not one of ours. Under the lock. */
struct layer_event *layer_find_event(cl_event event);
const struct layer_program *layer_find_program(cl_program program);

#endif
