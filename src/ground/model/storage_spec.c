/* storage_spec.c - storage devices on the nodes of a machine: keys, values, service times */
#include "model/storage_spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/share.h"
#include "base/str.h"

#define BYTES_MOST 9e18
#define SECONDS_MOST 9e3 /* as picoseconds far within an int64_t */

/* ---- the keys ---- */

#define RATE(name, what)                                                                           \
	{                                                                                          \
		.key = name, .type = PARAM_BANDWIDTH, .unit = "B/s", .meaning = what               \
	}
#define TIMES                                                                                      \
	{.key = "overhead",                                                                        \
	 .type = PARAM_DURATION,                                                                   \
	 .def = "0",                                                                               \
	 .unit = "s",                                                                              \
	 .meaning = "of each request, or operation (charge)"},                                     \
	{                                                                                          \
		.key = "seek", .type = PARAM_DURATION, .def = "0", .unit = "s",                    \
		.meaning = "of a request for another file than the last one's, or more than 512 "  \
			   "B from its end"                                                        \
	}

static const struct param device_params[] = {
	RATE("write", "rate at which a thread writes"),
	RATE("read", "rate at which a thread reads"),
	TIMES,
	{.key = "charge",
	 .type = PARAM_WORD,
	 .choices = "request|op",
	 .def = "request",
	 .meaning = "what pays the overhead: each request, or the first one of an operation"},
	{.key = "threads",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 4096,
	 .def = "1",
	 .meaning = "requests served at one time, first come first served"},
	{.key = "priority",
	 .type = PARAM_WORD,
	 .choices = "none|reads|writes",
	 .def = "none",
	 .meaning = "what is served before the others; reads of the drain come last"},
	{.key = "memory",
	 .type = PARAM_BYTES,
	 .def = "0",
	 .unit = "B",
	 .meaning = "in front of the device: a write is done when it is there"},
	{.key = "capacity",
	 .type = PARAM_BYTES,
	 .def = "0",
	 .unit = "B",
	 .meaning = "when so much has been written, writes wait for the drain; 0: no limit"},
	{.key = "count",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 20,
	 .def = "1",
	 .meaning = "drives that make up the device, for costs; the rates are those of all"},
	{0}};

static const struct param row_params[] = {
	{.key = "bytes",
	 .type = PARAM_BYTES,
	 .unit = "B",
	 .meaning = "requests from this size on; the first row is for smaller ones, too"},
	RATE("write", "rate at which a thread writes"),
	RATE("read", "rate at which a thread reads"),
	TIMES,
	{0}};

static const struct param stripe_params[] = {
	{.key = "count",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 20,
	 .def = "1",
	 .meaning = "neighbouring devices that a file is distributed over"},
	{.key = "width",
	 .type = PARAM_BYTES,
	 .def = "0",
	 .unit = "B",
	 .meaning = "bytes of a file on one of them before the next; 0 with a count of 1: an "
		    "operation is one request"},
	{.key = "home",
	 .type = PARAM_WORD,
	 .choices = "proportional|hash|list|adjacent",
	 .def = "proportional",
	 .meaning = "the device of the first stripe: by the place of the rank's node among those "
		    "that compute, by the file's name, dealt by rank, or the nearest one"},
	{0}};

static const struct param drain_params[] = {
	{.key = "to", .type = PARAM_TEXT, .meaning = "the entry of io that data go on to"},
	{.key = "bandwidth",
	 .type = PARAM_BANDWIDTH,
	 .optional = true,
	 .unit = "B/s",
	 .meaning = "of each device at most"},
	{.key = "when",
	 .type = PARAM_WORD,
	 .choices = "always|idle",
	 .def = "always",
	 .meaning = "idle: only while the device has nothing else to do"},
	{0}};

static const struct entry device_entry = {.name = "device",
					  .summary = "a storage device on each node of the entry",
					  .example = "device:write=1400MiB/s,read=2300MiB/s",
					  .params = device_params};
static const struct entry drain_entry = {.name = "drain",
					 .summary = "where written data go on to",
					 .example = "drain:to=pfs",
					 .params = drain_params};
static const struct entry row_entry = {.name = "row",
				       .summary = "a row of the device's table by request size",
				       .example = "row:bytes=4KiB,write=1GB/s,read=2GB/s",
				       .params = row_params};
static const struct entry stripe_entry = {.name = "stripe",
					  .summary = "how a file is distributed over the devices",
					  .example = "stripe:count=4,width=128KiB",
					  .params = stripe_params};
static const struct entry *const key_entries[] = {&device_entry, &drain_entry, &row_entry,
						  &stripe_entry};
const struct registry storage_keys = {
	.name = "storage-keys",
	.noun = "key of storage",
	.entries = key_entries,
	.n = sizeof(key_entries) / sizeof(*key_entries),
};

/* ---- reading ---- */

struct storage_reader {
	const struct yaml_file *file;
	struct arena *arena;
	struct storage_spec *spec;
};

/* The values of a mapping as a pick of the entry; the texts are kept. skipped: a key that is not
 * plain text, or NULL. */
static int take_map(const struct storage_reader *reading, const char *name, const struct yaml *map,
		    const char *skipped, struct storage_texts *texts, struct pick *pick,
		    struct err *err)
{
	struct err why = {0};

	if (map->type != YAML_MAP)
		return yaml_error(reading->file, map, err, "%s: is not a mapping", name);
	*texts = (struct storage_texts){
		.keys = arena_alloc(reading->arena, (map->n + 1) * sizeof(*texts->keys)),
		.texts = arena_alloc(reading->arena, (map->n + 1) * sizeof(*texts->texts))};
	for (size_t i = 0; i < map->n; i++) {
		const struct yaml *key = map->keys[i], *value = map->items[i];

		if (skipped != NULL && str_eq(key->text, skipped))
			continue;
		if (value->type != YAML_SCALAR || strlen(value->text) != value->n)
			return yaml_error(reading->file, value, err, "%s: %.80s: is not plain text",
					  name, key->text);
		texts->keys[texts->n] = arena_strndup(reading->arena, key->text, key->n);
		texts->texts[texts->n++] = arena_strndup(reading->arena, value->text, value->n);
	}
	if (pick_make(pick, &storage_keys, name, texts->keys, texts->texts, texts->n, &why) != 0)
		return yaml_error(reading->file, map, err, "%s", why.msg);
	return 0;
}

static int64_t to_ps(double seconds)
{
	return llround(seconds * 1e12);
}

static int refuse(const struct storage_reader *reading, const struct yaml *map, const char *name,
		  const struct pick *pick, const char *key, const char *expected, struct err *err)
{
	return yaml_error(reading->file, map, err, "%s: %s: '%.80s': expected %s", name, key,
			  pick_value(pick, key)->text, expected);
}

static int take_row(const struct storage_reader *reading, const char *name, const struct yaml *map,
		    const struct pick *pick, struct storage_row *row, struct err *err)
{
	static const char *const rates[] = {"write", "read"}, *const times[] = {"overhead", "seek"};

	for (int i = 0; i < 2; i++) {
		double rate = pick_real(pick, rates[i]);

		if (!(rate >= 1 && rate <= BYTES_MOST))
			return refuse(reading, map, name, pick, rates[i], "a rate above 0", err);
		if (pick_real(pick, times[i]) > SECONDS_MOST)
			return refuse(reading, map, name, pick, times[i], "at most 2.5 h", err);
	}
	row->write = pick_real(pick, "write");
	row->read = pick_real(pick, "read");
	row->overhead_ps = to_ps(pick_real(pick, "overhead"));
	row->seek_ps = to_ps(pick_real(pick, "seek"));
	return 0;
}

static int take_bytes(const struct storage_reader *reading, const char *name,
		      const struct yaml *map, const struct pick *pick, const char *key,
		      int64_t *bytes, struct err *err)
{
	double value = pick_real(pick, key);

	if (value > BYTES_MOST || value != floor(value))
		return refuse(reading, map, name, pick, key, "a whole number of bytes", err);
	*bytes = (int64_t)value;
	return 0;
}

static int read_table(const struct storage_reader *reading, const struct yaml *list,
		      struct err *err)
{
	struct storage_spec *spec = reading->spec;

	if (list->type != YAML_LIST || list->n == 0 || list->n > 1 << 16)
		return yaml_error(reading->file, list, err, "table: is not a list of rows");
	spec->rows = arena_alloc(reading->arena, list->n * sizeof(*spec->rows));
	spec->table = arena_alloc(reading->arena, list->n * sizeof(*spec->table));
	spec->nrows = spec->ntable = (int)list->n;
	for (size_t i = 0; i < list->n; i++) {
		const struct yaml *map = list->items[i];
		struct pick pick;
		int status;

		if (take_map(reading, "row", map, NULL, &spec->table[i], &pick, err) != 0)
			return -1;
		status = take_row(reading, "row", map, &pick, &spec->rows[i], err);
		if (status == 0)
			status = take_bytes(reading, "row", map, &pick, "bytes",
					    &spec->rows[i].bytes, err);
		pick_free(&pick);
		if (status != 0)
			return -1;
		if (i > 0 && spec->rows[i].bytes <= spec->rows[i - 1].bytes)
			return yaml_error(reading->file, map, err,
					  "table: expected rows in ascending order of bytes");
	}
	return 0;
}

static int read_device(const struct storage_reader *reading, const struct yaml *map,
		       struct err *err)
{
	struct storage_spec *spec = reading->spec;
	const struct yaml *table = yaml_get(map, "table");
	struct pick pick;
	int status;

	if (take_map(reading, "device", map, "table", &spec->device, &pick, err) != 0)
		return -1;
	spec->rows = arena_alloc(reading->arena, sizeof(*spec->rows));
	spec->rows->bytes = 0;
	spec->nrows = 1;
	status = take_row(reading, "device", map, &pick, spec->rows, err);
	spec->ndrives = pick_int(&pick, "count");
	spec->nthreads = pick_int(&pick, "threads");
	spec->is_overhead_per_op = pick_is(&pick, "charge", "op");
	spec->priority = pick_is(&pick, "priority", "reads")    ? PRIORITY_READS
			 : pick_is(&pick, "priority", "writes") ? PRIORITY_WRITES
								: PRIORITY_NONE;
	if (status == 0)
		status = take_bytes(reading, "device", map, &pick, "memory", &spec->memory, err);
	if (status == 0)
		status =
			take_bytes(reading, "device", map, &pick, "capacity", &spec->capacity, err);
	pick_free(&pick);
	return status == 0 && table != NULL ? read_table(reading, table, err) : status;
}

static enum storage_home home_of(const struct pick *pick)
{
	if (pick_is(pick, "home", "hash"))
		return HOME_HASH;
	if (pick_is(pick, "home", "list"))
		return HOME_LIST;
	return pick_is(pick, "home", "adjacent") ? HOME_ADJACENT : HOME_PROPORTIONAL;
}

static int read_stripe(const struct storage_reader *reading, const struct yaml *map,
		       struct err *err)
{
	struct storage_spec *spec = reading->spec;
	struct pick pick;
	int status;

	if (take_map(reading, "stripe", map, NULL, &spec->stripe, &pick, err) != 0)
		return -1;
	spec->stripe_count = pick_int(&pick, "count");
	spec->home = home_of(&pick);
	status = take_bytes(reading, "stripe", map, &pick, "width", &spec->stripe_width, err);
	pick_free(&pick);
	if (status == 0 && spec->stripe_count > 1 && spec->stripe_width == 0)
		return yaml_error(reading->file, map, err,
				  "stripe: expected a width for more than one device");
	return status;
}

static int read_drain(const struct storage_reader *reading, const struct yaml *map, struct err *err)
{
	struct storage_spec *spec = reading->spec;
	struct pick pick;
	const char *to;

	if (take_map(reading, "drain", map, NULL, &spec->drain, &pick, err) != 0)
		return -1;
	to = pick_word(&pick, "to");
	spec->drain_to = arena_strndup(reading->arena, to, strlen(to));
	if (pick_has(&pick, "bandwidth"))
		spec->drain_bandwidth = pick_real(&pick, "bandwidth");
	spec->drains_when_idle = pick_is(&pick, "when", "idle");
	pick_free(&pick);
	return 0;
}

int storage_spec_read(struct storage_spec **spec, const struct yaml_file *file,
		      const struct yaml *map, struct arena *arena, struct err *err)
{
	const struct yaml *device = yaml_get(map, "device"), *stripe = yaml_get(map, "stripe");
	const struct yaml *drain = yaml_get(map, "drain");
	struct storage_reader reading = {file, arena, NULL};

	*spec = NULL;
	if (device == NULL && (stripe != NULL || drain != NULL))
		return yaml_error(file, stripe != NULL ? stripe : drain, err,
				  "stripe and drain need a device");
	if (device == NULL)
		return 0;
	reading.spec = arena_alloc(arena, sizeof(**spec));
	*reading.spec = (struct storage_spec){.stripe_count = 1};
	if (read_device(&reading, device, err) != 0 ||
	    (stripe != NULL && read_stripe(&reading, stripe, err) != 0) ||
	    (drain != NULL && read_drain(&reading, drain, err) != 0))
		return -1;
	*spec = reading.spec;
	return 0;
}

static int read_file(struct storage_spec **spec, const struct yaml_file *file, struct arena *arena,
		     struct err *err)
{
	const struct yaml *root = yaml_root(file);
	const char *version = yaml_text(root, "placetools");

	if (root == NULL || root->type != YAML_MAP || version == NULL ||
	    !str_eq(version, "storage/1"))
		return yaml_error(file, root, err,
				  "is not a description of storage: it needs 'placetools: "
				  "storage/1'");
	for (size_t i = 0; i < root->n; i++) {
		const char *key = root->keys[i]->text;

		if (!str_eq(key, "placetools") && !str_eq(key, "device") &&
		    !str_eq(key, "stripe") && !str_eq(key, "drain"))
			return yaml_error(file, root->keys[i], err,
					  "'%.80s' is not a key of storage; expected one of: "
					  "device stripe drain",
					  key);
	}
	if (yaml_get(root, "device") == NULL)
		return yaml_error(file, root, err, "has no device");
	return storage_spec_read(spec, file, root, arena, err);
}

int storage_spec_load(struct storage_spec **spec, const char *path, struct arena *arena,
		      struct err *err)
{
	struct yaml_file *file;
	char *found = NULL;
	int status;

	if (*path == '@') {
		found = share_named("storage", path, err);
		if (found == NULL)
			return -1;
	}
	status = yaml_open(&file, found != NULL ? found : path, err);
	if (status == 0) {
		status = read_file(spec, file, arena, err);
		yaml_close(file);
	}
	free(found);
	return status;
}

/* ---- service ---- */

int64_t storage_service_ps(const struct storage_spec *spec, bool is_write, int64_t bytes,
			   bool has_overhead, bool has_seek)
{
	const struct storage_row *row = spec->rows;

	while (row + 1 < spec->rows + spec->nrows && row[1].bytes <= bytes)
		row++;
	return llround((double)bytes / (is_write ? row->write : row->read) * 1e12) +
	       (has_overhead ? row->overhead_ps : 0) + (has_seek ? row->seek_ps : 0);
}
