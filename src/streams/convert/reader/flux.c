/* flux.c - Flux jobspecs (RFC 14, 25) and resource sets (RFC 20) as jobs */
#include <stdlib.h>
#include <string.h>

#include "convert/reader/reader.h"
#include "convert/reader/text.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "formats/hostlist.h"
#include "formats/yaml.h"

struct flux_reader {
	struct flow *flow;
	const char *id; /* of the job; NULL: the file's name */
	int64_t cores;  /* of a node, for a jobspec that asks for no nodes; 0: not given */
	struct yaml_file *file;
	int job, nodes, ranks, walltime, app, binary, start, end, nodelist;
};

/* What the tree of resources asks for, all in all. */
struct request {
	int64_t nodes, slots;  /* 0: none named */
	int64_t cores_of_slot; /* 0: none named */
};

static int fail(const struct flux_reader *reading, const struct yaml *at, struct err *err,
		const char *what)
{
	return yaml_error(reading->file, at, err, "%s", what);
}

/* A count: a number; of a moldable request (a map with min, "2-8", "4,9,16") the least. */
static int read_count(const struct flux_reader *reading, const struct yaml *resource,
		      int64_t *count, struct err *err)
{
	const struct yaml *value = yaml_get(resource, "count");
	const char *text = value != NULL && value->type == YAML_MAP ? yaml_text(value, "min")
								    : yaml_text(resource, "count");
	char digits[12] = "";

	if (text != NULL && strspn(text, "0123456789") < sizeof(digits))
		memcpy(digits, text, strspn(text, "0123456789"));
	if (num_int(digits, 1, INT32_MAX, count) != 0)
		return fail(reading, resource, err,
			    "a resource's count is not a whole number of at least "
			    "1 (nor a map with min, nor a range)");
	return 0;
}

static int walk(const struct flux_reader *reading, const struct yaml *resources, int64_t outer,
		bool in_slot, struct request *request, struct err *err);

/* outer: how many of what it is in there are. */
static int walk_one(const struct flux_reader *reading, const struct yaml *resource, int64_t outer,
		    bool in_slot, struct request *request, struct err *err)
{
	const char *type = yaml_text(resource, "type");
	const struct yaml *inner = yaml_get(resource, "with");
	int64_t count;

	if (type == NULL)
		return fail(reading, resource, err, "a resource without its type");
	if (inner == NULL && !str_eq(type, "node") && !str_eq(type, "slot") &&
	    !str_eq(type, "core"))
		return 0; /* memory and the like, in any unit */
	if (read_count(reading, resource, &count, err) != 0)
		return -1;
	if (str_eq(type, "core") && in_slot && request->cores_of_slot == 0)
		request->cores_of_slot = count;
	if (outer > INT32_MAX / count)
		return fail(reading, resource, err, "the counts multiply to more than 2^31");
	outer *= count;
	if (str_eq(type, "node"))
		request->nodes += outer;
	if (str_eq(type, "slot"))
		request->slots += outer;
	in_slot = in_slot || str_eq(type, "slot");
	return inner != NULL ? walk(reading, inner, outer, in_slot, request, err) : 0;
}

static int walk(const struct flux_reader *reading, const struct yaml *resources, int64_t outer,
		bool in_slot, struct request *request, struct err *err)
{
	if (resources == NULL || resources->type != YAML_LIST || resources->n == 0)
		return fail(reading, resources, err, "expected a list of resources");
	for (size_t i = 0; i < resources->n; i++)
		if (walk_one(reading, resources->items[i], outer, in_slot, request, err) != 0)
			return -1;
	if (request->nodes > INT32_MAX || request->slots > INT32_MAX)
		return fail(reading, resources, err, "more than 2^31 nodes or slots");
	return 0;
}

/* Slots without nodes share nodes of the given size. */
static int place_slots(const struct flux_reader *reading, const struct yaml *at,
		       struct request *request, struct err *err)
{
	int64_t fit;

	if (request->nodes > 0)
		return 0;
	if (request->slots == 0)
		return fail(reading, at, err, "asks for neither nodes nor slots");
	if (reading->cores == 0 || request->cores_of_slot == 0)
		return fail(reading, at, err,
			    "asks for slots, not nodes: how many cores a node "
			    "has must be given (flux:cores=N)");
	fit = reading->cores / request->cores_of_slot;
	if (fit == 0)
		return fail(reading, at, err, "a slot has more cores than a node (cores=)");
	request->nodes = (request->slots + fit - 1) / fit;
	return 0;
}

/* Ranks of a node, where all have as many. */
static void put_ranks(const struct flux_reader *reading, const struct yaml *task,
		      const struct request *request)
{
	const struct yaml *count = yaml_get(task, "count"), *each = yaml_get(count, "per_resource");
	const char *per_slot = yaml_text(count, "per_slot"), *total = yaml_text(count, "total");
	const char *type = yaml_text(each, "type"), *of_each = yaml_text(each, "count");
	int64_t n, ranks = 0;

	if (per_slot != NULL && num_int(per_slot, 1, INT32_MAX, &n) == 0)
		ranks = request->slots * n;
	else if (total != NULL && num_int(total, 1, INT32_MAX, &n) == 0)
		ranks = n;
	else if (type != NULL && of_each != NULL && str_eq(type, "node") &&
		 num_int(of_each, 1, INT32_MAX, &n) == 0)
		ranks = n * request->nodes;
	if (ranks > 0 && ranks % request->nodes == 0)
		flow_int(reading->flow, reading->ranks, ranks / request->nodes);
}

static int put_walltime(const struct flux_reader *reading, const struct yaml *system,
			struct err *err)
{
	const char *text = yaml_text(system, "duration");
	double seconds;
	int64_t ns;

	if (text == NULL)
		return 0;
	if (num_real(text, 0, 9e9, &seconds) != 0)
		return fail(reading, yaml_get(system, "duration"), err,
			    "duration is not a time in seconds");
	if (seconds == 0) /* RFC 14: no limit */
		return 0;
	if (num_seconds(text, &ns) != 0)
		ns = (int64_t)(seconds * 1e9 + 0.5);
	flow_seconds(reading->flow, reading->walltime, ns);
	return 0;
}

/* tasks[0].command is a list of words, or in older files one text. */
static const char *command_of(const struct yaml *task)
{
	const struct yaml *command = yaml_get(task, "command");

	if (command == NULL)
		return NULL;
	if (command->type == YAML_LIST && command->n > 0)
		command = command->items[0];
	return command->type == YAML_SCALAR ? command->text : NULL;
}

static int put_jobspec(const struct flux_reader *reading, const struct yaml *root, struct err *err)
{
	const struct yaml *system = yaml_get(yaml_get(root, "attributes"), "system");
	const struct yaml *tasks = yaml_get(root, "tasks"), *task = NULL;
	const char *name = yaml_text(yaml_get(system, "job"), "name");
	struct request request = {0};
	char *program = NULL;
	int status;

	/* of several tasks, what each has for ranks is not what the job has */
	if (tasks != NULL && tasks->type == YAML_LIST && tasks->n > 0)
		task = tasks->items[0];
	if (walk(reading, yaml_get(root, "resources"), 1, false, &request, err) != 0 ||
	    place_slots(reading, yaml_get(root, "resources"), &request, err) != 0 ||
	    put_walltime(reading, system, err) != 0)
		return -1;
	flow_int(reading->flow, reading->nodes, request.nodes);
	if (task != NULL && tasks->n == 1)
		put_ranks(reading, task, &request);
	if (command_of(task) != NULL)
		program = text_program(command_of(task));
	flow_text(reading->flow, reading->app, name != NULL ? name : program);
	flow_text(reading->flow, reading->binary, program);
	status = flow_emit(reading->flow, err);
	free(program);
	return status;
}

static int put_time(const struct flux_reader *reading, const struct yaml *execution,
		    const char *key, int column, struct err *err)
{
	const char *text = yaml_text(execution, key);
	int64_t ns;

	if (text == NULL)
		return 0;
	if (num_seconds(text, &ns) != 0)
		return fail(reading, yaml_get(execution, key), err, "is not a time in seconds");
	if (ns > 0)
		flow_seconds(reading->flow, column, ns);
	return 0;
}

static int count_name(void *context, const char *name, size_t n, struct err *err)
{
	(void)name;
	(void)n;
	(void)err;
	++*(int64_t *)context;
	return 0;
}

/* A resource set: what a job was given. */
static int put_resources(const struct flux_reader *reading, const struct yaml *execution,
			 struct err *err)
{
	const struct yaml *names = yaml_get(execution, "nodelist");
	struct buf list = {0};
	struct err why;
	int64_t nodes = 0;
	int status;

	for (size_t i = 0; names != NULL && names->type == YAML_LIST && i < names->n; i++)
		if (names->items[i]->type == YAML_SCALAR)
			buf_printf(&list, "%s%s", list.n ? "," : "", names->items[i]->text);
	status = hostlist_walk(buf_text(&list), count_name, &nodes, &why);
	if (status != 0)
		fail(reading, names, err, why.msg);
	else if (nodes == 0)
		status = fail(reading, execution, err, "a resource set without its nodelist");
	if (status == 0 && put_time(reading, execution, "starttime", reading->start, err) == 0 &&
	    put_time(reading, execution, "expiration", reading->end, err) == 0) {
		flow_int(reading->flow, reading->nodes, nodes);
		flow_text(reading->flow, reading->nodelist, list.text);
		status = flow_emit(reading->flow, err);
	} else {
		status = -1;
	}
	buf_free(&list);
	return status;
}

/* The job's id: the parameter, else the file's name without .yaml, .json and the like. */
static char *job_id(const struct flux_reader *reading, const char *path)
{
	static const char *const endings[] = {".json", ".yaml", ".yml"};
	const char *slash = strrchr(path, '/');
	size_t n;

	if (reading->id != NULL || str_eq(path, "-"))
		return xstrdup(reading->id != NULL ? reading->id : "1");
	path = slash != NULL ? slash + 1 : path;
	n = strlen(path);
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (str_ends(path, endings[i]) && n > strlen(endings[i]))
			n -= strlen(endings[i]);
	return xstrndup(path, n);
}

static int read_file(struct flux_reader *reading, const char *path, struct err *err)
{
	const struct yaml *root, *execution;
	char *id;
	int status;

	if (yaml_open(&reading->file, path, err) != 0)
		return -1;
	root = yaml_root(reading->file);
	execution = yaml_get(root, "execution");
	id = job_id(reading, path);
	flow_text(reading->flow, reading->job, id);
	reading->flow->file = path;
	reading->flow->line = root->line;
	if (yaml_text(root, "version") == NULL)
		status = fail(
			reading, root, err,
			"has no version: expected a jobspec (RFC 14) or resource set (RFC 20)");
	else if (execution != NULL)
		status = put_resources(reading, execution, err);
	else
		status = put_jobspec(reading, root, err);
	reading->flow->file = NULL;
	free(id);
	yaml_close(reading->file);
	return status;
}

static int read_files(const struct reader_input *input, struct flow *flow, bool *whole,
		      struct err *err)
{
	struct flux_reader reading = {
		.flow = flow,
		.id = pick_word(input->pick, "job"),
		.cores = pick_has(input->pick, "cores") ? pick_int(input->pick, "cores") : 0};

	(void)whole;
	reading.job = flow_column(flow, "job");
	reading.nodes = flow_column(flow, "nodes");
	reading.ranks = flow_column(flow, "ranks_per_node");
	reading.walltime = flow_column(flow, "walltime_s");
	reading.app = flow_column(flow, "app");
	reading.binary = flow_column(flow, "binary");
	reading.start = flow_column(flow, "start_s");
	reading.end = flow_column(flow, "end_s");
	reading.nodelist = flow_column(flow, "nodelist");
	if (reading.id != NULL && input->paths[1] != NULL)
		return err_set(err, "job= names one job, and there are several files");
	for (char *const *path = input->paths; *path != NULL; path++)
		if (read_file(&reading, *path, err) != 0)
			return -1;
	return 0;
}

static const struct param params[] = {
	{.key = "job",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "the job's id; default: the file's name without .yaml or .json"},
	{.key = "cores",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1e6,
	 .optional = true,
	 .meaning = "cores of a node, for jobspecs that request slots instead of nodes"},
	{0}};
static const struct table_kind *const makes[] = {&kind_jobs, NULL};

const struct reader reader_flux = {
	.entry = {.name = "flux",
		  .example = "flux:job=f23,cores=48",
		  .summary = "Flux jobspecs (YAML or JSON) and resource sets, one job per"
			     " file",
		  .feed = "flux job info JOBID jobspec",
		  .params = params},
	.makes = makes,
	.read = read_files,
};
