/* queues.c - the registry of queues */
#include "place/queue/queue.h"

#define REGISTRY "place/queue/queues.def"
#define REGISTRY_TYPE struct queue_policy
#define REGISTRY_PREFIX queue_
#include "base/registry_entries.h"

const struct registry queues = REGISTRY_OF("queues", "queue");
