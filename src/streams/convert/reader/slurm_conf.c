/* slurm_conf.c - slurm.conf and gres.conf as the nodes that a site has configured */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/names.h"
#include "base/num.h"
#include "base/str.h"
#include "convert/reader/reader.h"
#include "convert/reader/slurm_fields.h"
#include "convert/reader/slurm_rows.h"
#include "convert/reader/slurm_states.h"
#include "formats/hostlist.h"
#include "formats/in.h"
#include "formats/slurm/conf_lines.h"
#include "formats/slurm/slurm_units.h"

enum {
	PAIRS_MOST = 64,
	INCLUDES_MOST = 8,
	FILES_MOST = 256,
	FILE_MOST = 64 << 20,
	NODES_MOST = 1 << 20
};

/* A Key=value of a line; what DEFAULT lines say comes before what the line itself does. */
struct pair {
	const char *key, *value;
};
typedef VEC(struct pair) pair_vec;

struct node {
	const char *name;
	pair_vec pairs;
	struct buf partitions;
	int64_t gpus; /* by gres.conf; -1: unknown */
	char gpu_type[64];
};

struct node_set {
	const char *name;
	pair_vec pairs;
};

struct slurm_conf_reader {
	struct flow *flow;
	struct in *in;
	pair_vec node_default, partition_default;
	VEC(struct node) nodes;
	struct map node_ids;
	VEC(struct node_set) sets, partitions, gres;
	struct arena arena;
	int depth, nincluded;
};

/* ---- lines ---- */

static const char *keep(struct slurm_conf_reader *reading, const char *text)
{
	return arena_strndup(&reading->arena, text, strlen(text));
}

/* The last value of a key: DEFAULT lines add up. */
static const char *value(const pair_vec *pairs, const char *key)
{
	for (size_t i = pairs->n; i-- > 0;)
		if (strcasecmp(pairs->at[i].key, key) == 0)
			return pairs->at[i].value;
	return NULL;
}

static void add_pairs(pair_vec *to, const pair_vec *from)
{
	for (size_t i = 0; i < from->n; i++)
		vec_push(to, from->at[i]);
}

static int read_pairs(struct slurm_conf_reader *reading, char *line, pair_vec *pairs,
		      struct err *err)
{
	char *key, *text;

	while (conf_pair(&line, &key, &text)) {
		struct pair pair = {keep(reading, key), text != NULL ? keep(reading, text) : NULL};

		/* an included file may be any: what is in it is not printed */
		if ((text == NULL || pairs->n == PAIRS_MOST) && reading->depth > 1)
			return in_error(reading->in, err, "expected Key=value");
		if (text == NULL || pairs->n == PAIRS_MOST)
			return in_error(reading->in, err, "'%.40s': expected Key=value", key);
		vec_push(pairs, pair);
	}
	return 0;
}

/* ---- nodes ---- */

struct adding {
	struct slurm_conf_reader *reading;
	const pair_vec *pairs;
};

static int add_node(void *context, const char *name, size_t n, struct err *err)
{
	struct adding *adding = context;
	struct slurm_conf_reader *reading = adding->reading;
	int64_t id = map_add(&reading->node_ids, name, n, (int64_t)reading->nodes.n);
	struct node node = {.name = arena_strndup(&reading->arena, name, n), .gpus = -1};

	if (id < (int64_t)reading->nodes.n)
		return err_set(err, "the node %s is there twice", node.name);
	if (reading->nodes.n == NODES_MOST)
		return err_set(err, "more than %d nodes", NODES_MOST);
	add_pairs(&node.pairs, &reading->node_default);
	add_pairs(&node.pairs, adding->pairs);
	vec_push(&reading->nodes, node);
	return 0;
}

/* A line of slurm.conf with NodeName=; of gres.conf, which has Name= too, later. */
static int take_node(struct slurm_conf_reader *reading, const pair_vec *pairs, struct err *err)
{
	const char *name = value(pairs, "NodeName");
	struct adding adding = {reading, pairs};
	struct err why;

	if (strcasecmp(name, "DEFAULT") == 0) {
		add_pairs(&reading->node_default, pairs);
		return 0;
	}
	return hostlist_walk(name, add_node, &adding, &why) == 0
		       ? 0
		       : in_error(reading->in, err, "NodeName=: %s", why.msg);
}

static void take_set(struct slurm_conf_reader *reading, const char *name, const pair_vec *before,
		     const pair_vec *pairs, bool is_partition)
{
	struct node_set set = {.name = name};

	if (before != NULL)
		add_pairs(&set.pairs, before);
	add_pairs(&set.pairs, pairs);
	if (is_partition)
		vec_push(&reading->partitions, set);
	else
		vec_push(&reading->sets, set);
}

static int read_file(struct slurm_conf_reader *reading, const char *path, struct err *err);

/* Few files, regular ones, none of them larger than any slurm.conf is. */
static int check_included(struct slurm_conf_reader *reading, const char *path, struct err *err)
{
	struct stat st;

	if (++reading->nincluded > FILES_MOST)
		return err_set(err, "more than %d files", FILES_MOST);
	if (stat(path, &st) != 0)
		return err_set(err, "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(err, "%s: is not a regular file", path);
	if (st.st_size > FILE_MOST)
		return err_set(err, "%s: is larger than %d MiB", path, FILE_MOST >> 20);
	return 0;
}

/* A path beside the file that includes it. */
static int include(struct slurm_conf_reader *reading, const char *name, struct err *err)
{
	const char *from = in_name(reading->in), *slash = strrchr(from, '/');
	struct in *in = reading->in;
	char *path;
	int status;

	if (reading->depth == INCLUDES_MOST)
		return in_error(in, err, "Include: files include each other %d deep",
				INCLUDES_MOST);
	path = name[0] == '/' || slash == NULL
		       ? xstrdup(name)
		       : xasprintf("%.*s/%s", (int)(slash - from), from, name);
	status = check_included(reading, path, err);
	if (status == 0)
		status = read_file(reading, path, err);
	reading->in = in;
	free(path);
	return status == 0 ? 0 : err_prefix(err, "%s:%ld: Include: ", in_name(in), in_lineno(in));
}

static int take_line(struct slurm_conf_reader *reading, char *line, struct err *err)
{
	pair_vec pairs = {0};
	char *at = line + strspn(line, " \t");
	int status;

	if (*at == '\0')
		return 0;
	if (strncasecmp(at, "Include", 7) == 0 && strchr(" \t=", at[7]) != NULL && at[7] != '\0')
		return include(reading, at + 8 + strspn(at + 8, " \t="), err);
	status = read_pairs(reading, at, &pairs, err);
	if (status != 0 || pairs.n == 0) {
		/* other lines are not ours */
	} else if (value(&pairs, "Name") != NULL) {
		struct node_set gres = {.pairs = pairs};

		vec_push(&reading->gres, gres);
		return 0;
	} else if (strcasecmp(pairs.at[0].key, "NodeName") == 0) {
		status = take_node(reading, &pairs, err);
	} else if (strcasecmp(pairs.at[0].key, "NodeSet") == 0) {
		take_set(reading, pairs.at[0].value, NULL, &pairs, false);
	} else if (strcasecmp(pairs.at[0].key, "PartitionName") == 0) {
		if (strcasecmp(pairs.at[0].value, "DEFAULT") == 0)
			add_pairs(&reading->partition_default, &pairs);
		else
			take_set(reading, pairs.at[0].value, &reading->partition_default, &pairs,
				 true);
	}
	free(pairs.at);
	return status;
}

static int read_file(struct slurm_conf_reader *reading, const char *path, struct err *err)
{
	struct buf whole = {0};
	long lineno = 0;
	int status;

	if (in_open(&reading->in, path, err) != 0)
		return -1;
	reading->depth++;
	while ((status = conf_line(reading->in, &whole, &lineno, err)) == 1)
		if ((status = take_line(reading, whole.text, err)) != 0)
			break;
	reading->depth--;
	buf_free(&whole);
	in_close(reading->in);
	return status;
}

/* ---- partitions ---- */

struct joining {
	struct slurm_conf_reader *reading;
	const char *partition;
};

static void join(struct node *node, const char *partition)
{
	buf_printf(&node->partitions, "%s%s", node->partitions.n > 0 ? "," : "", partition);
}

static int join_one(void *context, const char *name, size_t n, struct err *err)
{
	struct joining *joining = context;
	int64_t id = map_get(&joining->reading->node_ids, name, n);

	if (id < 0)
		return err_set(err, "there is no node %.*s", (int)n, name);
	join(&joining->reading->nodes.at[id], joining->partition);
	return 0;
}

static bool has_feature(const struct node *node, const char *feature)
{
	const char *at = value(&node->pairs, "Feature");
	size_t n = strlen(feature);

	if (at == NULL)
		at = value(&node->pairs, "Features");
	for (; at != NULL && *at != '\0'; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
		if (strcspn(at, ",") == n && strncmp(at, feature, n) == 0)
			return true;
	return false;
}

static int join_list(struct slurm_conf_reader *reading, const char *partition, const char *list,
		     int depth, struct err *err);

/* Of a part of a list: ALL, a NodeSet, or nodes. */
static int join_part(struct slurm_conf_reader *reading, const char *partition, const char *part,
		     int depth, struct err *err)
{
	struct joining joining = {reading, partition};

	if (strcasecmp(part, "ALL") == 0) {
		for (size_t i = 0; i < reading->nodes.n; i++)
			join(&reading->nodes.at[i], partition);
		return 0;
	}
	for (size_t s = 0; s < reading->sets.n && depth < 4; s++) {
		const struct node_set *set = &reading->sets.at[s];
		const char *feature = value(&set->pairs, "Feature");
		const char *nodes = value(&set->pairs, "Nodes");

		if (!str_eq(set->name, part))
			continue;
		for (size_t i = 0; feature != NULL && i < reading->nodes.n; i++)
			if (has_feature(&reading->nodes.at[i], feature))
				join(&reading->nodes.at[i], partition);
		return nodes != NULL ? join_list(reading, partition, nodes, depth + 1, err) : 0;
	}
	return hostlist_walk(part, join_one, &joining, err);
}

/* Parts are separated by commas outside of brackets. */
static int join_list(struct slurm_conf_reader *reading, const char *partition, const char *list,
		     int depth, struct err *err)
{
	while (*list != '\0') {
		size_t n = 0;
		int open = 0, status;
		char *part;

		for (; list[n] != '\0' && (list[n] != ',' || open > 0); n++)
			open += (list[n] == '[') - (list[n] == ']');
		part = xstrndup(list, n);
		status = join_part(reading, partition, part, depth, err);
		free(part);
		if (status != 0)
			return -1;
		list += n + (list[n] == ',');
	}
	return 0;
}

/* ---- gres.conf ---- */

/* Count=, else as many as File= names. */
static int64_t count_gpus(const pair_vec *pairs)
{
	const char *count = value(pairs, "Count"), *file = value(pairs, "File");
	int64_t n = 1;

	if (count != NULL)
		return num_int(count, 0, 1 << 20, &n) == 0 ? n : -1;
	return file != NULL ? slurm_count_nodes(file) : 1;
}

static int add_gpus(void *context, const char *name, size_t n, struct err *err)
{
	struct adding *adding = context;
	int64_t id = map_get(&adding->reading->node_ids, name, n), count, total = 0;
	const char *type = value(adding->pairs, "Type");
	struct node *node;
	char text[96];

	(void)err;
	if (id < 0)
		return 0; /* of another cluster */
	node = &adding->reading->nodes.at[id];
	count = count_gpus(adding->pairs);
	if (count < 0)
		return 0;
	snprintf(text, sizeof(text), "gpu:%s%s%lld", type != NULL ? type : "",
		 type != NULL ? ":" : "", (long long)count);
	slurm_gres_add(text, &total, node->gpu_type);
	node->gpus = (node->gpus > 0 ? node->gpus : 0) + total;
	return 0;
}

static int add_gres(struct slurm_conf_reader *reading, struct err *err)
{
	for (size_t i = 0; i < reading->gres.n; i++) {
		const pair_vec *pairs = &reading->gres.at[i].pairs;
		const char *names = value(pairs, "NodeName");
		struct adding adding = {reading, pairs};

		if (strcasecmp(value(pairs, "Name"), "gpu") != 0)
			continue;
		if (names != NULL && hostlist_walk(names, add_gpus, &adding, err) != 0)
			return err_prefix(err, "gres.conf: NodeName=: ");
		for (size_t k = 0; names == NULL && k < reading->nodes.n; k++)
			if (value(&reading->nodes.at[k].pairs, "Gres") != NULL)
				add_gpus(&adding, reading->nodes.at[k].name,
					 strlen(reading->nodes.at[k].name), err);
	}
	return 0;
}

/* ---- rows ---- */

static int64_t number(const struct node *node, const char *key, int64_t otherwise)
{
	const char *text = value(&node->pairs, key);
	int64_t n;

	return text != NULL && num_int(text, 0, INT32_MAX, &n) == 0 ? n : otherwise;
}

/* Nodes without a separate state are taken as idle. */
static const char *state_of(const struct node *node, char word[32])
{
	const char *state = value(&node->pairs, "State");

	if (state == NULL || strcasecmp(state, "UNKNOWN") == 0 || strcasecmp(state, "UP") == 0)
		return "idle";
	return strcasecmp(state, "CLOUD") == 0 ? "powered-down"
					       : slurm_node_state(NULL, state, word);
}

static void put_resources(const struct node *from, struct slurm_node *node)
{
	const char *memory = value(&from->pairs, "RealMemory"), *gres = value(&from->pairs, "Gres");
	int64_t threads = number(from, "ThreadsPerCore", 1);
	char per;

	/* with CPUs= alone nothing is known of sockets and cores */
	if (value(&from->pairs, "Sockets") != NULL ||
	    value(&from->pairs, "CoresPerSocket") != NULL ||
	    value(&from->pairs, "SocketsPerBoard") != NULL) {
		node->sockets = number(from, "Sockets", number(from, "SocketsPerBoard", 1)) *
				number(from, "Boards", 1);
		node->cores = node->sockets * number(from, "CoresPerSocket", 1);
	}
	node->cpus = number(from, "CPUs",
			    number(from, "Procs", (node->cores > 0 ? node->cores : 1) * threads));
	node->weight = number(from, "Weight", 1);
	if (memory != NULL)
		slurm_memory(memory, &node->memory_bytes, &per);
	node->gpus = 0;
	if (gres != NULL)
		slurm_gres_add(gres, &node->gpus, node->gpu_type);
	if (from->gpus > 0 && (node->gpus <= 0 || node->gpu_type[0] == '\0')) {
		if (node->gpus <= 0)
			node->gpus = from->gpus;
		memcpy(node->gpu_type, from->gpu_type, sizeof(node->gpu_type));
	}
}

static int put_node(struct slurm_conf_reader *reading, const struct slurm_node_columns *columns,
		    struct node *from, struct err *err)
{
	struct slurm_node node;
	char word[32];

	slurm_node_clear(&node);
	node.name = from->name;
	node.state = state_of(from, word);
	node.partitions = from->partitions.n > 0 ? from->partitions.text : NULL;
	node.features = value(&from->pairs, "Feature");
	if (node.features == NULL)
		node.features = value(&from->pairs, "Features");
	node.reason = value(&from->pairs, "Reason");
	put_resources(from, &node);
	slurm_node_put(&node, columns, reading->flow);
	return flow_emit(reading->flow, err);
}

static int make_nodes(struct slurm_conf_reader *reading, struct err *err)
{
	struct slurm_node_columns columns;
	int status = 0;

	slurm_node_declare(&columns, reading->flow);
	for (size_t i = 0; i < reading->partitions.n && status == 0; i++) {
		const char *nodes = value(&reading->partitions.at[i].pairs, "Nodes");

		if (nodes != NULL)
			status = join_list(reading, reading->partitions.at[i].name, nodes, 0, err);
		if (status != 0)
			err_prefix(err, "PartitionName=%s: ", reading->partitions.at[i].name);
	}
	if (status == 0)
		status = add_gres(reading, err);
	for (size_t i = 0; i < reading->nodes.n && status == 0; i++)
		status = put_node(reading, &columns, &reading->nodes.at[i], err);
	return status;
}

static void release(struct slurm_conf_reader *reading)
{
	for (size_t i = 0; i < reading->nodes.n; i++) {
		vec_free(&reading->nodes.at[i].pairs);
		buf_free(&reading->nodes.at[i].partitions);
	}
	for (size_t i = 0; i < reading->sets.n; i++)
		vec_free(&reading->sets.at[i].pairs);
	for (size_t i = 0; i < reading->partitions.n; i++)
		vec_free(&reading->partitions.at[i].pairs);
	for (size_t i = 0; i < reading->gres.n; i++)
		vec_free(&reading->gres.at[i].pairs);
	vec_free(&reading->nodes);
	vec_free(&reading->sets);
	vec_free(&reading->partitions);
	vec_free(&reading->gres);
	vec_free(&reading->node_default);
	vec_free(&reading->partition_default);
	map_free(&reading->node_ids);
	arena_free(&reading->arena);
}

static int read_conf(const struct reader_input *input, struct flow *flow, bool *whole,
		     struct err *err)
{
	struct slurm_conf_reader reading = {.flow = flow};
	int status = 0;

	(void)whole;
	for (char *const *path = input->paths; *path != NULL && status == 0; path++)
		status = read_file(&reading, *path, err);
	if (status == 0)
		status = make_nodes(&reading, err);
	release(&reading);
	return status;
}

/* What every slurm.conf has, and its nodes, at the beginning of lines. */
static bool is_conf(const char *head, size_t n)
{
	static const char *const keys[] = {"ClusterName=", "SlurmctldHost=", "ControlMachine="};
	bool has = false;

	(void)n;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *at = strstr(head, keys[i]);

		has |= at != NULL && (at == head || at[-1] == '\n');
	}
	return has && strstr(head, "\nNodeName=") != NULL;
}

static const struct table_kind *const makes[] = {&kind_nodes, NULL};

const struct reader reader_slurm_conf = {
	.entry = {.name = "slurm-conf",
		  .example = "slurm-conf",
		  .summary = "the nodes of slurm.conf (DEFAULT lines, Include, NodeSet), and their "
			     "GPUs by gres.conf"},
	.makes = makes,
	.is_proof = is_conf,
	.read = read_conf,
};
