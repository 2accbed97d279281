/* import.h - fuzzing of an importer: what it makes can be drawn, written and read again */
#ifndef TESTS_FUZZ_IMPORT_H
#define TESTS_FUZZ_IMPORT_H

#include <ctype.h>
#include <string.h>

#include "machine/load.h"
#include "machine/import/importer.h"
#include "machine/export/exporter.h"
#include "base/die.h"
#include "fuzz.h"

static inline void fuzz_export(struct topo *topo, const char *format, const char *path)
{
	struct topo_export how = {0};
	struct pick pick;
	struct out *out;
	struct err err;

	fuzz_must(pick_parse(&pick, &topo_exporters, format, &err) == 0, "the format is there");
	how.pick = &pick;
	if (out_open(&out, path, NULL, &err) != 0)
		abort();
	fuzz_must(((const struct topo_exporter *)pick.entry)->write(topo, out, &how, &err) == 0 ||
			  strstr(err.msg, "letters") != NULL || strstr(err.msg, "named") != NULL,
		  "it can be written");
	out_close(out, true, &err);
	pick_free(&pick);
}

static inline int fuzz_import(struct topo **topo, const char *format, const char *path)
{
	char *paths[] = {(char *)path, NULL};
	struct topo_import how = {.paths = paths};
	struct pick pick;
	struct err err;
	int status;

	fuzz_must(pick_parse(&pick, &topo_importers, format, &err) == 0, "the format is there");
	how.pick = &pick;
	status = ((const struct topo_importer *)pick.entry)->read(topo, &how, &err);
	fuzz_must(status == 0 || strncmp(err.msg, path, strlen(path)) == 0 ||
			  strstr(err.msg, "link level") != NULL || strstr(err.msg, "node") != NULL,
		  "a refusal names the file");
	pick_free(&pick);
	return status;
}

/* A short list such as n[1-999999] takes time but shows nothing. */
static inline bool fuzz_is_large(const uint8_t *bytes, size_t n)
{
	int ndigits = 0, nbrackets = 0;

	for (size_t i = 0; i < n; i++) {
		bool is_digit = isdigit(bytes[i]) && (ndigits > 0 || bytes[i] != '0');

		ndigits = is_digit ? ndigits + 1 : 0;
		nbrackets = isspace(bytes[i]) ? 0 : nbrackets + (bytes[i] == '[');
		if (ndigits > 3 || nbrackets > 2)
			return true;
	}
	return false;
}

static inline void fuzz_importer(const uint8_t *bytes, size_t n, const char *format)
{
	char path[32], made[64];
	int fd = fuzz_open(bytes, n, path);
	struct topo *topo, *again;
	struct err err;

	die_set_quiet(true);
	snprintf(made, sizeof(made), "/dev/shm/import_fuzz-%d", (int)getpid());
	if (fuzz_import(&topo, format, path) == 0) {
		fuzz_export(topo, "explicit", made);
		fuzz_must(topo_load(&again, made, &err) == 0, "what was imported can be read");
		fuzz_must(again->hash == topo->hash, "and is the same machine");
		topo_free(again);
		if (topo_nvertices(topo) < 3000) {
			fuzz_export(topo, "svg", made);
			fuzz_export(topo, "dot", made);
			fuzz_export(topo, "slurm-conf", made);
		}
		topo_free(topo);
	}
	unlink(made);
	fuzz_close(fd);
}

#define FUZZ_IMPORTER(format, is_left_out)                                                         \
	int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)                                 \
	{                                                                                          \
		if (!(is_left_out)(bytes, n))                                                      \
			fuzz_importer(bytes, n, format);                                           \
		return 0;                                                                          \
	}

#endif
