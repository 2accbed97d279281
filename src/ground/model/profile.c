/* profile.c - MPI profiles of applications: one row, and how it is written */
#include "model/profile.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"

enum mpi_group mpi_group(const char *operation)
{
	static const struct {
		const char *name;
		enum mpi_group group;
	} groups[] = {
		{"allreduce", MPI_ALLREDUCE}, {"send", MPI_SENDRECV}, {"isend", MPI_SENDRECV},
		{"sendrecv", MPI_SENDRECV},   {"wait", MPI_WAIT},     {"waitall", MPI_WAIT},
	};
	size_t n;

	if (strncasecmp(operation, "MPI_", 4) == 0)
		operation += 4;
	for (n = 0; isalnum((unsigned char)operation[n]);)
		n++;
	/* the underscore of Fortran and (sync) are not part of the name, as in Comm_split
	 * they are */
	if (operation[n] == '_' && (operation[n + 1] == '\0' || operation[n + 1] == '('))
		;
	else if (operation[n] != '\0' && operation[n] != '(')
		return MPI_OTHER;
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		if (strlen(groups[i].name) == n && strncasecmp(groups[i].name, operation, n) == 0)
			return groups[i].group;
	return MPI_OTHER;
}

void profile_init(struct profile *profile)
{
	*profile = (struct profile){
		.ranks = -1, .nodes = -1, .runtime_s = -1, .mpi_s = -1, .mpi_fraction = -1};
	for (int i = 0; i < MPI_NGROUPS; i++)
		profile->fractions[i] = -1;
}

void profile_columns(struct profile_columns *columns, struct flow *flow)
{
	static const char *const names[MPI_NGROUPS] = {"allreduce_fraction", "sendrecv_fraction",
						       "wait_fraction", "other_fraction"};

	columns->app = flow_column(flow, "app");
	columns->binary = flow_column(flow, "binary");
	columns->ranks = flow_column(flow, "ranks");
	columns->nodes = flow_column(flow, "nodes");
	columns->runtime = flow_column(flow, "runtime_s");
	columns->mpi = flow_column(flow, "mpi_s");
	columns->fraction = flow_column(flow, "mpi_fraction");
	for (int i = 0; i < MPI_NGROUPS; i++)
		columns->groups[i] = flow_column(flow, names[i]);
}

static void set_real(struct flow *flow, int column, double value)
{
	if (value >= 0)
		flow_real(flow, column, value);
}

int profile_emit(const struct profile *profile, const struct profile_columns *columns,
		 struct flow *flow, struct err *err)
{
	if (profile->app == NULL || *profile->app == '\0')
		return flow_error(flow, err, "the application's name is not known");
	if (profile->ranks < 1)
		return flow_error(flow, err, "the number of MPI ranks is not known");
	if (!(profile->mpi_fraction >= 0 && profile->mpi_fraction <= 1))
		return flow_error(flow, err,
				  "time in MPI over execution time is %.6g, expected 0 to 1",
				  profile->mpi_fraction);
	flow_text(flow, columns->app, profile->app);
	flow_text(flow, columns->binary, profile->binary);
	flow_int(flow, columns->ranks, profile->ranks);
	if (profile->nodes >= 1)
		flow_int(flow, columns->nodes, profile->nodes);
	set_real(flow, columns->runtime, profile->runtime_s);
	set_real(flow, columns->mpi, profile->mpi_s);
	flow_real(flow, columns->fraction, profile->mpi_fraction);
	for (int i = 0; i < MPI_NGROUPS; i++)
		set_real(flow, columns->groups[i],
			 profile->fractions[i] > 1 ? 1 : profile->fractions[i]);
	return flow_emit(flow, err);
}
