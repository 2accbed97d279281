/* traffic_table.c - rows of traffic tables: typed reading and writing */
#include "model/traffic_table.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/kinds.h"

const char *traffic_unit_column(enum traffic_unit unit)
{
	return unit == TRAFFIC_FLITS_PER_S ? "traffic_flits_per_s" : "traffic_Bps";
}

const char *traffic_per_column(enum traffic_per per)
{
	static const char *const names[] = {"router", "node", "link", "region"};

	return names[per];
}

void traffic_in_bind(struct traffic_in *in, struct table_in *table)
{
	*in = (struct traffic_in){
		.table = table,
		.run = table_find(table, "run"),
		.time = table_find(table, "time_s"),
		.window = table_find(table, "window_s"),
		.name = -1,
		.stall = table_find(table, "stall_per_s"),
		.samples = table_find(table, "samples"),
		.resets = table_find(table, "resets"),
		.incomplete = table_find(table, "incomplete"),
	};
	for (int per = TRAFFIC_ROUTER; per <= TRAFFIC_REGION && in->name < 0; per++) {
		in->per = (enum traffic_per)per;
		in->name = table_find(table, traffic_per_column(in->per));
	}
	in->unit = TRAFFIC_FLITS_PER_S;
	in->traffic = table_find(table, traffic_unit_column(in->unit));
	if (in->traffic < 0) {
		in->unit = TRAFFIC_BPS;
		in->traffic = table_find(table, traffic_unit_column(in->unit));
	}
}

/* A rate that may be missing: NAN then. */
static int read_rate(const struct row *row, int column, const char *name, double *rate,
		     struct err *err)
{
	int status = row_real(row, column, name, 0, 1e300, rate, err);

	if (status == 0)
		*rate = NAN;
	return status < 0 ? -1 : 0;
}

static int read_cells(const struct traffic_in *in, struct traffic_row *traffic,
		      const struct row *row, struct err *err)
{
	const char *incomplete = row_text(row, in->incomplete);

	traffic->run = row_text(row, in->run);
	traffic->name = row_text(row, in->name);
	traffic->incomplete = incomplete != NULL && incomplete[0] == 'y';
	if (traffic->name == NULL)
		return row_error(row, err, "no %s is named", traffic_per_column(in->per));
	if (row_seconds(row, in->time, "time_s", &traffic->end_ns, err) < 0 ||
	    row_seconds(row, in->window, "window_s", &traffic->window_ns, err) < 0)
		return -1;
	if (traffic->window_ns <= 0)
		return row_error(row, err, "window_s must be above 0");
	if (read_rate(row, in->traffic, traffic_unit_column(in->unit), &traffic->traffic, err) !=
		    0 ||
	    read_rate(row, in->stall, "stall_per_s", &traffic->stall, err) != 0)
		return -1;
	if (row_int(row, in->samples, "samples", 0, INT64_MAX, &traffic->samples, err) < 0 ||
	    row_int(row, in->resets, "resets", 0, INT64_MAX, &traffic->resets, err) < 0)
		return -1;
	return 0;
}

int traffic_in_next(struct traffic_in *in, struct traffic_row *traffic, struct row *row,
		    struct err *err)
{
	struct row own = {0};
	int status;

	row = row != NULL ? row : &own;
	*traffic = (struct traffic_row){0};
	status = table_next(in->table, row, err);
	if (status == 1 && read_cells(in, traffic, row, err) != 0)
		return -1;
	return status;
}

struct traffic_out {
	struct table_out *table;
	int run, time, window, name, traffic, stall, samples, resets, incomplete;
};

struct traffic_out *traffic_out_new(struct out *out, enum traffic_per per, enum traffic_unit unit,
				    bool has_run)
{
	struct traffic_out *traffic = xcalloc(1, sizeof(*traffic));
	struct table_out *table = table_out_new(out, &kind_traffic);

	traffic->table = table;
	traffic->run = has_run ? table_out_column(table, "run") : -1;
	traffic->time = table_out_column(table, "time_s");
	traffic->window = table_out_column(table, "window_s");
	traffic->name = table_out_column(table, traffic_per_column(per));
	traffic->traffic = table_out_column(table, traffic_unit_column(unit));
	traffic->stall = table_out_column(table, "stall_per_s");
	traffic->samples = table_out_column(table, "samples");
	traffic->resets = table_out_column(table, "resets");
	traffic->incomplete = table_out_column(table, "incomplete");
	return traffic;
}

struct table_out *traffic_out_table(struct traffic_out *traffic)
{
	return traffic->table;
}

void traffic_out_row(struct traffic_out *traffic, const struct traffic_row *row)
{
	struct table_out *table = traffic->table;

	if (traffic->run >= 0)
		table_out_text(table, traffic->run, row->run);
	table_out_seconds(table, traffic->time, row->end_ns);
	table_out_seconds(table, traffic->window, row->window_ns);
	table_out_text(table, traffic->name, row->name);
	if (!isnan(row->traffic))
		table_out_real(table, traffic->traffic, row->traffic);
	if (!isnan(row->stall))
		table_out_real(table, traffic->stall, row->stall);
	table_out_int(table, traffic->samples, row->samples);
	table_out_int(table, traffic->resets, row->resets);
	table_out_bool(table, traffic->incomplete, row->incomplete);
	table_out_emit(table);
}

void traffic_out_end(struct traffic_out *traffic, bool whole)
{
	table_out_end(traffic->table, whole);
	free(traffic);
}
