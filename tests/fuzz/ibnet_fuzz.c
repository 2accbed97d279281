/* ibnet_fuzz.c - what ibnetdiscover and ibsim write */
#include "import.h"

static bool is_nothing(const uint8_t *bytes, size_t n)
{
	(void)bytes;
	return n == 0;
}

FUZZ_IMPORTER("ibnetdiscover", is_nothing)
