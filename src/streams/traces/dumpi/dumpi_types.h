/* dumpi_types.h - how large the datatypes of DUMPI traces are */
#ifndef TRACES_DUMPI_DUMPI_TYPES_H
#define TRACES_DUMPI_DUMPI_TYPES_H

#include "base/umap.h"
#include "traces/dumpi/dumpi.h"

/* Sizes of datatypes; those of the user as the calls that made them say. */
struct dumpi_types {
	struct umap sizes;    /* as the file lists them */
	struct umap of_calls; /* as the calls say, which is what counts */
};

void dumpi_types_free(struct dumpi_types *types);
void dumpi_types_list(struct dumpi_types *types, int64_t type, int64_t size);
/* Any call: some make datatypes. */
void dumpi_types_see(struct dumpi_types *types, const struct dumpi_call *call);
/* Bytes of count elements; -1: that is not known. At most 2^53. */
int64_t dumpi_types_bytes(const struct dumpi_types *types, int64_t count, int64_t type);

#endif
