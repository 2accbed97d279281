/* mapping_out.c - where the ranks of placed jobs go, as their policy says */
#include "place/mapping_out.h"

#include <stdlib.h>

#include "formats/out.h"
#include "machine/load.h"
#include "model/kinds.h"

struct mapping_out {
	struct alloc *alloc;
	const struct run_context *context;
	struct out *out;
	struct table_out *table;
	char *policy;
};

int mapping_out_open(struct mapping_out **mapping, const char *path,
		     const struct run_context *context, struct alloc *alloc, struct err *err)
{
	struct mapping_out *m;
	struct out *out;

	*mapping = NULL;
	if (alloc->policy->map == NULL)
		return err_set(err, "--mapping: the policy %s does not map ranks",
			       alloc->policy->entry.name);
	if (out_open(&out, path, context->command, err) != 0)
		return -1;
	m = *mapping = xcalloc(1, sizeof(*m));
	m->alloc = alloc;
	m->context = context;
	m->out = out;
	m->policy = pick_text(alloc->pick);
	m->table = table_out_new(out, &kind_mapping);
	topo_record(alloc->topo, m->table);
	return 0;
}

int mapping_out_job(struct mapping_out *mapping, const struct job *job, const char *nodelist,
		    struct err *err)
{
	struct alloc *alloc = mapping->alloc;
	struct mapping found = {0};
	int_vec nodes = {0};
	int status = topo_nodelist_read(alloc->topo, nodelist, &nodes, err);

	if (status == 0)
		status = alloc->policy->map(alloc, job, &nodes, (uint64_t)mapping->context->seed,
					    &found, err);
	if (status == 0)
		mapping_write(&found, alloc->topo, job->run, mapping->policy, job->name,
			      mapping->table);
	mapping_free(&found);
	vec_free(&nodes);
	return status;
}

int mapping_out_close(struct mapping_out *mapping, int status, bool is_whole, struct err *err)
{
	if (mapping == NULL)
		return status;
	table_out_end(mapping->table, is_whole);
	status = out_finish(mapping->out, status, is_whole, err);
	free(mapping->policy);
	free(mapping);
	return status;
}
