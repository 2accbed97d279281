/* parcel.h - records of several kinds, packed one behind the other for other processes */
#ifndef BASE_PARCEL_H
#define BASE_PARCEL_H

#include <stdbool.h>

#include "base/mem.h"
#include "base/processes.h"

/* All zeros is an empty one. */
struct parcel {
	VEC(char) bytes;
	size_t next; /* to be taken */
};

void parcel_put(struct parcel *parcel, const void *at, size_t n);
/* What was put, in the same pieces; they must be there. */
void parcel_take(struct parcel *parcel, void *at, size_t n);
bool parcel_is_empty(const struct parcel *parcel); /* all was taken */
void parcel_clear(struct parcel *parcel);
void parcel_free(struct parcel *parcel);
/* Becomes the parcels of all processes, that of process 0 first. */
void parcel_gather(struct parcel *parcel, struct processes *processes);

#endif
