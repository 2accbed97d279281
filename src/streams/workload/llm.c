/* llm.c - a step of training a large language model, as a graph of what GPUs compute and send */
#include <inttypes.h>
#include <stdio.h>

#include "base/die.h"
#include "model/kinds.h"
#include "workload/llm_program.h"
#include "workload/workload.h"

static void meta_real(struct flow *flow, const char *key, double value)
{
	char text[40];

	snprintf(text, sizeof(text), "%.6g", value);
	flow_meta(flow, key, text);
}

/* The stage that needs most. */
static double most_memory(const struct llm *llm, int *stage)
{
	double most = 0;

	for (int i = 0; i < llm->pp; i++)
		if (llm_memory(llm, i) > most) {
			most = llm_memory(llm, i);
			*stage = i;
		}
	return most;
}

static int write(const struct pick *pick, struct workload_input *input, struct err *err)
{
	struct llm llm;
	struct task_out out;
	struct table_out *table;
	char text[32];
	int status = 0, stage = 0;
	double memory;

	if (llm_read(&llm, pick, err) != 0)
		return -1;
	memory = most_memory(&llm, &stage);
	if (memory > llm.memory)
		warn("llm: stage %d needs %.1f GB of a GPU, which has %.1f", stage, memory / 1e9,
		     llm.memory / 1e9);
	table = table_out_new(input->out, &kind_graph);
	workload_record(input, table);
	task_out_open(&out, table);
	snprintf(text, sizeof(text), "%" PRId64, llm_nranks(&llm));
	flow_meta(&out.flow, "ranks", text);
	flow_meta(&out.flow, "model", llm.name);
	snprintf(text, sizeof(text), "%" PRId64, llm.nmicro);
	flow_meta(&out.flow, "microbatches", text);
	meta_real(&out.flow, "flops", llm_step_flops(&llm));
	meta_real(&out.flow, "gpu-memory", memory);
	llm_write_groups(&llm, &out.flow);
	for (int i = 0; i < llm.pp && status == 0; i++)
		status = llm_write_stage(&llm, i, &out, err);
	if (status == 0)
		status = task_out_close(&out, err);
	else
		flow_free(&out.flow);
	table_out_end(table, status == 0);
	return status;
}

const struct workload workload_llm = {
	.entry = {.name = "llm",
		  .example = "llm:layers=4,hidden=64,heads=4,tp=2,pp=2,dp=2,batch=8",
		  .summary = "a step of training a large language model, as a graph of what GPUs "
			     "compute and send",
		  .paper = "Narayanan et al. 2021; placetools-llm(7) has each formula",
		  .params = llm_params},
	.write = write,
};
