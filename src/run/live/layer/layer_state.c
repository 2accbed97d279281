/* layer_state.c - what a process has of the layer, once */
#ifdef HAVE_OPENCL

#include "live/layer/layer_priv.h"

struct layer layer = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.sharing = PTHREAD_MUTEX_INITIALIZER,
	.nslices = 1,
	.reason = "none",
};

__thread bool layer_inside;

#endif
