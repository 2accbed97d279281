/* ldms_csv_fuzz.c - LDMS's CSV */
#include "convert.h"

FUZZ_READER("ldms-csv", "counters")
