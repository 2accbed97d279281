/* yaml.h - a YAML document as a tree that remembers its lines (over libyaml) */
#ifndef FORMATS_YAML_H
#define FORMATS_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum yaml_type { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct yaml {
	enum yaml_type type;
	long line;           /* 1 is the first */
	bool is_quoted;      /* a scalar in quotes or a block */
	const char *text;    /* scalar; ended by NUL */
	size_t n;            /* length of text, or number of items */
	struct yaml **items; /* list: [n]; map: values [n] */
	struct yaml **keys;  /* map: [n], scalars */
};

struct yaml_file;

/* The one document of a file or "-"; anchors and aliases, a repeated key and more than 64 MiB are
 * refused, and depth beyond 64. The tree lives until yaml_close. */
int yaml_open(struct yaml_file **file, const char *path, struct err *err);
/* The same from text; name is in messages. */
int yaml_open_text(struct yaml_file **file, const char *name, const char *text, size_t n,
		   struct err *err);
void yaml_close(struct yaml_file *file); /* NULL is allowed */
const struct yaml *yaml_root(const struct yaml_file *file);

/* The value of a key, or NULL; map may be NULL. */
const struct yaml *yaml_get(const struct yaml *map, const char *key);
const char *yaml_text(const struct yaml *map, const char *key); /* of a scalar value, or NULL */
/* "FILE:LINE: …", returns -1. */
int yaml_error(const struct yaml_file *file, const struct yaml *at, struct err *err,
	       const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
