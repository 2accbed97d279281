/* placed.c - which job holds which node, for drawings of a machine */
#include "machine/export/placed.h"

#include <stdlib.h>
#include <string.h>

#include "machine/load.h"
#include "model/kinds.h"
#include "model/moment.h"

enum { PANELS_MOST = 16 };

struct columns {
	int job, run, policy, nodelist, start, end;
};

static void free_panel(struct placed_panel *panel)
{
	vec_free(&panel->names);
	vec_free(&panel->times);
	free(panel->job_of);
}

static const char *text_of(const struct row *row, int column)
{
	const char *text = row_text(row, column);

	return text != NULL ? text : ".";
}

/* That of the row's run and policy; NULL: there are too many. */
static struct placed_panel *find_panel(struct placed *placed, const struct topo *topo,
				       const struct row *row, const struct columns *columns,
				       struct err *err)
{
	const char *run = text_of(row, columns->run), *policy = text_of(row, columns->policy);
	struct placed_panel panel = {.run = arena_strndup(&placed->arena, run, strlen(run)),
				     .policy =
					     arena_strndup(&placed->arena, policy, strlen(policy))};

	for (size_t i = 0; i < placed->panels.n; i++)
		if (str_eq(placed->panels.at[i].run, run) &&
		    str_eq(placed->panels.at[i].policy, policy))
			return &placed->panels.at[i];
	if (placed->panels.n == PANELS_MOST) {
		row_error(row, err,
			  "more than %d runs and policies: select some, as by traceconv -f where",
			  PANELS_MOST);
		return NULL;
	}
	panel.job_of = xmalloc((size_t)topo->nnodes * sizeof(*panel.job_of) + 1);
	for (int node = 0; node < topo->nnodes; node++)
		panel.job_of[node] = -1;
	vec_push(&placed->panels, panel);
	return &placed->panels.at[placed->panels.n - 1];
}

/* When a job runs; missing times: always. 0 or -1. */
static int read_time(const struct row *row, const struct columns *columns, struct placed_time *time,
		     struct err *err)
{
	*time = (struct placed_time){INT64_MIN, INT64_MAX};
	if (row_seconds(row, columns->start, "start_s", &time->start_ns, err) < 0)
		return -1;
	return row_seconds(row, columns->end, "end_s", &time->end_ns, err) < 0 ? -1 : 0;
}

static bool is_apart(const struct placed_time *a, const struct placed_time *b)
{
	return a->end_ns <= b->start_ns || b->end_ns <= a->start_ns;
}

static int place_job(struct placed *placed, const struct topo *topo, const struct row *row,
		     const struct columns *columns, int64_t time_ns, struct err *err)
{
	const char *list = row_text(row, columns->nodelist), *name = row_text(row, columns->job);
	struct placed_panel *panel = find_panel(placed, topo, row, columns, err);
	int runs = panel == NULL ? -1
		   : time_ns == INT64_MIN
			   ? 1
			   : row_runs_at(row, columns->start, columns->end, time_ns, err);
	struct placed_time time;
	bool is_hidden = false;
	int_vec nodes = {0};
	struct err why;

	if (runs < 0 || read_time(row, columns, &time, err) != 0)
		return -1;
	if (list == NULL || runs == 0)
		return 0; /* it waits, or runs at another time */
	if (topo_nodelist_read(topo, list, &nodes, &why) != 0) {
		free(nodes.at);
		return row_error(row, err, "nodelist: %s", why.msg);
	}
	for (size_t i = 0; i < nodes.n; i++)
		if (panel->job_of[nodes.at[i]] < 0)
			panel->job_of[nodes.at[i]] = (int)panel->names.n;
		else
			is_hidden = is_hidden ||
				    is_apart(&panel->times.at[panel->job_of[nodes.at[i]]], &time);
	placed->nhidden += is_hidden;
	vec_push(&panel->times, time);
	vec_push(&panel->names, arena_strndup(&placed->arena, name, strlen(name)));
	free(nodes.at);
	return 0;
}

static int read_rows(struct placed *placed, const struct topo *topo, struct table_in *in,
		     int64_t time_ns, struct err *err)
{
	struct columns columns = {table_find(in, "job"),     table_find(in, "run"),
				  table_find(in, "policy"),  table_find(in, "nodelist"),
				  table_find(in, "start_s"), table_find(in, "end_s")};
	struct row row;
	int status;

	while ((status = table_next(in, &row, err)) == 1)
		if (place_job(placed, topo, &row, &columns, time_ns, err) != 0)
			return -1;
	if (status != 0)
		return -1;
	return table_is_whole(in) ? 0 : 1;
}

/* A job without a policy ran before any was asked: the panels of all policies have it. */
static void share_panel(struct placed *placed, const struct topo *topo)
{
	struct placed_panel *panels = placed->panels.at, common;
	size_t at = 0;

	while (at < placed->panels.n &&
	       !(str_eq(panels[at].policy, ".") && str_eq(panels[at].run, ".")))
		at++;
	if (at == placed->panels.n || placed->panels.n == 1)
		return;
	common = panels[at];
	memmove(&panels[at], &panels[at + 1], (--placed->panels.n - at) * sizeof(*panels));
	for (size_t i = 0; i < placed->panels.n; i++) {
		for (int node = 0; node < topo->nnodes; node++)
			if (panels[i].job_of[node] < 0 && common.job_of[node] >= 0)
				panels[i].job_of[node] =
					(int)panels[i].names.n + common.job_of[node];
		for (size_t k = 0; k < common.names.n; k++)
			vec_push(&panels[i].names, common.names.at[k]);
	}
	free_panel(&common);
}

/* An empty table is a panel without jobs. */
static void show_panels(struct placed *placed, const struct topo *topo)
{
	share_panel(placed, topo);
	if (placed->panels.n == 0) {
		struct placed_panel panel = {".", ".", {0}, {0}, NULL};

		panel.job_of = xmalloc((size_t)topo->nnodes * sizeof(*panel.job_of) + 1);
		for (int node = 0; node < topo->nnodes; node++)
			panel.job_of[node] = -1;
		vec_push(&placed->panels, panel);
	}
	for (size_t i = 0; i < placed->panels.n; i++) {
		const struct placed_panel *panel = &placed->panels.at[i];

		vec_push(&placed->shown,
			 (struct topo_export_panel){panel->run, panel->policy, (int)panel->names.n,
						    (const char *const *)panel->names.at,
						    panel->job_of});
	}
}

int placed_read(struct placed *placed, const struct topo *topo, const char *path, int64_t time_ns,
		bool accepts_partial, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	struct table_in *in;
	int status;

	*placed = (struct placed){0};
	if (table_open_one(&in, kinds, path, accepts_partial, err) != 0)
		return -1;
	status = topo_check_recorded(topo, in, err);
	if (status == 0)
		status = read_rows(placed, topo, in, time_ns, err);
	table_close(in);
	if (status < 0)
		placed_free(placed);
	else
		show_panels(placed, topo);
	return status;
}

void placed_free(struct placed *placed)
{
	for (size_t i = 0; i < placed->panels.n; i++)
		free_panel(&placed->panels.at[i]);
	vec_free(&placed->panels);
	vec_free(&placed->shown);
	arena_free(&placed->arena);
	*placed = (struct placed){0};
}
