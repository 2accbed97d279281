/* slurm_json_job.c - a job out of Slurm's JSON: squeue, scontrol show job and sacct, any version */
#include "convert/reader/slurm_json.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "convert/reader/slurm_fields.h"
#include "convert/reader/slurm_states.h"

/* ---- values ---- */

bool json_number(const struct yaml *value, int64_t *number)
{
	const char *word;
	double real;

	if (value == NULL)
		return false;
	if (value->type == YAML_MAP) {
		word = yaml_text(value, "set");
		if (word != NULL && !str_eq(word, "true"))
			return false;
		word = yaml_text(value, "infinite");
		return (word == NULL || !str_eq(word, "true")) &&
		       json_number(yaml_get(value, "number"), number);
	}
	if (value->type != YAML_SCALAR)
		return false;
	if (num_int(value->text, 0, INT64_MAX, number) == 0)
		return true;
	if (num_real(value->text, 0, 9e15, &real) != 0)
		return false;
	*number = (int64_t)real;
	return true;
}

const struct yaml *json_at_keys(const struct yaml *map, const char *const *keys)
{
	for (; map != NULL && *keys != NULL; keys++)
		map = map->type == YAML_MAP ? yaml_get(map, *keys) : NULL;
	return map;
}

static const char *text_of(const struct yaml *value)
{
	static const char *const nothing[] = {"", "null", "None assigned", "(null)", "N/A", "None"};

	if (value == NULL || value->type != YAML_SCALAR)
		return NULL;
	for (size_t i = 0; i < sizeof(nothing) / sizeof(*nothing); i++)
		if (str_eq(value->text, nothing[i]))
			return NULL;
	return value->text;
}

const char *json_text(const struct yaml *map, const char *key)
{
	return text_of(json_at(map, key));
}

const char *json_words(const struct yaml *value, const char *sep, struct buf *text)
{
	if (value == NULL || value->type == YAML_MAP)
		return NULL;
	if (value->type == YAML_SCALAR)
		return text_of(value);
	buf_clear(text);
	for (size_t i = 0; i < value->n; i++)
		if (value->items[i]->type == YAML_SCALAR)
			buf_printf(text, "%s%s", text->n > 0 ? sep : "", value->items[i]->text);
	return text->n > 0 ? text->text : NULL;
}

/* ---- a job ---- */

/* 20+1 of a heterogeneous job, 4_7 of an array, 4_[8-9%3] of one that waits, or the plain id. */
static void read_id(struct slurm_job *job, const struct yaml *item, struct json_job_room *room)
{
	int64_t id = 0, array = 0, task, het = 0, offset = 0;
	const struct yaml *of_array = json_at(item, "array"), *of_het = json_at(item, "het");
	const char *waiting = of_array != NULL ? json_text(of_array, "task")
					       : json_text(item, "array_task_string");

	buf_clear(&room->id);
	json_number(yaml_get(item, "job_id"), &id);
	json_number(of_array != NULL ? yaml_get(of_array, "job_id")
				     : yaml_get(item, "array_job_id"),
		    &array);
	json_number(of_het != NULL ? yaml_get(of_het, "job_id") : yaml_get(item, "het_job_id"),
		    &het);
	if (het > 0) {
		json_number(of_het != NULL ? yaml_get(of_het, "job_offset")
					   : yaml_get(item, "het_job_offset"),
			    &offset);
		buf_printf(&room->id, "%lld+%lld", (long long)het, (long long)offset);
		buf_clear(&room->het_job);
		buf_printf(&room->het_job, "%lld", (long long)het);
		job->het_job = room->het_job.text;
	} else if (array > 0 && waiting != NULL) {
		buf_printf(&room->id, "%lld_[%s]", (long long)array, waiting);
	} else if (array > 0 && json_number(of_array != NULL ? yaml_get(of_array, "task_id")
							     : yaml_get(item, "array_task_id"),
					    &task)) {
		buf_printf(&room->id, "%lld_%lld", (long long)array, (long long)task);
	} else {
		buf_printf(&room->id, "%lld", (long long)id);
	}
	job->id = room->id.text;
}

/* Epoch seconds or (unit_s 60) minutes; 0 is not known when zero_is_none. */
static int64_t time_of(const struct yaml *value, int64_t unit_s, bool zero_is_none)
{
	int64_t number;

	if (!json_number(value, &number) || (number == 0 && zero_is_none) ||
	    number > SLURM_SECONDS_MOST / unit_s)
		return SLURM_NO_TIME;
	return number * unit_s * 1000000000;
}

static void read_times(struct slurm_job *job, const struct yaml *item)
{
	const struct yaml *times = json_at(item, "time");

	if (times != NULL) { /* sacct */
		job->submit_ns = time_of(yaml_get(times, "submission"), 1, true);
		job->eligible_ns = time_of(yaml_get(times, "eligible"), 1, true);
		job->start_ns = time_of(yaml_get(times, "start"), 1, true);
		job->end_ns = time_of(yaml_get(times, "end"), 1, true);
		job->runtime_ns = time_of(yaml_get(times, "elapsed"), 1, false);
		job->walltime_ns = time_of(yaml_get(times, "limit"), 60, true);
		return;
	}
	job->submit_ns = time_of(yaml_get(item, "submit_time"), 1, true);
	job->eligible_ns = time_of(yaml_get(item, "eligible_time"), 1, true);
	job->dependency = json_text(item, "dependency");
	job->start_ns = time_of(yaml_get(item, "start_time"), 1, true);
	job->end_ns = time_of(yaml_get(item, "end_time"), 1, true);
	job->walltime_ns = time_of(yaml_get(item, "time_limit"), 60, true);
}

/* sacct's list of {"type": "gres", "name": "gpu:a100", "count": 4}. */
static bool read_tres_list(struct slurm_tres *tres, const struct yaml *list)
{
	struct buf text = {0};

	if (list == NULL || list->type != YAML_LIST || list->n == 0)
		return false;
	for (size_t i = 0; i < list->n; i++) {
		const struct yaml *entry = list->items[i];
		const char *type = json_text(entry, "type"), *name = json_text(entry, "name");
		int64_t count;

		if (type != NULL && json_number(json_at(entry, "count"), &count))
			buf_printf(&text, "%s%s%s%s=%lld", text.n > 0 ? "," : "", type,
				   name != NULL ? "/" : "", name != NULL ? name : "",
				   (long long)count);
	}
	slurm_tres_read(tres, buf_text(&text));
	buf_free(&text);
	return true;
}

static void read_tres(struct slurm_job *job, const struct yaml *item)
{
	const char *text = json_text(item, "tres_alloc_str");

	if (text == NULL)
		text = json_text(item, "tres_req_str");
	if (text != NULL)
		slurm_tres_read(&job->tres, text);
	else if (!read_tres_list(&job->tres, json_at(item, "tres", "allocated")))
		read_tres_list(&job->tres, json_at(item, "tres", "requested"));
}

/* ---- what it has on each node ---- */

/* The cores of a node that are the job's; 22.05 names those, later versions list all of them. */
static int64_t count_cores(const struct yaml *sockets)
{
	int64_t ncores = 0;

	for (size_t s = 0; sockets != NULL && s < sockets->n; s++) {
		const struct yaml *cores = json_at(sockets->items[s], "cores");

		for (size_t c = 0; cores != NULL && cores->type != YAML_SCALAR && c < cores->n;
		     c++) {
			const struct yaml *core = cores->items[c];
			const struct yaml *status =
				core->type == YAML_MAP ? yaml_get(core, "status") : core;

			if (status != NULL && status->type == YAML_LIST && status->n > 0)
				status = status->items[0];
			ncores += status != NULL && status->type == YAML_SCALAR &&
				  strncasecmp(status->text, "alloc", 5) == 0;
		}
	}
	return ncores;
}

static void read_share(const struct yaml *node, struct json_job_room *room)
{
	const struct yaml *memory = yaml_get(node, "memory_allocated");
	int64_t number;

	if (!json_number(json_at(node, "cpus", "count"), &number))
		number = count_cores(yaml_get(node, "sockets"));
	slurm_shares_add(&room->cpus, number, 1);
	if (memory == NULL)
		memory = json_at(node, "memory", "allocated");
	if (json_number(memory, &number))
		slurm_shares_add(&room->memory, number << 20, 1);
}

/* gres_detail names the GPUs of each node, though the totals may not know them. */
static void read_gpus(struct slurm_job *job, const struct yaml *details, struct json_job_room *room)
{
	int64_t total = -1;
	char types[64] = "";

	for (size_t i = 0; i < details->n; i++) {
		int64_t gpus = -1;

		if (details->items[i]->type != YAML_SCALAR)
			continue;
		slurm_gres_add(details->items[i]->text, &gpus, types);
		gpus = gpus < 0 ? 0 : gpus;
		total = total < 0 ? gpus : total + gpus;
		slurm_shares_add(&room->gpus, gpus, 1);
	}
	if (total > job->tres.gpus)
		job->tres.gpus = total;
	if (types[0] != '\0')
		memcpy(job->tres.gpu_type, types, sizeof(types));
	job->gpus_per_node = total > 0 ? slurm_shares_text(&room->gpus) : NULL;
}

static void read_shares(struct slurm_job *job, const struct yaml *item, struct json_job_room *room)
{
	const struct yaml *nodes = json_at(item, "job_resources", "allocated_nodes");
	const struct yaml *details = json_at(item, "gres_detail");

	slurm_shares_clear(&room->cpus);
	slurm_shares_clear(&room->gpus);
	slurm_shares_clear(&room->memory);
	if (nodes == NULL)
		nodes = json_at(item, "job_resources", "nodes", "allocation");
	if (nodes != NULL && nodes->type != YAML_SCALAR) {
		for (size_t i = 0; i < nodes->n; i++)
			read_share(nodes->items[i], room);
		job->cpus_per_node = slurm_shares_text(&room->cpus);
		job->memory_per_node = slurm_shares_text(&room->memory);
	}
	if (details != NULL && details->type == YAML_LIST && details->n > 0)
		read_gpus(job, details, room);
	else if (details != NULL && job->cpus_per_node != NULL && job->tres.gpus < 0)
		job->tres.gpus = 0; /* a job that has its nodes would have them named */
}

/* The requests of a job that waits, where its totals do not name GPUs: tres_per_node
 * times nodes. */
static void read_requests(struct slurm_job *job, const struct yaml *item)
{
	int64_t gpus = -1, nodes = job->nodes > 0 ? job->nodes : 1;

	if (job->tres.gpus > 0)
		return;
	slurm_gres_add(json_text(item, "tres_per_job"), &gpus, job->tres.gpu_type);
	if (gpus < 0) {
		slurm_gres_add(json_text(item, "tres_per_node"), &gpus, job->tres.gpu_type);
		gpus = gpus > 0 ? gpus * nodes : gpus;
	}
	if (gpus >= 0)
		job->tres.gpus = gpus;
}

static void read_state(struct slurm_job *job, const struct yaml *item, struct json_job_room *room)
{
	const struct yaml *state = yaml_get(item, "job_state");
	const char *text;

	if (state == NULL)
		state = json_at(item, "state", "current");
	text = json_words(state, " ", &room->state);
	if (text != NULL)
		job->state = slurm_job_state(room->flow, text, room->word);
	job->reason = json_text(item, "state_reason");
	if (job->reason == NULL)
		job->reason = text_of(json_at(item, "state", "reason"));
}

static void read_number(const struct yaml *value, int64_t *number)
{
	int64_t found;

	if (json_number(value, &found))
		*number = found;
}

/* A list of words, or one, in any letters. */
static bool has_word(const struct yaml *value, const char *word)
{
	if (value == NULL || value->type == YAML_MAP)
		return false;
	if (value->type == YAML_SCALAR)
		return strcasecmp(value->text, word) == 0;
	for (size_t i = 0; i < value->n; i++)
		if (has_word(value->items[i], word))
			return true;
	return false;
}

/* shared: "none" and "shared" (22.05) or a list; 24.05 has a list exclusive beside it. */
static void read_sharing(struct slurm_asks *asks, const struct yaml *item)
{
	const struct yaml *shared = yaml_get(item, "shared"), *whole = yaml_get(item, "exclusive");

	if (has_word(shared, "none") || has_word(whole, "none") || has_word(whole, "true"))
		asks->exclusive = 1;
	if (has_word(shared, "topo") || has_word(whole, "topo"))
		asks->exclusive = asks->exclusive_topo = 1;
	if (has_word(shared, "shared") || has_word(shared, "oversubscribe"))
		asks->oversubscribe = 1;
}

static void read_limit(const struct yaml *value, int64_t *limit)
{
	int64_t found;

	if (json_number(value, &found) && found > 0 && found <= INT32_MAX)
		*limit = found;
}

/* sacct has most of it in the line of submission alone. */
static void read_asks(struct slurm_job *job, const struct yaml *item, struct json_job_room *room)
{
	const char *plus = strchr(job->id, '+');
	int64_t component = 0;

	if (plus != NULL)
		num_int(plus + 1, 0, INT32_MAX, &component);
	slurm_line_read(&room->line, json_text(item, "submit_line"), job->name, (int)component);
	job->asks = room->line.asks;
	if (job->dependency == NULL)
		job->dependency = room->line.dependency;
	if (job->segment < 0)
		job->segment = room->line.segment;
	read_sharing(&job->asks, item);
	read_limit(yaml_get(item, "minimum_switches"), &job->asks.leaf_switches);
	read_limit(yaml_get(item, "required_switches"), &job->asks.leaf_switches);
	read_limit(yaml_get(item, "maximum_switch_wait_time"), &job->asks.switch_wait_s);
	read_limit(yaml_get(item, "array_max_tasks"), &job->asks.array_limit);
	read_limit(json_at(item, "array", "limits", "max", "running", "tasks"),
		   &job->asks.array_limit);
}

void json_job_read(struct slurm_job *job, const struct yaml *item, struct json_job_room *room)
{
	slurm_job_clear(job);
	read_id(job, item, room);
	read_times(job, item);
	read_state(job, item, room);
	job->name = json_text(item, "name");
	job->user = json_text(item, "user_name");
	if (job->user == NULL)
		job->user = json_text(item, "user");
	job->account = json_text(item, "account");
	job->partition = json_text(item, "partition");
	job->nodelist = json_text(item, "nodes");
	if (job->nodelist != NULL && str_eq(job->nodelist, "None assigned"))
		job->nodelist = NULL;
	job->features = json_text(item, "features");
	if (job->features == NULL)
		job->features = json_text(item, "constraints");
	job->reservation = json_text(item, "resv_name");
	if (job->reservation == NULL)
		job->reservation = text_of(json_at(item, "reservation", "name"));
	if (job->reservation != NULL && str_eq(job->reservation, "0")) /* 22.05's empty name */
		job->reservation = NULL;
	read_tres(job, item);
	read_number(yaml_get(item, "tasks"), &job->tasks);
	read_number(yaml_get(item, "segment_size"), &job->segment);
	read_number(yaml_get(item, "node_count"), &job->nodes);
	read_number(yaml_get(item, "allocation_nodes"), &job->nodes);
	if (job->nodes <= 0) /* of one that just starts there is the list already */
		job->nodes =
			job->tres.nodes > 0 ? job->tres.nodes : slurm_count_nodes(job->nodelist);
	if (job->tres.cpus < 0)
		read_number(yaml_get(item, "cpus"), &job->tres.cpus);
	read_shares(job, item, room);
	read_requests(job, item);
	read_asks(job, item, room);
}

void json_job_room_free(struct json_job_room *room)
{
	buf_free(&room->id);
	buf_free(&room->het_job);
	buf_free(&room->state);
	buf_free(&room->features);
	slurm_shares_free(&room->cpus);
	slurm_shares_free(&room->gpus);
	slurm_shares_free(&room->memory);
	slurm_line_free(&room->line);
}
