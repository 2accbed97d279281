/* slurm_array.h - the tasks of an array that wait in one row: 102_[4-7%2] */
#ifndef CONVERT_READER_SLURM_ARRAY_H
#define CONVERT_READER_SLURM_ARRAY_H

#include "base/err.h"

typedef int slurm_task_fn(void *context, const char *id, struct err *err);

/*
 * Calls each with the id of every task of "102_[0-3,7,10-20:5%2]" (102_0, …), in that order, or
 * with the id itself where it names one job. Refused: a list that was cut ("…,...").
 */
int slurm_array_walk(const char *id, slurm_task_fn *each, void *context, struct err *err);

#endif
