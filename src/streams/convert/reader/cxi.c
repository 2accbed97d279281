/* cxi.c - telemetry of HPE Slingshot's cxi driver, as grep prints its files */
#include <string.h>

#include "convert/reader/samples.h"
#include "convert/reader/text.h"
#include "base/num.h"
#include "base/str.h"

/* The row that a device's counters go to. */
struct cxi_reader {
	struct samples samples;
	const char *component; /* of lines that name none */
	struct in *in;
};

/* "103060429480@1743569213.088677609": a count, and when it was read. */
static int read_stamp(const char *value, int64_t *ns)
{
	const char *at = strchr(value, '@');
	char count[24];
	uint64_t number;

	if (at == NULL || (size_t)(at - value) >= sizeof(count))
		return -1;
	memcpy(count, value, (size_t)(at - value));
	count[at - value] = '\0';
	return num_uint(count, UINT64_MAX, &number) != 0 ? -1 : num_seconds(at + 1, ns);
}

/* Whether the row that is open is of this device of this host. */
static bool is_same(const struct samples *samples, const char *component, const char *device)
{
	const struct sample_row *row =
		samples->rows.n > 0 ? &samples->rows.at[samples->rows.n - 1] : NULL;

	return row != NULL && str_eq(row->component, component) && str_eq(row->instance, device);
}

/* A counter that the row has already begins the next sample. The row's time is its last stamp. */
static void put(struct cxi_reader *reading, const char *component, const char *device,
		const char *name, const char *value, int64_t ns)
{
	struct samples *samples = &reading->samples;
	struct sample_row *row;

	if (!is_same(samples, component, device) || !samples_put(samples, name, value)) {
		samples_row(samples, component, device, true, ns);
		samples_put(samples, name, value);
	}
	row = &samples->rows.at[samples->rows.n - 1];
	if (ns > row->time_ns)
		row->time_ns = ns;
}

static bool is_plain(const char *name)
{
	return *name != '\0' &&
	       name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				 "_-.")] == '\0';
}

/* "[nid000001: ]/sys/class/cxi/cxi0/device/telemetry/NAME:VALUE@SECONDS" */
static int read_line(void *context, struct in *in, char *line, struct err *err)
{
	struct cxi_reader *reading = context;
	char *path = strstr(line, "/sys/class/cxi/"), *device, *telemetry, *value;
	const char *component = reading->component;
	int64_t ns;

	reading->in = in;
	if (line[strspn(line, " \t")] == '\0')
		return 0;
	if (path == NULL || (telemetry = strstr(path, "/device/telemetry/")) == NULL ||
	    (value = strchr(telemetry, ':')) == NULL)
		return in_error(reading->in, err,
				"expected '/sys/class/cxi/cxiN/device/telemetry/NAME:VALUE'");
	device = path + strlen("/sys/class/cxi/");
	*telemetry = '\0';
	telemetry += strlen("/device/telemetry/");
	*value++ = '\0';
	if (path > line) { /* a host's name before it, as clush and pdsh print */
		path[0] = '\0';
		component = str_trim(line);
		line[strcspn(line, ": \t")] = '\0';
	}
	if (component == NULL || *component == '\0')
		return in_error(reading->in, err,
				"the host is not known: cxi:component= says "
				"it, or clush before each line");
	if (!is_plain(device) || !is_plain(telemetry) || read_stamp(str_trim(value), &ns) != 0)
		return in_error(reading->in, err, "%s: '%s' is not VALUE@SECONDS", telemetry,
				value);
	put(reading, component, device, telemetry, str_trim(value), ns);
	return 0;
}

static int read_cxi(const struct reader_input *input, struct flow *flow, bool *whole,
		    struct err *err)
{
	struct cxi_reader reading = {.samples = {.flow = flow},
				     .component = pick_word(input->pick, "component")};
	int status = text_read_lines(input->paths, read_line, &reading, err);

	(void)whole;
	if (status == 0)
		status = samples_emit(&reading.samples, "device", err);
	samples_free(&reading.samples);
	return status;
}

static const struct param params[] = {
	{.key = "component",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "the node, for lines that do not begin with its name"},
	{0}};
static const struct table_kind *const makes[] = {&kind_counters, NULL};

const struct reader reader_cxi = {
	.entry = {.name = "cxi",
		  .example = "cxi:component=nid000001",
		  .summary = "counters of HPE Slingshot's cxi driver, VALUE@SECONDS",
		  .feed = "clush -a 'grep . /sys/class/cxi/cxi*/device/telemetry/*'",
		  .params = params},
	.makes = makes,
	.read = read_cxi,
};
