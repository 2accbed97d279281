/* storage.c - storage devices against a slow twin, and one rank's writes against a closed form */
#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "base/str.h"
#include "machine/route/route.h"
#include "machine/yaml/yaml_read.h"
#include "model/storage_spec.h"
#include "sim/storage/storage.h"

/* A machine with storage from the text of its file. */
static struct topo *open_text(const char *text)
{
	struct yaml_file *file;
	struct topo *topo;
	struct err err = {0};

	if (yaml_open_text(&file, "test", text, strlen(text), &err) != 0 ||
	    topo_read_yaml(&topo, file, &err) != 0) {
		printf("%s\n", err.msg);
		exit(1);
	}
	yaml_close(file);
	topo_graph(topo);
	return topo;
}

/* ---- the device ---- */

enum { NOPS = 400 };

struct job {
	struct storage_op op;
	int64_t at_ps, end_ps, slow_ps;
	int lane;
};

struct trial {
	struct net *net;
	struct storage *storage;
	struct job ops[NOPS];
};

/* Files are known by these addresses and names. */
static const char *const files[] = {"a", "b", "c"};

static void begin_one(void *context, uint64_t cookie)
{
	struct trial *trial = context;
	int32_t client = (int32_t)cookie;

	if (storage_begin(trial->storage, client, &trial->ops[client].op))
		trial->ops[client].end_ps = net_now(trial->net);
}

static void end_one(void *context, int32_t client)
{
	struct trial *trial = context;

	trial->ops[client].end_ps = net_now(trial->net);
}

/* The model of the manual, told again: at each moment the first thread that is free takes the first
 * request of the first lane that has one. */
static void serve_slowly(struct trial *trial, const struct storage_spec *spec)
{
	int64_t free_ps[64] = {0}, last_end = -1;
	const char *last_file = NULL;
	bool is_served[NOPS] = {false};

	for (int n = 0; n < NOPS; n++) {
		int thread = 0, best = -1;
		int64_t now = INT64_MAX, apart;
		struct job *job;

		for (int i = 1; i < spec->nthreads; i++)
			if (free_ps[i] < free_ps[thread])
				thread = i;
		for (int i = 0; i < NOPS; i++)
			if (!is_served[i] && trial->ops[i].at_ps < now)
				now = trial->ops[i].at_ps;
		if (free_ps[thread] > now)
			now = free_ps[thread];
		for (int i = 0; i < NOPS; i++) {
			const struct job *one = &trial->ops[i];

			if (is_served[i] || one->at_ps > now)
				continue;
			if (best < 0 || one->lane < trial->ops[best].lane ||
			    (one->lane == trial->ops[best].lane &&
			     one->at_ps < trial->ops[best].at_ps))
				best = i;
		}
		job = &trial->ops[best];
		is_served[best] = true;
		apart = job->op.offset - last_end;
		job->slow_ps = now + storage_service_ps(spec, job->op.kind == STORAGE_WRITE,
							job->op.bytes, true,
							job->op.file != last_file || apart > 512 ||
								apart < -512);
		last_file = job->op.file;
		last_end = job->op.offset + job->op.bytes;
		free_ps[thread] = job->slow_ps;
	}
}

static void check_device(const char *device, uint64_t seed)
{
	char *text = xasprintf("placetools: topology/1\ntopology: line\nparameters: {nodes: 2}\n"
			       "io:\n  - {name: d, nodes: n0, kind: coupled, %s}\n",
			       device);
	struct topo *topo = open_text(text);
	const struct storage_spec *spec = topo->io[0].storage;
	struct rng rng = rng_make(seed, "storage", device, NULL);
	struct trial *trial = xcalloc(1, sizeof(*trial));
	struct storage_device_sums sums;
	struct sim_params params;
	struct err err = {0};
	int64_t offset[3] = {0}, written = 0, read = 0;

	CHECK_INT(sim_params_open(&params, topo, NULL, NULL, 0, NULL, &err), 0);
	CHECK_INT(net_open(&trial->net, topo, &params, &err), 0);
	trial->storage = storage_open(trial->net, &params, topo, NULL, false);
	net_start(trial->net, 1, NULL, 2);
	net_listen(trial->net, NET_MPI, &(struct net_events){.timer = begin_one, .context = trial});
	storage_start(trial->storage, &(struct storage_events){.done = end_one, .context = trial},
		      NOPS, 1);
	for (int i = 0; i < NOPS; i++) {
		struct job *job = &trial->ops[i];
		int file = (int)rng_below(&rng, 3);

		job->op = (struct storage_op){
			.kind = rng_below(&rng, 2) ? STORAGE_WRITE : STORAGE_READ,
			.file = files[file],
			.bytes = 1 + (int64_t)rng_below(&rng, 100000),
		};
		if (rng_below(&rng, 2)) /* goes on, or nearly */
			job->op.offset = offset[file] + 510 + (int64_t)rng_below(&rng, 5);
		else
			job->op.offset = (int64_t)rng_below(&rng, 1000000);
		offset[file] = job->op.offset + job->op.bytes;
		job->at_ps = (int64_t)rng_below(&rng, 20000000000);
		job->lane = spec->priority == PRIORITY_NONE ? 0
			    : (job->op.kind == STORAGE_READ) == (spec->priority == PRIORITY_READS)
				    ? 0
				    : 1;
		*(job->op.kind == STORAGE_WRITE ? &written : &read) += job->op.bytes;
		storage_client(trial->storage, i, 0, 0, i, NOPS);
		net_timer(trial->net, 0, job->at_ps, net_cookie(NET_MPI, (uint64_t)i));
	}
	CHECK_INT(net_run(trial->net, INT64_MAX, &err), 0);
	serve_slowly(trial, spec);
	for (int i = 0; i < NOPS; i++)
		CHECK_INT(trial->ops[i].end_ps, trial->ops[i].slow_ps);
	sums = storage_device_sums(trial->storage, 0);
	CHECK_INT(sums.bytes_written, written);
	CHECK_INT(sums.bytes_read, read);
	CHECK_INT(sums.ops, NOPS);
	storage_close(trial->storage);
	net_close(trial->net);
	sim_params_close(&params);
	topo_free(topo);
	free(trial);
	free(text);
}

static void check_devices(void)
{
	static const char *const devices[] = {
		"device: {write: 1GB/s, read: 2GB/s}",
		"device: {write: 1GB/s, read: 2GB/s, overhead: 20us, seek: 25us}",
		"device: {write: 500MB/s, read: 1GB/s, threads: 3, seek: 100us}",
		"device: {write: 100MB/s, read: 100MB/s, threads: 18, overhead: 1ms}",
		"device: {write: 1GB/s, read: 2GB/s, priority: reads, seek: 30us}",
		"device: {write: 1GB/s, read: 500MB/s, priority: writes, threads: 2}",
		"device: {write: 1, read: 1, table: [{bytes: 4KB, write: 100MB/s, read: 200MB/s, "
		"overhead: 1us}, {bytes: 50KB, write: 1GB/s, read: 3GB/s, seek: 9us}]}",
	};

	for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++)
		for (uint64_t seed = 1; seed <= 5; seed++)
			check_device(devices[i], seed);
}

/* ---- one rank's write on an idle network ---- */

enum { WIDTH = 1 << 17 };

/* What happens to one rank's requests, one after the other: links of one bandwidth let a packet
 * through as it comes, so only the NIC and the devices make them wait. */
static int64_t write_ps(const struct topo *topo, const struct sim_params *params, int64_t bytes,
			const int64_t *head_ps, int ndevices, int64_t notice_ps)
{
	const struct storage_spec *spec = topo->io[0].storage;
	double bandwidth = params->levels[LINK_TERMINAL].bandwidth;
	int64_t nic_ps = 0, free_ps[64] = {0}, acks[64], last = 0;
	int nout = 0, n = (int)((bytes + WIDTH - 1) / WIDTH);

	for (int i = 0; i < n; i++) {
		int64_t size = i < n - 1 ? WIDTH : bytes - (int64_t)(n - 1) * WIDTH;
		int64_t send_ps = (int64_t)((double)size / bandwidth * 1e12 + .5), issue = 0, came;
		int d = i % ndevices, first = 0;

		if (nout == params->io_window) {
			for (int k = 1; k < nout; k++)
				if (acks[k] < acks[first])
					first = k;
			issue = acks[first];
			acks[first] = acks[--nout];
		}
		nic_ps = (nic_ps > issue ? nic_ps : issue) + send_ps;
		came = nic_ps + head_ps[d];
		free_ps[d] = (free_ps[d] > came ? free_ps[d] : came) +
			     storage_service_ps(spec, true, size, true, i < ndevices);
		acks[nout++] = free_ps[d] + notice_ps;
		if (free_ps[d] + notice_ps > last)
			last = free_ps[d] + notice_ps;
	}
	return last;
}

static void begin_write(void *context, uint64_t cookie)
{
	const struct trial *trial = context;

	CHECK(!storage_begin(trial->storage, (int32_t)cookie, &trial->ops[0].op));
}

/* nodes: of the devices, in order, of which the file has all; latency 100 ns, delay 50 ns. */
static void check_write(const char *machine, const char *nodes, const char *device, int window,
			int64_t bytes)
{
	char *text = xasprintf("placetools: topology/1\n%s\n"
			       "io:\n  - {name: d, nodes: \"%s\", %s, "
			       "stripe: {count: 4, width: 128KiB, home: list}}\n",
			       machine, nodes, device);
	struct topo *topo = open_text(text);
	char *wide = xasprintf("io-window=%d", window);
	const char *settings[] = {"bandwidth=10GB/s", "latency=100ns",       "router-delay=50ns",
				  "packet=128KiB",    "input-buffer=512KiB", wide};
	struct trial *trial = xcalloc(1, sizeof(*trial));
	struct sim_params params;
	struct routing *routing;
	struct err err = {0};
	int64_t head_ps[64];

	CHECK_INT(sim_params_open(&params, topo, NULL, settings, 6, "minimal", &err), 0);
	CHECK_INT(net_open(&trial->net, topo, &params, &err), 0);
	trial->storage = storage_open(trial->net, &params, topo, NULL, false);
	trial->ops[0].op = (struct storage_op){.kind = STORAGE_WRITE, .bytes = bytes};
	CHECK_INT(routing_open_minimal(&routing, topo, &err), 0);
	for (int i = 0; i < topo->io[0].nnodes; i++) {
		int links = route_hops(routing, 0, topo->io[0].nodes[i]);

		head_ps[i] = links * 100000 + (links - 1) * 50000;
	}
	net_start(trial->net, 1, NULL, 2);
	net_listen(trial->net, NET_MPI,
		   &(struct net_events){.timer = begin_write, .context = trial});
	storage_start(trial->storage, &(struct storage_events){.done = end_one, .context = trial},
		      1, 1);
	storage_client(trial->storage, 0, 0, 0, 0, 1);
	net_timer(trial->net, 0, 0, net_cookie(NET_MPI, 0));
	CHECK_INT(net_run(trial->net, INT64_MAX, &err), 0);
	CHECK_INT(trial->ops[0].end_ps, write_ps(topo, &params, bytes, head_ps, topo->io[0].nnodes,
						 net_notice_ps(trial->net)));
	routing_close(routing);
	storage_close(trial->storage);
	net_close(trial->net);
	sim_params_close(&params);
	topo_free(topo);
	free(wide);
	free(text);
	free(trial);
}

static void check_writes(void)
{
	static const struct {
		const char *machine, *nodes;
	} machines[] = {
		{"topology: line\nparameters: {nodes: 8}", "n[3,5-7]"},
		{"topology: line\nparameters: {nodes: 8}", "n[1]"},
		{"topology: fattree\nparameters: {k: 4, levels: 3}", "n[1,5,20,63]"},
		{"topology: dragonfly\nparameters: {groups: 5, routers: 2x2, nodes: 2, links: 1}",
		 "n[2,9,20,39]"},
	};
	static const char *const devices[] = {
		"device: {write: 1GB/s, read: 1GB/s}",
		"device: {write: 3GB/s, read: 1GB/s, overhead: 20us, seek: 25us}",
		"device: {write: 100GB/s, read: 1GB/s, overhead: 1ns}",
	};
	static const int windows[] = {1, 2, 3, 8, 64};

	for (int m = 0; m < 4; m++)
		for (int d = 0; d < 3; d++)
			for (int w = 0; w < 5; w++) {
				check_write(machines[m].machine, machines[m].nodes, devices[d],
					    windows[w], 1);
				check_write(machines[m].machine, machines[m].nodes, devices[d],
					    windows[w], 20 * WIDTH);
				check_write(machines[m].machine, machines[m].nodes, devices[d],
					    windows[w], 33 * WIDTH + 4711);
			}
}

int main(void)
{
	check_devices();
	check_writes();
	return check_done();
}
