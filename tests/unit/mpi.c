/* mpi.c - ranks on a network without contention: times by hand, protocols, order, ends */
#include <stdlib.h>
#include <string.h>

#include "machine/load.h"
#include "base/mem.h"
#include "check.h"
#include "ideal_net.h"
#include "sim/mpi/sim_mpi.h"

/* ---- runs ---- */

static struct topo *machine;
static int spread[4096], paired[4096]; /* one rank a node; two */

/* As firefly has it: sim/params/params.h's profile sst. */
static const struct sim_params firefly = {
	.call_enter_ps = 30000,
	.call_exit_ps = 30000,
	.send_setup_ps = 130000,
	.receive_setup_ps = 100000,
	.match_ps = 150000,
	.eager_bytes = 12000,
	.pin_base_ps = 3000000,
	.pin_page_ps = 100000,
	.local_delay_ps = 2000,
	.is_local_synchronous = true,
	.is_eager_buffered = true,
	.has_rendezvous_ack = true,
	.does_as_sst = true,
	.collectives = "tracer",
};
static const struct sim_params plain = {.eager_bytes = 8192, .collectives = "mpich"};

static void open_program(struct program *program, const char *text, int nranks, const int *node_of,
			 int64_t bytes, int64_t iterations, const struct sim_params *params)
{
	const struct pattern_job job = {.nranks = nranks,
					.node_of = node_of,
					.topo = machine,
					.bytes = bytes,
					.iterations = iterations,
					.does_as_sst = params->does_as_sst,
					.seed = 1,
					.folder = "",
					.default_bytes = 1024};
	struct err err = {0};

	if (program_open(program, text, &job, &err) != 0) {
		printf("%s: %s\n", text, err.msg);
		exit(1);
	}
}

/* When the job ends, in ns; -1: it does not. */
static int64_t end_ns(const char *text, int nranks, const int *node_of, int64_t bytes,
		      int64_t iterations, const struct sim_params *params)
{
	struct mpi *mpi = mpi_open(&network, params, NULL);
	struct program program;
	struct mpi_job job = {.program = &program, .name = "1"};
	struct err err = {0};
	int64_t end = -1;

	open_program(&program, text, nranks, node_of, bytes, iterations, params);
	/* the second run finds the state of the first one gone */
	for (int i = 0; i < 2; i++) {
		int status = mpi_run(mpi, &job, 1, 1, NULL, -1, NULL, &err);

		if (status != 0)
			printf("%s: %s\n", text, err.msg);
		CHECK_INT(status, 0);
		CHECK(mpi_job_times(mpi, 0).is_done);
		CHECK(i == 0 || end == mpi_job_times(mpi, 0).end_ps / 1000);
		end = mpi_job_times(mpi, 0).end_ps / 1000;
	}
	program_close(&program);
	mpi_close(mpi);
	return end;
}

/* Ping-pong: halo2d on two ranks. */
static void check_ping_pong(void)
{
	/* half a round: enter, set-up; 1024 B and the way; match, set-up, exit */
	CHECK_INT(end_ns("halo2d", 2, spread, 1024, 10, &firefly),
		  20 * (30 + 130 + 1024 + 300 + 150 + 100 + 30));
	CHECK_INT(end_ns("halo2d", 2, spread, 1024, 10, &plain), 20 * 1324);
	/* inside a node: 2 ns there; the last acknowledgement takes 2 ns, too */
	CHECK_INT(end_ns("halo2d", 2, paired, 1024, 10, &firefly),
		  20 * (30 + 130 + 2 + 150 + 100 + 30) + 2);
	CHECK_INT(end_ns("halo2d", 2, paired, 1024, 10, &plain), 20 * 50);
	/* asked, answered, sent */
	CHECK_INT(end_ns("halo2d", 2, spread, 100000, 3, &plain), 6 * (3 * 300 + 100000));
	/* the sender registers its memory before it asks, the receiver gives its own back after */
	CHECK_INT(end_ns("halo2d", 2, spread, 100000, 3, &firefly),
		  6 * (30 + 130 + 5400 + 300 + 150 + 100 + 300 + 100000 + 300 + 5400 + 30));
}

/* What all messages of an iteration carry. */
static int64_t bytes_of(const char *text, int nranks, const struct sim_params *params)
{
	struct program program;
	int64_t bytes = 0;

	open_program(&program, text, nranks, spread, 1024, 1, params);
	for (int rank = 0; rank < nranks; rank++) {
		struct cursor cursor = {0};
		struct op op;

		do {
			program_next(&program, rank, &cursor, &op);
			bytes += op.kind == OP_ISEND ? op.bytes : 0;
		} while (op.kind != OP_END);
	}
	program_close(&program);
	return bytes;
}

/* SST's Halo3D26 on 32 ranks: 128 faces of 1 024 bytes, 168 edges of 128, 72 corners of 16. */
static void check_halo3d26(void)
{
	CHECK_INT(bytes_of("halo3d26", 32, &firefly), 128 * 1024 + 168 * 128 + 72 * 16);
	CHECK_INT(bytes_of("halo3d26:n=8", 32, &plain), 128 * 1024 + 168 * 128 + 72 * 16);
	CHECK_INT(bytes_of("halo3d26:n=1", 32, &firefly), (128 + 168 + 72) * 1024);
	CHECK_INT(bytes_of("halo3d26", 32, &plain), (128 + 168 + 72) * 1024);
}

static void check_patterns(void)
{
	/* each step lasts until the message of the other side is there */
	CHECK_INT(end_ns("alltoall", 8, spread, 1024, 1, &plain), 7 * 1324);
	/* request there, 4 KiB back */
	CHECK_INT(end_ns("gpcnet-rma-broadcast", 2, spread, -1, 5, &plain), 5 * (600 + 4096));
	CHECK_INT(end_ns("gpcnet-incast", 2, spread, -1, 5, &plain), 5 * (600 + 4096));
	CHECK_INT(end_ns("gpcnet-p2p", 2, spread, -1, 5, &plain), 5 * (600 + 4096) + 300);
	/* a put is done when it has left; the job when its ranks know that the last one has come */
	CHECK_INT(end_ns("permutation", 2, spread, 1024, 4, &plain), 4 * 1024 + 300 + 300);
	CHECK_INT(end_ns("allreduce", 4, spread, 8, 3, &plain), 3 * 2 * 308);
	/* three ranks of a tree: two sends behind each other, the rounds in a pipeline */
	CHECK_INT(end_ns("broadcast:tree=yes", 3, spread, 1024, 1, &firefly),
		  160 + 2 * 1024 + 300 + 250 + 30);
	CHECK_INT(end_ns("broadcast:tree=yes", 3, spread, 1024, 2, &firefly),
		  160 + 4 * 1024 + 300 + 250 + 30);
	CHECK_INT(end_ns("broadcast:tree=no", 3, spread, 1024, 1, &plain), 2 * 1024 + 300);
	/* rank 0 has sent its last message of the exchange 300 ns before rank 1 has it, and begins
	 * to add up; the last part of the second sum comes from rank 1 */
	CHECK_INT(end_ns("halo2d+allreduce:size=8", 2, spread, 1024, 2, &plain),
		  (2 * 1324 + 8) + 2 * 1324 + 308);
}

/* ---- recorded calls ---- */

static const char trace_name[] = "mpi-unit-trace.tsv";

static void write_trace(const char *rows)
{
	const char *folder = getenv("TMPDIR");
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder != NULL ? folder : "/tmp", trace_name);
	file = fopen(path, "w");
	if (file == NULL || fprintf(file,
				    "##placetools=mpitrace/1\nrank\ttime_s\top\tend_s\tpeer\tbytes"
				    "\trecv_bytes\ttag\trequest\n%s",
				    rows) < 0) {
		printf("%s: can't be written\n", path);
		exit(1);
	}
	fclose(file);
}

static const char *trace_pattern(void)
{
	static char text[600];
	const char *folder = getenv("TMPDIR");

	snprintf(text, sizeof(text), "mpitrace:path=%s/%s", folder != NULL ? folder : "/tmp",
		 trace_name);
	return text;
}

static void check_traces(void)
{
	/* unexpected: 10 us late, tag 2 before tag 1 */
	write_trace("0\t0\tsend\t0\t1\t1024\t.\t1\t.\n0\t0\tsend\t0\t1\t1024\t.\t2\t.\n"
		    "1\t0\tinit\t0\t.\t.\t.\t.\t.\n"
		    "1\t0.00001\trecv\t0.5\t0\t.\t1024\t2\t.\n"
		    "1\t0.5\trecv\t0.6\t0\t.\t1024\t1\t.\n");
	CHECK_INT(end_ns(trace_pattern(), 2, spread, -1, 1, &firefly),
		  60 + 10000 + 30 + 150 + 150 + 100 + 30 + 30 + 150 + 100 + 30);
	CHECK_INT(end_ns(trace_pattern(), 2, spread, -1, 1, &plain), 10000);
	CHECK_INT(end_ns(trace_pattern(), 2, spread, -1, 3, &plain), 30000);

	/* the second message overtakes the first, and is matched second all the same */
	write_trace("0\t0\tsend\t0\t1\t8\t.\t5\t.\n0\t0\tsend\t0\t1\t8\t.\t5\t.\n"
		    "1\t0\trecv\t0\t0\t.\t8\t5\t.\n"
		    "1\t0.000001\trecv\t0.000001\t0\t.\t8\t5\t.\n");
	network.overtakes = 2;
	CHECK_INT(end_ns(trace_pattern(), 2, spread, -1, 1, &plain), 308 + 1000);
	network.overtakes = 0;

	/* a collective operation of one rank sends nothing; what was computed before it counts */
	write_trace("0\t0\tinit\t0\t.\t.\t.\t.\t.\n"
		    "0\t1\tallreduce\t1.5\t.\t8\t8\t.\t.\n"
		    "0\t2\tfinalize\t2\t.\t.\t.\t.\t.\n");
	CHECK_INT(end_ns(trace_pattern(), 1, spread, -1, 1, &plain), 1500000000);
	CHECK_INT(end_ns(trace_pattern(), 1, spread, -1, 1, &firefly), 1500000000 + 3 * 60);

	/* requests by number, a cancelled one, any tag */
	write_trace("0\t0\tisend\t0\t1\t8\t.\t5\t7\n0\t0\twait\t0\t.\t.\t.\t.\t7\n"
		    "1\t0\tirecv\t0\t0\t.\t8\t9\t1\n1\t0\tirecv\t0\t0\t.\t8\t.\t2\n"
		    "1\t0\tcancel\t0\t.\t.\t.\t.\t1\n1\t0\twait\t0\t.\t.\t.\t.\t2\n");
	CHECK_INT(end_ns(trace_pattern(), 2, spread, -1, 1, &plain), 308);
}

static void check_ends(void)
{
	struct mpi *mpi = mpi_open(&network, &plain, NULL);
	struct program programs[2];
	struct mpi_job jobs[2] = {{.program = &programs[0], .name = "a"},
				  {.program = &programs[1], .name = "b", .start_ps = 5000000}};
	struct mpi_rank_times ranks[2];
	struct err err = {0};

	write_trace("0\t0\trecv\t0\t1\t.\t8\t1\t.\n1\t0\trecv\t0\t0\t.\t8\t1\t.\n");
	open_program(&programs[0], trace_pattern(), 2, spread, -1, 1, &plain);
	CHECK_INT(mpi_run(mpi, jobs, 1, 1, NULL, -1, NULL, &err), -1);
	CHECK(strstr(err.msg, "job a: ranks wait for each other: rank 0") != NULL);
	program_close(&programs[0]);

	open_program(&programs[0], "uniform", 4, spread, 1024, 0, &plain);
	open_program(&programs[1], "halo2d", 2, spread + 4, 1024, 2, &plain);
	CHECK_INT(mpi_run(mpi, jobs, 1, 1, NULL, -1, NULL, &err), -1);
	CHECK(strstr(err.msg, "no end") != NULL);
	/* the endless job ends with the other one, which began later */
	CHECK_INT(mpi_run(mpi, jobs, 2, 1, NULL, -1, NULL, &err), 0);
	CHECK(!mpi_job_times(mpi, 0).is_done);
	CHECK(mpi_job_times(mpi, 1).is_done);
	CHECK_INT(mpi_job_times(mpi, 1).end_ps, 5000000 + 4 * 1324000);
	mpi_rank_times(mpi, 1, ranks);
	CHECK_INT(ranks[0].mpi_ps, 3 * 1324000 + 1024000);
	/* cut off */
	CHECK_INT(mpi_run(mpi, jobs, 2, 1, NULL, 6000000, NULL, &err), 1);
	CHECK(!mpi_job_times(mpi, 1).is_done);
	program_close(&programs[0]);
	program_close(&programs[1]);
	mpi_close(mpi);
}

/* Sends that nobody expects yet, of many to one, all ways a message can go. */
static void check_mixed(void)
{
	static const char *const texts[] = {"alltoall",
					    "halo3d26",
					    "halo3d",
					    "fft3d",
					    "halo4d",
					    "allreduce",
					    "gpcnet-canary",
					    "gpcnet-p2p",
					    "broadcast:tree=yes",
					    "broadcast:tree=no",
					    "uniform",
					    "hotspot",
					    "gpcnet-rma-broadcast",
					    "gpcnet-incast"};
	static const int64_t sizes[] = {0, 1024, 20000};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		for (int k = 0; k < 3; k++) {
			CHECK(end_ns(texts[i], 24, paired, sizes[k], 3, &firefly) > 0);
			CHECK(end_ns(texts[i], 24, paired, sizes[k], 3, &plain) > 0);
		}
}

/* A rank's end, its times in MPI and in waits, of each of n ranks, into times [3 n]. */
static void times_of(const char *text, int n, const int *node_of, int64_t bytes,
		     const struct sim_params *params, int64_t *times)
{
	struct mpi *mpi = mpi_open(&network, params, NULL);
	struct program program;
	struct mpi_job job = {.program = &program, .name = "1"};
	struct mpi_rank_times *ranks = xcalloc((size_t)n, sizeof(*ranks));
	struct err err = {0};

	open_program(&program, text, n, node_of, bytes, 3, params);
	program.job.compute_ps = 100000;
	CHECK_INT(mpi_run(mpi, &job, 1, 1, NULL, -1, NULL, &err), 0);
	mpi_rank_times(mpi, 0, ranks);
	for (int i = 0; i < n; i++) {
		CHECK(ranks[i].is_done);
		times[3 * i] = ranks[i].end_ps;
		times[3 * i + 1] = ranks[i].mpi_ps;
		times[3 * i + 2] = ranks[i].wait_ps;
	}
	free(ranks);
	program_close(&program);
	mpi_close(mpi);
}

/* Where calls cost nothing ranks run ahead of what they have sent, and do exchanges as one call:
 * the same as one call after the other. */
static void check_ahead(void)
{
	static const char *const texts[] = {
		"alltoall",  "halo2d",     "halo3d",           "halo3d26",       "allreduce",
		"broadcast", "uniform",    "hotspot",          "fft3d",          "permutation",
		"imbalance", "gpcnet-p2p", "halo3d+allreduce", "alltoall+halo2d"};
	static const int64_t sizes[] = {8, 1024, 8192, 9000};
	struct sim_params by_call = plain;
	int64_t times[3][3 * 24];

	by_call.gpu = GPU_TRACE; /* costs nothing where no buffer is on a GPU */
	by_call.has_host_buffers = true;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++) {
			int64_t bytes = sizes[k];

			times_of(texts[i], 24, spread, bytes, &by_call, times[0]);
			times_of(texts[i], 24, spread, bytes, &plain, times[1]);
			network.is_mute = true;
			times_of(texts[i], 24, spread, bytes, &plain, times[2]);
			network.is_mute = false;
			CHECK(memcmp(times[0], times[1], sizeof(times[0])) == 0);
			CHECK(memcmp(times[0], times[2], sizeof(times[0])) == 0);
			if (memcmp(times[0], times[1], sizeof(times[0])) != 0)
				printf("%s of %lld bytes\n", texts[i], (long long)bytes);
		}
}

int main(void)
{
	struct err err;

	if (topo_load(&machine, "dragonfly:groups=17,routers=4,nodes=4", &err) != 0) {
		printf("%s\n", err.msg);
		return 1;
	}
	for (int i = 0; i < 4096; i++) {
		spread[i] = i % 272;
		paired[i] = i / 2 % 272;
	}
	check_ping_pong();
	check_patterns();
	check_halo3d26();
	check_traces();
	check_ends();
	check_mixed();
	check_ahead();
	vec_free(&network.events);
	topo_free(machine);
	return check_done();
}
