/* galois.c - arithmetic in a finite field of q elements, q a power of a prime */
#include "machine/kind/galois.h"

#include <stdlib.h>

#include "base/mem.h"

static int add_digits(const struct galois *field, int a, int b, int sign)
{
	int sum = 0;

	if (field->degree == 1)
		return (a + sign * b + field->p) % field->p;
	for (int place = 1; place < field->q; place *= field->p) {
		sum += (a % field->p + sign * (b % field->p) + field->p) % field->p * place;
		a /= field->p;
		b /= field->p;
	}
	return sum;
}

int galois_add(const struct galois *field, int a, int b)
{
	return add_digits(field, a, b, 1);
}

int galois_sub(const struct galois *field, int a, int b)
{
	return add_digits(field, a, b, -1);
}

int galois_mul(const struct galois *field, int a, int b)
{
	if (a == 0 || b == 0)
		return 0;
	return field->power[(field->logarithm[a] + field->logarithm[b]) % (field->q - 1)];
}

int galois_div(const struct galois *field, int a, int b)
{
	if (a == 0)
		return 0;
	return field->power[(field->logarithm[a] - field->logarithm[b] + field->q - 1) %
			    (field->q - 1)];
}

/* a times x, modulo x^degree + tail: what overflows is replaced by -tail times it. */
static int times_x(const struct galois *field, int a, int tail)
{
	int high = field->q / field->p, carry = a / high, product = a % high * field->p;

	for (int i = 0; i < carry; i++)
		product = add_digits(field, product, tail, -1);
	return product;
}

/* Fills power and logarithm by repeated multiplication with x (degree 1: with root); false: it does
 * not run through all elements but 0. */
static bool fill_powers(struct galois *field, int root_or_tail)
{
	int a = 1;

	for (int i = 0; i < field->q; i++)
		field->logarithm[i] = -1;
	for (int i = 0; i < field->q - 1; i++) {
		if (a == 0 || field->logarithm[a] >= 0)
			return false;
		field->power[i] = a;
		field->logarithm[a] = i;
		a = field->degree == 1 ? (int)((long long)a * root_or_tail % field->q)
				       : times_x(field, a, root_or_tail);
	}
	return true;
}

int galois_open(struct galois *field, int q, struct err *err)
{
	int rest = q, p = 2;

	*field = (struct galois){.q = q};
	while (p * p <= q && q % p != 0)
		p++;
	field->p = p * p > q ? q : p;
	while (rest > 1 && rest % field->p == 0) {
		rest /= field->p;
		field->degree++;
	}
	if (q < 2 || rest != 1)
		return err_set(err, "%d is not a power of a prime", q);
	field->power = xcalloc((size_t)q, sizeof(*field->power));
	field->logarithm = xcalloc((size_t)q, sizeof(*field->logarithm));
	/* A primitive root modulo q, or a primitive polynomial: every field has one. */
	for (int candidate = 1; candidate < q; candidate++)
		if (fill_powers(field, candidate))
			return 0;
	return err_set(err, "the field of %d elements has no primitive element", q);
}

void galois_close(struct galois *field)
{
	free(field->power);
	free(field->logarithm);
}
