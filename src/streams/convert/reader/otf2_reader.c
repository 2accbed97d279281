/* otf2_reader.c - OTF2 archives (Score-P and others) as MPI traces, communication graphs, profiles,
 * maps */
#include "convert/reader/otf2_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/collective/collective_messages.h"
#include "base/die.h"
#include "base/names.h"
#include "base/str.h"
#include "formats/in.h"
#include "model/mpi_time.h"

enum { BATCH = 4096 }; /* records between two looks at what came */

/* ---- regions, communicators ---- */

static int make_comms(struct otf2_input *input, struct err *err)
{
	size_t n = (size_t)otf_ncomms(input->otf);

	input->comms.nranks = otf_nranks(input->otf);
	input->comm_of = xcalloc(n + 1, sizeof(*input->comm_of));
	input->place_of = xcalloc(n + 1, sizeof(*input->place_of));
	input->place_rank = xcalloc(n + 1, sizeof(*input->place_rank));
	for (size_t i = 0; i < n; i++) {
		const struct otf_comm *comm = otf_comm(input->otf, (int)i);
		char id[24];
		struct trace_comm trace = {.id = id,
					   .ranks = (int32_t *)comm->ranks,
					   .n = comm->n,
					   .remote = (int32_t *)comm->remote,
					   .nremote = comm->nremote,
					   .is_self = comm->is_self};

		input->place_rank[i] = -1;
		input->comm_of[i] = comm->is_world ? -1 : -2;
		if (comm->is_world || (!comm->is_self && comm->n == 0))
			continue;
		snprintf(id, sizeof(id), "%zu", i);
		input->comm_of[i] = (int32_t)input->comms.at.n;
		if (trace_comms_make(&input->comms, &trace, err) != 0)
			return err_prefix(err, "%s: ", input->path);
	}
	return 0;
}

/* ---- the program's name ---- */

static int take_program(void *context, const struct otf_event *event, struct err *err)
{
	char **name = context;
	const char *slash = strrchr(event->name, '/');

	(void)err;
	if (*name == NULL && *event->name != '\0')
		*name = xstrdup(slash != NULL && slash[1] != '\0' ? slash + 1 : event->name);
	return 0;
}

/* What follows KEY= in scorep.cfg beside the anchor file, without quotes and folders. */
static char *executable_of_config(const char *path)
{
	static const char key[] = "SCOREP_EXECUTABLE=";
	const char *slash = strrchr(path, '/');
	char *name = xasprintf("%.*sscorep.cfg", slash != NULL ? (int)(slash - path) + 1 : 0, path);
	char *found = NULL, *line;
	struct err err;
	struct in *in;

	if (in_open(&in, name, &err) == 0) {
		while (found == NULL && in_line(in, &line, NULL, &err) == 1)
			if (str_starts(line, key)) {
				char *value = line + strlen(key), *last;

				value[strcspn(value + (*value == '\''), "'") + (*value == '\'')] =
					'\0';
				value += *value == '\'';
				last = strrchr(value, '/');
				value = last != NULL ? last + 1 : value;
				found = *value != '\0' ? xstrdup(value) : NULL;
				break;
			}
		in_close(in);
	}
	free(name);
	return found;
}

/* The anchor file's name, or where it has the usual one that of its folder. */
static char *name_of_archive(const char *path)
{
	const char *slash = strrchr(path, '/'), *file = slash != NULL ? slash + 1 : path;
	const char *end, *begin;

	if (!str_eq(file, "traces.otf2") || slash == NULL || slash == path)
		return xstrndup(file, strlen(file) - (str_ends(file, ".otf2") ? 5 : 0));
	for (end = slash; end > path && end[-1] == '/';)
		end--;
	for (begin = end; begin > path && begin[-1] != '/';)
		begin--;
	return xstrndup(begin, (size_t)(end - begin));
}

/* As the user says, or the first of: what rank 0 says about itself, Score-P's settings, the
 * archive's name. To be freed. */
static int find_program(struct otf2_input *input, char **name, struct err *err)
{
	struct otf_reader *reader;
	int status;

	*name = NULL;
	if (pick_has(input->pick, "app")) {
		*name = xstrdup(pick_word(input->pick, "app"));
		return 0;
	}
	if (otf_reader_open(&reader, input->otf, 0, otf_location(input->otf, 0, 0), OTF_PROGRAM,
			    take_program, name, err) != 0)
		return -1;
	status = otf_reader_read(reader, 8, err);
	otf_reader_close(reader);
	if (*name == NULL)
		*name = executable_of_config(input->path);
	if (*name == NULL)
		*name = name_of_archive(input->path);
	return status < 0 ? -1 : 0;
}

/* ---- whole locations ---- */

static int read_location(struct otf2_input *input, int rank, int i, unsigned types,
			 otf_event_fn *event, void *context, struct err *err)
{
	struct otf_reader *reader;
	int status;

	if (otf_reader_open(&reader, input->otf, rank, otf_location(input->otf, rank, i), types,
			    event, context, err) != 0)
		return -1;
	do
		status = otf_reader_read(reader, BATCH, err);
	while (status == 1);
	otf_reader_close(reader);
	return status;
}

/* ---- communication graph ---- */

struct comm_reading {
	struct otf2_input *input;
	struct messages messages;
	int32_t rank;
};

static int count_event(void *context, const struct otf_event *event, struct err *err)
{
	struct comm_reading *reading = context;
	struct mpi_call call;
	int status;

	switch (event->type) {
	case OTF_SEND:
	case OTF_ISEND:
	case OTF_PUT:
		messages_add(&reading->messages, reading->rank, event->peer, (int64_t)event->bytes);
		return 0;
	case OTF_GET:
		messages_add(&reading->messages, event->peer, reading->rank,
			     (int64_t)event->recv_bytes);
		return 0;
	default:
		status = otf2_set_collective(reading->input, event, reading->rank, &call, err);
		if (status == 0)
			messages_collective(&reading->messages, reading->rank, call.collective,
					    call.comm, call.root, call.bytes, call.recv_bytes);
		return status < 0 ? -1 : 0;
	}
}

static int read_comm(struct otf2_input *input, struct err *err)
{
	const char *library = pick_word(input->pick, "collectives");
	struct comm_reading reading = {.input = input};
	int nranks = otf_nranks(input->otf), status = 0;
	char text[24];

	messages_init(&reading.messages, str_eq(library, "none") ? NULL : library, &input->comms);
	snprintf(text, sizeof(text), "%d", nranks);
	flow_meta(input->flow, "ranks", text);
	for (; status == 0 && reading.rank < nranks; reading.rank++)
		for (int i = 0; status == 0 && i < otf_nlocations(input->otf, reading.rank); i++)
			status = read_location(input, reading.rank, i,
					       OTF_SEND | OTF_ISEND | OTF_PUT | OTF_GET |
						       OTF_COLLECTIVE | OTF_COLLECTIVE_COMPLETE,
					       count_event, &reading, err);
	if (status == 0)
		status = messages_emit(&reading.messages, input->flow, err);
	if (status == 0 && reading.messages.nomitted > 0)
		warn("%s: %lld calls of collectives were left out: those of inter-communicators",
		     input->path, (long long)reading.messages.nomitted);
	messages_free(&reading.messages);
	return status;
}

/* ---- profile ---- */

struct profile_reading {
	struct otf2_input *input;
	struct mpi_time time;
	int64_t depth, start; /* of MPI regions; start of the outermost one */
	int64_t off;          /* since when nothing is measured; -1: it is */
};

static int time_event(void *context, const struct otf_event *event, struct err *err)
{
	struct profile_reading *reading = context;
	int64_t ticks = (int64_t)(event->ticks & INT64_MAX);
	const struct otf2_function *function;

	(void)err;
	if (event->type == OTF_MEASUREMENT) {
		if (event->is_on && reading->off >= 0)
			mpi_time_off(&reading->time, reading->off, ticks);
		reading->off = event->is_on ? -1 : ticks;
		mpi_time_see(&reading->time, ticks);
		return 0;
	}
	function = otf2_function(reading->input, event->region);
	if (!function->is_mpi) {
		mpi_time_see(&reading->time, ticks);
		return 0;
	}
	if (event->type == OTF_ENTER) {
		if (reading->depth++ == 0)
			reading->start = ticks;
		if (function->is_finalize && reading->depth == 1)
			mpi_time_finalize(&reading->time, ticks);
		return 0;
	}
	if (reading->depth == 0 || --reading->depth > 0)
		return 0;
	if (function->is_init)
		mpi_time_init(&reading->time, reading->start, ticks);
	else
		mpi_time_call(&reading->time, function->group, reading->start, ticks);
	return 0;
}

static int64_t count_nodes(const struct otf *otf)
{
	struct map nodes = {0};
	int64_t n = 0;

	for (int rank = 0; rank < otf_nranks(otf); rank++) {
		const char *node = otf_node(otf, rank);

		if (node != NULL && map_add(&nodes, node, strlen(node), n) == n)
			n++;
	}
	map_free(&nodes);
	return n > 0 ? n : -1;
}

static int read_profile(struct otf2_input *input, struct err *err)
{
	struct profile_reading reading = {.input = input,
					  .time.counts_gaps = pick_bool(input->pick, "gaps")};
	struct profile_columns columns;
	struct profile profile;
	char *name = NULL;
	int status = 0;

	profile_columns(&columns, input->flow);
	for (int rank = 0; status == 0 && rank < otf_nranks(input->otf); rank++) {
		reading.depth = 0;
		reading.off = -1;
		status = read_location(input, rank, 0, OTF_ENTER | OTF_LEAVE | OTF_MEASUREMENT,
				       time_event, &reading, err);
		mpi_time_next_rank(&reading.time);
	}
	profile_init(&profile);
	if (status == 0)
		status = find_program(input, &name, err);
	profile.app = profile.binary = name;
	profile.nodes = count_nodes(input->otf);
	if (status == 0 && mpi_time_profile(&reading.time, otf_ticks_per_s(input->otf),
					    otf_nranks(input->otf), &profile, err) != 0)
		status = err_prefix(err, "%s: ", input->path);
	if (status == 0)
		status = profile_emit(&profile, &columns, input->flow, err);
	free(name);
	return status;
}

/* ---- where the ranks were ---- */

static int read_mapping(struct otf2_input *input, struct err *err)
{
	int rank_column = flow_column(input->flow, "rank");
	int node_column = flow_column(input->flow, "node");

	for (int rank = 0; rank < otf_nranks(input->otf); rank++) {
		const char *node = otf_node(input->otf, rank);

		if (node == NULL)
			return err_set(err, "%s: does not say on which node rank %d was",
				       input->path, rank);
		flow_int(input->flow, rank_column, rank);
		flow_text(input->flow, node_column, node);
		if (flow_emit(input->flow, err) != 0)
			return -1;
	}
	return 0;
}

/* ---- the reader ---- */

static int write_app(struct otf2_input *input, struct err *err)
{
	char *name;
	int status = find_program(input, &name, err);

	if (status == 0)
		flow_meta(input->flow, "app", name);
	free(name);
	return status;
}

static int read_archive(const struct reader_input *reader_input, const char *path,
			struct flow *flow, struct err *err)
{
	struct otf2_input input = {.path = path, .pick = reader_input->pick, .flow = flow};
	int status;

	if (str_eq(path, "-"))
		return err_set(err, "standard input: an OTF2 archive is a folder of files: "
				    "expected the name of its anchor file (traces.otf2)");
	if (otf_open(&input.otf, path, err) != 0)
		return -1;
	input.is_exact = otf_is_ours(input.otf);
	flow->file = path;
	flow->line = 0;
	status = make_comms(&input, err);
	if (status == 0 && flow->kind != &kind_profile)
		status = write_app(&input, err);
	if (status == 0) {
		if (flow->kind == &kind_comm)
			status = read_comm(&input, err);
		else if (flow->kind == &kind_profile)
			status = read_profile(&input, err);
		else if (flow->kind == &kind_mapping)
			status = read_mapping(&input, err);
		else
			status = otf2_read_trace(&input, err);
	}
	flow->file = NULL;
	trace_comms_free(&input.comms);
	free(input.comm_of);
	free(input.place_of);
	free(input.place_rank);
	free(input.functions.at);
	otf_close(input.otf);
	return status;
}

static int read_archives(const struct reader_input *input, struct flow *flow, bool *whole,
			 struct err *err)
{
	(void)whole;
	for (char *const *path = input->paths; *path != NULL; path++) {
		if (path > input->paths && flow->kind != &kind_profile)
			return err_set(err,
				       "%s: a second archive: traces of several "
				       "runs don't make one %s stream",
				       *path, flow->kind->name);
		if (read_archive(input, *path, flow, err) != 0)
			return -1;
	}
	return 0;
}

static bool is_archive(const char *head, size_t n)
{
	return n > 7 && memcmp(head, "\3BOTF2", 6) == 0;
}

static const struct param params[] = {
	{.key = "app",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "name of the application; default: the program's name in the archive"},
	{.key = "collectives",
	 .type = PARAM_WORD,
	 .def = "mpich",
	 .choices = COLLECTIVE_LIBRARIES "|none",
	 .meaning = "to comm: whose algorithms turn collectives into messages, or leave them out"},
	{.key = "gaps",
	 .type = PARAM_BOOL,
	 .def = "no",
	 .meaning = "to profile: time in which measurement was off counts as execution time"},
	{.key = "regions",
	 .type = PARAM_WORD,
	 .def = "user",
	 .choices = "user|all|none",
	 .meaning = "to mpitrace: regions that get rows enter and leave"},
	{0}};
static const struct table_kind *const makes[] = {&kind_mpitrace, &kind_comm, &kind_profile,
						 &kind_mapping, NULL};

const struct reader reader_otf2 = {
	.entry = {.name = "otf2",
		  .example = "otf2:collectives=linear",
		  .summary = "OTF2 archives of Score-P and others: name "
			     "the anchor file, traces.otf2",
		  .feed = "SCOREP_ENABLE_TRACING=true srun PROGRAM; traceconv --from otf2 --to "
			  "mpitrace scorep-*/traces.otf2",
		  .params = params},
	.makes = makes,
	.is_proof = is_archive,
	.read = read_archives,
};
