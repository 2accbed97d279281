/* darshan_text_fuzz.c - what darshan-parser and darshan-dxt-parser print */
#include "convert.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	fuzz_reader(bytes, n, "darshan-parser:all", "metrics");
	fuzz_reader(bytes, n, "darshan-dxt:most=100", "iotrace");
	fuzz_reader(bytes, n, "darshan-parser", "profile");
	return 0;
}
