/* queues.c - the registry of queues */
#include "place/queue/queue.h"

#define X(name) extern const struct queue_policy queue_##name;
#include "place/queue/queues.def"
#undef X

static const struct entry *const entries[] = {
#define X(name) &queue_##name.entry,
#include "place/queue/queues.def"
#undef X
};

const struct registry queues = {
	.name = "queues",
	.noun = "queue",
	.entries = entries,
	.n = sizeof(entries) / sizeof(*entries),
};
