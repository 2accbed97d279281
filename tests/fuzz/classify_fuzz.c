/* classify_fuzz.c - profiles through classify: classes, calibration, and what is learned
 * is taken */
#define main tool_main
#include "tools/classify.c"
#undef main

#include "model/kinds.h"
#include "tool.h"

static void learn(const uint8_t *bytes, size_t n)
{
	struct profile_db *db;
	struct err err;
	char path[64], lock[80];

	snprintf(path, sizeof(path), "/dev/shm/classify_fuzz-%d", (int)getpid());
	snprintf(lock, sizeof(lock), "%s.lock", path);
	how.learn_path = path;
	if (fuzz_tool(run, bytes, n, NULL, NULL) == 0 && access(path, F_OK) == 0) {
		fuzz_must(profile_db_open(&db, path, NULL, false, &err) == 0,
			  "what is learned is taken");
		profile_db_close(db);
	}
	unlink(path);
	unlink(lock);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	if (n < 2)
		return 0;
	how = (struct classify_options){.threshold = 0.3375,
					.smooth = (bytes[0] & 4) != 0,
					.low = NOT_GIVEN,
					.high = NOT_GIVEN,
					.spread = 1,
					.teach = {.ridge = 1, .tolerance = NOT_GIVEN}};
	calibrate = (bytes[0] & 3) == 1;
	train = (bytes[0] & 11) == 8; /* a model from rows given, beside what the others do */
	if ((bytes[0] & 3) == 2)
		learn(bytes + 1, n - 1);
	else
		fuzz_tool(run, bytes + 1, n - 1, NULL, NULL);
	(void)tool_main;
	return 0;
}
