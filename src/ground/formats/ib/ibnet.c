/* ibnet.c - an InfiniBand fabric: reading it, and its devices */
#include "formats/ib/ibnet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/str.h"
#include "formats/ib/ibnet_priv.h"

/* What libraries, shells and other programs mix into the output: nothing that a fabric's lines
 * begin with. One of those that is spoiled is an error, as a cable would be missing. */
static bool is_foreign(const char *line)
{
	static const char *const starts[] = {"[",
					     "vendid=",
					     "devid=",
					     "sysimgguid=",
					     "switchguid=",
					     "caguid=",
					     "rtguid=",
					     "Switch",
					     "Ca",
					     "Hca",
					     "Rt",
					     "Chassis ",
					     "Non-Chassis Nodes",
					     "CA ",
					     "SW ",
					     "RT ",
					     "include ",
					     "do ",
					     "module "};

	line += strspn(line, " \t");
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (str_starts(line, starts[i]))
			return false;
	return *line != '\0';
}

static int read_line(struct ibnet_read *read, const char *line, struct err *err)
{
	/* -s shows the progress in between */
	if (line[0] == '\0' || line[0] == '#' || str_starts(line, "DR path ") ||
	    str_starts(line, "ibwarn: "))
		return 0;
	if (is_foreign(line)) {
		if (read->nforeign++ == 0) {
			char text[400];

			snprintf(text, sizeof(text), "%.180s:%ld: %.190s", read->file,
				 in_lineno(read->in), line);
			read->foreign = arena_strndup(&read->net->arena, text, strlen(text));
		}
		return 0;
	}
	if (ibnet_is_report(line))
		return ibnet_report_line(read, line, err);
	return ibnet_full_line(read, line, err);
}

static int read_file(struct ibnet_read *read, const char *path, struct err *err)
{
	char *line;
	int status;

	if (in_open(&read->in, path, err) != 0)
		return -1;
	read->file = arena_strndup(&read->net->arena, in_name(read->in), strlen(in_name(read->in)));
	read->device = -1;
	read->guid = 0;
	read->chassis = NULL;
	while ((status = in_line(read->in, &line, NULL, err)) > 0) {
		status = read_line(read, line, err);
		if (status != 0)
			break;
	}
	in_close(read->in);
	return status;
}

static int read_files(struct ibnet_read *read, char *const *paths, struct err *err)
{
	for (paths = in_paths(paths); *paths != NULL; paths++)
		if (read_file(read, *paths, err) != 0)
			return -1;
	if (read->ends.n == 0)
		return read->nforeign > 0 ? err_set(err,
						    "%s: is not a line of ibnetdiscover, and there "
						    "is no cable",
						    read->foreign)
					  : err_set(err,
						    "%s: no cable: this is not output of "
						    "ibnetdiscover",
						    read->file);
	if (read->nrates > 0)
		warn("%s: %d ends of cables at a speed that is not known (%s): their bandwidth is "
		     "the machine's",
		     read->file, read->nrates, read->unknown_rate);
	if (read->nforeign > 0)
		warn("%s; %ld line%s not ibnetdiscover's %s passed over: parts may be missing",
		     read->foreign, read->nforeign, read->nforeign == 1 ? "" : "s",
		     read->nforeign == 1 ? "was" : "were");
	return ibnet_join(read, err);
}

int ibnet_read(struct ibnet **result, char *const *paths, struct err *err)
{
	struct ibnet_read read = {.net = xcalloc(1, sizeof(*read.net))};
	int status = read_files(&read, paths, err);

	vec_free(&read.ends);
	if (status != 0) {
		ibnet_free(read.net);
		read.net = NULL;
	}
	*result = read.net;
	return status;
}

void ibnet_free(struct ibnet *net)
{
	if (net == NULL)
		return;
	vec_free(&net->devices);
	vec_free(&net->cables);
	map_free(&net->ids);
	free(net->lids);
	arena_free(&net->arena);
	free(net);
}

int ibnet_find_guid(const struct ibnet *net, uint64_t guid)
{
	char id[24];

	for (int kind = 0; kind < 3; kind++) {
		int n = snprintf(id, sizeof(id), "%c-%016llx", "HSR"[kind],
				 (unsigned long long)guid);
		int64_t at = map_get(&net->ids, id, (size_t)n);

		if (at >= 0)
			return (int)at;
	}
	for (size_t i = 0; i < net->devices.n; i++)
		if (net->devices.at[i].guid == guid)
			return (int)i;
	return -1;
}
