/* slurm_line.c - the line that submitted a job: sacct's SubmitLine */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "convert/reader/slurm_asks.h"

/* How long a job waits for its switches that does not say: slurm.conf(5), max_switch_wait. */
enum { MAX_SWITCH_WAIT_S = 300 };

/* Options of sbatch, salloc and srun without a value, or with one that only = can bring. */
static const char *const flags[] = {"contiguous",
				    "consolidate-segments",
				    "disable-stdout-job-summary",
				    "exact",
				    "exclusive",
				    "external",
				    "get-user-env",
				    "hold",
				    "ignore-pbs",
				    "immediate",
				    "kill-on-bad-exit",
				    "label",
				    "multi-prog",
				    "nice",
				    "no-allocate",
				    "no-bell",
				    "no-kill",
				    "no-requeue",
				    "no-shell",
				    "overcommit",
				    "overlap",
				    "oversubscribe",
				    "parsable",
				    "preserve-env",
				    "propagate",
				    "pty",
				    "quiet",
				    "reboot",
				    "requeue",
				    "resv-ports",
				    "share",
				    "spread-job",
				    "spread-segments",
				    "stepmgr",
				    "test-only",
				    "unbuffered",
				    "use-min-nodes",
				    "verbose",
				    "wait",
				    "whole",
				    "x11"};
/* Letters of such ones. */
static const char flag_letters[] = "EHIKOQVXZhklsuv";

static bool is_flag(const char *name)
{
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (str_eq(flags[i], name))
			return true;
	return false;
}

/* The next word; NULL: none. */
static char *next_word(char **at)
{
	char *word = *at + strspn(*at, " ");

	if (*word == '\0')
		return NULL;
	*at = word + strcspn(word, " ");
	if (**at != '\0')
		*(*at)++ = '\0';
	return word;
}

static bool is_submission(const char *program)
{
	const char *base = strrchr(program, '/');

	base = base != NULL ? base + 1 : program;
	return str_eq(base, "sbatch") || str_eq(base, "salloc") || str_eq(base, "srun");
}

/* A long option; value NULL: none. */
static void take(struct slurm_line *line, const char *name, const char *value)
{
	if (str_eq(name, "exclusive")) {
		line->asks.exclusive = 1;
		line->asks.exclusive_topo = value != NULL && str_eq(value, "topo") ? 1 : -1;
	} else if (str_eq(name, "oversubscribe") || str_eq(name, "share")) {
		line->asks.oversubscribe = 1;
	} else if (value == NULL) {
		return;
	} else if (str_eq(name, "switches")) {
		slurm_asks_switches(&line->asks, value);
		if (line->asks.switch_wait_s < 0)
			line->asks.switch_wait_s = MAX_SWITCH_WAIT_S;
	} else if (str_eq(name, "array")) {
		slurm_asks_array(&line->asks, value);
	} else if (str_eq(name, "dependency")) {
		line->dependency = value;
	} else if (str_eq(name, "segment")) {
		num_int(value, 1, INT32_MAX, &line->segment);
	}
}

/* The long name of a letter that matters; "": of another. */
static const char *long_name(char letter)
{
	return letter == 'a'   ? "array"
	       : letter == 'd' ? "dependency"
	       : letter == 's' ? "oversubscribe"
			       : "";
}

/* The value of an option that is a word of its own: a job's name may have blanks. */
static const char *next_value(char **at, bool is_name, const char *job_name)
{
	size_t n = is_name && job_name != NULL ? strlen(job_name) : 0;
	char *begin = *at + strspn(*at, " ");

	if (n > 0 && strncmp(begin, job_name, n) == 0 && (begin[n] == ' ' || begin[n] == '\0')) {
		*at = begin + n;
		return job_name;
	}
	return *begin != '-' ? next_word(at) : NULL;
}

static void read_long(struct slurm_line *line, char *word, char **at, const char *job_name)
{
	char *name = word + 2, *equals = strchr(name, '=');

	if (equals != NULL)
		*equals = '\0';
	if (str_eq(name, "job-name") && equals != NULL && job_name != NULL) {
		/* the rest of it behind a blank is not a script */
		size_t n = strlen(job_name), first = strcspn(job_name, " ");

		if (job_name[first] == ' ' && strncmp(equals + 1, job_name, first) == 0 &&
		    strncmp(*at, job_name + first + 1, n - first - 1) == 0)
			*at += n - first - 1;
		return;
	}
	take(line, name,
	     equals != NULL  ? equals + 1
	     : is_flag(name) ? NULL
			     : next_value(at, str_eq(name, "job-name"), job_name));
}

/* "-N4", "-sQ", "-d afterok:1". */
static void read_letters(struct slurm_line *line, const char *word, char **at, const char *job_name)
{
	for (const char *letter = word + 1; *letter != '\0'; letter++) {
		if (strchr(flag_letters, *letter) != NULL) {
			take(line, long_name(*letter), NULL);
			continue;
		}
		take(line, long_name(*letter),
		     letter[1] != '\0' ? letter + 1 : next_value(at, *letter == 'J', job_name));
		return;
	}
}

static void clear(struct slurm_line *line)
{
	slurm_asks_clear(&line->asks);
	line->dependency = NULL;
	line->segment = -1;
}

void slurm_line_read(struct slurm_line *line, const char *text, const char *job_name, int component)
{
	char *at, *word;

	clear(line);
	if (text == NULL)
		return;
	buf_clear(&line->copy);
	buf_str(&line->copy, text);
	at = line->copy.text;
	word = next_word(&at);
	if (word == NULL || !is_submission(word))
		return;
	while ((word = next_word(&at)) != NULL) {
		if (str_eq(word, ":")) { /* the options of the next component follow */
			if (component-- == 0)
				return;
			clear(line);
		} else if (str_starts(word, "--") && word[2] != '\0') {
			read_long(line, word, &at, job_name);
		} else if (word[0] == '-' && word[1] != '\0' && word[1] != '-') {
			read_letters(line, word, &at, job_name);
		} else {
			return;
		}
	}
}

void slurm_line_free(struct slurm_line *line)
{
	buf_free(&line->copy);
}
