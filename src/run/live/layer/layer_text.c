/* layer_text.c - devices as one text, by which clslice run hands them to the layer */
#include "live/layer/layer_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"

/* The file's names hold no control characters (YAML's rule), so these can't be in one. */
#define BETWEEN_DEVICES '\x1e'
#define BETWEEN_FIELDS '\x1f'

enum { NAME, PLATFORM, TYPE, INDEX, PART, HOST_UNITS, SLOW, COUNTS, FIELDS };

void layer_text_write(const struct devices *devices, struct buf *text)
{
	char slow[NUM_TEXT];

	for (int d = 0; d < devices->n; d++) {
		const struct device *device = &devices->at[d];

		num_print_real(slow, device->slow);
		buf_printf(text, "%s\x1f%s\x1f%s\x1f%lld\x1f%lld\x1f%lld\x1f%s\x1f", device->name,
			   device->platform != NULL ? device->platform : "",
			   device->type != NULL ? device->type : "", (long long)device->index,
			   (long long)device->part, (long long)device->host_units, slow);
		for (int i = 0; i < device->ncounts; i++)
			buf_printf(text, "%s%lld", i > 0 ? "+" : "", (long long)device->counts[i]);
		if (d + 1 < devices->n)
			buf_char(text, BETWEEN_DEVICES);
	}
}

static int read_counts(struct device *device, char *text)
{
	char *words[DEVICES_PARTS];

	if (text[0] == '\0')
		return 0;
	device->ncounts = str_split(text, '+', words, DEVICES_PARTS);
	for (int i = 0; i < device->ncounts; i++)
		if (num_int(words[i], 1, INT32_MAX, &device->counts[i]) != 0)
			return -1;
	return 0;
}

static char *copy_of(const char *text)
{
	return text[0] != '\0' ? xstrdup(text) : NULL;
}

static int read_device(struct device *device, char *text)
{
	char *fields[FIELDS];

	if (str_split(text, BETWEEN_FIELDS, fields, FIELDS) != FIELDS)
		return -1;
	*device = (struct device){.name = xstrdup(fields[NAME]),
				  .kind = xstrdup(""),
				  .platform = copy_of(fields[PLATFORM]),
				  .type = copy_of(fields[TYPE])};
	return num_int(fields[INDEX], 0, INT32_MAX, &device->index) != 0 ||
			       num_int(fields[PART], 0, DEVICES_PARTS - 1, &device->part) != 0 ||
			       num_int(fields[HOST_UNITS], 0, INT32_MAX, &device->host_units) !=
				       0 ||
			       num_real(fields[SLOW], 1, 1000, &device->slow) != 0 ||
			       read_counts(device, fields[COUNTS]) != 0
		       ? -1
		       : 0;
}

int layer_text_read(struct devices *devices, const char *text)
{
	char *copy = xstrdup(text), *parts[DEVICES_MAX];
	int n = str_split(copy, BETWEEN_DEVICES, parts, DEVICES_MAX), status = 0;

	*devices = (struct devices){.name = xstrdup("")};
	while (devices->n < n && status == 0) {
		status = read_device(&devices->at[devices->n], parts[devices->n]);
		devices->n += devices->at[devices->n].name != NULL;
	}
	if (status != 0)
		devices_free(devices);
	free(copy);
	return status;
}
