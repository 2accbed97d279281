/* yaml.c - a YAML document as a tree that remembers its lines (over libyaml) */
#include "formats/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/names.h"
#include "base/mem.h"
#include "base/str.h"
#include "formats/in.h"
#include "formats/yaml_priv.h"

enum { FILE_MOST = 1 << 26, DEPTH_MOST = 64 };

struct yaml_reader {
	struct yaml_file *file;
	yaml_parser_t parser;
	struct err *err;
};

int yaml_error(const struct yaml_file *file, const struct yaml *at, struct err *err,
	       const char *fmt, ...)
{
	char what[900];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return err_set(err, "%s:%ld: %s", file->name, at != NULL ? at->line : 1, what);
}

static int fail(struct yaml_reader *reading, size_t line, const char *what)
{
	return err_set(reading->err, "%s:%zu: %s", reading->file->name, line + 1, what);
}

static int next_event(struct yaml_reader *reading, yaml_event_t *event)
{
	if (yaml_parser_parse(&reading->parser, event))
		return 0;
	return fail(reading, reading->parser.problem_mark.line,
		    reading->parser.problem ? reading->parser.problem : "is not YAML");
}

static struct yaml *new_item(struct yaml_reader *reading, enum yaml_type type,
			     const yaml_event_t *event)
{
	struct yaml *item = arena_alloc(&reading->file->arena, sizeof(*item));

	*item = (struct yaml){.type = type, .line = (long)event->start_mark.line + 1};
	return item;
}

static struct yaml *read_item(struct yaml_reader *reading, yaml_event_t *event, int depth);

/* Moves a growing array into the arena. */
static struct yaml **settle(struct yaml_reader *reading, struct yaml **at, size_t n)
{
	struct yaml **items =
		arena_alloc(&reading->file->arena, (n ? n : 1) * sizeof(struct yaml *));

	if (n > 0)
		memcpy(items, at, n * sizeof(struct yaml *));
	free(at);
	return items;
}

static struct yaml *read_list(struct yaml_reader *reading, struct yaml *list, int depth)
{
	VEC(struct yaml *) items = {0};
	yaml_event_t event;

	for (;;) {
		struct yaml *item;

		if (next_event(reading, &event) != 0)
			break;
		if (event.type == YAML_SEQUENCE_END_EVENT) {
			yaml_event_delete(&event);
			list->n = items.n;
			list->items = settle(reading, items.at, items.n);
			return list;
		}
		item = read_item(reading, &event, depth + 1);
		if (item == NULL)
			break;
		vec_push(&items, item);
	}
	free(items.at);
	return NULL;
}

static int check_key(struct yaml_reader *reading, struct map *seen, const struct yaml *key)
{
	if (key->type != YAML_SCALAR)
		return fail(reading, (size_t)key->line - 1, "a key is not plain text");
	if (map_get(seen, key->text, key->n) != -1)
		return err_set(reading->err, "%s:%ld: the key '%s' is there twice",
			       reading->file->name, key->line, key->text);
	map_add(seen, key->text, key->n, 1);
	return 0;
}

static struct yaml *read_map(struct yaml_reader *reading, struct yaml *map, int depth)
{
	VEC(struct yaml *) keys = {0}, values = {0};
	struct map seen = {0};
	yaml_event_t event;

	for (;;) {
		struct yaml *key, *value;

		if (next_event(reading, &event) != 0)
			break;
		if (event.type == YAML_MAPPING_END_EVENT) {
			yaml_event_delete(&event);
			map_free(&seen);
			map->n = keys.n;
			map->keys = settle(reading, keys.at, keys.n);
			map->items = settle(reading, values.at, values.n);
			return map;
		}
		key = read_item(reading, &event, depth + 1);
		if (key == NULL || check_key(reading, &seen, key) != 0)
			break;
		if (next_event(reading, &event) != 0)
			break;
		value = read_item(reading, &event, depth + 1);
		if (value == NULL)
			break;
		vec_push(&keys, key);
		vec_push(&values, value);
	}
	map_free(&seen);
	free(keys.at);
	free(values.at);
	return NULL;
}

/* Takes the event over; NULL: error, in reading->err. */
static struct yaml *read_item(struct yaml_reader *reading, yaml_event_t *event, int depth)
{
	struct yaml *item = NULL;
	size_t line = event->start_mark.line;
	yaml_event_type_t type = event->type;

	if (type == YAML_SCALAR_EVENT) {
		item = new_item(reading, YAML_SCALAR, event);
		item->n = event->data.scalar.length;
		item->text = arena_strndup(&reading->file->arena,
					   (const char *)event->data.scalar.value, item->n);
		item->is_quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
		if (memchr(item->text, '\0', item->n) != NULL) {
			fail(reading, line, "a NUL byte in a text");
			item = NULL;
		}
	} else if (type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT) {
		item = new_item(reading, type == YAML_MAPPING_START_EVENT ? YAML_MAP : YAML_LIST,
				event);
	} else if (type == YAML_ALIAS_EVENT) {
		fail(reading, line, "an alias (*name): write the value out");
	} else {
		fail(reading, line, "the document ends too early");
	}
	yaml_event_delete(event);
	if (item != NULL && depth > DEPTH_MOST) {
		fail(reading, line, "nested too deeply");
		return NULL;
	}
	if (item != NULL && item->type == YAML_LIST)
		return read_list(reading, item, depth);
	if (item != NULL && item->type == YAML_MAP)
		return read_map(reading, item, depth);
	return item;
}

/* The events around the one document. */
static int read_document(struct yaml_reader *reading)
{
	yaml_event_t event;
	yaml_event_type_t type;

	do {
		if (next_event(reading, &event) != 0)
			return -1;
		type = event.type;
		if (type == YAML_STREAM_START_EVENT || type == YAML_DOCUMENT_START_EVENT)
			yaml_event_delete(&event);
	} while (type == YAML_STREAM_START_EVENT || type == YAML_DOCUMENT_START_EVENT);
	if (type == YAML_STREAM_END_EVENT) {
		yaml_event_delete(&event);
		return err_set(reading->err, "%s: is empty; expected a YAML document",
			       reading->file->name);
	}
	reading->file->root = read_item(reading, &event, 0);
	if (reading->file->root == NULL)
		return -1;
	for (int i = 0; i < 2; i++) {
		if (next_event(reading, &event) != 0)
			return -1;
		type = event.type;
		yaml_event_delete(&event);
	}
	if (type != YAML_STREAM_END_EVENT)
		return fail(reading, reading->parser.mark.line, "a second document follows");
	return 0;
}

int yaml_open_text(struct yaml_file **result, const char *name, const char *text, size_t n,
		   struct err *err)
{
	struct yaml_reader reading = {.err = err};
	int status;

	*result = NULL;
	reading.file = xcalloc(1, sizeof(*reading.file));
	reading.file->name = xstrdup(name);
	if (!yaml_parser_initialize(&reading.parser)) {
		yaml_close(reading.file);
		return err_set(err, "%s: libyaml does not start", name);
	}
	yaml_parser_set_input_string(&reading.parser, (const unsigned char *)text, n);
	status = read_document(&reading);
	yaml_parser_delete(&reading.parser);
	if (status != 0) {
		yaml_close(reading.file);
		return -1;
	}
	*result = reading.file;
	return 0;
}

int yaml_open_by(struct yaml_file **file, const char *path, size_t most, yaml_text_fn *parse,
		 struct err *err)
{
	struct in *in;
	char *text;
	size_t n;
	int status;

	*file = NULL;
	if (in_open(&in, path, err) != 0)
		return -1;
	status = in_all(in, &text, &n, most, err);
	if (status == 0) {
		status = parse(file, in_name(in), text, n, err);
		free(text);
	}
	in_close(in);
	return status;
}

int yaml_open(struct yaml_file **file, const char *path, struct err *err)
{
	return yaml_open_by(file, path, FILE_MOST, yaml_open_text, err);
}

void yaml_close(struct yaml_file *file)
{
	if (file == NULL)
		return;
	arena_free(&file->arena);
	free(file->name);
	free(file);
}

const struct yaml *yaml_root(const struct yaml_file *file)
{
	return file->root;
}

const struct yaml *yaml_get(const struct yaml *map, const char *key)
{
	if (map == NULL || map->type != YAML_MAP)
		return NULL;
	for (size_t i = 0; i < map->n; i++)
		if (str_eq(map->keys[i]->text, key))
			return map->items[i];
	return NULL;
}

const char *yaml_text(const struct yaml *map, const char *key)
{
	const struct yaml *value = yaml_get(map, key);

	return value != NULL && value->type == YAML_SCALAR ? value->text : NULL;
}
