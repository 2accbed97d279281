/* streams_fuzz.c - our own streams through filters to what writers make of them, and back */
#include <string.h>

#include "convert.h"

/* What is made of a kind. back: the kind that a reader makes of it again; NULL: none. */
static const struct way {
	const char *kind, *filter, *to, *back;
} ways[] = {
	{"comm", NULL, "scotch:scale=16", "comm"},
	{"comm", NULL, "metis", "comm"},
	{"comm", NULL, "matrixmarket", "comm"},
	{"comm", NULL, "netloc-matrix", "comm"},
	{"counters", NULL, "ldms-csv", "counters"},
	{"iotrace", "ranks:n=5", "iotrace", "iotrace"},
	{"iotrace", "bytes:factor=4", "iotrace", "iotrace"},
	{"iotrace", "repeat:count=3,every=40", "iotrace", "iotrace"},
	{"iotrace", "coalesce:size=1MiB", "iotrace", "iotrace"},
	{"iotrace", "barrier:every=8", "iotrace", "iotrace"},
	{"jobs", NULL, "swf", "jobs"},
	{"jobs", NULL, "batsim:file=workload", "jobs"},
	{"jobs", NULL, "batsim:file=jobs", "jobs"},
	{"jobs", NULL, "batsim:file=schedule", NULL},
	{"jobs", NULL, "sbatch", NULL},
	{"jobs", NULL, "hostlist", NULL},
	{"jobs", NULL, "hostfile", NULL},
	{"jobs", NULL, "slurm-nodelist", NULL},
	{"jobs", "at:time=10", "nodes", "nodes"},
	{"jobs", "profile", "profile", "profile"},
	{"jobs", "profile:per=app", "profile", "profile"},
	{"mapping", NULL, "rankfile", NULL},
	{"mapping", NULL, "mpich-rank-order", NULL},
	{"mapping", NULL, "slurm-hostfile", NULL},
	{"mapping", NULL, "hostlist", NULL},
	{"mpitrace", "messages", "comm", "comm"},
	{"mpitrace", "messages:collectives=tracer", "comm", "comm"},
	{"mpitrace", "mpi-time", "profile", "profile"},
	{"mpitrace", "mark:gpu", "mpitrace", "mpitrace"},
	{"nodes", NULL, "hostlist", NULL},
	{"nodes", NULL, "hostfile", NULL},
};

/* How many ranks a trace speaks of: collectives of many take time. */
static int is_small(const uint8_t *bytes, size_t n)
{
	size_t digits = 0;

	for (size_t i = 0; i < n; i++) {
		digits = bytes[i] >= '0' && bytes[i] <= '9' ? digits + 1 : 0;
		if (digits > 4)
			return 0;
	}
	return 1;
}

static void go(const char *path, const struct way *way)
{
	const char *dot = strchr(way->to, ':');
	char made[64], again[64], from[32];

	snprintf(made, sizeof(made), "/dev/shm/streams_fuzz-%d", (int)getpid());
	snprintf(again, sizeof(again), "/dev/shm/streams_fuzz-%d-again", (int)getpid());
	snprintf(from, sizeof(from), "%.*s", dot != NULL ? (int)(dot - way->to) : 31, way->to);
	if (fuzz_filtered(path, way->kind, way->filter, way->to, made) == 0 && way->back != NULL)
		fuzz_must(fuzz_conversion(made, from, way->back, again) == 0, way->to);
	unlink(made);
	unlink(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static const char first[] = "##placetools=";
	char path[32];
	int fd;

	if (n < sizeof(first) || memcmp(bytes, first, sizeof(first) - 1) != 0)
		return 0;
	die_set_quiet(true);
	fd = fuzz_open(bytes, n, path);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		size_t length = strlen(ways[i].kind);

		if (n > sizeof(first) + length &&
		    memcmp(bytes + sizeof(first) - 1, ways[i].kind, length) == 0 &&
		    (is_small(bytes, n) || strcmp(ways[i].kind, "mpitrace") != 0))
			go(path, &ways[i]);
	}
	fuzz_close(fd);
	return 0;
}
