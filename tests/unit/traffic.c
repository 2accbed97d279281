/* traffic.c - traffic tables as decisions use them: by router, window and run */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "machine/load.h"
#include "base/die.h"
#include "base/str.h"
#include "check.h"
#include "model/traffic_table.h"

static struct topo *machine; /* 2 routers of 2 nodes: n0 … n3 on r0, r1 */

/* A file with this text; it lives until the next call. */
static char *file_of(const char *text)
{
	static char name[64];
	FILE *file;

	snprintf(name, sizeof(name), "/tmp/traffic-unit-%d", (int)getpid());
	file = fopen(name, "w");
	if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
		abort();
	return name;
}

static int read_text(struct traffic *traffic, const char *text, struct err *err)
{
	char *paths[] = {file_of(text), NULL};
	int status = traffic_read(traffic, machine, paths, false, err);

	unlink(paths[0]);
	return status;
}

static void refuses(const char *text, const char *message)
{
	struct traffic traffic;
	struct err err = {""};
	const char *colon;

	CHECK_INT(read_text(&traffic, text, &err), -1);
	colon = strstr(err.msg, ": ");
	CHECK_TEXT(colon != NULL && str_starts(err.msg, "/tmp") ? colon + 2 : err.msg, message);
}

#define HEAD "##placetools=traffic/1\n"

static void test_routers(void)
{
	struct traffic traffic;
	const struct traffic_window *window;
	struct err err = {""};

	CHECK_INT(read_text(&traffic,
			    HEAD "time_s\twindow_s\trouter\ttraffic_flits_per_s\tstall_per_s\t"
				 "incomplete\n"
				 "240\t120\tr1\t7\t.\tno\n120\t120\tr0\t5\t2\tyes\n"
				 "120\t120\tr1\t.\t3\tyes\n",
			    &err),
		  0);
	CHECK_TEXT(err.msg, "");
	CHECK(traffic.unit == TRAFFIC_FLITS_PER_S && traffic.is_whole);
	CHECK_INT(traffic.nwindows, 2);
	CHECK(traffic_at(&traffic, NULL, 119999999999) == NULL);
	window = traffic_at(&traffic, NULL, 120000000000);
	CHECK(window != NULL && window->end_ns == 120000000000 &&
	      window->window_ns == 120000000000);
	CHECK(window->traffic[0] == 5 && window->stall[0] == 2 && !window->is_complete[0]);
	CHECK(isnan(window->traffic[1]) && window->stall[1] == 3);
	CHECK(traffic_at(&traffic, "any", 239999999999) == window);
	window = traffic_at(&traffic, NULL, INT64_MAX);
	CHECK(window != NULL && window->end_ns == 240000000000);
	CHECK(isnan(window->traffic[0]) && window->traffic[1] == 7 && window->is_complete[1]);
	traffic_free(&traffic);
}

/* A router's traffic is its nodes' sum; it is complete when all of them are. */
static void test_nodes(void)
{
	struct traffic traffic;
	const struct traffic_window *window;
	struct err err = {""};

	CHECK_INT(read_text(&traffic,
			    HEAD "time_s\twindow_s\tnode\ttraffic_Bps\tincomplete\n"
				 "1\t1\tn0\t5\tno\n1\t1\tn1\t6\tno\n1\t1\tn2\t7\tno\n",
			    &err),
		  0);
	CHECK(traffic.unit == TRAFFIC_BPS);
	window = traffic_at(&traffic, NULL, INT64_MAX);
	CHECK(window->traffic[0] == 11 && window->is_complete[0]);
	CHECK(window->traffic[1] == 7 && !window->is_complete[1]);
	CHECK(isnan(window->stall[0]));
	traffic_free(&traffic);
}

static void test_runs(void)
{
	struct traffic traffic;
	struct err err = {""};

	CHECK_INT(read_text(&traffic,
			    HEAD "run\ttime_s\twindow_s\trouter\ttraffic_Bps\n"
				 "2\t1\t1\tr0\t20\n1\t1\t1\tr0\t10\n1\t2\t1\tr0\t11\n"
				 ".\t3\t1\tr0\t99\n10\t5\t1\tr0\t50\n",
			    &err),
		  0);
	CHECK(traffic_at(&traffic, "1", 1000000000)->traffic[0] == 10);
	CHECK(traffic_at(&traffic, "1", 2500000000)->traffic[0] == 11);
	CHECK(traffic_at(&traffic, "2", 2500000000)->traffic[0] == 20);
	CHECK(traffic_at(&traffic, "2", INT64_MAX)->traffic[0] == 99);
	CHECK(traffic_at(&traffic, "3", 2500000000) == NULL);
	CHECK(traffic_at(&traffic, NULL, INT64_MAX)->traffic[0] == 99);
	CHECK(traffic_at(&traffic, NULL, 2500000000) == NULL);
	CHECK(traffic_at(&traffic, "10", INT64_MAX)->traffic[0] == 50);
	traffic_free(&traffic);
	/* the only run there is */
	CHECK_INT(read_text(&traffic,
			    HEAD "run\ttime_s\twindow_s\trouter\ttraffic_Bps\na\t1\t1\tr0\t20\n",
			    &err),
		  0);
	CHECK(traffic_at(&traffic, NULL, INT64_MAX)->traffic[0] == 20);
	traffic_free(&traffic);
	/* nothing at all */
	CHECK_INT(read_text(&traffic, HEAD, &err), 0);
	CHECK(traffic_at(&traffic, NULL, INT64_MAX) == NULL);
	traffic_free(&traffic);
}

static void test_refused(void)
{
	refuses(HEAD "time_s\twindow_s\trouter\ttraffic_Bps\n1\t1\tr7\t5\n",
		"'r7' is not a router of the machine dragonfly-4");
	refuses(HEAD "time_s\twindow_s\tnode\ttraffic_Bps\n1\t1\tr1\t5\n",
		"'r1' is not a node of the machine dragonfly-4");
	refuses(HEAD "time_s\twindow_s\trouter\ttraffic_Bps\n1\t1\tr0\t5\n1\t2\tr1\t5\n",
		"another window that ends then has another length");
	refuses(HEAD "time_s\twindow_s\trouter\ttraffic_Bps\n1\t0\tr0\t5\n",
		"window_s must be above 0");
	refuses(HEAD "time_s\twindow_s\trouter\ttraffic_Bps\n1\t1\t.\t5\n", "no router is named");
	refuses(HEAD "time_s\twindow_s\tlink\ttraffic_Bps\n1\t1\tl\t5\n",
		"expected a traffic table per router or node; this one is per link");
}

int main(void)
{
	struct err err;

	if (topo_load(&machine, "dragonfly:groups=1,routers=2,nodes=2", &err) != 0)
		die("%s", err.msg);
	test_routers();
	test_nodes();
	test_runs();
	test_refused();
	topo_free(machine);
	return check_done();
}
