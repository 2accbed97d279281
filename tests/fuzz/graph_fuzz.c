/* graph_fuzz.c - graphs of computation and messages, read whole for a schedule */
#include "convert.h"

/* A schedule has something for each of very many ranks. */
static bool has_long_number(const uint8_t *bytes, size_t n)
{
	int ndigits = 0;

	for (size_t i = 0; i < n && ndigits < 5; i++)
		ndigits = bytes[i] >= '0' && bytes[i] <= '9' ? ndigits + 1 : 0;
	return ndigits >= 5;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char path[32], made[64];
	int fd = fuzz_open(bytes, n, path);

	die_set_quiet(true);
	snprintf(made, sizeof(made), "/dev/shm/graph_fuzz-%d", (int)getpid());
	if (!has_long_number(bytes, n))
		fuzz_conversion(path, "graph", "goal", made);
	unlink(made);
	fuzz_close(fd);
	return 0;
}
