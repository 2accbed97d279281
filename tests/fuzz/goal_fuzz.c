/* goal_fuzz.c - GOAL schedules, text and binary: what is read is written, and read again the same
 */
#include "convert.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char path[32], made[64], again[64];
	int fd = fuzz_open(bytes, n, path);

	die_set_quiet(true);
	snprintf(made, sizeof(made), "/dev/shm/goal_fuzz-%d", (int)getpid());
	snprintf(again, sizeof(again), "/dev/shm/goal_fuzz-%d-again", (int)getpid());
	if (fuzz_conversion(path, "goal", "graph", made) == 0 &&
	    fuzz_conversion(made, "graph", "goal:form=binary", again) == 0)
		fuzz_must(fuzz_conversion(again, "goal", "goal", made) == 0,
			  "a schedule that was written can be read");
	unlink(made);
	unlink(again);
	fuzz_close(fd);
	return 0;
}
