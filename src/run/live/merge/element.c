/* element.c - the elements of buffers */
#include "live/merge/element.h"

#include "base/str.h"

static const struct element elements[] = {
	{"char", 1, false, true},    {"uchar", 1, false, false}, {"short", 2, false, true},
	{"ushort", 2, false, false}, {"int", 4, false, true},    {"uint", 4, false, false},
	{"long", 8, false, true},    {"ulong", 8, false, false}, {"float", 4, true, true},
	{"double", 8, true, true},
};

const struct element *element_find(const char *name)
{
	for (size_t i = 0; i < sizeof(elements) / sizeof(*elements); i++)
		if (str_eq(elements[i].name, name))
			return &elements[i];
	return NULL;
}

const char *element_names(void)
{
	return "char, uchar, short, ushort, int, uint, long, ulong, float, double";
}

#define ADD(type)                                                                                  \
	do {                                                                                       \
		const type *from = part;                                                           \
		type *to = sum;                                                                    \
		for (size_t i = 0; i < n; i++)                                                     \
			to[i] = (type)(to[i] + from[i]);                                           \
	} while (0)

/* Integers wrap around as they do in OpenCL C, so they are added as unsigned ones. */
void element_add(const struct element *element, void *sum, const void *part, size_t n)
{
	if (element->is_real && element->size == 4)
		ADD(float);
	else if (element->is_real)
		ADD(double);
	else if (element->size == 1)
		ADD(uint8_t);
	else if (element->size == 2)
		ADD(uint16_t);
	else if (element->size == 4)
		ADD(uint32_t);
	else
		ADD(uint64_t);
}
