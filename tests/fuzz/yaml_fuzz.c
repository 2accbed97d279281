/* yaml_fuzz.c - a document that is accepted is a sound tree */
#include <string.h>

#include "formats/yaml.h"
#include "fuzz.h"

static void walk(const struct yaml *at, int depth)
{
	fuzz_must(at != NULL && at->line >= 1 && depth <= 64, "nodes are there, not too deep");
	if (at->type == YAML_SCALAR) {
		fuzz_must(at->text != NULL && at->text[at->n] == '\0', "a text has its end");
		return;
	}
	for (size_t i = 0; i < at->n; i++) {
		if (at->type == YAML_MAP) {
			fuzz_must(at->keys[i]->type == YAML_SCALAR, "a key is a scalar");
			walk(at->keys[i], depth + 1);
			fuzz_must(memchr(at->keys[i]->text, '\0', at->keys[i]->n) != NULL ||
					  yaml_get(at, at->keys[i]->text) == at->items[i],
				  "a value is found by its key");
		}
		walk(at->items[i], depth + 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct yaml_file *file;
	struct err err;

	if (yaml_open_text(&file, "fuzz", (const char *)bytes, n, &err) == 0) {
		if (yaml_root(file) != NULL)
			walk(yaml_root(file), 0);
		yaml_close(file);
	}
	return 0;
}
