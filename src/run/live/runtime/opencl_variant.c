/* opencl_variant.c - a launch for which a runtime compiles a kernel runs alone */
#ifdef HAVE_OPENCL

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "live/runtime/opencl_priv.h"

/*
 * Runtimes specialise a kernel by its groups, its greatest width and whether launches have an
 * offset. Devices of one runtime share what it has compiled, so the first slice that needs a
 * variant runs alone on the node, and all others find it ready: nothing is compiled twice, and no
 * variant is made while another one of its kernel is in use. (That aborts PoCL 3.1: it takes a
 * variant by all three, but gives back the first one that has the same groups.)
 */

struct opencl_variant {
	char *text, *options, *kernel;
	size_t local[RANGE_DIMS];
	size_t widest[RANGE_DIMS]; /* of the launches that have run; 0: none has */
	bool has_offset;
};

struct opencl_variants {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	VEC(struct opencl_variant *) at;
	int nrunning, nwaiting; /* launches of known variants; of new ones */
	bool makes;             /* a new one runs */
};

struct opencl_variants *opencl_variants_new(void)
{
	struct opencl_variants *all = xcalloc(1, sizeof(*all));

	pthread_mutex_init(&all->lock, NULL);
	pthread_cond_init(&all->changed, NULL);
	return all;
}

void opencl_variants_free(struct opencl_variants *all)
{
	for (size_t i = 0; i < all->at.n; i++) {
		free(all->at.at[i]->text);
		free(all->at.at[i]->options);
		free(all->at.at[i]->kernel);
		free(all->at.at[i]);
	}
	vec_free(&all->at);
	pthread_cond_destroy(&all->changed);
	pthread_mutex_destroy(&all->lock);
	free(all);
}

struct opencl_variant *opencl_variants_find(struct opencl_variants *all,
					    const struct opencl_program *program,
					    const struct work *work)
{
	struct opencl_variant *found = NULL;
	size_t local[RANGE_DIMS];

	for (int d = 0; d < RANGE_DIMS; d++)
		local[d] = (size_t)work->slicing.range.local[d];
	pthread_mutex_lock(&all->lock);
	for (size_t i = 0; i < all->at.n && found == NULL; i++)
		if (memcmp(all->at.at[i]->local, local, sizeof(local)) == 0 &&
		    str_eq(all->at.at[i]->kernel, work->kernel) &&
		    str_eq(all->at.at[i]->options, program->options) &&
		    str_eq(all->at.at[i]->text, program->text))
			found = all->at.at[i];
	if (found == NULL) {
		found = xcalloc(1, sizeof(*found));
		found->text = xstrdup(program->text);
		found->options = xstrdup(program->options);
		found->kernel = xstrdup(work->kernel);
		memcpy(found->local, local, sizeof(local));
		vec_push(&all->at, found);
	}
	pthread_mutex_unlock(&all->lock);
	return found;
}

static bool has_offset(const struct prelude_launch *launch)
{
	return launch->offset[0] != 0 || launch->offset[1] != 0 || launch->offset[2] != 0;
}

/* Whichever of the dimensions a runtime takes the greatest of. */
static bool is_known(const struct opencl_variant *variant, const struct prelude_launch *launch)
{
	for (int d = 0; d < RANGE_DIMS; d++)
		if (launch->global[d] > variant->widest[d])
			return false;
	return variant->has_offset || !has_offset(launch);
}

bool opencl_variant_begin(struct opencl_variants *all, struct opencl_variant *variant,
			  const struct prelude_launch *launch)
{
	bool makes;

	pthread_mutex_lock(&all->lock);
	makes = !is_known(variant, launch);
	all->nwaiting += makes;
	while (all->makes || (makes ? all->nrunning > 0 : all->nwaiting > 0)) {
		pthread_cond_wait(&all->changed, &all->lock);
		if (makes && is_known(variant, launch)) {
			makes = false;
			all->nwaiting--;
			pthread_cond_broadcast(&all->changed);
		}
	}
	all->nwaiting -= makes;
	all->makes = makes;
	all->nrunning += !makes;
	pthread_mutex_unlock(&all->lock);
	return makes;
}

void opencl_variant_end(struct opencl_variants *all, struct opencl_variant *variant,
			const struct prelude_launch *launch, bool made)
{
	pthread_mutex_lock(&all->lock);
	if (made) {
		all->makes = false;
		for (int d = 0; d < RANGE_DIMS; d++)
			if (launch->global[d] > variant->widest[d])
				variant->widest[d] = launch->global[d];
		variant->has_offset |= has_offset(launch);
	} else {
		all->nrunning--;
	}
	if (made || all->nwaiting > 0)
		pthread_cond_broadcast(&all->changed);
	pthread_mutex_unlock(&all->lock);
}

#endif
