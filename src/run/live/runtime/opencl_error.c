/* opencl_error.c - errors of OpenCL by their names */
#ifdef HAVE_OPENCL

#include "live/runtime/opencl_priv.h"

static const struct {
	cl_int code;
	const char *name;
} codes[] = {
	{CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
	{CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
	{CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
	{CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
	{CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
	{CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
	{CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
	{CL_DEVICE_PARTITION_FAILED, "CL_DEVICE_PARTITION_FAILED"},
	{CL_INVALID_VALUE, "CL_INVALID_VALUE"},
	{CL_INVALID_DEVICE, "CL_INVALID_DEVICE"},
	{CL_INVALID_BINARY, "CL_INVALID_BINARY"},
	{CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
	{CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE"},
	{CL_INVALID_ARG_VALUE, "CL_INVALID_ARG_VALUE"},
	{CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
	{CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
	{CL_INVALID_WORK_ITEM_SIZE, "CL_INVALID_WORK_ITEM_SIZE"},
	{CL_INVALID_GLOBAL_OFFSET, "CL_INVALID_GLOBAL_OFFSET"},
	{CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
	{CL_INVALID_DEVICE_PARTITION_COUNT, "CL_INVALID_DEVICE_PARTITION_COUNT"},
};

int opencl_error(const struct opencl_device *device, struct err *err, const char *what, cl_int code)
{
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		if (codes[i].code == code)
			return err_set(err, "%s: %s: %s", device->name, what, codes[i].name);
	return err_set(err, "%s: %s: OpenCL's error %d", device->name, what, code);
}

#endif
