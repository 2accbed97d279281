/* hostfile.c - host files: SLURM_HOSTFILE, PBS_NODEFILE, those of mpirun and mpiexec */
#include "formats/hostfile.h"

#include <stdbool.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "formats/hostlist.h"
#include "formats/in.h"

enum { SLOTS_MOST = 1000000 };

struct hostfile {
	hostfile_add_fn *add;
	void *context;
	int64_t slots; /* of the line */
};

static int add_host(void *context, const char *name, size_t n, struct err *err)
{
	const struct hostfile *file = context;

	return file->add(file->context, name, n, file->slots, err);
}

static int read_count(struct hostfile *file, const char *text, struct err *err)
{
	if (num_int(text, 1, SLOTS_MOST, &file->slots) == 0)
		return 0;
	return err_set(err, "'%s' is not a number of slots", text);
}

/* "n0*4" or "n0:4" becomes "n0"; a colon in brackets is none of ours. */
static int cut_count(struct hostfile *file, char *host, struct err *err)
{
	char *mark = strpbrk(host, "*:");

	if (mark == NULL)
		return 0;
	*mark = '\0';
	return read_count(file, mark + 1, err);
}

/* "slots=4"; other words (max_slots=, user names) say nothing of where ranks may go. */
static int read_words(struct hostfile *file, char *words, struct err *err)
{
	char *word;

	while ((word = strsep(&words, " \t")) != NULL)
		if (str_starts(word, "slots=") && read_count(file, word + 6, err) != 0)
			return -1;
		else if (*word != '\0' && strchr(word, '=') == NULL)
			return err_set(err,
				       "'%s' behind a host: expected slots=N, and one host or "
				       "host list per line",
				       word);
	return 0;
}

static int read_line(struct hostfile *file, char *line, struct err *err)
{
	char *host;

	line[strcspn(line, "#")] = '\0';
	host = str_trim(line);
	if (*host == '\0')
		return 0;
	line = host + strcspn(host, " \t");
	if (*line != '\0')
		*line++ = '\0';
	file->slots = 0;
	if (cut_count(file, host, err) != 0 || read_words(file, line, err) != 0)
		return -1;
	return hostlist_walk(host, add_host, file, err);
}

int hostfile_read(const char *path, hostfile_add_fn *add, void *context, struct err *err)
{
	struct hostfile file = {.add = add, .context = context};
	struct err why;
	struct in *in;
	char *line;
	int status;

	if (in_open(&in, path, err) != 0)
		return -1;
	while ((status = in_line(in, &line, NULL, err)) == 1)
		if (read_line(&file, line, &why) != 0) {
			status = in_error(in, err, "%s", why.msg);
			break;
		}
	in_close(in);
	return status;
}
