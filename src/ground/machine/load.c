/* load.c - a machine from a file, a spec or @name */
#include "machine/load.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/kind/shape.h"
#include "machine/yaml/yaml_read.h"
#include "base/share.h"
#include "formats/in.h"
#include "formats/named.h"
#include "model/topo_hash.h"

static int load_file(struct topo **topo, const char *path, struct err *err)
{
	struct yaml_file *file;
	int status;

	if (yaml_open(&file, path, err) != 0)
		return -1;
	status = topo_read_yaml(topo, file, err);
	yaml_close(file);
	return status;
}

static int load_shared(struct topo **topo, const char *ref, struct err *err)
{
	char *path = share_named("machines", ref, err);
	int status = path != NULL ? load_file(topo, path, err) : -1;

	free(path);
	return status;
}

/* What begins with the name of a topology is a spec: ./torus is the file of that name. */
static bool is_spec(const char *ref)
{
	char *name = xstrndup(ref, strcspn(ref, ":"));
	bool is_known = registry_find(&topo_types, name) != NULL;

	free(name);
	return is_known;
}

static int load_spec(struct topo **topo, const char *ref, struct err *err)
{
	struct pick pick;

	if (pick_parse(&pick, &topo_types, ref, err) != 0)
		return -1;
	return topo_from_pick(topo, &pick, err);
}

/* A name with a colon but no folder or ending that is no file was meant as a spec. */
static int no_such(const char *ref, struct err *err)
{
	char *name = xstrndup(ref, strcspn(ref, ":")), *at_name = xasprintf("@%s", ref);
	struct near_name near;
	struct pick pick;

	near_begin(&near, at_name);
	share_near(&near, "machines");
	near.word = ref;
	registry_near(&topo_types, &near);
	if (strchr(ref, ':') != NULL)
		pick_parse(&pick, &topo_types, name, err);
	else
		err_set(err,
			"'%s' is not a file, a topology (topogen --list=topologies) or an @name%s",
			ref, near_hint(&near));
	free(at_name);
	free(name);
	return -1;
}

int topo_load(struct topo **topo, const char *ref, struct err *err)
{
	int status;

	*topo = NULL;
	if (*ref == '@')
		status = load_shared(topo, ref, err);
	else if (is_spec(ref))
		status = load_spec(topo, ref, err);
	else if (strcmp(ref, "-") != 0 && strpbrk(ref, "/.") == NULL && access(ref, F_OK) != 0)
		status = no_such(ref, err);
	else
		status = load_file(topo, ref, err);
	if (status != 0)
		return -1;
	/* Standard input cannot be read again, but a structure's parameters say it all. */
	if (str_eq(ref, "-") && (*topo)->pick.entry != NULL)
		(*topo)->source = pick_text(&(*topo)->pick);
	else
		(*topo)->source = xstrdup(ref);
	return 0;
}

bool topo_is_ref(const char *ref)
{
	struct in *in = NULL;
	struct err err;
	bool is_ours = *ref == '@' || is_spec(ref);
	char *line;

	if (is_ours || str_eq(ref, "-") || in_open(&in, ref, &err) != 0)
		return is_ours;
	while (in_line(in, &line, NULL, &err) == 1)
		if (*str_trim(line) != '\0' && *str_trim(line) != '#') {
			is_ours = str_starts(str_trim(line), "placetools:");
			break;
		}
	in_close(in);
	return is_ours;
}

/* ---- the machine of a stream ---- */

/* ##topology=SOURCE HASH: the last word is the hash. */
static int split_recorded(const char *recorded, char **source, const char **hash,
			  const struct table_in *in, struct err *err)
{
	const char *blank = strrchr(recorded, ' ');

	if (blank == NULL || blank == recorded || strlen(blank + 1) != TOPO_HASH_TEXT - 1) {
		err_set(err,
			"##topology=%.200s: expected a machine and its hash, as in "
			"##topology=m.yaml 5f3a91c20c6e77b1; without this line -t says which",
			recorded);
		return table_meta_blame(in, "topology", err);
	}
	*source = xstrndup(recorded, (size_t)(blank - recorded));
	*hash = blank + 1;
	return 0;
}

static int check_hash(const struct topo *topo, const char *hash, struct err *err)
{
	char text[TOPO_HASH_TEXT];

	if (str_eq(topo_hash_text(topo->hash, text), hash))
		return 0;
	return err_set(err,
		       "%s is another machine (%s) than the one the input was "
		       "made on (%s): its nodes or links differ",
		       topo->source, text, hash);
}

/* A file's name in a stream is relative to where the stream is. */
static char *from_folder(const char *folder, const char *source)
{
	return *source != '@' && !is_spec(source) ? named_path(source, folder) : xstrdup(source);
}

/* A stream names the file: it must be a regular one, and of one that is elsewhere nothing is
 * shown, as its author may not have been allowed to read it. */
static int load_named(struct topo **topo, const char *path, const char *folder, struct err *err)
{
	bool is_file = *path != '@' && !is_spec(path);

	if (is_file && named_is_regular(path, err) != 0)
		return -1;
	if (topo_load(topo, path, err) == 0)
		return 0;
	if (is_file && !named_is_below(path, folder, NULL, 0))
		err_set(err, "%s: is not a topology: -t says which machine it is", path);
	return -1;
}

static int load_recorded(struct topo **topo, const char *source, const struct table_in *in,
			 struct err *err)
{
	char *path;
	int status;

	if (str_eq(source, "-")) {
		err_set(err, "the input's machine came from standard input: name it by -t");
		return table_meta_blame(in, "topology", err);
	}
	path = from_folder(table_folder(in), source);
	status = load_named(topo, path, table_folder(in), err);
	free(path);
	if (status == 0)
		return 0;
	err_prefix(err, "##topology: ");
	return table_meta_blame(in, "topology", err);
}

static int resolve(struct topo **topo, const char *option, const char *source,
		   const struct table_in *in, struct err *err)
{
	const char *variable = getenv("PLACETOOLS_TOPOLOGY");

	if (option != NULL)
		return topo_load(topo, option, err);
	if (source != NULL)
		return load_recorded(topo, source, in, err);
	if (variable != NULL && *variable != '\0')
		return topo_load(topo, variable, err) == 0
			       ? 0
			       : err_prefix(err, "$PLACETOOLS_TOPOLOGY: ");
	return err_set(err, "no machine: give -t, or a stream with "
			    "##topology=, or set $PLACETOOLS_TOPOLOGY");
}

int topo_resolve(struct topo **topo, const char *option, const struct table_in *in, struct err *err)
{
	const char *recorded = in != NULL ? table_meta(in, "topology") : NULL, *hash = NULL;
	char *source = NULL;
	int status = 0;

	*topo = NULL;
	if (recorded != NULL)
		status = split_recorded(recorded, &source, &hash, in, err);
	if (status == 0)
		status = resolve(topo, option, source, in, err);
	if (status == 0 && hash != NULL && check_hash(*topo, hash, err) != 0) {
		topo_free(*topo);
		*topo = NULL;
		status = table_meta_blame(in, "topology", err);
	}
	free(source);
	return status;
}

bool topo_is_named(const char *option, const struct table_in *in)
{
	const char *variable = getenv("PLACETOOLS_TOPOLOGY");

	return option != NULL || (in != NULL && table_meta(in, "topology") != NULL) ||
	       (variable != NULL && *variable != '\0');
}

int topo_check_recorded(const struct topo *topo, const struct table_in *in, struct err *err)
{
	const char *recorded = table_meta(in, "topology"), *hash;
	char *source = NULL;

	if (recorded == NULL)
		return 0;
	if (split_recorded(recorded, &source, &hash, in, err) != 0)
		return -1;
	free(source);
	return check_hash(topo, hash, err) == 0 ? 0 : table_meta_blame(in, "topology", err);
}

void topo_record(const struct topo *topo, struct table_out *table)
{
	char hash[TOPO_HASH_TEXT], *value;

	if (topo->source == NULL)
		return;
	value = xasprintf("%s %s", topo->source, topo_hash_text(topo->hash, hash));

	table_out_meta(table, "topology", value);
	free(value);
}
