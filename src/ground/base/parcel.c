/* parcel.c - records of several kinds, packed one behind the other for other processes */
#include "base/parcel.h"

#include <stdlib.h>
#include <string.h>

void parcel_put(struct parcel *parcel, const void *at, size_t n)
{
	if (n == 0)
		return;
	vec_reserve(&parcel->bytes, parcel->bytes.n + n);
	memcpy(parcel->bytes.at + parcel->bytes.n, at, n);
	parcel->bytes.n += n;
}

void parcel_take(struct parcel *parcel, void *at, size_t n)
{
	if (n == 0)
		return;
	memcpy(at, parcel->bytes.at + parcel->next, n);
	parcel->next += n;
}

bool parcel_is_empty(const struct parcel *parcel)
{
	return parcel->next == parcel->bytes.n;
}

void parcel_clear(struct parcel *parcel)
{
	parcel->bytes.n = parcel->next = 0;
}

void parcel_free(struct parcel *parcel)
{
	vec_free(&parcel->bytes);
	parcel->next = 0;
}

void parcel_gather(struct parcel *parcel, struct processes *processes)
{
	size_t n = (size_t)processes_count(processes), sum = 0;
	size_t *sizes = xcalloc(n, sizeof(*sizes));
	char *all = processes_gather_any(processes, parcel->bytes.at, parcel->bytes.n, sizes);

	for (size_t i = 0; i < n; i++)
		sum += sizes[i];
	parcel_clear(parcel);
	parcel_put(parcel, all, sum);
	free(all);
	free(sizes);
}
