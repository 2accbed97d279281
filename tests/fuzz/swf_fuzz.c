/* swf_fuzz.c - job logs in the Standard Workload Format */
#include "convert.h"

FUZZ_READER("swf:hosts=n,all", "jobs")
