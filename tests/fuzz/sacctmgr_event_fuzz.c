/* sacctmgr_event_fuzz.c - when nodes were out of service, by Slurm's accounting */
#include "convert.h"

FUZZ_READER("sacctmgr-event", "events")
