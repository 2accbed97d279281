/* dumpi_types.c - sizes of the datatypes of a DUMPI trace */
#include "traces/dumpi/dumpi_types.h"
#include "base/str.h"

/* Sizes where a trace lists none, as printed ones do without -X: LP64, as gcc has them. Type 16,
 * MPI_LONG_LONG_INT, has the size 0 in what real writers list. */
static const int8_t usual[DUMPI_FIRST_USER_TYPE] = {0, 0,  1, 1, 1, 1, 4, 2, 2, 4,  4,  8, 8, 4,
						    8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20};

#define MOST ((int64_t)1 << 53)

void dumpi_types_free(struct dumpi_types *types)
{
	umap_free(&types->sizes);
	umap_free(&types->of_calls);
}

void dumpi_types_list(struct dumpi_types *types, int64_t type, int64_t size)
{
	if (size > 0)
		umap_set(&types->sizes, (uint64_t)type, size);
}

static int64_t times(int64_t a, int64_t b)
{
	int64_t product;

	if (a < 0 || b < 0)
		return a < 0 ? 0 : -1; /* no elements; a size that is not known */
	return __builtin_mul_overflow(a, b, &product) || product > MOST ? MOST : product;
}

static int64_t size_of(const struct dumpi_types *types, int64_t type)
{
	int64_t size;

	if (umap_get(&types->of_calls, (uint64_t)type, &size) ||
	    umap_get(&types->sizes, (uint64_t)type, &size))
		return size;
	return type >= 0 && type < DUMPI_FIRST_USER_TYPE ? usual[type] : -1;
}

int64_t dumpi_types_bytes(const struct dumpi_types *types, int64_t count, int64_t type)
{
	return times(count, size_of(types, type));
}

/* Σ lengths[i] · size of types[i] (of the one old type where a call has no more). */
static int64_t sum(const struct dumpi_types *types, const struct dumpi_call *call,
		   enum dumpi_arg lengths)
{
	int n, ntypes;
	const int32_t *length = dumpi_array(call, lengths, &n);
	const int32_t *type = dumpi_array(call, DUMPI_OLDTYPES, &ntypes);
	int64_t total = 0;

	for (int i = 0; i < n && (ntypes == 0 || i < ntypes); i++) {
		int64_t bytes = dumpi_types_bytes(
			types, length[i],
			ntypes > 0 ? type[i] : dumpi_number(call, DUMPI_OLDTYPE, -1));

		if (bytes < 0)
			return -1;
		total = total + bytes > MOST ? MOST : total + bytes;
	}
	return total;
}

static int64_t product(const int32_t *factors, int n)
{
	int64_t all = 1;

	for (int i = 0; i < n; i++)
		all = times(factors[i], all);
	return all;
}

/* The size of what a call makes; -1: it does not say. */
static int64_t made(const struct dumpi_types *types, const struct dumpi_call *call)
{
	int64_t old = dumpi_number(call, DUMPI_OLDTYPE, -1), count;
	const int32_t *subsizes;
	int n;

	if (dumpi_has(call, DUMPI_LENGTHS))
		return sum(types, call, DUMPI_LENGTHS);
	if (dumpi_has(call, DUMPI_BLOCKLENGTHS))
		return sum(types, call, DUMPI_BLOCKLENGTHS);
	subsizes = dumpi_array(call, DUMPI_SUBSIZES, &n);
	if (n > 0)
		return dumpi_types_bytes(types, product(subsizes, n), old);
	/* a distributed array's part depends on its rank; the file lists its size at its end */
	if (str_eq(call->name, "MPI_Type_create_darray"))
		return -1;
	count = dumpi_number(call, DUMPI_COUNT, 1); /* dup and resized have no count */
	return dumpi_types_bytes(types, times(count, dumpi_number(call, DUMPI_BLOCKLENGTH, 1)),
				 old);
}

void dumpi_types_see(struct dumpi_types *types, const struct dumpi_call *call)
{
	int64_t size, type = dumpi_number(call, DUMPI_NEWTYPE, -1);

	if (dumpi_has(call, DUMPI_NEWTYPE)) {
		size = made(types, call);
	} else if (str_eq(call->name, "MPI_Type_size")) {
		type = dumpi_number(call, DUMPI_DATATYPE, -1);
		size = dumpi_number(call, DUMPI_SIZE, -1);
	} else {
		return;
	}
	if (type < DUMPI_FIRST_USER_TYPE)
		return;
	if (size >= 0)
		umap_set(&types->of_calls, (uint64_t)type, size);
	else
		umap_take(&types->of_calls, (uint64_t)type, &size);
}
