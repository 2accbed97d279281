/* side_rows.c - the tables beside the jobs: what devices did, and slices */
#include "cosched/side_rows.h"

#include "formats/out.h"
#include "model/kinds.h"

enum {
	RUN,
	POLICY,
	JOB,
	NODE,
	DEVICE,
	START,
	END,
	STATE
}; /* of timeline; slices has three for the last */
enum { SLICE = STATE, FIRST, COUNT };

static const char *const shared[] = {"run",    "policy",  "job",   "node",
				     "device", "start_s", "end_s", NULL};

static int open_one(const struct run_context *context, struct out **out, struct table_out **table,
		    const struct table_kind *kind, const char *path, struct err *err)
{
	if (path == NULL)
		return 0;
	if (out_open(out, path, context->command, err) != 0)
		return -1;
	*table = table_out_new(*out, kind);
	for (int i = 0; shared[i] != NULL; i++)
		table_out_column(*table, shared[i]);
	return 0;
}

static int open_bound(struct side_rows *side, const struct run_context *context, const char *path,
		      struct err *err)
{
	static const char *const columns[] = {"run", "scope", "id", "metric", "value", "unit"};

	if (path == NULL)
		return 0;
	if (out_open(&side->bound_out, path, context->command, err) != 0)
		return -1;
	side->bound = table_out_new(side->bound_out, &kind_metrics);
	for (int i = 0; i < 6; i++)
		table_out_column(side->bound, columns[i]);
	return 0;
}

int side_rows_open(struct side_rows *side, const struct run_context *context,
		   const struct side_paths *paths, const char *policy, struct err *err)
{
	*side = (struct side_rows){.policy = policy};
	if (open_one(context, &side->timeline_out, &side->timeline, &kind_timeline, paths->timeline,
		     err) != 0 ||
	    open_one(context, &side->slices_out, &side->slices, &kind_slices, paths->slices, err) !=
		    0 ||
	    open_bound(side, context, paths->bound, err) != 0)
		return -1;
	if (side->timeline != NULL)
		table_out_column(side->timeline, "state");
	if (side->slices != NULL) {
		table_out_column(side->slices, "slice");
		table_out_column(side->slices, "first");
		table_out_column(side->slices, "count");
	}
	return 0;
}

static int close_one(struct out *out, struct table_out *table, bool whole, struct err *err)
{
	if (table == NULL)
		return 0;
	table_out_end(table, whole);
	return out_close(out, whole, err);
}

int side_rows_close(struct side_rows *side, bool whole, struct err *err)
{
	int status = close_one(side->timeline_out, side->timeline, whole, err);

	if (close_one(side->slices_out, side->slices, whole, err) != 0)
		status = -1;
	if (close_one(side->bound_out, side->bound, whole, err) != 0)
		status = -1;
	return status;
}

static void fill(const struct side_rows *side, struct table_out *table, const char *run,
		 const char *job, const char *node, const char *device, int64_t start_ns,
		 int64_t end_ns)
{
	table_out_text(table, RUN, run);
	table_out_text(table, POLICY, side->policy);
	table_out_text(table, JOB, job);
	table_out_text(table, NODE, node);
	table_out_text(table, DEVICE, device);
	table_out_seconds(table, START, start_ns);
	table_out_seconds(table, END, end_ns);
}

void side_rows_span(struct side_rows *side, const char *run, const char *job, const char *node,
		    const char *device, const char *state, int64_t start_ns, int64_t end_ns)
{
	fill(side, side->timeline, run, job, node, device, start_ns, end_ns);
	table_out_text(side->timeline, STATE, state);
	table_out_emit(side->timeline);
}

void side_rows_slice(struct side_rows *side, const char *run, const char *job, const char *node,
		     const char *device, int64_t slice, int64_t start_ns, int64_t end_ns)
{
	fill(side, side->slices, run, job, node, device, start_ns, end_ns);
	table_out_int(side->slices, SLICE, slice);
	table_out_int(side->slices, FIRST, slice);
	table_out_int(side->slices, COUNT, 1);
	table_out_emit(side->slices);
}

void side_rows_bound(struct side_rows *side, const char *run, double seconds)
{
	table_out_text(side->bound, 0, run);
	table_out_text(side->bound, 1, "run");
	table_out_text(side->bound, 2, NULL);
	table_out_text(side->bound, 3, "makespan_s");
	table_out_real(side->bound, 4, seconds);
	table_out_text(side->bound, 5, "s");
	table_out_emit(side->bound);
}
