/* domains_write.c - the hierarchies of a machine as YAML, and the table of their domains */
#include "base/foreign.h"
#include "base/num.h"
#include "machine/export/yaml_write.h"
#include "model/hierarchy.h"

static void write_level(struct out *out, const struct domain_level *level)
{
	struct yaml_section section = {.out = out, .head = "{"};
	char text[NUM_TEXT];

	if (level->every == 0 && level->size == 0 && level->up <= 0) {
		yaml_write_text(out, level->name);
		return;
	}
	yaml_write_value(&section, "name", level->name);
	if (level->every > 0)
		yaml_write_int(&section, "every", level->every);
	if (level->size > 0)
		yaml_write_int(&section, "size", level->size);
	if (level->up > 0) {
		num_print_real(text, level->up);
		yaml_write_value(&section, "up", text);
	}
	out_char(out, '}');
}

void yaml_write_hierarchies(const struct topo *topo, struct out *out)
{
	for (int h = 0; h < topo->nhierarchies; h++) {
		const struct hierarchy *at = &topo->hierarchies[h];

		out_str(out, h == 0 ? "hierarchies:\n  - {name: " : "  - {name: ");
		yaml_write_text(out, at->name);
		out_str(out, ", levels: [");
		for (int l = 0; l < at->nlevels; l++) {
			out_str(out, l > 0 ? ", " : "");
			write_level(out, &at->levels[l]);
		}
		out_str(out, "]}\n");
	}
}

/* text NULL: none. */
static void write_cell(struct out *out, const char *text, char after)
{
	if (text != NULL)
		out_foreign(out, foreign_cell, text);
	else
		out_char(out, '.');
	out_char(out, after);
}

/* The nodes of each domain of the innermost listed level, which of leads to, in node order. */
static void write_rows(const struct topo *topo, struct out *out, int h, int l, const int *of)
{
	const struct hierarchy *at = &topo->hierarchies[h];
	const struct domain_level *level = &at->levels[l];
	int outside = hierarchy_outside(topo, h, l);
	int *first = of != NULL ? xcalloc((size_t)level->n + 2, sizeof(*first)) : NULL;
	int *nodes = of != NULL ? xmalloc(((size_t)topo->nnodes + 1) * sizeof(*nodes)) : NULL;
	struct buf list = {0};

	for (int node = 0; of != NULL && node < topo->nnodes; node++)
		if (of[node] >= 0)
			first[of[node] + 2]++;
	for (int d = 0; of != NULL && d < level->n; d++)
		first[d + 2] += first[d + 1];
	for (int node = 0; of != NULL && node < topo->nnodes; node++)
		if (of[node] >= 0)
			nodes[first[of[node] + 1]++] = node;
	for (int d = 0; d < level->n; d++) {
		int above = level->above[d];

		for (int i = l - 1; i > outside; i--)
			above = at->levels[i].above[above];
		buf_clear(&list);
		if (of != NULL && first[d + 1] > first[d])
			topo_nodelist_add(topo, &nodes[first[d]], (size_t)(first[d + 1] - first[d]),
					  &list);
		out_str(out, "    ");
		write_cell(out, level->name, '\t');
		write_cell(out, level->names[d], '\t');
		write_cell(out, outside >= 0 ? at->levels[outside].names[above] : NULL, '\t');
		write_cell(out, list.n > 0 ? buf_text(&list) : NULL, '\n');
	}
	buf_free(&list);
	free(first);
	free(nodes);
}

void yaml_write_domains(const struct topo *topo, struct out *out, bool has_head)
{
	bool is_first = true;

	for (int h = 0; h < topo->nhierarchies; h++)
		for (int l = 0; l < topo->hierarchies[h].nlevels; l++) {
			struct level_ref ref = {topo, &topo->hierarchies[h], l};
			int *of;

			if (topo->hierarchies[h].levels[l].every > 0)
				continue;
			if (is_first)
				out_printf(out,
					   "%s  domains: |\n    level\tdomain\twithin\tnodes\n",
					   has_head ? "" : "tables:\n");
			is_first = false;
			of = hierarchy_inside(topo, h, l) < 0 ? level_domains(&ref) : NULL;
			write_rows(topo, out, h, l, of);
			free(of);
		}
}
