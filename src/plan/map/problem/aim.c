/* aim.c - what a mapping is to keep small, and which of two is better */
#include "map/problem/aim.h"

#include <math.h>

#include "base/explog.h"

/* T ~ MC^.81 HB^.38, by least squares over the logarithms of 169 simulated mappings. */
const struct map_aim map_aim_of_time = {.mc_power = 0.81, .hb_power = 0.38};

int map_aim_read(struct map_aim *aim, const char *text, struct err *err)
{
	const struct map_objective *objective;
	struct pick pick;

	*aim = (struct map_aim){.is_in_turn = true};
	if (text == NULL)
		return 0;
	if (pick_parse(&pick, &map_objectives, text, err) != 0)
		return err_prefix(err, "--metric: ");
	objective = (const struct map_objective *)pick.entry;
	*aim = objective->aim;
	if (objective->fill != NULL)
		objective->fill(aim, &pick);
	pick_free(&pick);
	return 0;
}

bool map_aim_is_sum(const struct map_aim *aim)
{
	return !aim->is_in_turn && aim->mc_power == 0 && aim->hb_power == 0;
}

double map_aim_value(const struct map_aim *aim, const struct hybrid_terms *terms)
{
	if (aim->is_in_turn)
		return terms->mc;
	if (map_aim_is_sum(aim))
		return hybrid_value(terms, &aim->weights);
	if (!(terms->mc > 0 && terms->hb > 0))
		return 0;
	if (!isfinite(terms->mc) || !isfinite(terms->hb))
		return HUGE_VAL;
	return same_exp(
		(aim->mc_power * same_log(terms->mc) + aim->hb_power * same_log(terms->hb)) /
		(aim->mc_power + aim->hb_power));
}

bool map_aim_is_better(const struct map_aim *aim, const struct hybrid_terms *a,
		       const struct hybrid_terms *b)
{
	double x = map_aim_value(aim, a), y = map_aim_value(aim, b);

	return x < y || (x == y && aim->is_in_turn && a->hb < b->hb);
}
