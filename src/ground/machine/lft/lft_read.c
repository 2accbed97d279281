/* lft_read.c - the registry of forms of forwarding tables, and files in them */
#include <stdlib.h>
#include <string.h>
#include "machine/lft/lft.h"

#define REGISTRY "machine/lft/lfts.def"
#define REGISTRY_TYPE struct lft_reader
#define REGISTRY_PREFIX lft_reader_
#include "base/registry_entries.h"

const struct registry lft_readers = REGISTRY_OF("routes", "form of forwarding tables");

static int read_file(struct lft *lft, const struct lft_reader *reader, const char *path,
		     struct err *err)
{
	struct in *in;
	int status;

	if (in_open(&in, path, err) != 0)
		return -1;
	status = reader->read(lft, in, arena_strndup(&lft->arena, in_name(in), strlen(in_name(in))),
			      err);
	in_close(in);
	return status;
}

int lft_read(struct lft *lft, const char *text, struct err *err)
{
	const char *colon = strchr(text, ':');
	struct pick pick;
	char *name;
	int status;

	if (colon == NULL || colon[1] == '\0')
		return err_set(err, "'%.200s': expected FORMAT:FILE", text);
	name = xstrndup(text, (size_t)(colon - text));
	status = pick_parse(&pick, &lft_readers, name, err);
	free(name);
	if (status != 0)
		return -1;
	status = read_file(lft, (const struct lft_reader *)pick.entry, colon + 1, err);
	pick_free(&pick);
	return status;
}
