/* search_batch.c - trials that members share, and what comes of them */
#include <stdlib.h>
#include <string.h>

#include "map/search/search_priv.h"

enum {
	CHECK_EDGES =
		4000 /* under the sanitizer: of larger graphs every 1 024th batch is checked */
};

/* What a worker reports: its work, its records. */
struct header {
	int64_t work, ntrials;
	struct search_tally tally;
	int nrecords;
};

enum { HEADER = sizeof(struct header) / sizeof(int) };

/* Under the sanitizer: that what was kept up move by move is what it should be. */
static void check(struct search_state *s)
{
#ifdef __SANITIZE_ADDRESS__
	if (2 * s->placing.nedges > CHECK_EDGES && s->nbatches % 1024 != 0)
		return;
	if (!placing_is_right(&s->placing))
		abort();
#else
	(void)s;
#endif
}

void search_record(struct search_state *s, int64_t trial)
{
	s->record = s->records.n;
	s->nrecords++;
	vec_push(&s->records, (int)(trial - s->trial));
	vec_push(&s->records, 0);
}

void search_record_move(struct search_state *s, int i, int j, int there)
{
	s->records.at[s->record + 1]++;
	vec_push(&s->records, i);
	vec_push(&s->records, j);
	vec_push(&s->records, there);
}

/* Whether an exchange of a record can still be done. */
static bool is_possible(const struct search_state *s, int i, int j, int there)
{
	if (s->placing.node_of[i] == there)
		return false;
	return j >= 0 ? s->placing.node_of[j] == there && search_fit(s, i, j)
		      : s->placing.nheld[there] < s->search->room[there];
}

/* Does the exchanges of a record [nmoves], and undoes them if they add more than the limit. */
static bool replay(struct search_state *s, const int *moves, int nmoves, double limit)
{
	struct placing *placing = &s->placing;
	int *from = xmalloc((size_t)nmoves * 2 * sizeof(*from)), done = 0;
	bool is_good;
	double gain = 0;

	for (; done < nmoves; done++) {
		int i = moves[3 * done], j = moves[3 * done + 1], there = moves[3 * done + 2];

		if (!is_possible(s, i, j, there))
			break;
		from[2 * done] = placing->node_of[i];
		from[2 * done + 1] = placing->place_of[i];
		placing_book(placing, i, j, there);
		gain += placing_gain(placing);
		placing_exchange(placing, i, j, there);
	}
	is_good = done == nmoves && gain < limit;
	while (!is_good && done-- > 0)
		placing_undo(placing, moves[3 * done], moves[3 * done + 1], from[2 * done],
			     from[2 * done + 1]);
	free(from);
	return is_good;
}

/* The records of one member, in the order of its trials. */
static const int *replay_all(struct search_state *s, const int *at, search_limit *limit, int *ngood)
{
	struct header header;

	memcpy(&header, at, sizeof(header));
	at += HEADER;
	s->work += header.work;
	s->ntrials += header.ntrials;
	for (int k = 0; k < NPROPOSALS; k++) {
		s->tally.cost[k] += header.tally.cost[k];
		s->tally.gain[k] += header.tally.gain[k];
	}
	for (int k = 0; k < header.nrecords; k++) {
		int nmoves = at[1];

		if (replay(s, at + 2, nmoves, limit(s, s->trial + at[0]))) {
			s->nmoves += nmoves;
			++*ngood;
		}
		at += 2 + 3 * nmoves;
	}
	return at;
}

/* Those of this member, of trials first … end - 1, after a header. */
static void try_own(struct search_state *s, int64_t first, int64_t end, search_trial *try)
{
	struct header header = {0};
	int64_t ntrials = s->ntrials;

	s->records.n = 0;
	for (int k = 0; k < HEADER; k++)
		vec_push(&s->records, 0);
	s->nrecords = 0;
	s->own_work = 0;
	s->own_tally = (struct search_tally){0};
	for (int64_t trial = first; trial < end; trial++) {
		struct rng_small rng = {.rng = {s->rng.key, (uint64_t)trial << SEARCH_DRAWS}};

		try(s, trial, &rng);
	}
	header.work = s->own_work;
	header.ntrials = s->ntrials - ntrials;
	header.tally = s->own_tally;
	header.nrecords = s->nrecords;
	s->ntrials = ntrials; /* they are counted with everybody's */
	memcpy(s->records.at, &header, sizeof(header));
}

int search_batch(struct search_state *s, int ntrials, search_trial *try, search_limit *limit)
{
	struct team *team = s->search->team;
	int nmembers = team != NULL ? team_nmembers(team) : 1, member = s->search->member;
	const int *all;
	int ngood = 0;
	size_t n;

	try_own(s, s->trial + (int64_t)ntrials * member / nmembers,
		s->trial + (int64_t)ntrials * (member + 1) / nmembers, try);
	all = s->records.at;
	if (team != NULL)
		all = team_gather(team, member, s->records.at, s->records.n, &n);
	for (int m = 0; m < nmembers; m++)
		all = replay_all(s, all, limit, &ngood);
	s->trial += ntrials;
	s->nbatches++;
	check(s);
	return ngood;
}
