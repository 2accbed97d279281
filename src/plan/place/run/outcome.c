/* outcome.c - what became of a job */
#include <stdlib.h>

#include "place/run/schedule.h"

void outcome_free_texts(struct outcome *outcome)
{
	char **const texts[] = {&outcome->nodelist, &outcome->partition, &outcome->cpus_per_node,
				&outcome->io_nodelist, &outcome->reason};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		free(*texts[i]);
		*texts[i] = NULL;
	}
}

void outcome_free(struct outcome *outcome)
{
	free(outcome->nodes.at);
	outcome_free_texts(outcome);
	for (int i = 0; i < outcome->nparts; i++)
		outcome_free(&outcome->parts[i]);
	free(outcome->parts);
	*outcome = (struct outcome){0};
}
