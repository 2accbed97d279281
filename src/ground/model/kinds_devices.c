/* kinds_devices.c - the kinds of tables about kernels on devices, their columns and what
 * they mean */
#include <stddef.h>

#include "model/kinds.h"
#include "model/kinds_rows.h"

static const char *const sharing_key[] = {"app", "size", "devices", "slices", NULL};
static const struct column sharing_columns[] = {
	KEY("app", "the application"),
	KEY("size", "its size, a name"),
	KEY("devices", "the set of devices, as in cpu+gpu"),
	MUST_INT("slices", 1, "slices of a launch"),
	MUST_TIME("time_s", "T: one launch with its copies, without opening and initialisation"),
	REAL("ratio", "T on the best single device over T on the set"),
	REAL("divisible_s", "T if the work were divisible at will"),
	TIME("tail_s", "from when the first device finds no more slices to the end of the last"),
	TIME("idle_s", "what devices wait for the last slice, in all"),
	{0}};

const struct table_kind kind_sharing = {
	.name = "sharing",
	.version = 1,
	.summary = "what sets of devices are worth to a kernel",
	.columns = sharing_columns,
	.key = sharing_key,
};

static const char *const slice_key[] = {"run", "policy", "job", "node", "device", "first", NULL};
static const struct column slice_columns[] = {
	KEY("job", "the job"),
	KEY("device", "the device that did it"),
	MUST_INT("slice", 0, "number of the slice in the job, by its start"),
	MUST_INT("first", 0, "the first work group, or slice, of it"),
	MUST_INT("count", 1, "how many of them"),
	MUST_TIME("start_s", "when it began"),
	MUST_TIME("end_s", "when it ended"),
	TIME("copy_in_s", "in a row of each run: how long its devices copied the input in"),
	TIME("copy_out_s", "likewise: the output out, and merged it"),
	RUN,
	NAME("policy", "the co-scheduling policy"),
	NAME("node", "the node"),
	{0}};

const struct table_kind kind_slices = {
	.name = "slices",
	.version = 1,
	.summary = "slices of kernels, and the devices that did them",
	.columns = slice_columns,
	.key = slice_key,
};

static const struct column timeline_columns[] = {
	KEY("job", "the job"),
	KEY("device", "the device"),
	MUST_TIME("start_s", "from when"),
	MUST_TIME("end_s", "until when"),
	KEY("state", "init, open, copy, run, drain, held or reserved"),
	RUN,
	NAME("policy", "the co-scheduling policy"),
	NAME("node", "the node"),
	{0}};

const struct table_kind kind_timeline = {
	.name = "timeline",
	.version = 1,
	.summary = "what devices did for which job",
	.columns = timeline_columns,
};
