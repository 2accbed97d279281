/* mpich_rank_order_fuzz.c - MPICH_RANK_ORDER files */
#include "convert.h"

FUZZ_READER("mpich-rank-order:nodes=n[0-99],ranks-per-node=4", "mapping")
