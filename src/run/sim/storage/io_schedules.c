/* io_schedules.c - the registry of I/O schedules */
#include "sim/storage/io_schedule.h"

#define REGISTRY "sim/storage/io_schedules.def"
#define REGISTRY_TYPE struct io_schedule
#define REGISTRY_PREFIX io_schedule_
#include "base/registry_entries.h"

const struct registry io_schedules = REGISTRY_OF("io-schedules", "I/O schedule");
