/* nodename.c - the order of node names as Slurm sorts them */
#include "convert/writer/nodename.h"

#include <stdlib.h>
#include <string.h>

/* How many letters are before the number at the end. */
static size_t prefix_of(const char *name)
{
	size_t n = strlen(name);

	while (n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9')
		n--;
	return n;
}

int nodename_compare(const char *a, const char *b)
{
	size_t na = prefix_of(a), nb = prefix_of(b), digits_a, digits_b;
	int order = memcmp(a, b, na < nb ? na : nb);

	if (order != 0)
		return order;
	if (na != nb)
		return na < nb ? -1 : 1;
	digits_a = strlen(a + na);
	digits_b = strlen(b + nb);
	if (digits_a != digits_b)
		return digits_a < digits_b ? -1 : 1;
	return strcmp(a + na, b + nb);
}

static int by_name(const void *a, const void *b)
{
	return nodename_compare(*(const char *const *)a, *(const char *const *)b);
}

void nodename_sort(const char **names, size_t n)
{
	qsort(names, n, sizeof(*names), by_name);
}
