/* outcome.c - what became of a job */
#include <stdlib.h>

#include "place/run/schedule.h"

void outcome_free(struct outcome *outcome)
{
	free(outcome->nodes.at);
	free(outcome->nodelist);
	free(outcome->partition);
	free(outcome->io_nodelist);
	free(outcome->reason);
	for (int i = 0; i < outcome->nparts; i++)
		outcome_free(&outcome->parts[i]);
	free(outcome->parts);
	*outcome = (struct outcome){0};
}
