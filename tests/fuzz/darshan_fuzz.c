/* darshan_fuzz.c - binary Darshan logs: every counter, and what is replayed of them */
#include "convert.h"

#include "traces/darshan/darshan.h"

static int take_job(void *context, const struct darshan_job *job, struct err *err)
{
	*(int64_t *)context = job->nprocs;
	return err_set(err, "seen");
}

/* How many ranks the log says there were: each of them opens each shared file, which takes time. */
static int64_t count_ranks(const uint8_t *bytes, size_t n)
{
	static const struct darshan_taker taker = {.job = take_job};
	int64_t nranks = 0;
	struct err err;
	char path[32];
	int fd = fuzz_open(bytes, n, path);

	darshan_read_log(path, &taker, &nranks, &err);
	fuzz_close(fd);
	return nranks;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	fuzz_reader(bytes, n, "darshan:all,most=100", "metrics");
	fuzz_reader(bytes, n, "darshan", "profile");
	if (count_ranks(bytes, n) > 1000)
		return 0;
	fuzz_reader(bytes, n, "darshan:most=100", "iotrace");
	fuzz_reader(bytes, n, "darshan:most=100,layer=mpiio,timing=think,mixed=no", "iotrace");
	return 0;
}
