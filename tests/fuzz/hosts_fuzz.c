/* hosts_fuzz.c - a table of hosts and their domains */
#include "import.h"

FUZZ_IMPORTER("hosts", fuzz_is_large)
