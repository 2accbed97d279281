/* prelude.c - text before a kernel's source, so that a slice sees the ids and sizes of the whole */
#include "live/slice/prelude.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "live/slice/cl_text.h"

/*
 * The mark, an offset of 64 bits: 63 it is one; 62 two dimensions (else one); 61 the dimension that
 * is cut. With one dimension the other bits are the whole size, and the second dimension's offset
 * is the program's own; with two, bits 30 to 59 are the size along the cut, 0 to 29 the program's
 * own offset along it.
 */
#define MARK_SET (UINT64_C(1) << 63)
#define MARK_TWO (UINT64_C(1) << 62)
#define MARK_CUT (UINT64_C(1) << 61)
#define MARK_LIMIT (INT64_C(1) << 30)

/* PoCL 3.1 compiles a narrow launch as if every offset were below 65 536; read through a volatile,
 * an offset is what it is. static is not a word of OpenCL C before 1.2. */
static const char start[] = "#if defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ >= 120\n"
			    "#define CLSLICE__FN static inline __attribute__((unused))\n"
			    "#else\n"
			    "#define CLSLICE__FN __attribute__((unused))\n"
			    "#endif\n"
			    "CLSLICE__FN size_t clslice__offset(uint d) {\n"
			    "  volatile size_t offset = get_global_offset(d); return offset; }\n";

static const char by_mark[] =
	"#define CLSLICE__USE\n"
	"#define CLSLICE__ON(m) ((m) >> 63 != 0)\n"
	"#define CLSLICE__TWO(m) (((m) >> 62 & 1) != 0)\n"
	"#define CLSLICE__DIMS(m) (CLSLICE__TWO(m) ? 2u : 1u)\n"
	"#define CLSLICE__CUT(m) (CLSLICE__TWO(m) ? (uint)((m) >> 61 & 1) : 0u)\n"
	"#define CLSLICE__ALL(m) (CLSLICE__TWO(m) ? (m) >> 30 & 0x3fffffffUL : (m) & ~(1UL << 63))\n"
	"#define CLSLICE__OWN(m) (CLSLICE__TWO(m) ? (m) & 0x3fffffffUL : clslice__offset(1))\n"
	"CLSLICE__FN ulong clslice__mark(void) { return clslice__offset(2); }\n"
	"CLSLICE__FN size_t clslice__global_offset(uint d) {\n"
	"  ulong m = clslice__mark();\n"
	"  if (!CLSLICE__ON(m)) return get_global_offset(d);\n"
	"  if (d >= CLSLICE__DIMS(m)) return 0;\n"
	"  return d == CLSLICE__CUT(m) ? CLSLICE__OWN(m) : clslice__offset(d); }\n"
	"CLSLICE__FN size_t clslice__global_size(uint d) {\n"
	"  ulong m = clslice__mark();\n"
	"  return CLSLICE__ON(m) && d == CLSLICE__CUT(m) ? CLSLICE__ALL(m) : get_global_size(d); }\n"
	"CLSLICE__FN size_t clslice__global_id(uint d) {\n"
	"  if (d == 0) return get_global_id(0);\n"
	"  ulong m = clslice__mark();\n"
	"  return CLSLICE__ON(m) && d >= CLSLICE__DIMS(m) ? 0 : get_global_id(d); }\n"
	"CLSLICE__FN size_t clslice__group_id(uint d) {\n"
	"  ulong m = clslice__mark();\n"
	"  if (!CLSLICE__ON(m) || d != CLSLICE__CUT(m)) return get_group_id(d);\n"
	"  return get_group_id(d) + (clslice__offset(d) - CLSLICE__OWN(m)) / CLSLICE__LOCAL(d); }\n"
	"CLSLICE__FN size_t clslice__num_groups(uint d) {\n"
	"  ulong m = clslice__mark();\n"
	"  if (!CLSLICE__ON(m) || d != CLSLICE__CUT(m)) return get_num_groups(d);\n"
	"  return (CLSLICE__ALL(m) + CLSLICE__LOCAL(d) - 1) / CLSLICE__LOCAL(d); }\n"
	"CLSLICE__FN uint clslice__work_dim(void) {\n"
	"  ulong m = clslice__mark();\n"
	"  return CLSLICE__ON(m) ? CLSLICE__DIMS(m) : get_work_dim(); }\n";

/* The same where CLSLICE__CUT, _ALL, _OWN and _SHIFT, how far launches lie behind, are numbers. */
static const char by_number[] =
	"#define CLSLICE__USE\n"
	"CLSLICE__FN size_t clslice__global_offset(uint d) {\n"
	"  return d == CLSLICE__CUT ? CLSLICE__OWN : get_global_offset(d); }\n"
	"CLSLICE__FN size_t clslice__global_size(uint d) {\n"
	"  return d == CLSLICE__CUT ? CLSLICE__ALL : get_global_size(d); }\n"
	"CLSLICE__FN size_t clslice__global_id(uint d) {\n"
	"  return d == CLSLICE__CUT ? get_global_id(d) - CLSLICE__SHIFT : get_global_id(d); }\n"
	"CLSLICE__FN size_t clslice__group_id(uint d) {\n"
	"  if (d != CLSLICE__CUT) return get_group_id(d);\n"
	"  return get_group_id(d) +\n"
	"    (clslice__offset(d) - CLSLICE__OWN - CLSLICE__SHIFT) / CLSLICE__LOCAL(d); }\n"
	"CLSLICE__FN size_t clslice__num_groups(uint d) {\n"
	"  if (d != CLSLICE__CUT) return get_num_groups(d);\n"
	"  return (CLSLICE__ALL + CLSLICE__LOCAL(d) - 1) / CLSLICE__LOCAL(d); }\n"
	"CLSLICE__FN uint clslice__work_dim(void) { return get_work_dim(); }\n";

/* s0 the first work item, s1 the whole size along the cut, s2 the dimension that is cut, s3 to s5
 * the program's own offsets. It goes by address: how so long a vector is passed depends on the
 * device, and compilers warn of that, which -Werror makes an error. */
static const char by_parameter[] =
	"#define CLSLICE__USE , &clslice__slice\n"
	"CLSLICE__FN ulong clslice__own(uint d, __private const ulong8 *s) {\n"
	"  return d == 0 ? (*s).s3 : d == 1 ? (*s).s4 : d == 2 ? (*s).s5 : 0; }\n"
	"CLSLICE__FN size_t clslice__global_offset(uint d, __private const ulong8 *s) {\n"
	"  return clslice__own(d, s); }\n"
	"CLSLICE__FN size_t clslice__global_size(uint d, __private const ulong8 *s) {\n"
	"  return d == (*s).s2 ? (*s).s1 : get_global_size(d); }\n"
	"CLSLICE__FN size_t clslice__global_id(uint d, __private const ulong8 *s) {\n"
	"  return get_global_id(d) + clslice__own(d, s) + (d == (*s).s2 ? (*s).s0 : 0); }\n"
	"CLSLICE__FN size_t clslice__group_id(uint d, __private const ulong8 *s) {\n"
	"  return get_group_id(d) + (d == (*s).s2 ? (*s).s0 / CLSLICE__LOCAL(d) : 0); }\n"
	"CLSLICE__FN size_t clslice__num_groups(uint d, __private const ulong8 *s) {\n"
	"  if (d != (*s).s2) return get_num_groups(d);\n"
	"  return ((*s).s1 + CLSLICE__LOCAL(d) - 1) / CLSLICE__LOCAL(d); }\n"
	"CLSLICE__FN uint clslice__work_dim(__private const ulong8 *s) { return get_work_dim(); }\n";

/* In a last group that is not whole get_local_size is that group's own (OpenCL 2.0). */
static const char local_size[] =
	"#if defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ >= 200\n"
	"#define CLSLICE__LOCAL(d) get_enqueued_local_size(d)\n"
	"#else\n"
	"#define CLSLICE__LOCAL(d) get_local_size(d)\n"
	"#endif\n";

static const char linear_id[] =
	"CLSLICE__FN size_t clslice__linear(uint dims, size_t x, size_t y, size_t z, size_t nx, size_t ny) {\n"
	"  return dims == 1 ? x : dims == 2 ? y * nx + x : (z * ny + y) * nx + x; }\n"
	"#define CLSLICE__AT(d) (get_global_id(d) - get_global_offset(d))\n";

static const char macros[] =
	"#define get_global_offset(d) clslice__global_offset(d CLSLICE__USE)\n"
	"#define get_global_size(d) clslice__global_size(d CLSLICE__USE)\n"
	"#define get_global_id(d) clslice__global_id(d CLSLICE__USE)\n"
	"#define get_group_id(d) clslice__group_id(d CLSLICE__USE)\n"
	"#define get_num_groups(d) clslice__num_groups(d CLSLICE__USE)\n"
	"#define get_global_linear_id() clslice__linear(get_work_dim(), CLSLICE__AT(0), CLSLICE__AT(1), \\\n"
	"  CLSLICE__AT(2), get_global_size(0), get_global_size(1))\n";

char *prelude_text(const char *source, enum prelude_manner manner, const struct slicing *slicing)
{
	struct buf text = {0};
	char *result;

	buf_str(&text, start);
	buf_str(&text, local_size);
	if (manner == PRELUDE_FIXED)
		buf_printf(&text,
			   "#define CLSLICE__CUT %du\n#define CLSLICE__ALL %lluUL\n"
			   "#define CLSLICE__OWN %lluUL\n#define CLSLICE__SHIFT %lluUL\n",
			   slicing->dimension,
			   (unsigned long long)slicing->range.global[slicing->dimension],
			   (unsigned long long)slicing->range.offset[slicing->dimension],
			   (unsigned long long)slicing->range.local[slicing->dimension]);
	buf_str(&text, manner == PRELUDE_MARK    ? by_mark
		       : manner == PRELUDE_FIXED ? by_number
						 : by_parameter);
	buf_str(&text, linear_id);
	buf_str(&text, macros);
	if (manner == PRELUDE_PARAMETER)
		buf_str(&text, "#define get_work_dim() clslice__work_dim(&clslice__slice)\n");
	else
		buf_str(&text, "#define get_work_dim() clslice__work_dim()\n");
	buf_str(&text, "#line 1\n");
	if (manner == PRELUDE_PARAMETER)
		cl_text_add_parameter(source, "ulong8 clslice__slice", &text);
	else
		buf_str(&text, source);
	result = xstrdup(buf_text(&text));
	buf_free(&text);
	return result;
}

bool prelude_fits(const struct slicing *slicing)
{
	int d = slicing->dimension;

	if (slicing->range.dims == 1)
		return slicing->range.global[d] < INT64_C(1) << 60;
	return slicing->range.dims == 2 && slicing->range.global[d] < MARK_LIMIT &&
	       slicing->range.offset[d] < MARK_LIMIT;
}

void prelude_slice(const struct slicing *slicing, enum prelude_manner manner, struct slice slice,
		   struct prelude_launch *launch)
{
	const struct range *range = &slicing->range;
	int cut = slicing->dimension;
	uint64_t all = (uint64_t)range->global[cut], own = (uint64_t)range->offset[cut];

	launch->dims = (uint32_t)range->dims;
	for (int d = 0; d < RANGE_DIMS; d++) {
		bool is_there = d < range->dims;

		launch->offset[d] =
			is_there && manner != PRELUDE_PARAMETER ? (size_t)range->offset[d] : 0;
		launch->global[d] = is_there ? (size_t)range->global[d] : 1;
		launch->local[d] = is_there ? (size_t)range->local[d] : 1;
	}
	launch->global[cut] = (size_t)slice.count;
	if (manner == PRELUDE_PARAMETER)
		return;
	launch->offset[cut] += (size_t)slice.first;
	if (manner == PRELUDE_FIXED)
		launch->offset[cut] += launch->local[cut];
	if (manner != PRELUDE_MARK)
		return;
	launch->dims = 3;
	if (range->dims == 1) {
		launch->offset[1] = own;
		launch->offset[2] = MARK_SET | all;
	} else {
		launch->offset[2] =
			MARK_SET | MARK_TWO | (cut == 1 ? MARK_CUT : 0) | all << 30 | own;
	}
}

void prelude_argument(const struct slicing *slicing, struct slice slice, uint64_t value[8])
{
	memset(value, 0, 8 * sizeof(value[0]));
	value[0] = (uint64_t)slice.first;
	value[1] = (uint64_t)slicing->range.global[slicing->dimension];
	value[2] = (uint64_t)slicing->dimension;
	for (int d = 0; d < slicing->range.dims; d++)
		value[3 + d] = (uint64_t)slicing->range.offset[d];
}
