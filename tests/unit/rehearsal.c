/* rehearsal.c - rehearsed exchanges beside what they take by hand */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "check.h"
#include "machine.h"
#include "machine/route/routing.h"
#include "map/problem/copied_load.h"
#include "map/problem/event_queue.h"
#include "map/problem/rehearsal.h"

static const double hop = 40. / 4096; /* of the largest message's time */

struct scene {
	struct topo *topo;
	struct routing *routing;
	struct routes routes;
	struct vc_classes classes;
	struct map_input in;
	int *nodes, *node_of;
};

/* Rank r is on node r. */
static void open_scene(struct scene *scene, const char *spec, struct comm *comm)
{
	struct err err;

	memset(scene, 0, sizeof(*scene));
	scene->topo = machine(spec);
	CHECK_INT(routing_open(&scene->routing, scene->topo, NULL, &err), 0);
	scene->nodes = xmalloc((size_t)scene->topo->nnodes * sizeof(*scene->nodes));
	scene->node_of = xmalloc((size_t)comm->nranks * sizeof(*scene->node_of));
	for (int v = 0; v < scene->topo->nnodes; v++)
		scene->nodes[v] = v;
	for (int r = 0; r < comm->nranks; r++)
		scene->node_of[r] = r;
	routes_init(&scene->routes, scene->topo, scene->routing, scene->nodes, scene->topo->nnodes);
	vc_classes_open(&scene->classes, scene->routing);
	scene->in = (struct map_input){.topo = scene->topo,
				       .routes = &scene->routes,
				       .comm = comm,
				       .nodes = scene->nodes,
				       .nnodes = scene->topo->nnodes};
}

static double time_of(struct scene *scene, int npackets, int nrounds)
{
	const struct rehearsal_size size = {npackets, nrounds};

	return rehearsal_time(&scene->in, &scene->routes, &scene->classes, scene->node_of, &size);
}

static void close_scene(struct scene *scene)
{
	comm_free((struct comm *)scene->in.comm);
	routes_free(&scene->routes);
	vc_classes_close(&scene->classes);
	routing_close(scene->routing);
	topo_free(scene->topo);
	free(scene->nodes);
	free(scene->node_of);
}

/* Ranks 1 … n each send bytes to rank 0. */
static struct comm *to_one(int n, double bytes)
{
	int32_t *src = xmalloc((size_t)n * sizeof(*src)), *dst = xcalloc((size_t)n, sizeof(*dst));
	double *all = xmalloc((size_t)n * sizeof(*all));
	struct comm *comm;

	for (int i = 0; i < n; i++) {
		src[i] = i + 1;
		all[i] = bytes;
	}
	comm = comm_make(n + 1, n, src, dst, all, NULL);
	free(src);
	free(dst);
	free(all);
	return comm;
}

static bool is_near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

/* A request, an answer and the data take each hop's delay; the data one message's time as well. */
static void check_single(void)
{
	struct scene scene;

	open_scene(&scene, "complete:nodes=4,per-router=4", to_one(1, 7));
	CHECK(is_near(time_of(&scene, 1, 1), 1 + 3 * 2 * hop));
	CHECK(is_near(time_of(&scene, 4, 1), 1 + 3 * 2 * hop));
	/* the next one is asked for when the data have left, and answered when they have come */
	CHECK(is_near(time_of(&scene, 1, 3), (3 + 14 * hop) / 3));
	close_scene(&scene);
	open_scene(&scene, "complete:nodes=4,per-router=1", to_one(1, 7));
	CHECK(is_near(time_of(&scene, 1, 1), 1 + 3 * 3 * hop));
	close_scene(&scene);
}

/* Without request and answer the data take one message's time and the hops' delay. What is larger
 * than an eager message asks. */
static void check_eager(void)
{
	struct travel travel = {.eager = 1, .packet = 1, .room = 1, .hop = 0.25};
	struct scene scene;

	open_scene(&scene, "complete:nodes=4,per-router=4", to_one(1, 7));
	scene.in.travel = &travel;
	CHECK(is_near(time_of(&scene, 1, 1), 1.5));
	/* the next one leaves when there is room for it again */
	CHECK(is_near(time_of(&scene, 1, 3), 4.5 / 3));
	travel.room = 2;
	CHECK(is_near(time_of(&scene, 1, 3), 3.5 / 3));
	travel.eager = 0.99;
	CHECK(is_near(time_of(&scene, 1, 1), 1 + 3 * 2 * 0.25));
	close_scene(&scene);
}

/* A buffer takes as many small messages as fit: what goes to a busy node does not keep what stands
 * behind it from leaving. Ranks 0 and 1 send to node 3, rank 0 then to node 4. */
static void check_shared_buffer(void)
{
	const int32_t src[] = {0, 0, 0, 0, 0, 1, 1, 2}, dst[] = {4, 5, 7, 8, 9, 4, 5, 3};
	const double bytes[] = {2, 2, 2, 2, 2, 2, 2, 8};
	const int node_of[] = {0, 1, 2, 2, 3, 3, 3, 4, 4, 4};
	const struct travel travel = {.eager = 1, .packet = 1, .room = 1, .hop = 1. / 64};
	struct scene scene;

	open_scene(&scene, "complete:nodes=10,per-router=10",
		   comm_make(10, 8, src, dst, bytes, NULL));
	memcpy(scene.node_of, node_of, sizeof(node_of));
	scene.in.travel = &travel;
	CHECK(is_near(time_of(&scene, 1, 1), 5 * .25 + 2. / 64));
	close_scene(&scene);
}

/* Node 2 is busy with what node 3 sends. So what comes from afar fills the buffer before it, in the
 * way of what rank 1 sends to node 3 after a smaller message. */
static void check_behind(const char *spec, int32_t afar, double expected)
{
	const int32_t src[] = {1, 1, 3, afar}, dst[] = {0, 3, 2, 2};
	const double bytes[] = {2, 8, 8, 8};
	const struct travel travel = {.eager = 1, .packet = 1, .room = 1, .hop = 1. / 64};
	struct scene scene;

	open_scene(&scene, spec, comm_make(8, 4, src, dst, bytes, NULL));
	scene.in.travel = &travel;
	CHECK(is_near(time_of(&scene, 1, 1), expected));
	close_scene(&scene);
}

/* A rank's second message is handed over later than the first. */
static void check_setup(void)
{
	const int32_t src[] = {0, 0}, dst[] = {1, 2};
	const double bytes[] = {8, 8};
	struct travel travel = {.eager = 1, .packet = 1, .room = 2, .hop = .25, .setup = .25};
	struct scene scene;

	open_scene(&scene, "complete:nodes=4,per-router=4", comm_make(3, 2, src, dst, bytes, NULL));
	scene.in.travel = &travel;
	CHECK(is_near(time_of(&scene, 1, 1), .25 + 2 + .5)); /* it waits for the link */
	travel.setup = .875;
	CHECK(is_near(time_of(&scene, 1, 1), .875 + 2 + .5));
	travel.setup = 1;
	CHECK(is_near(time_of(&scene, 1, 1), 1 + 2 + .5));
	travel.hop = 3; /* of messages much smaller than what software and wires take */
	travel.setup = 5;
	CHECK(is_near(time_of(&scene, 1, 1), 2 * 5 + 1 + 2 * 3));
	travel.setup = 1;
	travel.hop = 0;
	CHECK(is_near(time_of(&scene, 1, 2), 6 / 2.));
	close_scene(&scene);
}

/* The same shift gives the same time, another one another time. */
static void check_shifts(void)
{
	double time[3];
	struct scene scene;

	open_scene(&scene, "complete:nodes=8,per-router=8", to_one(7, 3));
	for (int i = 0; i < 3; i++) {
		const struct rehearsal_size size = {
			.npackets = 1, .nrounds = 1, .shift = 1 + i / 2};

		time[i] = rehearsal_time(&scene.in, &scene.routes, &scene.classes, scene.node_of,
					 &size);
	}
	CHECK(time[0] == time[1]);
	CHECK(time[0] != time[2]);
	CHECK(time[0] > 7 && time[0] < 7 + 1. / 16 + 4 * 2 * hop);
	close_scene(&scene);
}

/* Three ranks in a row, each of which sends to the next one: an eager message that comes before
 * its receiver has begun that exchange is kept for it. */
static void check_ahead(void)
{
	const int32_t src[] = {0, 1}, dst[] = {1, 2};
	const double bytes[] = {1, 8};
	const struct travel travel = {.eager = 1, .packet = 1, .room = 8, .hop = 0.25};
	struct scene scene;

	open_scene(&scene, "complete:nodes=4,per-router=4", comm_make(3, 2, src, dst, bytes, NULL));
	scene.in.travel = &travel;
	/* the larger ones follow each other, whatever the smaller ones do */
	CHECK(is_near(time_of(&scene, 1, 1), 1.5));
	CHECK(is_near(time_of(&scene, 1, 4), 4.5 / 4));
	close_scene(&scene);
}

/* Times are in parts of the job's largest message, though that stays on its node. */
static void check_unit(void)
{
	const int32_t src[] = {0, 1}, dst[] = {1, 2};
	const double bytes[] = {8, 2};
	struct scene scene;

	open_scene(&scene, "complete:nodes=4,per-router=4", comm_make(3, 2, src, dst, bytes, NULL));
	scene.node_of[1] = 0;
	scene.node_of[2] = 1;
	CHECK(is_near(time_of(&scene, 1, 1), 0.25 + 3 * 2 * hop));
	close_scene(&scene);
}

/* The receiver's link takes one message after the other. */
static void check_incast(void)
{
	const struct rehearsal_size size = {1, 1};
	struct scene scene;

	open_scene(&scene, "complete:nodes=8,per-router=8", to_one(7, 3));
	CHECK(is_near(time_of(&scene, 1, 1), 7 + 3 * 2 * hop));
	CHECK(is_near(time_of(&scene, 2, 1), 7 + 3 * 2 * hop));
	CHECK_INT(rehearsal_cost(&scene.in, &scene.routes, scene.node_of, &size), 7 * 2 * 3);
	close_scene(&scene);
}

/* Three ranks send to one of their node. */
static void check_copies(void)
{
	const struct rehearsal_size size = {2, 1};
	struct travel travel = travel_of_large;
	struct scene scene;

	open_scene(&scene, "complete:nodes=4,per-router=4", to_one(3, 7));
	memset(scene.node_of, 0, 4 * sizeof(*scene.node_of));
	scene.in.travel = &travel;
	travel.copy = 2;
	travel.copy_overhead = .25;
	CHECK_INT(rehearsal_cost(&scene.in, &scene.routes, scene.node_of, &size), -1);
	travel.ncopies = 1;
	CHECK_INT(rehearsal_cost(&scene.in, &scene.routes, scene.node_of, &size), 3 * 4);
	CHECK(is_near(time_of(&scene, 2, 1), 3 * 2.25));
	CHECK(is_near(map_copied_load(&scene.in, scene.node_of), 3 * 2.25 * 7));
	travel.ncopies = 2;
	CHECK(is_near(time_of(&scene, 2, 1), 2 * 2.25));
	CHECK(is_near(map_copied_load(&scene.in, scene.node_of), 3 * 2.25 * 7 / 2));
	travel.ncopies = 3;
	CHECK(is_near(time_of(&scene, 2, 1), 2.25));
	/* the next one begins when those of both have been copied */
	CHECK(is_near(time_of(&scene, 2, 2), 2.25));
	travel.ncopies = 1;
	travel.copy_eager = 1;
	CHECK(is_near(time_of(&scene, 2, 1), 3 * 2.25));
	travel.copy_eager = 1.001; /* above which all are small, and wait for nobody */
	CHECK(is_near(time_of(&scene, 2, 1), 2.25));
	CHECK(is_near(map_copied_load(&scene.in, scene.node_of), 0));
	/* beside one that leaves the node; links take longer */
	travel.copy_eager = 0;
	scene.node_of[3] = 1;
	travel.copy = .1;
	travel.copy_overhead = 0;
	CHECK(is_near(time_of(&scene, 1, 1), 1 + 3 * 2 * hop));
	travel.copy = 1;
	CHECK(is_near(time_of(&scene, 1, 1), 2));
	close_scene(&scene);
}

/* What is on one node uses no link; with nothing else there is nothing to rehearse. */
static void check_nothing(void)
{
	const struct rehearsal_size size = {1, 1};
	struct scene scene;

	open_scene(&scene, "complete:nodes=4,per-router=4", to_one(2, 1));
	memset(scene.node_of, 0, 3 * sizeof(*scene.node_of));
	CHECK_INT(rehearsal_cost(&scene.in, &scene.routes, scene.node_of, &size), -1);
	close_scene(&scene);
	open_scene(&scene, "complete:nodes=4,per-router=4", to_one(2, 0));
	CHECK_INT(rehearsal_cost(&scene.in, &scene.routes, scene.node_of, &size), -1);
	close_scene(&scene);
}

/* Small messages come before their receiver has begun, and count: each exchange has its large one,
 * which is asked for when all of the last are there. */
static void check_rounds(void)
{
	enum { SENDERS = 63 };
	int32_t src[SENDERS], dst[SENDERS] = {0};
	double bytes[SENDERS];
	const struct travel travel = {.eager = .5, .packet = 1, .room = 8, .hop = 1. / 4096};
	struct scene scene;

	for (int i = 0; i < SENDERS; i++) {
		src[i] = i + 1;
		bytes[i] = i == 0 ? SENDERS + 1 : 1;
	}
	open_scene(&scene, "complete:nodes=64,per-router=64",
		   comm_make(SENDERS + 1, SENDERS, src, dst, bytes, NULL));
	scene.in.travel = &travel;
	for (int shift = 1; shift <= 8; shift++)
		for (int nrounds = 1; nrounds <= 4; nrounds++) {
			const struct rehearsal_size size = {1, nrounds, shift};
			double time = rehearsal_time(&scene.in, &scene.routes, &scene.classes,
						     scene.node_of, &size);

			CHECK(time > 126. / 64 && time < 2.1); /* all that the link carries */
		}
	close_scene(&scene);
}

/* Everybody to everybody: all that is sent arrives, on rings, too, and no sooner than the most
 * loaded link can carry it. */
static void check_all(const char *spec)
{
	struct topo *topo = machine(spec);
	int32_t n = topo->nnodes, *src = xmalloc((size_t)n * (size_t)n * sizeof(*src));
	int32_t *dst = xmalloc((size_t)n * (size_t)n * sizeof(*dst));
	double *bytes = xmalloc((size_t)n * (size_t)n * sizeof(*bytes)), time;
	struct travel travel = travel_of_large;
	struct rng rng = rng_make(1, "rehearsal", NULL, NULL);
	struct scene scene;

	topo_free(topo);
	for (int32_t i = 0; i < n * n; i++) {
		src[i] = i / n;
		dst[i] = i % n;
		bytes[i] = i == 1 ? 8 : 1 + (double)rng_below(&rng, 8);
	}
	open_scene(&scene, spec, comm_make(n, (int64_t)n * n, src, dst, bytes, NULL));
	for (int k = 1; k <= 4; k++) {
		double greatest = 0;
		double *load = xcalloc(2 * (size_t)topo_graph(scene.topo)->nlinks, sizeof(*load));

		time = time_of(&scene, k, 1);
		for (int a = 0; a < n; a++)
			for (int b = 0; b < n; b++) {
				const int32_t *at = routes_get(&scene.routes, a, b);

				for (int i = 1; i <= at[0]; i++)
					load[at[i]] += bytes[a * n + b] / 8;
			}
		for (size_t c = 0; c < scene.routes.channels.n; c++)
			greatest = fmax(greatest, load[c] * scene.routes.per_byte.at[c]);
		CHECK(time > greatest && time < 20 * greatest);
		CHECK(is_near(time_of(&scene, k, 1), time));
		/* as many packets as the largest message has, if that is fewer */
		travel.packet = 1. / k;
		scene.in.travel = &travel;
		CHECK(is_near(time_of(&scene, 9, 1), time_of(&scene, k, 1)));
		travel.eager = 1;
		time = time_of(&scene, k, 1);
		CHECK(time > greatest && time < 20 * greatest);
		travel.eager = 0;
		scene.in.travel = NULL;
		free(load);
	}
	close_scene(&scene);
	free(src);
	free(dst);
	free(bytes);
}

/* Of those that wait [n], which was to be taken. */
static int first_of(const struct queued_event *waiting, int n)
{
	int first = 0;

	for (int i = 1; i < n; i++) {
		const struct queued_event *a = &waiting[i], *b = &waiting[first];

		if (a->ticks < b->ticks ||
		    (a->ticks == b->ticks &&
		     (a->order < b->order || (a->order == b->order && a->what < b->what))))
			first = i;
	}
	return first;
}

/* Events come and go, at once, soon and far behind; beside a search of all that wait. */
static void check_queue(void)
{
	enum { EVENTS = 20000, WAITING = 200 };
	static const uint64_t behind[] = {1, 3, QUEUE_TICKS, QUEUE_TICKS + 1, 5 * QUEUE_TICKS};
	struct event_queue queue = {0};
	struct queued_event event, waiting[WAITING];
	struct rng rng = rng_make(1, "event-queue", NULL, NULL);
	int64_t now = 0, nadded = 0;
	int n = 0;

	while (nadded < EVENTS || n > 0) {
		int first;

		if (nadded < EVENTS && n < WAITING && (n == 0 || rng_below(&rng, 100) < 51)) {
			event = (struct queued_event){
				now + (int64_t)rng_below(&rng, behind[rng_below(&rng, 5)]),
				(int64_t)rng_below(&rng, 5), (int32_t)nadded, 0};
			event_queue_add(&queue, event.ticks, event.order, event.what, 0);
			waiting[n++] = event;
			nadded++;
			continue;
		}
		first = first_of(waiting, n);
		CHECK(event_queue_take(&queue, &event));
		CHECK_INT(event.what, waiting[first].what);
		now = event.ticks;
		waiting[first] = waiting[--n];
	}
	CHECK(!event_queue_take(&queue, &event));
	event_queue_free(&queue);
}

int main(void)
{
	check_single();
	check_eager();
	check_ahead();
	check_unit();
	check_shared_buffer();
	/* one virtual channel: it leaves when the buffer is empty again */
	check_behind("line:nodes=8", 0, 3 + 6. / 64);
	/* what came by the link that closes the ring has another one */
	check_behind("ring:nodes=8", 7, 2 + 6. / 64);
	check_setup();
	check_shifts();
	check_incast();
	check_rounds();
	check_copies();
	check_nothing();
	check_all("ring:nodes=9");
	check_all("torus:dims=4x3");
	check_all("mesh:dims=4x3");
	check_all("dragonfly:groups=3,routers=2,nodes=2");
	check_all("fattree:k=2,levels=3");
	check_queue();
	return check_done();
}
