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
	*outcome = (struct outcome){0};
}
