/* ipm.c - the banner that IPM prints at a program's end, as a profile */
#include <stdlib.h>
#include <string.h>

#include "convert/reader/reader.h"
#include "convert/reader/text.h"
#include "base/num.h"
#include "base/str.h"
#include "model/profile.h"

struct banner {
	struct in *in;
	char *app;
	int64_t ranks, nodes, nregions;
	double fraction;           /* %comm; negative: not there yet */
	double wallclock_s, mpi_s; /* all ranks together; negative: not there yet */
	double group_s[MPI_NGROUPS];
	bool has_calls;
};

struct ipm_reader {
	struct flow *flow;
	struct profile_columns columns;
	const char *app; /* NULL: from the command */
	struct banner banner;
	bool is_open; /* between "##IPM" and its row */
};

static const struct banner new_banner = {
	.ranks = -1, .nodes = -1, .fraction = -1, .wallclock_s = -1, .mpi_s = -1};

/* What follows "key … : " anywhere in the line; NULL: it is not there. */
static const char *find_value(const char *line, const char *key)
{
	const char *at = strstr(line, key);

	if (at == NULL)
		return NULL;
	at += strlen(key);
	at += strspn(at, " ");
	return *at == ':' ? at + 1 + strspn(at + 1, " ") : NULL;
}

/* "# mpi_tasks : 128 on 32 nodes   %comm : 32.51": the pairs that share lines in all versions */
static int read_pairs(struct banner *banner, const char *line, struct err *err)
{
	const char *command = find_value(line, "command"), *tasks = find_value(line, "mpi_tasks"),
		   *comm = find_value(line, "%comm");
	char *copy, *words[4];
	int n, status = 0;

	if (command != NULL && banner->app == NULL)
		banner->app = text_program(command);
	if (tasks != NULL) {
		copy = xstrdup(tasks);
		n = text_words(copy, words, 4);
		if (n < 3 || num_int(words[0], 1, INT32_MAX, &banner->ranks) != 0 ||
		    num_int(words[2], 1, INT32_MAX, &banner->nodes) != 0)
			status = in_error(banner->in, err, "expected 'mpi_tasks : N on M nodes'");
		free(copy);
	}
	if (comm != NULL && banner->fraction < 0) {
		copy = xstrdup(comm);
		if (text_words(copy, words, 1) < 1 ||
		    text_percent(words[0], &banner->fraction) != 0)
			status = in_error(banner->in, err, "'%%comm' is not a percentage");
		free(copy);
	}
	return status;
}

/* "wallclock : 1188.42 …" (2.x) or "wallclock 0.002069 …" (0.98): the total over all ranks; the
 * first one is that of the whole program. */
static int read_total(struct banner *banner, char **words, int n, double *total, struct err *err)
{
	const char *text = n > 2 && str_eq(words[1], ":") ? words[2] : words[1];

	if (*total < 0 && num_real(text, 0, 1e15, total) != 0)
		return in_error(banner->in, err, "'%s' is not a time in seconds", text);
	return 0;
}

/* MPI_Allreduce 225.72 567552 18.99: seconds of all ranks, calls, %; 0.98 has one % more. */
static int read_call(struct banner *banner, char **words, struct err *err)
{
	double seconds;

	if (num_real(words[1], 0, 1e15, &seconds) != 0)
		return in_error(banner->in, err, "'%s' is not a time in seconds", words[1]);
	banner->group_s[mpi_group(words[0])] += seconds;
	banner->has_calls = true;
	return 0;
}

static int read_banner_line(struct banner *banner, char *line, struct err *err)
{
	char *words[8];
	int n;

	if (read_pairs(banner, line, err) != 0)
		return -1;
	n = text_words(line + 1, words, 8);
	if (n >= 2 && str_eq(words[0], "region"))
		banner->nregions++;
	if (n < 4 || banner->nregions > 1)
		return 0;
	if (str_eq(words[0], "wallclock"))
		return read_total(banner, words, n, &banner->wallclock_s, err);
	if (str_eq(words[0], "MPI") || str_eq(words[0], "mpi"))
		return read_total(banner, words, n, &banner->mpi_s, err);
	if (str_starts(words[0], "MPI_"))
		return read_call(banner, words, err);
	return 0;
}

static int emit(struct ipm_reader *reading, struct err *err)
{
	const struct banner *banner = &reading->banner;
	struct profile profile;

	if (banner->fraction < 0 || banner->ranks < 1)
		return in_error(banner->in, err,
				"IPM's banner has no 'mpi_tasks :' and '%%comm :' lines");
	profile_init(&profile);
	profile.app = reading->app != NULL ? reading->app : banner->app;
	profile.binary = banner->app;
	profile.ranks = banner->ranks;
	profile.nodes = banner->nodes;
	profile.mpi_fraction = banner->fraction;
	if (banner->wallclock_s > 0) {
		profile.runtime_s = banner->wallclock_s / (double)banner->ranks;
		for (int i = 0; i < MPI_NGROUPS && banner->has_calls; i++)
			profile.fractions[i] = banner->group_s[i] / banner->wallclock_s;
	}
	if (banner->mpi_s >= 0)
		profile.mpi_s = banner->mpi_s / (double)banner->ranks;
	reading->flow->file = in_name(banner->in);
	reading->flow->line = in_lineno(banner->in);
	return profile_emit(&profile, &reading->columns, reading->flow, err);
}

static int end_banner(struct ipm_reader *reading, struct err *err)
{
	int status = reading->is_open ? emit(reading, err) : 0;

	reading->is_open = false;
	free(reading->banner.app);
	reading->banner.app = NULL;
	return status;
}

/* A banner ends where its lines of '#' do, or the next one begins. */
static int read_line(struct ipm_reader *reading, struct in *in, char *line, struct err *err)
{
	if (str_starts(line, "##IPMv")) {
		if (end_banner(reading, err) != 0)
			return -1;
		reading->banner = new_banner;
		reading->banner.in = in;
		reading->is_open = true;
		return 0;
	}
	if (!reading->is_open)
		return 0;
	if (line[0] != '#')
		return end_banner(reading, err);
	return read_banner_line(&reading->banner, line, err);
}

static int read_file(void *context, struct in *in, struct err *err)
{
	struct ipm_reader *reading = context;
	bool seen = false;
	char *line;
	int status;

	while ((status = in_line(in, &line, NULL, err)) == 1) {
		seen = seen || str_starts(line, "##IPMv");
		if (read_line(reading, in, line, err) != 0)
			return -1;
	}
	if (status < 0 || end_banner(reading, err) != 0)
		return -1;
	reading->flow->file = NULL;
	if (!seen)
		return in_error(in, err,
				"has no line that begins with ##IPMv: expected IPM's banner");
	return 0;
}

static int read_banners(const struct reader_input *input, struct flow *flow, bool *whole,
			struct err *err)
{
	struct ipm_reader reading = {.flow = flow, .app = pick_word(input->pick, "app")};
	int status;

	(void)whole;
	profile_columns(&reading.columns, flow);
	status = text_read_files(input->paths, read_file, &reading, err);
	free(reading.banner.app);
	return status;
}

static bool is_banner(const char *head, size_t n)
{
	(void)n;
	return str_starts(head, "##IPMv");
}

static const struct param params[] = {READER_APP, {0}};
static const struct table_kind *const makes[] = {&kind_profile, NULL};

const struct reader reader_ipm = {
	.entry = {.name = "ipm",
		  .example = "ipm:app=cellmg",
		  .summary = "IPM's banner (2.0 and 0.98), also within a program's output",
		  .feed = "LD_PRELOAD=libipm.so srun PROGRAM 2>&1 | "
			  "traceconv --from ipm --to profile",
		  .params = params},
	.makes = makes,
	.is_proof = is_banner,
	.read = read_banners,
};
