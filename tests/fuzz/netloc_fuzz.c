/* netloc_fuzz.c - what netloc keeps of a subnet */
#include "import.h"

static bool is_nothing(const uint8_t *bytes, size_t n)
{
	(void)bytes;
	return n == 0;
}

FUZZ_IMPORTER("netloc", is_nothing)
