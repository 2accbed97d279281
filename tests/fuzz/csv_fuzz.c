/* csv_fuzz.c - any table of separated values, by the maps that come with the tools */
#include "convert.h"

/* The first byte says which map. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static const char *const maps[][2] = {{"csv:map=@eagle", "jobs"},
					      {"csv:map=@alibaba", "jobs"},
					      {"csv:map=@xdmod", "jobs"},
					      {"csv:map=@alibaba-nodes", "nodes"}};
	size_t map;

	if (n == 0)
		return 0;
	map = bytes[0] % (sizeof(maps) / sizeof(maps[0]));
	setenv("PLACETOOLS_SHARE", "share", 0);
	fuzz_reader(bytes + 1, n - 1, maps[map][0], maps[map][1]);
	return 0;
}
