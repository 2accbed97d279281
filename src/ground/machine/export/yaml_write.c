/* yaml_write.c - what the YAML of structured and explicit machines share */
#include "machine/export/yaml_write.h"

#include <stdio.h>
#include <string.h>

#include "base/foreign.h"
#include "model/storage_spec.h"

/* Plain scalars of this set mean themselves in flow mappings and out of them. */
static bool is_plain(const char *text)
{
	return *text != '\0' && *text != '-' && *text != '%' &&
	       text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				 "_./+-=")] == '\0';
}

void yaml_write_text(struct out *out, const char *text)
{
	if (is_plain(text))
		out_str(out, text);
	else
		out_foreign(out, foreign_yaml, text);
}

void yaml_write_value(struct yaml_section *section, const char *key, const char *value)
{
	out_printf(section->out, "%s%s: ", section->n++ == 0 ? section->head : ", ", key);
	yaml_write_text(section->out, value);
}

void yaml_write_int(struct yaml_section *section, const char *key, int value)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", value);
	yaml_write_value(section, key, text);
}

void yaml_section_end(struct yaml_section *section)
{
	if (section->n > 0)
		out_str(section->out, "}\n");
}

void yaml_write_head(struct out *out, const char *name, const char *kind)
{
	out_str(out, "placetools: topology/1\n");
	if (out_command(out) != NULL) {
		out_str(out, "# ");
		out_foreign(out, foreign_text, out_command(out));
		out_char(out, '\n');
	}
	if (name != NULL) {
		out_str(out, "name: ");
		yaml_write_text(out, name);
		out_char(out, '\n');
	}
	out_printf(out, "topology: %s\n", kind);
}

static void write_nics(const struct topo *topo, struct yaml_section *nodes)
{
	const struct topo_nics *nics = &topo->nics;
	struct yaml_section section = {.out = nodes->out, .head = "nics: {"};

	if (nics->select == NULL && nics->injection_queues == 0) {
		if (nics->count != 0)
			yaml_write_int(nodes, "nics", nics->count);
		return;
	}
	out_str(nodes->out, nodes->n++ == 0 ? nodes->head : ", ");
	if (nics->count != 0)
		yaml_write_int(&section, "count", nics->count);
	if (nics->select != NULL)
		yaml_write_value(&section, "select", nics->select);
	if (nics->injection_queues != 0)
		yaml_write_int(&section, "injection_queues", nics->injection_queues);
	out_char(nodes->out, '}');
}

void yaml_write_nodes(const struct topo *topo, struct out *out, const char *cores,
		      const char *inside, const char *names)
{
	struct yaml_section section = {.out = out, .head = "nodes: {"};

	if (cores != NULL)
		yaml_write_value(&section, "cores", cores);
	if (inside != NULL)
		yaml_write_value(&section, "inside", inside);
	if (names != NULL)
		yaml_write_value(&section, "names", names);
	write_nics(topo, &section);
	if (topo->nics.planes != 0)
		yaml_write_int(&section, "planes", topo->nics.planes);
	yaml_section_end(&section);
}

/* {key: value, …} of a key of the section, or of an item of a list. */
static void write_texts(struct out *out, const struct storage_texts *texts)
{
	for (int i = 0; i < texts->n; i++) {
		out_str(out, i > 0 ? ", " : "");
		yaml_write_text(out, texts->keys[i]);
		out_str(out, ": ");
		yaml_write_text(out, texts->texts[i]);
	}
}

static void write_storage(struct yaml_section *section, const struct storage_spec *storage)
{
	struct out *out = section->out;

	out_str(out, ", device: {");
	write_texts(out, &storage->device);
	for (int i = 0; i < storage->ntable; i++) {
		out_str(out, i == 0 ? ", table: [{" : ", {");
		write_texts(out, &storage->table[i]);
		out_char(out, '}');
	}
	out_str(out, storage->ntable > 0 ? "]}" : "}");
	if (storage->stripe.n > 0) {
		out_str(out, ", stripe: {");
		write_texts(out, &storage->stripe);
		out_char(out, '}');
	}
	if (storage->drain.n > 0) {
		out_str(out, ", drain: {");
		write_texts(out, &storage->drain);
		out_char(out, '}');
	}
}

static void write_io(const struct topo *topo, struct out *out, const struct topo_io *io)
{
	struct yaml_section section = {.out = out, .head = "  - {"};
	struct buf list = {0};

	yaml_write_value(&section, "name", io->name);
	if (io->nodes != NULL) {
		topo_nodelist_add(topo, io->nodes, (size_t)io->nnodes, &list);
		yaml_write_value(&section, "nodes", buf_text(&list));
	}
	yaml_write_value(&section, "kind", io->is_separate ? "separate" : "coupled");
	yaml_write_value(&section, "access", io->is_exclusive ? "exclusive" : "shared");
	if (io->at_level > 0) {
		buf_clear(&list);
		buf_printf(&list, "level=%d", io->at_level);
		yaml_write_value(&section, "at",
				 io->at_level == 1 ? "leaf" : (const char *)buf_text(&list));
	}
	if (io->storage != NULL)
		write_storage(&section, io->storage);
	yaml_section_end(&section);
	buf_free(&list);
}

void yaml_write_extras(const struct topo *topo, struct out *out)
{
	if (topo->routing != NULL) {
		out_str(out, "routing: ");
		yaml_write_text(out, topo->routing);
		out_char(out, '\n');
	}
	if (topo->nio > 0)
		out_str(out, "io:\n");
	for (int i = 0; i < topo->nio; i++)
		write_io(topo, out, &topo->io[i]);
	if (topo->gpus != 0)
		out_printf(out, "gpus: {per_node: %d}\n", topo->gpus);
}
