/* galois.h - arithmetic in a finite field of q elements, q a power of a prime */
#ifndef MACHINE_KIND_GALOIS_H
#define MACHINE_KIND_GALOIS_H

#include <stdbool.h>

#include "base/err.h"

enum { GALOIS_DIGITS = 16 };

/*
 * Element a is the polynomial whose coefficients are the digits of a to the base p, the constant
 * first; where q is a prime these are the integers modulo q. 0 and 1 are 0 and 1.
 */
struct galois {
	int q, p, degree; /* q = p^degree */
	int *power;       /* [q - 1]: power[i] is the primitive element to the i */
	int *logarithm;   /* [q]: its inverse; of 0: -1 */
};

/* Refuses a q that is not a power of a prime. The caller frees the field, even after an error. */
int galois_open(struct galois *field, int q, struct err *err);
void galois_close(struct galois *field);

int galois_add(const struct galois *field, int a, int b);
int galois_sub(const struct galois *field, int a, int b);
int galois_mul(const struct galois *field, int a, int b);
/* b must not be 0. */
int galois_div(const struct galois *field, int a, int b);

#endif
