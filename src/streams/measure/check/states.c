/* states.c - which nodes were idle before the jobs came, as checks need it */
#include "measure/check/states.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "model/kinds.h"
#include "model/topo_hosts.h"

static void set_state(struct node_states *states, const char *name, size_t n,
		      struct node_state state)
{
	if (map_add(&states->index, name, n, (int64_t)states->at.n) == (int64_t)states->at.n)
		vec_push(&states->at, state);
}

static bool is_held(const char *state)
{
	return str_starts(state, "alloc") || str_starts(state, "mix") || str_starts(state, "comp");
}

static unsigned duties_of(const char *role)
{
	if (role == NULL || str_eq(role, "compute"))
		return DUTY_COMPUTE;
	return str_eq(role, "io") ? DUTY_IO : str_eq(role, "both") ? DUTY_COMPUTE | DUTY_IO : 0;
}

/* A node that the jobs of a reservation may have. */
static bool is_reserved(const char *word, const char *reservation)
{
	return reservation != NULL && (str_eq(word, "reserved") || str_eq(word, "maintenance"));
}

static int64_t amount(const struct row *row, const struct table_in *in, const char *column)
{
	const char *text = row_text(row, table_find(in, column));
	double number;

	return text != NULL && num_real(text, 0, 1e18, &number) == 0 ? (int64_t)number : -1;
}

static void read_resources(struct node_states *states, struct node_state *state,
			   const struct row *row, const struct table_in *in)
{
	state->cpus = amount(row, in, "cpus");
	state->gpus = amount(row, in, "gpus");
	state->memory = amount(row, in, "memory_bytes");
	state->cpus_used = amount(row, in, "cpus_used");
	state->gpus_used = amount(row, in, "gpus_used");
	state->memory_used = amount(row, in, "memory_used_bytes");
	states->has_gpus |= state->gpus >= 0;
	states->has_resources |= state->cpus >= 0 || state->gpus >= 0 || state->memory >= 0;
}

static const char *keep(struct node_states *states, const char *text)
{
	return text != NULL ? arena_strndup(&states->arena, text, strlen(text)) : NULL;
}

static int read_rows(struct node_states *states, struct table_in *in, struct err *err)
{
	int node = table_find(in, "node"), state = table_find(in, "state");
	int role = table_find(in, "role"), run = table_find(in, "run"), status;
	int partitions = table_find(in, "partitions"), features = table_find(in, "features");
	int reservation = table_find(in, "reservation"), gpu_type = table_find(in, "gpu_type");
	int oversubscribe = table_find(in, "oversubscribe");
	struct node_state one;
	struct row row;

	table_unique(in);
	while ((status = table_next(in, &row, err)) == 1) {
		const char *name = row_text(&row, node), *word = row_text(&row, state);

		if (row_text(&row, run) != NULL)
			return row_error(&row, err,
					 "run: '%s': expected nodes of one machine, not of runs",
					 row_text(&row, run));
		word = word != NULL ? word : "idle";
		/* a column without any value says nothing of the machine */
		states->has_partitions |= row_text(&row, partitions) != NULL;
		states->has_reservations |= row_text(&row, reservation) != NULL;
		states->has_features |= row_text(&row, features) != NULL;
		one = (struct node_state){
			.name = keep(states, name),
			.is_idle = str_eq(word, "idle") || str_eq(word, "planned") ||
				   is_reserved(word, row_text(&row, reservation)),
			.is_usable = is_held(word),
			.duties = duties_of(row_text(&row, role)),
			.word = keep(states, word),
			.partitions = keep(states, row_text(&row, partitions)),
			.oversubscribe = keep(states, row_text(&row, oversubscribe)),
			.features = keep(states, row_text(&row, features)),
			.reservation = keep(states, row_text(&row, reservation)),
			.gpu_type = keep(states, row_text(&row, gpu_type)),
		};
		one.is_usable |= one.is_idle;
		read_resources(states, &one, &row, in);
		set_state(states, name, strlen(name), one);
	}
	if (status == 0 && !table_is_whole(in))
		return err_set(err, "the states of nodes are truncated: who knows which are idle");
	return status;
}

/* What is not listed is so. */
static const struct node_state all_idle = {.is_idle = true,
					   .is_usable = true,
					   .duties = DUTY_COMPUTE | DUTY_IO,
					   .word = "idle",
					   .cpus = -1,
					   .gpus = -1,
					   .memory = -1};
static const struct node_state not_listed = {.duties = DUTY_COMPUTE | DUTY_IO,
					     .word = "not listed",
					     .cpus = -1,
					     .gpus = -1,
					     .memory = -1};

static int add_idle(void *context, const char *name, size_t n, struct err *err)
{
	(void)err;
	set_state(context, name, n, all_idle);
	return 0;
}

static int node_states_from_list(struct node_states *states, const char *hosts, struct err *err)
{
	states->others = all_idle;
	states->others.is_idle = false;
	states->others.word = "not listed as idle";
	return hosts_walk(hosts, add_idle, states, err) == 0 ? 0 : err_prefix(err, "--idle: ");
}

struct keeping {
	struct node_states *states;
	VEC(bool) is_kept; /* [states->at.n] */
};

static int keep_host(void *context, const char *name, size_t n, struct err *err)
{
	struct keeping *keeping = context;
	struct node_states *states = keeping->states;
	struct node_state other = states->others;

	(void)err;
	set_state(states, name, n, other);
	while (keeping->is_kept.n < states->at.n)
		vec_push(&keeping->is_kept, false);
	keeping->is_kept.at[map_get(&states->index, name, n)] = true;
	return 0;
}

static int node_states_keep(struct node_states *states, const char *hosts, struct err *err)
{
	static const struct node_state away = {.duties = DUTY_COMPUTE | DUTY_IO,
					       .word = "not among --hosts",
					       .cpus = -1,
					       .gpus = -1,
					       .memory = -1};
	struct keeping keeping = {.states = states};
	int status = hosts_walk(hosts, keep_host, &keeping, err);

	for (size_t i = 0; i < states->at.n; i++)
		if (i >= keeping.is_kept.n || !keeping.is_kept.at[i])
			states->at.at[i] = away;
	states->others = away;
	vec_free(&keeping.is_kept);
	return status == 0 ? 0 : err_prefix(err, "--hosts: ");
}

static int read_table(struct node_states *states, const char *path, bool *has_nodes,
		      bool accepts_partial, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_nodes, &kind_partitions,
							 &kind_reservations, NULL};
	char *paths[] = {(char *)path, NULL};
	struct table_in *in;
	int status;

	if (table_open(&in, kinds, paths, accepts_partial, err) != 0)
		return -1;
	if (table_kind(in) != &kind_nodes) {
		status = site_read(&states->site, in, err);
	} else if (*has_nodes) {
		status = err_set(err, "a second table of nodes; expected one");
	} else {
		*has_nodes = true;
		states->others = not_listed;
		status = read_rows(states, in, err);
	}
	table_close(in);
	return status;
}

/* A word for each partition of a node, in their order: as their table has it. */
static const char *shares_of(struct node_states *states, const char *partitions)
{
	struct buf words = {0};
	const char *kept;

	for (const char *at = partitions; *at != '\0'; at += *at == ',') {
		size_t n = strcspn(at, ",");
		const char *word = site_shares(&states->site, at, n);

		buf_printf(&words, "%s%s", words.n > 0 ? "," : "", word != NULL ? word : "no");
		at += n;
	}
	kept = keep(states, words.text);
	buf_free(&words);
	return kept;
}

/* What the tables of partitions and reservations say better than that of the nodes. */
static void complete(struct node_states *states)
{
	struct buf names = {0};

	for (size_t i = 0; i < states->at.n; i++) {
		struct node_state *state = &states->at.at[i];

		if (state->name != NULL && is_reserved(state->word, "") &&
		    site_has_reserved(&states->site, state->name))
			state->is_idle = state->is_usable = true;
		if (state->partitions == NULL && state->name != NULL) {
			buf_clear(&names);
			site_partitions(&states->site, state->name, &names);
			state->partitions = names.n > 0 ? keep(states, names.text) : NULL;
		}
		if (state->oversubscribe == NULL && state->partitions != NULL &&
		    site_says_shares(&states->site))
			state->oversubscribe = shares_of(states, state->partitions);
		if (state->reservation != NULL && site_holds(&states->site, state->reservation))
			state->reservation = NULL;
	}
	buf_free(&names);
}

int node_states_given(struct node_states *states, char *const *nodes, const char *idle,
		      const char *hosts, bool accepts_partial, struct err *err)
{
	bool has_nodes = false;
	int status = 0;

	*states = (struct node_states){.others = all_idle};
	for (; nodes != NULL && *nodes != NULL && status == 0; nodes++)
		if (read_table(states, *nodes, &has_nodes, accepts_partial, err) != 0)
			status = err_prefix(err, "--nodes: ");
	if (status == 0 && has_nodes && idle != NULL)
		status = err_set(err, "--nodes and --idle say the same thing: give one");
	if (status == 0)
		complete(states);
	if (status == 0 && idle != NULL)
		status = node_states_from_list(states, idle, err);
	return status == 0 && hosts != NULL ? node_states_keep(states, hosts, err) : status;
}

void node_states_free(struct node_states *states)
{
	map_free(&states->index);
	site_free(&states->site);
	vec_free(&states->at);
	arena_free(&states->arena);
}

struct node_state node_states_of(const struct node_states *states, const char *name)
{
	int64_t i = map_get(&states->index, name, strlen(name));

	if (i >= 0)
		return states->at.at[i];
	return states->others;
}
