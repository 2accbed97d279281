#!/bin/bash
# study.sh - NeDD's experiment whole: six applications, ten repetitions; three pairs, five
export ONE=miniMD,LAMMPS,MILC,HACC,QMCPACK,HPCG TWO=miniMD+MILC,miniMD+QMCPACK,QMCPACK+miniMD
REPS=10 PAIR_REPS=5 exec "$(dirname "$0")/run.sh" "$@"
