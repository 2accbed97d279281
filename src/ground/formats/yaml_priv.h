/* yaml_priv.h - what the readers of YAML and JSON share */
#ifndef FORMATS_YAML_PRIV_H
#define FORMATS_YAML_PRIV_H

#include "base/mem.h"
#include "formats/yaml.h"

struct yaml_file {
	char *name;
	struct arena arena;
	struct yaml *root;
};

/* Makes the tree of a text [n] that came from name. */
typedef int yaml_text_fn(struct yaml_file **file, const char *name, const char *text, size_t n,
			 struct err *err);
/* The one document of a file or "-", with a maximum number of bytes. */
int yaml_open_by(struct yaml_file **file, const char *path, size_t most, yaml_text_fn *parse,
		 struct err *err);

#endif
