/* csv_map.c - how the columns of a foreign table become ours: a file of kind csv-map */
#include "convert/reader/csv_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/share.h"
#include "base/str.h"
#include "formats/yaml.h"
#include "model/kinds.h"

static const char *const as_words[CSV_NAS] = {
	[CSV_AS_IS] = "is",
	[CSV_AS_STATE] = "state",
	[CSV_AS_DURATION] = "duration",
	[CSV_AS_MEMORY] = "memory",
	[CSV_AS_LIST] = "list",
	[CSV_AS_CPUS] = "tres-cpus",
	[CSV_AS_GPUS] = "tres-gpus",
	[CSV_AS_GPU_TYPE] = "tres-gpu-type",
	[CSV_AS_TRES_MEMORY] = "tres-memory",
	[CSV_AS_COUNT] = "count",
};
static const char *const of_words[CSV_NOF] = {
	[CSV_OF_FIRST] = "first", [CSV_OF_LIST] = "list", [CSV_OF_SUM] = "sum",
	[CSV_OF_MOST] = "most",   [CSV_OF_ROWS] = "rows",
};

struct csv_map_reader {
	struct yaml_file *file;
	struct csv_map *map;
};

static const char *keep(struct csv_map *map, const char *text)
{
	return text != NULL ? arena_strndup(&map->arena, text, strlen(text)) : NULL;
}

static int check_keys(const struct csv_map_reader *reading, const struct yaml *at, const char *what,
		      const char *const *known, struct err *err)
{
	struct buf list = {0};
	int status = 0;

	if (at->type != YAML_MAP)
		return yaml_error(reading->file, at, err, "%s: expected key: value lines", what);
	for (int k = 0; known[k] != NULL; k++)
		buf_printf(&list, "%s%s", k > 0 ? ", " : "", known[k]);
	for (size_t i = 0; i < at->n && status == 0; i++) {
		int k = 0;

		while (known[k] != NULL && !str_eq(known[k], at->keys[i]->text))
			k++;
		if (known[k] == NULL)
			status = yaml_error(reading->file, at->keys[i], err,
					    "'%s' is not a key of %s: expected one of %s",
					    at->keys[i]->text, what, buf_text(&list));
	}
	buf_free(&list);
	return status;
}

/* A scalar of a map; NULL: not there. */
static int get_text(const struct csv_map_reader *reading, const struct yaml *map, const char *key,
		    const char **text, struct err *err)
{
	const struct yaml *at = yaml_get(map, key);

	*text = NULL;
	if (at == NULL)
		return 0;
	if (at->type != YAML_SCALAR)
		return yaml_error(reading->file, at, err, "%s: expected a word", key);
	*text = keep(reading->map, at->text);
	return 0;
}

static int get_word(const struct csv_map_reader *reading, const struct yaml *map, const char *key,
		    const char *const *words, int n, int *number, struct err *err)
{
	const char *text;
	struct buf list = {0};

	*number = 0;
	if (get_text(reading, map, key, &text, err) != 0)
		return -1;
	for (int i = 0; i < n; i++) {
		if (text == NULL || str_eq(text, words[i])) {
			*number = i;
			buf_free(&list);
			return 0;
		}
		buf_printf(&list, "%s%s", i > 0 ? ", " : "", words[i]);
	}
	yaml_error(reading->file, yaml_get(map, key), err, "%s: '%s' is none of %s", key, text,
		   buf_text(&list));
	buf_free(&list);
	return -1;
}

static int get_number(const struct csv_map_reader *reading, const struct yaml *map, const char *key,
		      double otherwise, double *number, struct err *err)
{
	const char *text;

	*number = otherwise;
	if (get_text(reading, map, key, &text, err) != 0)
		return -1;
	if (text != NULL && num_real(text, 1e-15, 1e15, number) != 0)
		return yaml_error(reading->file, yaml_get(map, key), err,
				  "%s: '%s' is not a number above 0", key, text);
	return 0;
}

/* ---- columns ---- */

/* name: THEIRS, or name: {from: THEIRS, times: 0.001, …}. */
static int read_column(const struct csv_map_reader *reading, struct csv_table *table,
		       const char *name, const struct yaml *at, struct err *err)
{
	static const char *const keys[] = {"from", "value", "else", "times",
					   "as",   "of",    "may",  NULL};
	static const char *const may_words[] = {"be there", "lack"};
	struct csv_column column = {.name = keep(reading->map, name), .times = 1, .line = at->line};
	int as, of, may;

	if (kind_column(reading->map->kind, name) == NULL)
		return yaml_error(reading->file, at, err, "'%s' is not a column of the kind %s",
				  name, reading->map->kind->name);
	if (at->type == YAML_SCALAR) {
		column.from = keep(reading->map, at->text);
		vec_push(&table->columns, column);
		return 0;
	}
	if (check_keys(reading, at, name, keys, err) != 0 ||
	    get_text(reading, at, "from", &column.from, err) != 0 ||
	    get_text(reading, at, "value", &column.value, err) != 0 ||
	    get_text(reading, at, "else", &column.otherwise, err) != 0 ||
	    get_number(reading, at, "times", 1, &column.times, err) != 0 ||
	    get_word(reading, at, "as", as_words, CSV_NAS, &as, err) != 0 ||
	    get_word(reading, at, "of", of_words, CSV_NOF, &of, err) != 0 ||
	    get_word(reading, at, "may", may_words, 2, &may, err) != 0)
		return -1;
	if ((column.from == NULL) == (column.value == NULL) && of != CSV_OF_ROWS)
		return yaml_error(reading->file, at, err,
				  "%s: expected from: or value:, and not both", name);
	column.as = (enum csv_as)as;
	column.of = (enum csv_of)of;
	column.may_lack = may == 1;
	vec_push(&table->columns, column);
	return 0;
}

static int read_columns(const struct csv_map_reader *reading, const struct yaml *owner,
			const char *key, struct err *err)
{
	const struct yaml *list = yaml_get(owner, "columns");
	struct csv_table table = {.key = keep(reading->map, key)};

	if (list == NULL || list->type != YAML_MAP)
		return yaml_error(reading->file, owner, err,
				  "columns: expected 'OURS: THEIRS' lines");
	vec_push(&reading->map->tables, table);
	for (size_t i = 0; i < list->n; i++)
		if (read_column(reading, &reading->map->tables.at[reading->map->tables.n - 1],
				list->keys[i]->text, list->items[i], err) != 0)
			return -1;
	return 0;
}

static int read_joins(const struct csv_map_reader *reading, const struct yaml *root,
		      struct err *err)
{
	static const char *const keys[] = {"key", "columns", NULL};
	const struct yaml *joins = yaml_get(root, "join");

	if (joins == NULL)
		return 0;
	if (joins->type != YAML_LIST)
		return yaml_error(reading->file, joins, err, "join: expected a list of tables");
	for (size_t i = 0; i < joins->n; i++) {
		const char *key;

		if (check_keys(reading, joins->items[i], "join", keys, err) != 0 ||
		    get_text(reading, joins->items[i], "key", &key, err) != 0)
			return -1;
		if (key == NULL)
			return yaml_error(reading->file, joins->items[i], err,
					  "join: expected key: the column that both tables have");
		if (read_columns(reading, joins->items[i], key, err) != 0)
			return -1;
	}
	return 0;
}

/* ---- the whole ---- */

typedef VEC(const char *) word_vec;

/* A list of words; none if it is not there. */
static int read_words(const struct csv_map_reader *reading, const struct yaml *root,
		      const char *key, word_vec *words, struct err *err)
{
	const struct yaml *list = yaml_get(root, key);

	if (list == NULL)
		return 0;
	if (list->type != YAML_LIST)
		return yaml_error(reading->file, list, err, "%s: expected a list in brackets", key);
	for (size_t i = 0; i < list->n; i++) {
		if (list->items[i]->type != YAML_SCALAR)
			return yaml_error(reading->file, list->items[i], err, "%s: expected words",
					  key);
		vec_push(words, keep(reading->map, list->items[i]->text));
	}
	return 0;
}

static int read_kind(const struct csv_map_reader *reading, const struct yaml *root, struct err *err)
{
	static const char *const words[] = {"jobs", "nodes"};
	int number;

	if (get_word(reading, root, "kind", words, 2, &number, err) != 0)
		return -1;
	reading->map->kind = number == 0 ? &kind_jobs : &kind_nodes;
	return 0;
}

static int read_root(struct csv_map_reader *reading, struct err *err)
{
	static const char *const keys[] = {"placetools", "summary", "kind", "delimiter",
					   "header",     "absent",  "time", "time-unit",
					   "columns",    "join",    NULL};
	const struct yaml *root = yaml_root(reading->file);
	struct csv_map *map = reading->map;
	const char *version;
	word_vec words = {0};

	if (root == NULL || check_keys(reading, root, "csv-map", keys, err) != 0)
		return -1;
	version = yaml_text(root, "placetools");
	if (version == NULL || !str_eq(version, "csv-map/1"))
		return yaml_error(reading->file, root, err, "expected placetools: csv-map/1");
	if (read_kind(reading, root, err) != 0 ||
	    get_text(reading, root, "summary", &map->summary, err) != 0 ||
	    get_text(reading, root, "delimiter", &map->delimiter, err) != 0 ||
	    get_text(reading, root, "time", &map->time_pattern, err) != 0 ||
	    get_number(reading, root, "time-unit", 1, &map->time_unit, err) != 0 ||
	    read_columns(reading, root, NULL, err) != 0 || read_joins(reading, root, err) != 0 ||
	    read_words(reading, root, "header", &words, err) != 0)
		goto trouble;
	map->header.at = words.at;
	map->header.n = words.n;
	words = (word_vec){0};
	if (read_words(reading, root, "absent", &words, err) != 0)
		goto trouble;
	map->absent.at = words.at;
	map->absent.n = words.n;
	if (map->delimiter == NULL)
		map->delimiter = ",";
	if (map->delimiter[0] == '\0')
		return yaml_error(reading->file, root, err, "delimiter: expected a character");
	return 0;
trouble:
	vec_free(&words);
	return -1;
}

int csv_map_read(struct csv_map *map, const char *name, struct err *err)
{
	struct csv_map_reader reading = {.map = map};
	char *path = NULL;
	int status;

	*map = (struct csv_map){.time_unit = 1};
	if (name[0] == '@') {
		char *relative = xasprintf("maps/%s.yaml", name + 1);

		path = share_find(relative);
		free(relative);
		if (path == NULL)
			return err_set(err, "map: there is no map %s: see %s", name,
				       "traceconv(1) for those that come with the tools");
	}
	status = yaml_open(&reading.file, path != NULL ? path : name, err);
	if (status == 0)
		status = read_root(&reading, err);
	yaml_close(reading.file);
	free(path);
	if (status != 0)
		csv_map_free(map);
	return status;
}

void csv_map_free(struct csv_map *map)
{
	for (size_t i = 0; i < map->tables.n; i++)
		vec_free(&map->tables.at[i].columns);
	vec_free(&map->tables);
	vec_free(&map->header);
	vec_free(&map->absent);
	arena_free(&map->arena);
	*map = (struct csv_map){NULL};
}
