/* nodename.h - the order of node names as Slurm sorts them */
#ifndef CONVERT_WRITER_NODENAME_H
#define CONVERT_WRITER_NODENAME_H

#include <stddef.h>

/* By the letters before the number at the end, then its digits' number, then its value: what folds
 * into one bracket is consecutive. As strcmp. */
int nodename_compare(const char *a, const char *b);
/* Sorts names [n], for hostlist_add. */
void nodename_sort(const char **names, size_t n);

#endif
