/* umap.c - the map of whole numbers against a plain array, through many sets and removals */
#include "base/rng.h"
#include "base/umap.h"
#include "check.h"

enum { KEYS = 300 };

int main(void)
{
	struct rng rng = rng_make(1, "umap", NULL, NULL);
	int64_t values[KEYS], got = 0;
	bool there[KEYS] = {false}, same = true;
	struct umap map = {0};
	size_t n = 0;

	CHECK(!umap_get(&map, 5, &got) && !umap_take(&map, 5, &got));
	for (int i = 0; i < 200000; i++) {
		uint64_t k = rng_below(&rng, KEYS), key = k * 0x1000000000000001ull;

		if (rng_below(&rng, 2)) {
			n += !there[k];
			there[k] = true;
			umap_set(&map, key, values[k] = i);
		} else if (umap_take(&map, key, &got) != there[k] ||
			   (there[k] && got != values[k])) {
			same = false;
		} else {
			n -= there[k];
			there[k] = false;
		}
	}
	CHECK(same);
	CHECK_INT(map.n, n);
	for (uint64_t k = 0; k < KEYS; k++) {
		CHECK(umap_get(&map, k * 0x1000000000000001ull, &got) == there[k]);
		CHECK(!there[k] || got == values[k]);
	}
	umap_clear(&map);
	CHECK(map.n == 0 && !umap_get(&map, 0, &got));
	umap_free(&map);
	return check_done();
}
