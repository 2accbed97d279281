/* switch_ranks.h - switches of a fabric by their distance from the nodes, and what the links are
 * called */
#ifndef MACHINE_IMPORT_SWITCH_RANKS_H
#define MACHINE_IMPORT_SWITCH_RANKS_H

#include <stdbool.h>
#include <stddef.h>

/* "leaf", "spine", "core", "rank3", … */
enum { RANK_NAME = 16 };
const char *rank_name(int rank, char text[RANK_NAME]);

/* The link level of cables between two ranks: "leaf-spine". Longer than text allows is cut. */
void rank_link_name(int rank_a, int rank_b, char text[2 * RANK_NAME]);

/* Text by its letters and its numbers: "n9" comes before "n10". Negative, 0, positive. */
int compare_natural(const char *a, const char *b);

#endif
