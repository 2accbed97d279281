/* heat.c - what routers and cables carried, for drawings of a machine */
#include "machine/export/heat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "machine/load.h"
#include "model/kinds.h"
#include "model/traffic_table.h"

/* ---- routers ---- */

static double mean_of(const struct traffic *traffic, int router)
{
	double sum = 0;
	int n = 0;

	for (int w = 0; w < traffic->nwindows; w++)
		if (!isnan(traffic->windows[w].traffic[router])) {
			sum += traffic->windows[w].traffic[router];
			n++;
		}
	return n > 0 ? sum / n : NAN;
}

int router_heat_read(struct router_heat *heat, const struct topo *topo, const char *path,
		     int64_t time_ns, bool accepts_partial, struct err *err)
{
	char *paths[] = {(char *)path, NULL};
	const struct traffic_window *window = NULL;
	struct traffic traffic;
	bool is_whole;

	if (traffic_read(&traffic, topo, paths, accepts_partial, err) != 0)
		return -1;
	if (time_ns != INT64_MIN) {
		window = traffic_at(&traffic, NULL, time_ns);
		if (window == NULL) {
			traffic_free(&traffic);
			return err_set(err, "%s: no window ended by the time of --at", path);
		}
	}
	heat->of = xcalloc((size_t)topo->nrouters + 1, sizeof(*heat->of));
	heat->unit = traffic.unit == TRAFFIC_BPS ? "B/s" : "flits/s";
	for (int r = 0; r < topo->nrouters; r++) {
		heat->of[r] = window != NULL ? window->traffic[r] : mean_of(&traffic, r);
		heat->most = heat->of[r] > heat->most ? heat->of[r] : heat->most;
	}
	is_whole = traffic.is_whole;
	traffic_free(&traffic);
	return is_whole ? 0 : 1;
}

void router_heat_free(struct router_heat *heat)
{
	free(heat->of);
	*heat = (struct router_heat){0};
}

/* ---- links ---- */

static void put_key(struct buf *key, const char *policy, int a, int b)
{
	buf_printf(key, "%s\t%d\t%d", policy != NULL ? policy : "", a < b ? a : b, a < b ? b : a);
}

static void add(struct link_heat *heat, const char *policy, int a, int b, double value)
{
	struct buf key = {0};
	int64_t place;

	put_key(&key, heat->has_policy ? policy : NULL, a, b);
	place = map_add(&heat->ids, key.text, key.n, (int64_t)heat->of.n);
	if (place == (int64_t)heat->of.n)
		vec_push(&heat->of, value);
	else if (value > heat->of.at[place])
		heat->of.at[place] = value;
	heat->most = value > heat->most ? value : heat->most;
	buf_free(&key);
}

double link_heat_of(const struct link_heat *heat, const char *policy, int a, int b)
{
	struct buf key = {0};
	int64_t place;

	put_key(&key, heat->has_policy ? policy : NULL, a, b);
	place = map_get(&heat->ids, key.text, key.n);
	buf_free(&key);
	return place >= 0 ? heat->of.at[place] : NAN;
}

static int find_router(const struct topo *topo, const char *name)
{
	return name != NULL ? topo_router_find(topo, name, strlen(name)) : -1;
}

/* Channels between nodes and routers are left out: a node's square has no cable in the picture. */
static int read_links(struct link_heat *heat, const struct topo *topo, struct table_in *in,
		      struct err *err)
{
	int from = table_find(in, "from"), to = table_find(in, "to");
	int policy = table_find(in, "policy"), value = table_find(in, "utilization");
	struct row row;
	int status;

	heat->what = value >= 0 ? "utilization of cables" : "bytes carried by cables";
	heat->unit = value >= 0 ? "" : "B";
	heat->has_policy = policy >= 0;
	if (value < 0)
		value = table_find(in, "bytes");
	if (value < 0)
		return err_set(err, "the table has neither utilization nor bytes");
	while ((status = table_next(in, &row, err)) == 1) {
		int a = find_router(topo, row_text(&row, from));
		int b = find_router(topo, row_text(&row, to));
		double figure;

		if (a < 0 || b < 0 || a == b)
			continue;
		if (row_real(&row, value, table_column(in, value), 0, 1e300, &figure, err) == 1)
			add(heat, row_text(&row, policy), a, b, figure);
	}
	if (status != 0)
		return -1;
	return table_is_whole(in) ? 0 : 1;
}

int link_heat_read(struct link_heat *heat, const struct topo *topo, const char *path,
		   bool accepts_partial, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_links, NULL};
	struct table_in *in;
	int status;

	if (table_open_one(&in, kinds, path, accepts_partial, err) != 0)
		return -1;
	status = topo_check_recorded(topo, in, err);
	if (status == 0)
		status = read_links(heat, topo, in, err);
	table_close(in);
	return status;
}

void link_heat_free(struct link_heat *heat)
{
	map_free(&heat->ids);
	vec_free(&heat->of);
	*heat = (struct link_heat){0};
}
