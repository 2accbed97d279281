/* bound.c - what no schedule of a node's jobs can beat, by lp_solve */
#include "cosched/bound.h"

#include <math.h>
#include <stdlib.h>

#ifdef HAVE_LPSOLVE
#include <lp_lib.h>
#endif

#include "cosched/state/set_time.h"

#ifdef HAVE_LPSOLVE
/* Variable 1 is C; then x and y of each job on each device. */
struct program {
	const struct devices *devices;
	const engine_jobs *jobs;
	lprec *lp;
	int *at;
	REAL *value;
};

static int x_of(const struct program *program, size_t j, int d)
{
	return 2 + (int)(2 * j) * program->devices->n + d;
}

static int y_of(const struct program *program, size_t j, int d)
{
	return x_of(program, j, d) + program->devices->n;
}

/* The whole job on a device, which has it for that long at least if it does all of it; below 0: it
 * can't run there. */
static double whole_s(const struct program *program, const struct engine_job *job, int d)
{
	struct node_profile profile;
	int64_t slice_ns, fixed_ns;

	engine_profile(&profile, job->kernel, job->launches);
	node_profile_finish(&profile, program->devices->n);
	slice_ns = profile.slice_ns[d];
	if (slice_ns <= 0)
		return -1;
	for (int i = 0; i < profile.nmeasured; i++) {
		uint32_t set = profile.measured[i].devices;

		if ((set >> d & 1) != 0 && node_slice_ns(&profile, set, d) < slice_ns)
			slice_ns = node_slice_ns(&profile, set, d);
	}
	fixed_ns = program->devices->at[d].open_ns + program->devices->at[d].close_ns +
		   profile.copy_in_ns[d] + profile.copy_out_ns[d];
	return (double)slice_ns * (double)profile.slices * (double)profile.launches / 1e9 +
	       (double)fixed_ns / 1e9;
}

/* The parts of each job make a whole. */
static bool add_wholes(struct program *program)
{
	int ndevices = program->devices->n;

	for (size_t j = 0; j < program->jobs->n; j++) {
		int nx = 0;

		for (int d = 0; d < ndevices; d++)
			if (whole_s(program, &program->jobs->at[j], d) >= 0)
				program->at[nx++] = x_of(program, j, d);
		for (int i = 0; i < nx; i++)
			program->value[i] = 1;
		if (!add_constraintex(program->lp, nx, program->value, program->at, EQ, 1))
			return false;
		for (int i = 0; i < nx; i++)
			program->at[i] += ndevices;
		if (!add_constraintex(program->lp, nx, program->value, program->at, EQ, 1))
			return false;
	}
	return true;
}

/* C less what a device does of jobs that come at t or later is t at least. */
static bool add_time(struct program *program, int d, int64_t t_ns)
{
	int n = 0;

	program->at[n] = 1;
	program->value[n++] = 1;
	for (size_t j = 0; j < program->jobs->n; j++) {
		const struct engine_job *job = &program->jobs->at[j];
		double whole = whole_s(program, job, d);

		if (whole < 0 || job->arrival_ns + job->init_ns < t_ns)
			continue;
		program->at[n] = x_of(program, j, d);
		program->value[n++] = -whole;
		if (job->arrival_ns < t_ns || job->init_ns == 0)
			continue;
		program->at[n] = y_of(program, j, d);
		program->value[n++] = -(double)job->init_ns / 1e9;
	}
	return add_constraintex(program->lp, n, program->value, program->at, GE,
				(double)t_ns / 1e9);
}

static int by_time(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The times when jobs come, or have initialised; some of them, evenly, when there are many. */
static bool add_times(struct program *program)
{
	size_t n = 2 * program->jobs->n, nvariables = n * (size_t)program->devices->n;
	size_t most = 1000000 / (nvariables * (size_t)program->devices->n) + 4;
	int64_t *times = xmalloc(n * sizeof(*times));
	bool added = true;

	for (size_t j = 0; j < program->jobs->n; j++) {
		times[2 * j] = program->jobs->at[j].arrival_ns;
		times[2 * j + 1] = times[2 * j] + program->jobs->at[j].init_ns;
	}
	qsort(times, n, sizeof(*times), by_time);
	most = most < n ? most : n;
	for (size_t i = 0; i < most && added; i++) {
		int64_t t_ns = times[i * n / most];

		if (i > 0 && t_ns == times[(i - 1) * n / most])
			continue;
		for (int d = 0; d < program->devices->n && added; d++)
			added = add_time(program, d, t_ns);
	}
	free(times);
	return added;
}

int bound_makespan(const struct devices *devices, const engine_jobs *jobs, double *seconds,
		   struct err *err)
{
	struct program program = {.devices = devices, .jobs = jobs};
	size_t nvariables = 1 + 2 * jobs->n * (size_t)devices->n;
	int status = -1;

	*seconds = NAN;
	if (jobs->n == 0 || jobs->n > BOUND_JOBS)
		return 0;
	program.at = xcalloc(nvariables, sizeof(*program.at));
	program.value = xcalloc(nvariables, sizeof(*program.value));
	program.lp = make_lp(0, (int)nvariables);
	program.at[0] = 1;
	program.value[0] = 1;
	if (program.lp != NULL) {
		set_verbose(program.lp, NEUTRAL);
		set_obj_fnex(program.lp, 1, program.value, program.at);
		set_add_rowmode(program.lp, TRUE);
		if (add_wholes(&program) && add_times(&program)) {
			set_add_rowmode(program.lp, FALSE);
			status = solve(program.lp);
		}
	}
	if (status == OPTIMAL) {
		*seconds = get_objective(program.lp);
		*seconds -= *seconds * 1e-9;
		status = 0;
	} else {
		status = err_set(err, "lp_solve found no optimum (its status is %d)", status);
	}
	if (program.lp != NULL)
		delete_lp(program.lp);
	free(program.at);
	free(program.value);
	return status;
}
#else
int bound_makespan(const struct devices *devices, const engine_jobs *jobs, double *seconds,
		   struct err *err)
{
	(void)devices;
	(void)jobs;
	*seconds = NAN;
	return err_set(err, "placetools was built without lp_solve (Debian: liblpsolve55-dev)");
}
#endif
