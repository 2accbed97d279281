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

#endif
