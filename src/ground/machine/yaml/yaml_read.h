/* yaml_read.h - a machine from its YAML document */
#ifndef MACHINE_YAML_YAML_READ_H
#define MACHINE_YAML_YAML_READ_H

#include "formats/yaml.h"
#include "model/topo.h"

/* From placetools-topology(5); source and, where the document has none, name stay to be set. */
int topo_read_yaml(struct topo **topo, const struct yaml_file *file, struct err *err);

/* ---- its parts ---- */

/* Refuses what is no map, and keys that are not among keys ("a|b|c"); map NULL: nothing there. */
int yaml_check_keys(const struct yaml_file *file, const struct yaml *map, const char *what,
		    const char *keys, struct err *err);
/* The text of a key that must be plain text; NULL in *text: absent. */
int yaml_read_text(const struct yaml_file *file, const struct yaml *map, const char *key,
		   const char **text, struct err *err);
/* *value keeps what it was where the key is absent. */
int yaml_read_int(const struct yaml_file *file, const struct yaml *map, const char *key,
		  int64_t min, int64_t max, int *value, struct err *err);

/* The machine of the tables, nodes and links of an explicit document. */
int topo_read_tables(struct topo **topo, const struct yaml_file *file, const char *name,
		     struct err *err);

/* Its forwarding tables, where the document has them. */
int topo_read_routes(struct topo *topo, const struct yaml_file *file, struct err *err);

/* hierarchies, and the table of their domains, of any document. */
int topo_read_domains(struct topo *topo, const struct yaml_file *file, struct err *err);

/* nics, planes, gpus and io, of any document. */
int topo_read_extras(struct topo *topo, const struct yaml_file *file, struct err *err);

#endif
