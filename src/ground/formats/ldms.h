/* ldms.h - CSV as LDMS writes it (store_csv, store_function_csv): where its header is, and its
 * names */
#ifndef FORMATS_LDMS_H
#define FORMATS_LDMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

/* Whether a line is a header: it begins with Time, perhaps behind # and a quote. It may come again
 * in the middle of a file. */
bool ldms_is_header(const char *line, size_t n);

/* The names of a header, without the # and quotes, each ended by NUL, in the arena: how many. */
int ldms_names(const char *line, size_t n, struct arena *arena, char ***names);

/*
 * store_csv with altheader=1 writes SCHEMA.HEADER beside SCHEMA, and with rollover
 * SCHEMA.HEADER.EPOCH beside SCHEMA.EPOCH; each may have been compressed (.gz). The name of the one
 * that is there, to be freed, or NULL.
 */
char *ldms_header_path(const char *path);

#endif
