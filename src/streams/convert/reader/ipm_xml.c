/* ipm_xml.c - IPM's XML logs as a profile, or as a communication graph */
#include <stdlib.h>
#include <string.h>

#include "convert/reader/reader.h"
#include "convert/reader/text.h"
#include "base/names.h"
#include "base/num.h"
#include "base/str.h"
#include "formats/xml.h"
#include "model/profile.h"

/* What one task sent to another. */
struct sent {
	int64_t to;
	double bytes, messages;
};

struct log {
	struct xml *xml;
	struct flow *flow;
	const char *app_given;
	char *app;
	int64_t ranks, nodes, ntasks;
	int64_t rank; /* of the current task */
	double wtime_s, mtime_s, group_s[MPI_NGROUPS];
	char *func;            /* the operation of the open <func>; NULL: none */
	VEC(struct sent) sent; /* by the current task, in order of appearance */
	struct map sent_to;    /* rank as text → place in sent */
	struct profile_columns columns;
	int src, dst, bytes, messages;
};

static int read_count(const struct log *log, const char *name, int64_t min, int64_t *value,
		      struct err *err)
{
	const char *text = xml_attribute(log->xml, name);

	if (text == NULL || num_int(text, min, INT32_MAX, value) != 0)
		return xml_error(log->xml, err,
				 "<%s>: %s='%s' is not a whole number of at least %d",
				 xml_name(log->xml), name, text != NULL ? text : "", (int)min);
	return 0;
}

static int read_seconds(const struct log *log, const char *what, const char *text, double *seconds,
			struct err *err)
{
	double value;

	if (text == NULL || num_real(text, 0, 1e15, &value) != 0)
		return xml_error(log->xml, err, "<%s>: '%s' is not a time in seconds", what,
				 text != NULL ? text : "");
	*seconds += value;
	return 0;
}

static int open_task(struct log *log, struct err *err)
{
	int64_t size;

	if (read_count(log, "mpi_rank", 0, &log->rank, err) != 0 ||
	    read_count(log, "mpi_size", 1, &size, err) != 0)
		return -1;
	if (log->ntasks++ > 0 && size != log->ranks)
		return xml_error(log->xml, err, "<task>: mpi_size is %lld here and %lld before",
				 (long long)size, (long long)log->ranks);
	if (log->rank >= size)
		return xml_error(log->xml, err, "<task>: rank %lld of %lld", (long long)log->rank,
				 (long long)size);
	log->ranks = size;
	return 0;
}

/* Operations whose hash entries are messages to the rank orank; a persistent send (Send_init) is
 * none until it is started, and that does not say where it goes. */
static bool is_send(const char *call)
{
	static const char *const sends[] = {
		"MPI_Send",   "MPI_Ssend",  "MPI_Rsend",  "MPI_Bsend",    "MPI_Isend",
		"MPI_Issend", "MPI_Irsend", "MPI_Ibsend", "MPI_Sendrecv", "MPI_Sendrecv_replace"};

	for (size_t i = 0; i < sizeof(sends) / sizeof(sends[0]); i++)
		if (str_eq(call, sends[i]))
			return true;
	return false;
}

/* <hent call="MPI_Send" bytes="81920" orank="1" count="5" …> */
static int read_entry(struct log *log, struct err *err)
{
	const char *call = xml_attribute(log->xml, "call"), *to = xml_attribute(log->xml, "orank");
	int64_t bytes, rank, count, at;

	if (call == NULL || !is_send(call))
		return 0;
	if (read_count(log, "bytes", 0, &bytes, err) != 0 ||
	    read_count(log, "orank", 0, &rank, err) != 0 ||
	    read_count(log, "count", 0, &count, err) != 0)
		return -1;
	if (rank >= log->ranks)
		return xml_error(log->xml, err, "<hent>: orank %lld of %lld ranks", (long long)rank,
				 (long long)log->ranks);
	at = map_add(&log->sent_to, to, strlen(to), (int64_t)log->sent.n);
	if (at == (int64_t)log->sent.n)
		vec_push(&log->sent, (struct sent){.to = rank});
	log->sent.at[at].bytes += (double)bytes * (double)count;
	log->sent.at[at].messages += (double)count;
	return 0;
}

static int by_rank(const void *a, const void *b)
{
	const struct sent *left = a, *right = b;

	return (left->to > right->to) - (left->to < right->to);
}

static int close_task(struct log *log, struct err *err)
{
	if (log->sent.n > 0)
		qsort(log->sent.at, log->sent.n, sizeof(*log->sent.at), by_rank);
	for (size_t i = 0; i < log->sent.n; i++) {
		flow_int(log->flow, log->src, log->rank);
		flow_int(log->flow, log->dst, log->sent.at[i].to);
		flow_real(log->flow, log->bytes, log->sent.at[i].bytes);
		flow_real(log->flow, log->messages, log->sent.at[i].messages);
		if (flow_emit(log->flow, err) != 0)
			return -1;
	}
	log->sent.n = 0;
	map_free(&log->sent_to);
	log->sent_to = (struct map){0};
	return 0;
}

static int read_open(struct log *log, struct err *err)
{
	const char *name = xml_name(log->xml);
	bool wants_comm = log->flow->kind == &kind_comm;

	if (str_eq(name, "task"))
		return open_task(log, err);
	if (log->ntasks == 0)
		return 0;
	if (str_eq(name, "job"))
		return read_count(log, "nhosts", 1, &log->nodes, err);
	if (str_eq(name, "hent"))
		return wants_comm ? read_entry(log, err) : 0;
	if (str_eq(name, "perf") && !wants_comm)
		return read_seconds(log, "perf", xml_attribute(log->xml, "wtime"), &log->wtime_s,
				    err) == 0
			       ? read_seconds(log, "perf", xml_attribute(log->xml, "mtime"),
					      &log->mtime_s, err)
			       : -1;
	if (str_eq(name, "func") && xml_attribute(log->xml, "name") != NULL) {
		free(log->func);
		log->func = xstrdup(xml_attribute(log->xml, "name"));
	}
	return 0;
}

/* A function is booked in the region it ran in ("ipm_noregion" outside all): the sum is
 * the task's. */
static int close_func(struct log *log, struct err *err)
{
	char *copy = xstrdup(xml_text(log->xml));
	int status = 0;

	if (log->func != NULL && str_starts(log->func, "MPI_"))
		status = read_seconds(log, "func", str_trim(copy),
				      &log->group_s[mpi_group(log->func)], err);
	free(copy);
	free(log->func);
	log->func = NULL;
	return status;
}

static int read_close(struct log *log, struct err *err)
{
	const char *name = xml_name(log->xml);

	if (str_eq(name, "cmdline") && log->app == NULL)
		log->app = text_program(xml_text(log->xml));
	else if (str_eq(name, "func"))
		return close_func(log, err);
	else if (str_eq(name, "task") && log->flow->kind == &kind_comm)
		return close_task(log, err);
	return 0;
}

static int emit_profile(const struct log *log, struct err *err)
{
	struct profile profile;
	double sum_s = 0;

	profile_init(&profile);
	profile.app = log->app_given != NULL ? log->app_given : log->app;
	profile.binary = log->app;
	profile.ranks = log->ranks;
	profile.nodes = log->nodes;
	profile.runtime_s = log->wtime_s / (double)log->ntasks;
	profile.mpi_s = log->mtime_s / (double)log->ntasks;
	profile.mpi_fraction = log->wtime_s > 0 ? log->mtime_s / log->wtime_s : -1;
	for (int i = 0; i < MPI_NGROUPS; i++)
		sum_s += log->group_s[i];
	/* regions that were booked twice would show here; mtime has six digits */
	for (int i = 0; i < MPI_NGROUPS && log->wtime_s > 0 && sum_s <= log->mtime_s * 1.001; i++)
		profile.fractions[i] = log->group_s[i] / log->wtime_s;
	return profile_emit(&profile, &log->columns, log->flow, err);
}

static int read_tags(struct log *log, struct err *err)
{
	int event;

	while ((event = xml_next(log->xml, err)) > 0)
		if ((event == XML_OPEN ? read_open(log, err) : read_close(log, err)) != 0)
			return -1;
	if (event == 0 && log->ntasks == 0)
		return xml_error(log->xml, err, "has no <task>: expected an IPM log");
	if (event == 0 && log->ntasks != log->ranks)
		return xml_error(log->xml, err, "has %lld tasks of %lld", (long long)log->ntasks,
				 (long long)log->ranks);
	return event;
}

struct ipm_xml_reader {
	struct flow *flow;
	const char *app;
};

static int read_file(void *context, struct in *in, struct err *err)
{
	const struct ipm_xml_reader *reading = context;
	struct log log = {
		.xml = xml_new(in), .flow = reading->flow, .app_given = reading->app, .nodes = -1};
	int status;

	if (log.flow->kind == &kind_comm) {
		log.src = flow_column(log.flow, "src");
		log.dst = flow_column(log.flow, "dst");
		log.bytes = flow_column(log.flow, "bytes");
		log.messages = flow_column(log.flow, "messages");
	} else {
		profile_columns(&log.columns, log.flow);
	}
	log.flow->file = in_name(in);
	log.flow->line = 0;
	status = read_tags(&log, err);
	if (status == 0 && log.flow->kind == &kind_profile)
		status = emit_profile(&log, err);
	log.flow->file = NULL;
	map_free(&log.sent_to);
	free(log.sent.at);
	free(log.func);
	free(log.app);
	xml_free(log.xml);
	return status;
}

static int read_logs(const struct reader_input *input, struct flow *flow, bool *whole,
		     struct err *err)
{
	struct ipm_xml_reader reading = {flow, pick_word(input->pick, "app")};

	(void)whole;
	if (flow->kind == &kind_comm && input->paths[1] != NULL)
		return err_set(err, "one log is one communication graph: %s is a second one",
			       input->paths[1]);
	return text_read_files(input->paths, read_file, &reading, err);
}

static bool is_log(const char *head, size_t n)
{
	(void)n;
	return str_starts(head, "<?xml") && strstr(head, "<ipm_job_profile") != NULL;
}

static const struct param params[] = {READER_APP, {0}};
static const struct table_kind *const makes[] = {&kind_profile, &kind_comm, NULL};

const struct reader reader_ipm_xml = {
	.entry = {.name = "ipm-xml",
		  .example = "ipm-xml:app=lammps",
		  .summary = "IPM's XML logs; as a communication graph, its "
			     "point-to-point messages (IPM_REPORT=full)",
		  .params = params},
	.makes = makes,
	.is_proof = is_log,
	.read = read_logs,
};
