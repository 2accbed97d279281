/* json.h - a JSON document as the same tree as YAML's, with lines, and faster */
#ifndef FORMATS_JSON_H
#define FORMATS_JSON_H

#include "formats/yaml.h"

/*
 * The one document of a file or "-", as yaml_open gives it: numbers, true, false and null are plain
 * scalars, strings quoted ones. Refused: what RFC 8259 refuses, a repeated key, a NUL in a string,
 * more than 1 GiB, depth beyond 64. Free it by yaml_close.
 */
int json_open(struct yaml_file **file, const char *path, struct err *err);
int json_open_text(struct yaml_file **file, const char *name, const char *text, size_t n,
		   struct err *err);

#endif
