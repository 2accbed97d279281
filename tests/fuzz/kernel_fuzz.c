/* kernel_fuzz.c - a kernel's description and its program: what is accepted can be cut
 * into slices */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/str.h"
#include "fuzz.h"
#include "live/kernel/work.h"
#include "live/slice/cl_text.h"

/* The description and the program stand on both sides of a line of %%. */
static size_t part_of(const uint8_t *bytes, size_t n)
{
	const uint8_t *mark = memmem(bytes, n, "\n%%\n", 4);

	return mark != NULL ? (size_t)(mark - bytes) + 1 : n;
}

/* Buffers of more bytes than that make work, but show nothing. */
static bool is_small(const uint8_t *bytes, size_t n)
{
	int ndigits = 0, nproducts = 0;

	for (size_t i = 0; i < n; i++) {
		ndigits = isdigit(bytes[i]) ? ndigits + 1 : 0;
		nproducts += bytes[i] == '*' || bytes[i] == '<';
		if (ndigits > 4 || nproducts > 3)
			return false;
	}
	return n < 4096;
}

static void put(const char *path, const uint8_t *bytes, size_t n)
{
	FILE *out = fopen(path, "wb");

	if (out == NULL || fwrite(bytes, 1, n, out) != n || fclose(out) != 0)
		abort();
}

/* Each work item along the cut is in one slice, the one that it is said to be in. */
static void check_slices(const struct work *work)
{
	const struct slicing *slicing = &work->slicing;
	int64_t next = 0;

	fuzz_must(slicing->n >= 1 && slicing->n <= slicing->ngroups, "as many slices as groups");
	for (int64_t i = 0; i < slicing->n; i++) {
		struct slice slice = slicing_slice(slicing, i);

		fuzz_must(slice.first == next && slice.count > 0, "slices lie side by side");
		fuzz_must(slicing_number(slicing, slice.first) == i &&
				  slicing_number(slicing, slice.first + slice.count - 1) == i,
			  "an item is in its slice");
		next += slice.count;
	}
	fuzz_must(next == slicing->range.global[slicing->dimension], "and all are there");
}

static void check_text(const struct work *work)
{
	enum prelude_manner manners[] = {PRELUDE_MARK, PRELUDE_FIXED, PRELUDE_PARAMETER};
	struct buf what = {0};
	struct err err;

	for (int m = 0; m < 3 && !work->is_binary; m++) {
		char *text = prelude_text(work->source, manners[m], &work->slicing);

		fuzz_must(strstr(text, "#line 1\n") != NULL, "lines keep their numbers");
		fuzz_must(m == 2 || str_ends(text, work->source), "the program follows");
		free(text);
	}
	cl_text_doubts(work->source, &what);
	buf_free(&what);
	work_may_share(work, 2, &err);
}

static void load(const char *path, const struct work_options *options)
{
	struct work work;
	struct err err = {0};

	if (work_load(&work, path, options, &err) != 0) {
		fuzz_must(err.msg[0] != '\0', "an error has a message");
		return;
	}
	check_slices(&work);
	check_text(&work);
	work_add_parts(&work);
	work_free(&work);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static char folder[64], yaml[96], program[96];
	size_t ndescription;

	if (n < 1 || !is_small(bytes + 1, n - 1))
		return 0;
	if (folder[0] == '\0') {
		snprintf(folder, sizeof(folder), "/dev/shm/kernel_fuzz.XXXXXX");
		if (mkdtemp(folder) == NULL)
			abort();
		snprintf(yaml, sizeof(yaml), "%s/kernel.yaml", folder);
		snprintf(program, sizeof(program), "%s/k.cl", folder);
	}
	ndescription = part_of(bytes + 1, n - 1);
	put(yaml, bytes + 1, ndescription);
	put(program, bytes + 1 + ndescription, n - 1 - ndescription);
	load(yaml,
	     &(struct work_options){.nslices = 1 + bytes[0] % 64, .by_parameter = bytes[0] >= 128});
	unlink(yaml);
	unlink(program);
	rmdir(folder);
	folder[0] = '\0';
	return 0;
}
