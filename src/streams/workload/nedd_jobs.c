/* nedd_jobs.c - the applications of NeDD's Table I, alone and together */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/nedd.h"
#include "base/str.h"

/* §IV-A: all 68 cores of a Knights Landing node, but 64 for MILC and HACC. */
static const struct nedd_app apps[] = {
	{"miniMD", "miniMD_intel", 68}, {"LAMMPS", "lmp_cori", 68}, {"MILC", "su3_rmd", 64},
	{"HACC", "hacc_tpm", 64},       {"QMCPACK", "qmcpack", 68}, {"HPCG", "xhpcg", 68},
};

static const struct nedd_app *find_app(const char *name)
{
	for (size_t i = 0; i < sizeof(apps) / sizeof(apps[0]); i++)
		if (str_eq(apps[i].name, name))
			return &apps[i];
	return NULL;
}

/* "LAMMPS+HPCG": nodes are given to LAMMPS first. text is cut. */
static int parse_one(nedd_jobs_vec *jobs, char *text, struct err *err)
{
	struct nedd_jobs together = {0};
	char *parts[NEDD_MOST_JOBS + 1];
	int n;

	if (strlen(text) >= sizeof(together.name))
		return err_set(err, "nedd: jobs: '%.40s…' is too long", text);
	memcpy(together.name, text, strlen(text) + 1);
	n = str_split(text, '+', parts, NEDD_MOST_JOBS + 1);
	if (n > NEDD_MOST_JOBS)
		return err_set(err, "nedd: jobs: more than %d at once", NEDD_MOST_JOBS);
	for (int i = 0; i < n; i++) {
		together.apps[i] = find_app(parts[i]);
		if (together.apps[i] == NULL)
			return err_set(err,
				       "nedd: jobs: '%s' is not an application of Table I: miniMD "
				       "LAMMPS MILC HACC QMCPACK HPCG",
				       parts[i]);
	}
	together.n = n;
	for (size_t i = 0; i < jobs->n; i++)
		if (str_eq(jobs->at[i].name, together.name))
			return err_set(err, "nedd: jobs: %s is there twice", together.name);
	vec_push(jobs, together);
	return 0;
}

static int parse_list(nedd_jobs_vec *jobs, const char *list, size_t n, struct err *err)
{
	char *copy = xstrndup(list, n), *rest = copy;
	int status = 0;

	while (rest != NULL && status == 0) {
		char *comma = strchr(rest, ',');

		if (comma != NULL)
			*comma = '\0';
		status = parse_one(jobs, rest, err);
		rest = comma != NULL ? comma + 1 : NULL;
	}
	free(copy);
	return status;
}

int nedd_jobs_parse(nedd_jobs_vec *jobs, const char *text, struct err *err)
{
	/* the order of Figs 4 and 5 */
	static const char one[] = "miniMD,LAMMPS,MILC,HACC,QMCPACK,HPCG";
	static const char two[] = "miniMD+MILC,miniMD+QMCPACK,QMCPACK+miniMD";
	size_t n = strlen(text);
	bool all = str_eq(text, "all");

	if (all || str_eq(text, "one") || str_eq(text, "two")) {
		if (!str_eq(text, "two") && parse_list(jobs, one, strlen(one), err) != 0)
			return -1;
		return str_eq(text, "one") ? 0 : parse_list(jobs, two, strlen(two), err);
	}
	if (n >= 2 && text[0] == '[' && text[n - 1] == ']')
		return parse_list(jobs, text + 1, n - 2, err);
	return parse_list(jobs, text, n, err);
}
