/* metrics.c - metrics of placed jobs against brute force on every kind of network; summaries */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "measure/metric/eval.h"
#include "machine/load.h"
#include "machine/kind/type.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/str.h"
#include "check.h"
#include "model/kinds.h"
#include "model/metrics.h"

enum { NJOBS = 12, MOST = 40 };

struct test_job {
	int nodes[MOST], n;
};

static void draw_job(struct test_job *job, const struct topo *topo, struct rng *rng)
{
	int *all = xcalloc((size_t)topo->nnodes, sizeof(*all));
	int most = topo->nnodes < MOST ? topo->nnodes : MOST;

	for (int i = 0; i < topo->nnodes; i++)
		all[i] = i;
	rng_shuffle(rng, all, (size_t)topo->nnodes);
	job->n = 1 + (int)rng_below(rng, (uint64_t)most);
	memcpy(job->nodes, all, (size_t)job->n * sizeof(*all));
	free(all);
}

/* ---- what the metrics should say, found the slow way ---- */

static double slow_hops(struct routing *routing, const struct test_job *job, bool wants_max)
{
	double sum = 0, most = 0;

	if (job->n < 2)
		return NAN;
	for (int i = 0; i < job->n; i++)
		for (int k = 0; k < job->n; k++) {
			int length = route_hops(routing, job->nodes[i], job->nodes[k]);

			sum += length;
			most = length > most ? length : most;
		}
	return wants_max ? most : sum / ((double)job->n * (job->n - 1));
}

static double slow_domains(const struct topo *topo, const struct test_job *job, int tier)
{
	int n = 0;

	for (int i = 0; i < job->n; i++) {
		bool is_new = true;

		for (int k = 0; k < i && is_new; k++)
			is_new = topo_domain(topo, job->nodes[i], tier) !=
				 topo_domain(topo, job->nodes[k], tier);
		n += is_new;
	}
	return n;
}

static bool has_node(const struct test_job *job, int node)
{
	for (int i = 0; i < job->n; i++)
		if (job->nodes[i] == node)
			return true;
	return false;
}

static double slow_fragments(const struct test_job *job)
{
	int n = 0;

	for (int i = 0; i < job->n; i++)
		n += !has_node(job, job->nodes[i] - 1);
	return n;
}

static double wanted(const struct topo *topo, struct routing *routing, const struct test_job *job,
		     const char *metric)
{
	for (int tier = 0; tier < topo->ntiers; tier++) {
		size_t n = strlen(topo->tiers[tier].name);

		if (strncmp(metric, topo->tiers[tier].name, n) == 0 && str_eq(metric + n, "s"))
			return slow_domains(topo, job, tier);
	}
	if (str_eq(metric, "fragments"))
		return slow_fragments(job);
	if (str_eq(metric, "fragmentation"))
		return job->n > 1 ? (slow_fragments(job) - 1) / (job->n - 1) : 0;
	return slow_hops(routing, job, str_eq(metric, "hops-max"));
}

/* ---- through the tool's own way ---- */

static void write_jobs(const char *path, const struct topo *topo, const struct test_job *jobs)
{
	struct out *out;
	struct table_out *table;
	struct err err;
	struct buf list = {0};

	if (out_open(&out, path, NULL, &err) != 0)
		abort();
	table = table_out_new(out, &kind_jobs);
	for (int i = 0; i < NJOBS; i++) {
		buf_clear(&list);
		topo_nodelist_add(topo, jobs[i].nodes, (size_t)jobs[i].n, &list);
		table_out_int(table, table_out_column(table, "job"), i);
		table_out_int(table, table_out_column(table, "nodes"), jobs[i].n);
		table_out_text(table, table_out_column(table, "nodelist"), list.text);
		table_out_emit(table);
	}
	table_out_end(table, true);
	buf_free(&list);
	if (out_close(out, true, &err) != 0)
		abort();
}

static int evaluate(const char *jobs, const char *topology, const char *routing, const char *path,
		    struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	const struct run_context context = {.topology = topology};
	struct eval_options options = {.routing = routing};
	char *name = xstrdup(jobs), *paths[] = {name, NULL};
	struct table_in *in;
	struct out *out;
	bool whole = false;
	int status = -1;

	if (table_open(&in, kinds, paths, false, err) != 0 || out_open(&out, path, NULL, err) != 0)
		abort();
	status = eval_stream(&context, in, &options, out, &whole, err);
	CHECK(status != 0 || whole);
	if (out_close(out, whole, err) != 0 && status == 0)
		status = -1;
	table_close(in);
	free(name);
	return status;
}

static void compare(const char *path, const struct topo *topo, struct routing *routing,
		    const struct test_job *jobs)
{
	static const struct table_kind *const kinds[] = {&kind_metrics, NULL};
	char *name = xstrdup(path), *paths[] = {name, NULL};
	struct table_in *in;
	struct row row;
	struct err err;
	int nrows = 0;

	if (table_open(&in, kinds, paths, false, &err) != 0)
		abort();
	while (table_next(in, &row, &err) == 1) {
		const char *metric = row_text(&row, table_find(in, "metric"));
		double value = NAN, want;
		int64_t job = -1;

		row_int(&row, table_find(in, "id"), "id", 0, NJOBS - 1, &job, &err);
		row_real(&row, table_find(in, "value"), "value", 0, 1e9, &value, &err);
		if (job < 0)
			abort();
		want = wanted(topo, routing, &jobs[job], metric);
		if (!(isnan(want) ? isnan(value) : fabs(value - want) <= 1e-12 * want)) {
			printf("%s, job %d, %s: got %.17g, wanted %.17g\n", topo->name, (int)job,
			       metric, value, want);
			CHECK(!"the metric is right");
		}
		nrows++;
	}
	CHECK_INT(nrows, NJOBS * (4 + topo->ntiers));
	table_close(in);
	free(name);
}

static void check_machine(const char *spec, const char *routing_text)
{
	struct test_job jobs[NJOBS];
	struct routing *routing;
	struct topo *topo;
	struct err err;
	char in[64], out[64];
	struct rng rng = rng_make(1, "metrics-test", spec, routing_text);

	snprintf(in, sizeof(in), "/tmp/metrics-test-%d-in", (int)getpid());
	snprintf(out, sizeof(out), "/tmp/metrics-test-%d-out", (int)getpid());
	if (topo_load(&topo, spec, &err) != 0 ||
	    routing_open(&routing, topo, routing_text, &err) != 0) {
		printf("%s: %s\n", spec, err.msg);
		CHECK(!"the machine can be loaded");
		return;
	}
	for (int i = 0; i < NJOBS; i++)
		draw_job(&jobs[i], topo, &rng);
	write_jobs(in, topo, jobs);
	if (evaluate(in, spec, routing_text, out, &err) != 0) {
		printf("%s: %s\n", spec, err.msg);
		CHECK(!"evaluated");
	} else {
		compare(out, topo, routing, jobs);
	}
	routing_close(routing);
	topo_free(topo);
	unlink(in);
	unlink(out);
}

static void check_summaries(void)
{
	/* mean, sd and type-7 quantiles as R gives them */
	double ten[] = {10, 1, 9, 2, 8, 3, 7, 4, 6, 5}, one[] = {3};
	double far[] = {1e16, 1, -1e16, 1};
	struct summary summary;

	summary_make(&summary, ten, 10);
	CHECK_INT(summary.n, 10);
	CHECK(summary.mean == 5.5 && fabs(summary.sd - 3.0276503540974917) < 1e-15);
	CHECK(summary.min == 1 && summary.max == 10);
	CHECK(summary.q1 == 3.25 && summary.median == 5.5 && summary.q3 == 7.75);
	summary_make(&summary, one, 1);
	CHECK(summary.mean == 3 && isnan(summary.sd) && summary.q1 == 3 && summary.q3 == 3);
	/* a plain sum gives 0 or 1 here */
	summary_make(&summary, far, 4);
	CHECK(summary.mean == 0.5);
}

int main(void)
{
	static const char *const more[] = {
		"dragonfly:groups=9,routers=4,nodes=4,arrangement=relative",
		"fattree:down=4x6x3,up=1x2x2,cables=1x2x1", "torus:dims=5x4x3", "tree:arity=2x3x4"};

	check_summaries();
	for (int i = 0; i < topo_types.n; i++)
		check_machine(topo_types.entries[i]->example, NULL);
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		check_machine(more[i], "minimal");
	check_machine("torus:dims=5x4x3", "dor");
	return check_done();
}
