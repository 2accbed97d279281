/* barrier_cost.c - what a barrier of N threads costs: barrier_cost N, prints the seconds of one,
 * the least of many hundreds in a row */
#include <stdio.h>
#include <time.h>

#include "base/barrier.h"
#include "base/num.h"
#include "base/threads.h"

enum { ROUNDS = 200, WAITS = 500 };

struct bench {
	struct barrier *barrier;
	double least_s;
};

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void work(void *context, int number)
{
	struct bench *bench = context;

	for (int i = 0; i < ROUNDS; i++) {
		double begin = now_s(), each;

		for (int k = 0; k < WAITS; k++)
			barrier_wait(bench->barrier, NULL, NULL);
		each = (now_s() - begin) / WAITS;
		if (number == 0 && (bench->least_s == 0 || each < bench->least_s))
			bench->least_s = each;
	}
}

int main(int argc, char **argv)
{
	struct bench bench = {0};
	int64_t n = 2;

	if (argc > 1 && num_int(argv[1], 1, 1024, &n) != 0)
		return 2;
	bench.barrier = barrier_open((int)n);
	threads_run((int)n, work, &bench);
	printf("%.3g\n", bench.least_s);
	barrier_close(bench.barrier);
	return 0;
}
