/* layer_objects.c - programs, kernels and buffers, noted as the program makes them */
#ifdef HAVE_OPENCL

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "live/layer/layer_priv.h"
#include "live/slice/cl_compiled.h"
#include "live/slice/cl_text.h"
#include "live/slice/prelude.h"

struct layer_program *layer_find_program(cl_program program)
{
	for (size_t i = 0; i < layer.programs.n; i++)
		if (layer.programs.at[i].program == program)
			return &layer.programs.at[i];
	return NULL;
}

struct layer_kernel *layer_find_kernel(cl_kernel kernel)
{
	for (size_t i = 0; i < layer.kernels.n; i++)
		if (layer.kernels.at[i]->kernel == kernel)
			return layer.kernels.at[i];
	return NULL;
}

bool layer_knows_mem(cl_mem mem)
{
	for (size_t i = 0; i < layer.mems.n; i++)
		if (layer.mems.at[i] == mem)
			return true;
	return false;
}

bool layer_knows_sampler(cl_sampler sampler)
{
	for (size_t i = 0; i < layer.samplers.n; i++)
		if (layer.samplers.at[i] == sampler)
			return true;
	return false;
}

/* ---- programs ---- */

/* A handle that is given out again is another program. source NULL: not known. */
static void note_program(cl_program program, char *source, bool has_doubts, bool has_prelude)
{
	struct layer_program *known;

	if (program == NULL) {
		free(source);
		return;
	}
	pthread_mutex_lock(&layer.lock);
	known = layer_find_program(program);
	if (known == NULL) {
		vec_push(&layer.programs, (struct layer_program){.program = program});
		known = &layer.programs.at[layer.programs.n - 1];
	}
	free(known->source);
	free(known->options);
	*known = (struct layer_program){.program = program,
					.source = source,
					.has_doubts = has_doubts,
					.has_prelude = has_prelude};
	pthread_mutex_unlock(&layer.lock);
}

static char *join(cl_uint n, const char **texts, const size_t *lengths)
{
	struct buf source = {0};
	char *joined;

	for (cl_uint i = 0; i < n; i++)
		if (lengths == NULL || lengths[i] == 0)
			buf_str(&source, texts[i]);
		else
			buf_add(&source, texts[i], strnlen(texts[i], lengths[i]));
	joined = xstrdup(buf_text(&source));
	buf_free(&source);
	return joined;
}

static cl_program CL_API_CALL create_with_source(cl_context context, cl_uint n, const char **texts,
						 const size_t *lengths, cl_int *code)
{
	struct buf what = {0};
	cl_program program;
	char *source, *text = NULL;
	const char *whole;
	bool has_doubts;

	for (cl_uint i = 0; texts != NULL && i < n; i++)
		if (texts[i] == NULL)
			texts = NULL;
	/* the driver reports what is wrong */
	if (layer_inside || n == 0 || texts == NULL)
		return layer.target->clCreateProgramWithSource(context, n, texts, lengths, code);
	source = join(n, texts, lengths);
	has_doubts = cl_text_doubts(source, &what) != 0;
	buf_free(&what);
	if (!has_doubts && layer.nslices > 1)
		text = prelude_text(source, PRELUDE_MARK, NULL);
	whole = text;
	program =
		text != NULL
			? layer.target->clCreateProgramWithSource(context, 1, &whole, NULL, code)
			: layer.target->clCreateProgramWithSource(context, n, texts, lengths, code);
	free(text);
	note_program(program, source, has_doubts, text != NULL);
	return program;
}

/* Whether the prelude is in a binary can't be known: its kernels stay whole. */
static cl_program CL_API_CALL create_with_binary(cl_context context, cl_uint n,
						 const cl_device_id *devices, const size_t *lengths,
						 const unsigned char **binaries, cl_int *statuses,
						 cl_int *code)
{
	cl_program program = layer.target->clCreateProgramWithBinary(context, n, devices, lengths,
								     binaries, statuses, code);

	if (!layer_inside)
		note_program(program, NULL, false, false);
	return program;
}

static cl_program CL_API_CALL create_with_il(cl_context context, const void *il, size_t n,
					     cl_int *code)
{
	cl_program program = layer.target->clCreateProgramWithIL(context, il, n, code);

	note_program(program, NULL, false, false);
	return program;
}

static cl_program CL_API_CALL create_built_in(cl_context context, cl_uint n,
					      const cl_device_id *devices, const char *names,
					      cl_int *code)
{
	cl_program program =
		layer.target->clCreateProgramWithBuiltInKernels(context, n, devices, names, code);

	note_program(program, NULL, false, false);
	return program;
}

static cl_program CL_API_CALL link_program(cl_context context, cl_uint n,
					   const cl_device_id *devices, const char *options,
					   cl_uint nprograms, const cl_program *programs,
					   void(CL_CALLBACK *notify)(cl_program, void *),
					   void *data, cl_int *code)
{
	cl_program program = layer.target->clLinkProgram(context, n, devices, options, nprograms,
							 programs, notify, data, code);

	note_program(program, NULL, false, false);
	return program;
}

/* With which options other devices are to build it. */
static cl_int CL_API_CALL build_program(cl_program program, cl_uint n, const cl_device_id *devices,
					const char *options,
					void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
	struct layer_program *known;

	if (!layer_inside) {
		pthread_mutex_lock(&layer.lock);
		known = layer_find_program(program);
		if (known != NULL) {
			free(known->options);
			known->options = xstrdup(options != NULL ? options : "");
			if (known->has_prelude && !known->has_doubts) {
				struct buf what = {0};

				known->has_doubts = cl_compiled_doubts(known->source,
								       known->options, &what) != 0;
				buf_free(&what);
			}
		}
		pthread_mutex_unlock(&layer.lock);
	}
	return layer.target->clBuildProgram(program, n, devices, options, notify, data);
}

/* Its own text, without the prelude. */
static cl_int CL_API_CALL program_info(cl_program program, cl_program_info what, size_t n,
				       void *value, size_t *size)
{
	const struct layer_program *known;
	cl_int code = CL_SUCCESS;
	bool is_ours;

	pthread_mutex_lock(&layer.lock);
	known = what == CL_PROGRAM_SOURCE ? layer_find_program(program) : NULL;
	is_ours = known != NULL && known->has_prelude;
	if (is_ours) {
		size_t length = strlen(known->source) + 1;

		if (value != NULL && n < length)
			code = CL_INVALID_VALUE;
		else if (value != NULL)
			memcpy(value, known->source, length);
		if (size != NULL)
			*size = length;
	}
	pthread_mutex_unlock(&layer.lock);
	return is_ours ? code : layer.target->clGetProgramInfo(program, what, n, value, size);
}

/* ---- kernels and their arguments ---- */

/* from: a kernel whose arguments it has already; NULL: none. */
static void note_kernel(cl_kernel kernel, cl_kernel from)
{
	struct layer_kernel *known, *other;

	if (kernel == NULL || layer_inside)
		return;
	pthread_mutex_lock(&layer.lock);
	known = layer_find_kernel(kernel);
	if (known == NULL) {
		known = xcalloc(1, sizeof(*known));
		vec_push(&layer.kernels, known);
	}
	other = from != NULL ? layer_find_kernel(from) : NULL;
	*known = other != NULL ? *other : (struct layer_kernel){0};
	known->kernel = kernel;
	layer_lead_forget(kernel);
	pthread_mutex_unlock(&layer.lock);
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *code)
{
	cl_kernel kernel = layer.target->clCreateKernel(program, name, code);

	note_kernel(kernel, NULL);
	return kernel;
}

static cl_int CL_API_CALL create_kernels(cl_program program, cl_uint n, cl_kernel *kernels,
					 cl_uint *nkernels)
{
	cl_uint all = 0;
	cl_int code = layer.target->clCreateKernelsInProgram(program, n, kernels, &all);

	for (cl_uint i = 0; code == CL_SUCCESS && kernels != NULL && i < all && i < n; i++)
		note_kernel(kernels[i], NULL);
	if (code == CL_SUCCESS && nkernels != NULL)
		*nkernels = all;
	return code;
}

static cl_kernel CL_API_CALL clone_kernel(cl_kernel from, cl_int *code)
{
	cl_kernel kernel = layer.target->clCloneKernel(from, code);

	note_kernel(kernel, from);
	return kernel;
}

static void note_argument(cl_kernel kernel, cl_uint number, struct layer_arg arg, const void *value)
{
	struct layer_kernel *known;

	if (layer_inside)
		return;
	arg.is_set = true;
	arg.is_null = value == NULL;
	if (value != NULL && arg.bytes <= sizeof(arg.value))
		memcpy(arg.value, value, arg.bytes);
	pthread_mutex_lock(&layer.lock);
	known = layer_find_kernel(kernel);
	if (known != NULL && number < WORK_ARGS)
		known->args[number] = arg;
	pthread_mutex_unlock(&layer.lock);
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint number, size_t n,
				       const void *value)
{
	cl_int code = layer.target->clSetKernelArg(kernel, number, n, value);

	if (code == CL_SUCCESS)
		note_argument(kernel, number, (struct layer_arg){.bytes = n}, value);
	return code;
}

static cl_int CL_API_CALL set_argument_svm(cl_kernel kernel, cl_uint number, const void *value)
{
	cl_int code = layer.target->clSetKernelArgSVMPointer(kernel, number, value);

	if (code == CL_SUCCESS)
		note_argument(kernel, number, (struct layer_arg){.is_svm = true}, NULL);
	return code;
}

static cl_int CL_API_CALL set_kernel_exec_info(cl_kernel kernel, cl_kernel_exec_info what, size_t n,
					       const void *value)
{
	struct layer_kernel *known;

	pthread_mutex_lock(&layer.lock);
	known = layer_find_kernel(kernel);
	if (known != NULL)
		known->is_odd = true;
	pthread_mutex_unlock(&layer.lock);
	return layer.target->clSetKernelExecInfo(kernel, what, n, value);
}

/* ---- memory ---- */

/* What it is OpenCL says itself, as long as it is known to be one. */
static cl_mem note_mem(cl_mem mem)
{
	if (mem == NULL || layer_inside)
		return mem;
	pthread_mutex_lock(&layer.lock);
	if (!layer_knows_mem(mem))
		vec_push(&layer.mems, mem);
	pthread_mutex_unlock(&layer.lock);
	return mem;
}

/* Forgotten when the program gives its last reference back: what a kernel still holds then can be
 * no argument of it any more. */
static cl_int CL_API_CALL release_mem(cl_mem mem)
{
	cl_uint references = 2;

	if (layer_inside)
		return layer.target->clReleaseMemObject(mem);
	pthread_mutex_lock(&layer.lock);
	if (layer_knows_mem(mem) &&
	    layer.target->clGetMemObjectInfo(mem, CL_MEM_REFERENCE_COUNT, sizeof(references),
					     &references, NULL) == CL_SUCCESS &&
	    references <= 1)
		for (size_t i = 0; i < layer.mems.n; i++)
			if (layer.mems.at[i] == mem) {
				layer.mems.at[i] = layer.mems.at[--layer.mems.n];
				break;
			}
	pthread_mutex_unlock(&layer.lock);
	return layer.target->clReleaseMemObject(mem);
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t n,
					void *host, cl_int *code)
{
	return note_mem(layer.target->clCreateBuffer(context, flags, n, host, code));
}

static cl_mem CL_API_CALL create_buffer_with(cl_context context,
					     const cl_mem_properties *properties,
					     cl_mem_flags flags, size_t n, void *host, cl_int *code)
{
	return note_mem(layer.target->clCreateBufferWithProperties(context, properties, flags, n,
								   host, code));
}

static cl_mem CL_API_CALL create_sub_buffer(cl_mem buffer, cl_mem_flags flags,
					    cl_buffer_create_type type, const void *how,
					    cl_int *code)
{
	return note_mem(layer.target->clCreateSubBuffer(buffer, flags, type, how, code));
}

static cl_mem CL_API_CALL create_image(cl_context context, cl_mem_flags flags,
				       const cl_image_format *format, const cl_image_desc *how,
				       void *host, cl_int *code)
{
	return note_mem(layer.target->clCreateImage(context, flags, format, how, host, code));
}

static cl_mem CL_API_CALL create_image_with(cl_context context, const cl_mem_properties *properties,
					    cl_mem_flags flags, const cl_image_format *format,
					    const cl_image_desc *how, void *host, cl_int *code)
{
	return note_mem(layer.target->clCreateImageWithProperties(context, properties, flags,
								  format, how, host, code));
}

static cl_mem CL_API_CALL create_image_2d(cl_context context, cl_mem_flags flags,
					  const cl_image_format *format, size_t w, size_t h,
					  size_t pitch, void *host, cl_int *code)
{
	return note_mem(
		layer.target->clCreateImage2D(context, flags, format, w, h, pitch, host, code));
}

static cl_mem CL_API_CALL create_image_3d(cl_context context, cl_mem_flags flags,
					  const cl_image_format *format, size_t w, size_t h,
					  size_t depth, size_t row, size_t slice, void *host,
					  cl_int *code)
{
	return note_mem(layer.target->clCreateImage3D(context, flags, format, w, h, depth, row,
						      slice, host, code));
}

static cl_mem CL_API_CALL create_pipe(cl_context context, cl_mem_flags flags, cl_uint bytes,
				      cl_uint n, const cl_pipe_properties *properties, cl_int *code)
{
	return note_mem(layer.target->clCreatePipe(context, flags, bytes, n, properties, code));
}

static cl_sampler note_sampler(cl_sampler sampler)
{
	if (sampler == NULL)
		return sampler;
	pthread_mutex_lock(&layer.lock);
	if (!layer_knows_sampler(sampler))
		vec_push(&layer.samplers, sampler);
	pthread_mutex_unlock(&layer.lock);
	return sampler;
}

static cl_sampler CL_API_CALL create_sampler(cl_context context, cl_bool normalized,
					     cl_addressing_mode addressing, cl_filter_mode filter,
					     cl_int *code)
{
	return note_sampler(
		layer.target->clCreateSampler(context, normalized, addressing, filter, code));
}

static cl_sampler CL_API_CALL create_sampler_with(cl_context context,
						  const cl_sampler_properties *properties,
						  cl_int *code)
{
	return note_sampler(layer.target->clCreateSamplerWithProperties(context, properties, code));
}

void layer_objects_own(cl_icd_dispatch *own)
{
	own->clCreateProgramWithSource = create_with_source;
	own->clCreateProgramWithBinary = create_with_binary;
	own->clCreateProgramWithIL = create_with_il;
	own->clCreateProgramWithBuiltInKernels = create_built_in;
	own->clLinkProgram = link_program;
	own->clBuildProgram = build_program;
	own->clGetProgramInfo = program_info;
	own->clCreateKernel = create_kernel;
	own->clCreateKernelsInProgram = create_kernels;
	own->clCloneKernel = clone_kernel;
	own->clSetKernelArg = set_argument;
	own->clSetKernelArgSVMPointer = set_argument_svm;
	own->clSetKernelExecInfo = set_kernel_exec_info;
	own->clCreateBuffer = create_buffer;
	own->clCreateBufferWithProperties = create_buffer_with;
	own->clCreateSubBuffer = create_sub_buffer;
	own->clReleaseMemObject = release_mem;
	own->clCreateImage = create_image;
	own->clCreateImageWithProperties = create_image_with;
	own->clCreateImage2D = create_image_2d;
	own->clCreateImage3D = create_image_3d;
	own->clCreatePipe = create_pipe;
	own->clCreateSampler = create_sampler;
	own->clCreateSamplerWithProperties = create_sampler_with;
}

#endif
