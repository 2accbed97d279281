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
#include <sys/types.h>

#include "base/mem.h"
#include "base/str.h"
#include "live/kernel/work.h"
#include "live/slice/prelude.h"

/* What is done for a program: each does what the one before does. */
enum layer_grade {
	GRADE_CHOOSE, /* it sees the devices that it was given */
	GRADE_SLICE,  /* its launches become slices on the queue's device */
	GRADE_SHARE,  /* its launches are dealt to all devices of the set */
};

struct layer_program {
	cl_program program;
	char *source;     /* its own text; NULL: not known */
	char *options;    /* it was built with; NULL: not built from its text */
	bool has_prelude; /* before its text */
	bool has_doubts;  /* it can't be cut: enum cl_doubt */
};

/* An argument of a kernel as the program set it. */
struct layer_arg {
	bool is_set, is_null, is_svm;
	size_t bytes;
	unsigned char value[WORK_VALUE];
};

struct layer_kernel {
	cl_kernel kernel;
	bool is_odd; /* pointers of shared virtual memory that are no arguments */
	struct layer_arg args[WORK_ARGS];
};

/* The event of a launch that became slices: a marker behind them. */
struct layer_event {
	cl_event event;
	cl_event *slices; /* [n] */
	cl_uint n;
	cl_uint nreferences; /* the program's */
	/* Of one that was shared, by the clock of the queue's device: n is 0 then. */
	cl_ulong queued_ns, start_ns, end_ns;
};

/* The first slice of a launch as wide as any before: layer_lead.c. */
struct layer_lead {
	cl_kernel kernel;
	size_t local[RANGE_DIMS], width; /* work items of its widest dimension */
	cl_event first;                  /* NULL: it has ended */
};

/* Launches, slices of those that were cut, and changes of the set in the midst of one. */
struct layer_counts {
	int64_t nshared, nsliced, nwhole, nparts, nswitches;
};

/* A process has one OpenCL loader, and so one of these. */
struct layer {
	const cl_icd_dispatch *target; /* who comes next */
	cl_icd_dispatch own;
	pthread_mutex_t lock; /* of what follows; short */
	VEC(struct layer_program) programs;
	VEC(struct layer_kernel *) kernels;
	VEC(cl_mem) mems;
	VEC(cl_sampler) samplers;
	VEC(cl_event) users; /* user events that the program has not ended */
	VEC(struct layer_event) events;
	VEC(struct layer_lead) leads;
	struct layer_counts counts;
	const char *reason; /* why the last launch stayed whole */
	char *lowered;      /* why the grade was lowered; NULL: it was not */
	enum layer_grade asked, grade;
	int64_t nslices; /* of a launch */
	bool tells;      /* at the end, what it did */
	pid_t process;   /* what it forks has no part in the node's devices, and reports nothing */
	/* The device that the program may see; NULL: all. */
	cl_platform_id platform;
	cl_device_id device;
	struct layer_node *node; /* layer_node.c's */
	pthread_mutex_t sharing; /* one launch at a time is shared */
};

extern struct layer layer;

/* This thread is in the layer's own work: its calls of OpenCL go through as they are. */
extern __thread bool layer_inside;

/* ---- layer_objects.c: programs, kernels and buffers as the program makes them ---- */
void layer_objects_own(cl_icd_dispatch *own);
/* NULL: not known. Under the lock. */
struct layer_program *layer_find_program(cl_program program);
struct layer_kernel *layer_find_kernel(cl_kernel kernel);
bool layer_knows_mem(cl_mem mem);
bool layer_knows_sampler(cl_sampler sampler);

/* ---- layer_event.c: events of launches that became slices ---- */
void layer_event_own(cl_icd_dispatch *own);
void layer_event_add(struct layer_event event);
/* A command may wait for an event that the program itself must end. */
bool layer_waits_for_user(void);

/* ---- layer_lead.c: slices for which a runtime compiles ---- */
/* Whether the other slices of a launch must wait for its first one. */
bool layer_lead_is_needed(cl_kernel kernel, const struct prelude_launch *first);
/* They do. It takes over a reference to the event. */
void layer_lead_add(cl_kernel kernel, const struct prelude_launch *first, cl_event event);
/* A new kernel has the place of an old one. Under the lock. */
void layer_lead_forget(cl_kernel kernel);

/* ---- layer_node.c: the devices of the node ---- */
void layer_node_own(cl_icd_dispatch *own);
/* The launch on the devices of the set, which may change meanwhile; under layer.sharing. */
int layer_node_deal(struct work *work, bool is_whole, int64_t *start_ns, int64_t *end_ns,
		    struct err *err);
/* From now on it uses the device that the program sees, alone: waits for that. */
void layer_node_stay(void);
/* A slice went out in the grade slice. */
void layer_node_poll(void);
void layer_node_close(void);
/* "a+b": the devices that slices ran on; "": none was chosen */
void layer_node_text(struct buf *text);

/* ---- layer_launch.c ---- */
cl_int CL_API_CALL layer_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
				const size_t *offset, const size_t *global, const size_t *local,
				cl_uint nwaits, const cl_event *waits, cl_event *event);
void layer_launch_own(cl_icd_dispatch *own);

/* ---- layer_share.c ---- */
/* Does the launch, and ends it: true, and *code is what the program gets. Else it has done nothing,
 * and why says why it can't. */
bool layer_share(cl_command_queue queue, cl_kernel kernel, const struct range *range,
		 cl_uint nwaits, const cl_event *waits, cl_event *event, cl_int *code,
		 struct err *why);

#endif
