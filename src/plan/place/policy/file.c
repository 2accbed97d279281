/* file.c - the allocation that a file says, made by another program */
#include <stdlib.h>
#include <string.h>

#include "place/policy/policy.h"
#include "base/names.h"
#include "model/kinds.h"

/* Nodes of the jobs in the file, by run and job. */
struct answers {
	struct map index; /* "run\tjob" → place in of */
	VEC(int_vec) of;
	struct buf key;
};

static const char *key_of(struct answers *answers, const char *run, const char *name)
{
	buf_clear(&answers->key);
	buf_printf(&answers->key, "%s\t%s", run != NULL ? run : "", name);
	return answers->key.text;
}

static int read_answers(struct answers *answers, struct table_in *in, const struct topo *topo,
			struct err *err)
{
	struct job_columns columns;
	struct row row;
	struct job job;
	int status;

	job_columns_bind(&columns, in);
	table_unique(in);
	while ((status = table_next(in, &row, err)) == 1) {
		int_vec nodes = {0};

		if (job_read(&job, &columns, &row, err) != 0)
			return -1;
		if (job.nodelist == NULL)
			continue;
		key_of(answers, job.run, job.name);
		map_set(&answers->index, answers->key.text, answers->key.n, (int64_t)answers->of.n);
		status = job_nodes(&job, topo, &nodes, err);
		vec_push(&answers->of, nodes);
		if (status != 0)
			return -1;
	}
	if (status == 0 && !table_is_whole(in))
		return err_set(err, "%s", "the file is truncated");
	return status;
}

static int file_open(struct alloc *alloc, struct err *err)
{
	const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	struct answers *answers = xcalloc(1, sizeof(*answers));
	struct table_in *in;
	int status;

	alloc->state = answers;
	if (table_open_one(&in, kinds, pick_word(alloc->pick, "path"), alloc->accepts_partial,
			   err) != 0)
		return err_prefix(err, "file: ");
	status = read_answers(answers, in, alloc->topo, err);
	table_close(in);
	return status;
}

static void close(struct alloc *alloc)
{
	struct answers *answers = alloc->state;

	if (answers == NULL)
		return;
	for (size_t i = 0; i < answers->of.n; i++)
		free(answers->of.at[i].at);
	free(answers->of.at);
	map_free(&answers->index);
	buf_free(&answers->key);
	free(answers);
}

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	struct answers *answers = alloc->state;
	const struct job *job = request->job;
	const int_vec *answer;
	int64_t i;

	key_of(answers, job->run, job->name);
	i = map_get(&answers->index, answers->key.text, answers->key.n);
	if (i < 0) {
		buf_str(reason, "the file places no such job");
		return 0;
	}
	answer = &answers->of.at[i];
	if (answer->n != (size_t)job->nnodes)
		return row_error(&job->row, err,
				 "the job asks for %d nodes, the file places it on %zu",
				 job->nnodes, answer->n);
	for (size_t k = 0; k < answer->n; k++) {
		char name[TOPO_NAME];

		if (!machine_is_idle(request->machine, answer->at[k])) {
			buf_printf(reason, "%s is not idle",
				   topo_node_name(alloc->topo, answer->at[k], name));
			return 0;
		}
		alloc_take(request, answer->at[k], nodes);
	}
	return 1;
}

const struct alloc_policy alloc_policy_file = {
	.entry =
		{
			.name = "file",
			.example = "file:path=placed.tsv",
			.summary = "the nodes that a jobs stream lists for the job of the"
				   " same run and name",
			.params = (const struct param[]){{.key = "path",
							  .type = PARAM_FILE,
							  .meaning = "a jobs stream with nodelist"},
							 {0}},
		},
	.may_refuse = true,
	.open = file_open,
	.close = close,
	.choose = choose,
};
