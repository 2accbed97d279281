/* devices.c - the devices of a node that jobs share: CPUs, GPUs, FPGAs */
#include "model/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/share.h"
#include "base/str.h"
#include "formats/yaml.h"

static int read_duration(const struct yaml_file *file, const struct yaml *node, int64_t *ns,
			 struct err *err)
{
	double seconds;

	if (node->type != YAML_SCALAR || num_duration(node->text, &seconds) != 0 || seconds > 1e8)
		return yaml_error(file, node, err,
				  "'%s' is not a time; expected one such as 2s or 150ms",
				  node->type == YAML_SCALAR ? node->text : "…");
	*ns = (int64_t)(seconds * 1e9 + 0.5);
	return 0;
}

static int read_bandwidth(const struct yaml_file *file, const struct yaml *node,
			  double *bytes_per_s, struct err *err)
{
	if (node->type != YAML_SCALAR || num_bandwidth(node->text, bytes_per_s) != 0 ||
	    *bytes_per_s <= 0)
		return yaml_error(file, node, err,
				  "'%s' is not a bandwidth; expected one such as 12GB/s",
				  node->type == YAML_SCALAR ? node->text : "…");
	return 0;
}

static int read_whole(const struct yaml_file *file, const struct yaml *node, int64_t min,
		      int64_t max, int64_t *value, struct err *err)
{
	if (node->type != YAML_SCALAR || num_int(node->text, min, max, value) != 0)
		return yaml_error(file, node, err, "expected a whole number from %lld to %lld",
				  (long long)min, (long long)max);
	return 0;
}

static int read_select(struct device *device, const struct yaml_file *file, const struct yaml *map,
		       struct err *err)
{
	if (map->type != YAML_MAP)
		return yaml_error(file, map, err,
				  "expected select: {platform: NAME, type: cpu, index: 0}");
	for (size_t i = 0; i < map->n; i++) {
		const struct yaml *key = map->keys[i], *value = map->items[i];

		if (str_eq(key->text, "index")) {
			if (read_whole(file, value, 0, 1000, &device->index, err) != 0)
				return -1;
		} else if (value->type != YAML_SCALAR) {
			return yaml_error(file, value, err, "%s: expected one value", key->text);
		} else if (str_eq(key->text, "platform")) {
			device->platform = xstrdup(value->text);
		} else if (str_eq(key->text, "type") &&
			   (str_eq(value->text, "cpu") || str_eq(value->text, "gpu") ||
			    str_eq(value->text, "accelerator"))) {
			device->type = xstrdup(value->text);
		} else {
			return yaml_error(file, key, err,
					  "expected platform, index, or type: cpu, gpu or "
					  "accelerator");
		}
	}
	return 0;
}

/* counts=1+1: compute units of each part */
static int read_partition(struct device *device, const struct yaml_file *file,
			  const struct yaml *node, struct err *err)
{
	char *text, *parts[DEVICES_PARTS + 1];
	int n = 0;

	if (node->type == YAML_SCALAR && str_starts(node->text, "counts=")) {
		text = xstrdup(node->text + 7);
		n = str_split(text, '+', parts, DEVICES_PARTS + 1);
		for (int i = 0; i < n && n <= DEVICES_PARTS; i++)
			if (num_int(parts[i], 1, 100000, &device->counts[i]) != 0)
				n = DEVICES_PARTS + 1;
		free(text);
	}
	if (n < 1 || n > DEVICES_PARTS)
		return yaml_error(file, node, err,
				  "expected the compute units of each part, as counts=1+1");
	device->ncounts = n;
	return 0;
}

/* What says which OpenCL device it is. 1: the key is none of these. */
static int read_real_field(struct device *device, const struct yaml_file *file,
			   const struct yaml *key, const struct yaml *value, struct err *err)
{
	if (str_eq(key->text, "select"))
		return read_select(device, file, value, err);
	if (str_eq(key->text, "partition"))
		return read_partition(device, file, value, err);
	if (str_eq(key->text, "part"))
		return read_whole(file, value, 0, DEVICES_PARTS - 1, &device->part, err);
	if (str_eq(key->text, "host_units"))
		return read_whole(file, value, 0, 100000, &device->host_units, err);
	if (str_eq(key->text, "slow")) {
		if (value->type != YAML_SCALAR ||
		    num_real(value->text, 1, 1000, &device->slow) != 0)
			return yaml_error(file, value, err, "slow: expected 1 to 1000");
		return 0;
	}
	return 1;
}

static int read_field(struct device *device, const struct yaml_file *file, const struct yaml *key,
		      const struct yaml *value, struct err *err)
{
	int status = read_real_field(device, file, key, value, err);

	if (status != 1)
		return status;
	if (str_eq(key->text, "open"))
		return read_duration(file, value, &device->open_ns, err);
	if (str_eq(key->text, "close"))
		return read_duration(file, value, &device->close_ns, err);
	if (str_eq(key->text, "copy_in"))
		return read_bandwidth(file, value, &device->copy_in_Bps, err);
	if (str_eq(key->text, "copy_out"))
		return read_bandwidth(file, value, &device->copy_out_Bps, err);
	if (value->type != YAML_SCALAR)
		return yaml_error(file, value, err, "%s: expected one value", key->text);
	if (str_eq(key->text, "memory"))
		return num_bytes(value->text, &device->memory_bytes) == 0
			       ? 0
			       : yaml_error(file, value, err,
					    "'%s' is not a size; expected one such as 6GiB",
					    value->text);
	if (str_eq(key->text, "name"))
		device->name = xstrdup(value->text);
	else if (str_eq(key->text, "kind"))
		device->kind = xstrdup(value->text);
	else
		return yaml_error(file, key, err,
				  "'%s' is not a field of a device; expected name, kind, "
				  "memory, open, close, copy_in, copy_out, select, partition, "
				  "part, host_units or slow",
				  key->text);
	return 0;
}

/* A name that can be in a set: no +, no blank, and not "." */
static bool is_name(const char *name)
{
	return name[0] != '\0' && strlen(name) < 32 && strpbrk(name, "+ \t\n#,:") == NULL &&
	       !str_eq(name, ".");
}

static int read_device(struct devices *devices, const struct yaml_file *file,
		       const struct yaml *item, struct err *err)
{
	struct device *device = &devices->at[devices->n++];

	*device = (struct device){.slow = 1};
	if (item->type != YAML_MAP)
		return yaml_error(file, item, err, "expected a device: {name: gpu, …}");
	for (size_t i = 0; i < item->n; i++)
		if (read_field(device, file, item->keys[i], item->items[i], err) != 0)
			return -1;
	if (device->name == NULL)
		return yaml_error(file, item, err, "a device without a name");
	if (!is_name(device->name))
		return yaml_error(
			file, item, err,
			"'%s' is not a device's name: up to 31 characters without + , : # or blank",
			device->name);
	if (device->part > 0 && device->part >= device->ncounts)
		return yaml_error(file, item, err, "part %lld of %d parts", (long long)device->part,
				  device->ncounts);
	for (int d = 0; d < devices->n - 1; d++)
		if (str_eq(devices->at[d].name, device->name))
			return yaml_error(file, item, err, "two devices are called '%s'",
					  device->name);
	return 0;
}

static int read_document(struct devices *devices, const struct yaml_file *file, struct err *err)
{
	const struct yaml *root = yaml_root(file), *list = yaml_get(root, "devices");
	const char *version = yaml_text(root, "placetools");

	if (root->type != YAML_MAP || version == NULL || !str_eq(version, "devices/1"))
		return yaml_error(file, root, err,
				  "expected 'placetools: devices/1' and a list 'devices'");
	for (size_t i = 0; i < root->n; i++)
		if (!str_eq(root->keys[i]->text, "placetools") &&
		    !str_eq(root->keys[i]->text, "name") && !str_eq(root->keys[i]->text, "devices"))
			return yaml_error(
				file, root->keys[i], err,
				"'%s' is not a key of devices/1; expected name or devices",
				root->keys[i]->text);
	if (list == NULL || list->type != YAML_LIST || list->n < 1 || list->n > DEVICES_MAX)
		return yaml_error(file, list != NULL ? list : root, err,
				  "expected a list of 1 to %d devices", DEVICES_MAX);
	devices->name = xstrdup(yaml_text(root, "name") != NULL ? yaml_text(root, "name") : "");
	for (size_t i = 0; i < list->n; i++)
		if (read_device(devices, file, list->items[i], err) != 0)
			return -1;
	return 0;
}

int devices_load(struct devices *devices, const char *ref, struct err *err)
{
	struct yaml_file *file;
	char *path;
	int status;

	*devices = (struct devices){0};
	path = ref[0] == '@' ? share_named("devices", ref, err) : xstrdup(ref);
	status = path != NULL ? yaml_open(&file, path, err) : -1;
	if (status == 0) {
		status = read_document(devices, file, err);
		yaml_close(file);
	}
	free(path);
	if (status != 0)
		devices_free(devices);
	return status;
}

void devices_free(struct devices *devices)
{
	for (int d = 0; d < devices->n; d++) {
		free(devices->at[d].name);
		free(devices->at[d].kind);
		free(devices->at[d].platform);
		free(devices->at[d].type);
	}
	free(devices->name);
	*devices = (struct devices){0};
}

uint32_t devices_set(const struct devices *devices, const char *text, struct err *err)
{
	uint32_t set = 0;

	for (const char *p = text;; p++) {
		size_t n = strcspn(p, "+");
		int found = -1;

		for (int d = 0; d < devices->n; d++)
			if (strlen(devices->at[d].name) == n &&
			    memcmp(devices->at[d].name, p, n) == 0)
				found = d;
		if (found < 0) {
			char all[DEVICES_TEXT];

			devices_text(devices, (UINT32_C(1) << devices->n) - 1, all);
			err_set(err, "'%.*s' is not a device; expected some of %s", (int)n, p, all);
			return 0;
		}
		if (set >> found & 1) {
			err_set(err, "'%.*s' is named twice in %s", (int)n, p, text);
			return 0;
		}
		set |= UINT32_C(1) << found;
		p += n;
		if (*p == '\0')
			return set;
	}
}

void devices_text(const struct devices *devices, uint32_t set, char text[DEVICES_TEXT])
{
	size_t at = 0;

	text[0] = '.';
	text[1] = '\0';
	for (int d = 0; d < devices->n; d++)
		if (set >> d & 1)
			at += (size_t)snprintf(text + at, DEVICES_TEXT - at, "%s%s",
					       at > 0 ? "+" : "", devices->at[d].name);
}
