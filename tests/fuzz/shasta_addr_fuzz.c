/* shasta_addr_fuzz.c - what shasta_addr prints */
#include "import.h"

static bool is_nothing(const uint8_t *bytes, size_t n)
{
	(void)bytes;
	return n == 0;
}

FUZZ_IMPORTER("shasta-addr", is_nothing)
