/* night_choice.c - where jobs were placed, beside where a policy would have placed them then */
#include "report/night_choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "machine/load.h"
#include "model/kinds.h"
#include "place/policy/policy.h"
#include "report/night_eval.h"
#include "report/night_sweep.h"

struct choosing {
	const struct night *night;
	const struct run_context *run;
	struct alloc alloc;
	struct night_choice *choices;
	int *choice_of; /* [jobs] -1: none */
	struct table_out *table;
	int job, policy, nodes, start, nodelist; /* its columns */
	int_vec could;
	struct buf reason, text;
};

/* A row of the jobs that are measured: its name is the number of the choice. */
static void put_row(struct choosing *choosing, int choice, const char *policy, const int_vec *nodes)
{
	const struct night *night = choosing->night;
	int64_t start_ns = night->jobs.at[choosing->choices[choice].job].start_ns;

	buf_clear(&choosing->text);
	topo_nodelist_add(night->topo, nodes->at, nodes->n, &choosing->text);
	table_out_int(choosing->table, choosing->job, choice);
	table_out_text(choosing->table, choosing->policy, policy);
	table_out_int(choosing->table, choosing->nodes, (int64_t)nodes->n);
	if (start_ns != JOB_NO_TIME)
		table_out_seconds(choosing->table, choosing->start, start_ns);
	table_out_text(choosing->table, choosing->nodelist, buf_text(&choosing->text));
	table_out_emit(choosing->table);
}

static int start(void *context, struct machine *machine, int job, const int_vec *nodes,
		 struct err *err)
{
	struct choosing *choosing = context;
	const struct night *night = choosing->night;
	const struct night_job *was = &night->jobs.at[job];
	struct job asked = {.name = was->name,
			    .nnodes = (int)nodes->n,
			    .submit_ns = was->submit_ns,
			    .start_ns = was->start_ns,
			    .runtime_ns = JOB_NO_TIME,
			    .walltime_ns = JOB_NO_TIME,
			    .end_ns = JOB_NO_TIME,
			    .class = was->class,
			    .sensitivity = was->sensitivity};
	struct alloc_request request = {
		.machine = machine, .job = &asked, .seed = (uint64_t)choosing->run->seed};
	size_t mark = machine_mark(machine);
	int choice = choosing->choice_of[job], status;

	if (choice < 0)
		return 0;
	put_row(choosing, choice, "was", nodes);
	if (night->traffic_table != NULL)
		request.traffic = traffic_at(night->traffic_table, NULL, was->start_ns);
	status = alloc_choose(&choosing->alloc, &request, &choosing->could, &choosing->reason, err);
	if (status == 1)
		put_row(choosing, choice, "could", &choosing->could);
	machine_undo(machine, mark);
	return status < 0 ? -1 : 0;
}

static void columns(struct choosing *choosing)
{
	choosing->job = table_out_column(choosing->table, "job");
	choosing->policy = table_out_column(choosing->table, "policy");
	choosing->nodes = table_out_column(choosing->table, "nodes");
	choosing->start = table_out_column(choosing->table, "start_s");
	choosing->nodelist = table_out_column(choosing->table, "nodelist");
}

/* The jobs of both placements as a stream at path. */
static int write_jobs(struct choosing *choosing, const char *path, struct err *err)
{
	const struct night_sweep sweep = {.start = start, .context = choosing};
	struct out *out;
	int status;

	if (out_open(&out, path, NULL, err) != 0)
		return -1;
	choosing->table = table_out_new(out, &kind_jobs);
	topo_record(choosing->night->topo, choosing->table);
	columns(choosing);
	status = night_sweep(choosing->night, &sweep, err);
	table_out_end(choosing->table, status == 0);
	return out_close(out, status == 0, status == 0 ? err : &(struct err){0}) != 0 ? -1 : status;
}

static int read_figures(void *context, struct table_in *in, struct err *err)
{
	static const char *const names[] = {"routers", "hops-mean", "traffic-mean"};
	struct choosing *choosing = context;
	int id = table_find(in, "id"), policy = table_find(in, "policy");
	int metric = table_find(in, "metric"), value = table_find(in, "value");
	struct row row;
	int status;

	while ((status = table_next(in, &row, err)) == 1) {
		const char *which = row_text(&row, policy);
		int64_t choice;
		double figure;

		if (which == NULL || row_int(&row, id, "id", 0, INT32_MAX, &choice, err) != 1 ||
		    row_real(&row, value, "value", -1e300, 1e300, &figure, err) != 1)
			continue;
		for (int i = 0; i < CHOICE_FIGURES; i++)
			if (str_eq(row.cells[metric], names[i]))
				(str_eq(which, "was") ? choosing->choices[choice].was
						      : choosing->choices[choice].could)[i] =
					figure;
	}
	return status;
}

static int measure(struct choosing *choosing, const char *path, bool with_hops, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	const struct night *night = choosing->night;
	const char *picks[3] = {"spread"};
	struct eval_options eval = {.metrics = picks, .nmetrics = 1};
	struct run_context run = *choosing->run;
	struct table_in *in;
	int status;

	run.topology = night->topo->source;
	if (with_hops)
		picks[eval.nmetrics++] = "hops";
	if (night->traffic_table != NULL) {
		picks[eval.nmetrics++] = "traffic";
		eval.traffic = night->traffic_paths.at;
	}
	if (table_open_one(&in, kinds, path, true, err) != 0)
		return -1;
	status = night_eval(&run, in, &eval, read_figures, choosing, err);
	table_close(in);
	return status;
}

static void prepare(struct choosing *choosing, struct night_choice *choices, size_t n)
{
	size_t njobs = choosing->night->jobs.n;

	choosing->choices = choices;
	choosing->choice_of = xcalloc(njobs, sizeof(*choosing->choice_of));
	for (size_t i = 0; i < njobs; i++)
		choosing->choice_of[i] = -1;
	for (size_t i = 0; i < n; i++) {
		choosing->choice_of[choices[i].job] = (int)i;
		for (int k = 0; k < CHOICE_FIGURES; k++)
			choices[i].was[k] = choices[i].could[k] = NAN;
	}
}

int night_choose(const struct night *night, const struct run_context *run, const struct pick *rule,
		 bool with_hops, struct night_choice *choices, size_t n, struct err *err)
{
	struct choosing choosing = {.night = night, .run = run};
	char *path;
	int status;

	if (n == 0)
		return 0;
	if (alloc_open(&choosing.alloc, rule, night->topo, run->accepts_partial, err) != 0)
		return -1;
	path = night_temporary(err);
	prepare(&choosing, choices, n);
	status = path != NULL ? write_jobs(&choosing, path, err) : -1;
	if (status == 0)
		status = measure(&choosing, path, with_hops, err);
	if (path != NULL)
		unlink(path);
	free(path);
	free(choosing.choice_of);
	alloc_close(&choosing.alloc);
	vec_free(&choosing.could);
	buf_free(&choosing.reason);
	buf_free(&choosing.text);
	return status;
}
