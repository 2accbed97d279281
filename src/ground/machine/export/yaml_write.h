/* yaml_write.h - what the YAML of structured and explicit machines share */
#ifndef MACHINE_EXPORT_YAML_WRITE_H
#define MACHINE_EXPORT_YAML_WRITE_H

#include "formats/out.h"
#include "model/topo.h"

/* One "{key: value, …}" or "name:\n" section that is written with its first value, or not
 * at all. */
struct yaml_section {
	struct out *out;
	const char *head; /* "nodes: {" */
	int n;
};
void yaml_write_value(struct yaml_section *section, const char *key, const char *value);
void yaml_write_int(struct yaml_section *section, const char *key, int value);
void yaml_section_end(struct yaml_section *section); /* "}\n" if anything was written */

/* Text as YAML: plain where that is safe, else in double quotes. */
void yaml_write_text(struct out *out, const char *text);

void yaml_write_head(struct out *out, const char *name, const char *kind); /* name NULL: none */
/* cores, inside and names NULL: not written; then nics and planes. */
void yaml_write_nodes(const struct topo *topo, struct out *out, const char *cores,
		      const char *inside, const char *names);
/* hierarchies */
void yaml_write_hierarchies(const struct topo *topo, struct out *out);
/* The table domains, where any are listed; has_head: the key tables is there.
 */
void yaml_write_domains(const struct topo *topo, struct out *out, bool has_head);
/* routing, io, gpus */
void yaml_write_extras(const struct topo *topo, struct out *out);

#endif
