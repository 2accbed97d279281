/* opencl_absent.c - in place of OpenCL devices where OpenCL is not there: the word what
 * is missing */
#include "live/runtime/opencl.h"

#ifndef HAVE_OPENCL

#include <stddef.h>

const struct runtime opencl_runtime = {0};

int opencl_node_open(struct opencl_node **node, const struct devices *devices,
		     const struct opencl_options *options, struct err *err)
{
	(void)devices;
	(void)options;
	*node = NULL;
	return err_set(err, "this program was built without OpenCL: install an ICD loader and its "
			    "headers (Debian: ocl-icd-opencl-dev) and build it again");
}

void opencl_node_close(struct opencl_node *node)
{
	(void)node;
}

struct live_device opencl_node_device(struct opencl_node *node, int i)
{
	(void)node;
	(void)i;
	return (struct live_device){0};
}

const char *opencl_node_text(const struct opencl_node *node, int i)
{
	(void)node;
	(void)i;
	return "";
}

void opencl_node_whole(struct opencl_node *node, bool is_whole)
{
	(void)node;
	(void)is_whole;
}

#endif
