/* registry_entries.h - the entries of a .def as a registry: the file that defines it includes this
 *
 *	#define REGISTRY "place/queue/queues.def"
 *	#define REGISTRY_TYPE struct queue_policy
 *	#define REGISTRY_PREFIX queue_
 *	#include "base/registry_entries.h"
 *
 *	const struct registry queues = REGISTRY_OF("queues", "queue");
 *
 * Each X(fcfs) of the .def is an object queue_fcfs of that type, in a separate file. No include
 * guard: a file may define several registries. */
#include "base/registry.h"

#ifndef REGISTRY_JOIN
#define REGISTRY_JOIN_NOW(a, b) a##b
#define REGISTRY_JOIN(a, b) REGISTRY_JOIN_NOW(a, b)
#define REGISTRY_OF(plural, singular)                                                              \
	{                                                                                          \
		.name = (plural), .noun = (singular), .size = sizeof(REGISTRY_TYPE),               \
		.entries = entries, .n = sizeof(entries) / sizeof(*entries)                        \
	}
#endif

#define X(name) extern const REGISTRY_TYPE REGISTRY_JOIN(REGISTRY_PREFIX, name);
#include REGISTRY
#undef X

static const struct entry *const entries[] = {
#define X(name) &REGISTRY_JOIN(REGISTRY_PREFIX, name).entry,
#include REGISTRY
#undef X
};
