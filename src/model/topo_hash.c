/* topo_hash.c - which machine it is: a number of its nodes, names and links */
#include "model/topo_hash.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "model/topo_names.h"
#include "model/topo_type.h"

struct hashing {
	uint64_t hash;
	uint64_t level[TOPO_LEVELS]; /* of its name */
};

/* One multiplication by 2^64/φ and a shift: enough to tell machines apart, which is all it is for.
 */
static inline uint64_t step(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

static uint64_t step_name(uint64_t hash, const char *name, size_t n)
{
	hash = step(hash, n);
	for (; n > 0; name += 8, n -= 8) {
		uint64_t word = 0;

		memcpy(&word, name, n < 8 ? n : 8);
		hash = step(hash, le64toh(word));
		if (n <= 8)
			break;
	}
	return hash;
}

static uint64_t step_names(uint64_t hash, const char *pattern, char *const *names, int n)
{
	struct name_counter counter;

	hash = step(hash, (uint64_t)n);
	if (names != NULL) {
		for (int i = 0; i < n; i++)
			hash = step_name(hash, names[i], strlen(names[i]));
		return hash;
	}
	name_counter_start(&counter, pattern);
	for (int i = 0; i < n; i++) {
		hash = step_name(hash, counter.text, counter.n);
		name_counter_next(&counter);
	}
	return hash;
}

static void add_link(void *context, int a, int b, int level)
{
	struct hashing *hashing = context;
	uint64_t ends = (uint32_t)a | (uint64_t)(uint32_t)b << 32;

	hashing->hash = step(hashing->hash, ends ^ hashing->level[level]);
}

uint64_t topo_hash(const struct topo *topo)
{
	struct hashing hashing = {.hash = 1};

	for (int i = 0; i < topo->nlevels; i++)
		hashing.level[i] = str_hash(topo->levels[i].name, strlen(topo->levels[i].name));
	hashing.hash = step_names(hashing.hash, topo->node_pattern, topo->node_names, topo->nnodes);
	hashing.hash =
		step_names(hashing.hash, topo->router_pattern, topo->router_names, topo->nrouters);
	topo->type->links(topo, add_link, &hashing);
	return u64_mix(hashing.hash);
}

const char *topo_hash_text(uint64_t hash, char text[TOPO_HASH_TEXT])
{
	snprintf(text, TOPO_HASH_TEXT, "%016llx", (unsigned long long)hash);
	return text;
}
