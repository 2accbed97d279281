/* element.h - what a buffer is made of */
#ifndef LIVE_MERGE_ELEMENT_H
#define LIVE_MERGE_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>

/* What an element of a buffer is. */
struct element {
	const char *name; /* as in OpenCL C: "float" */
	size_t size;
	bool is_real, is_signed;
};
const struct element *element_find(const char *name); /* NULL: there is none */
const char *element_names(void);                      /* "char, uchar, …" */
/* sum += part, n elements */
void element_add(const struct element *element, void *sum, const void *part, size_t n);

#endif
