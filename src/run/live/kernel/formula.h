/* formula.h - sizes as formulas over parameters: "n*n/16" */
#ifndef LIVE_KERNEL_FORMULA_H
#define LIVE_KERNEL_FORMULA_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct formula_name {
	char *name;
	int64_t value;
};

/* Whole numbers, names, + - * / % and brackets, in 64 bits; what overflows or divides by 0 is an
 * error. */
int formula_value(const char *text, const struct formula_name *names, size_t n, int64_t *value,
		  struct err *err);

#endif
