#!/bin/bash
# study.sh - the grid of settings, then NeDD's experiment whole: six applications, ten repetitions; three pairs, five
#
#   examples/nedd/study.sh [FOLDER]
#
# FOLDER (default build/study/nedd) keeps what is done: run it again after an interruption and it goes on.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-$here/../../build/study/nedd}
"$here/grid.sh" "$out/grid"
export ONE=miniMD,LAMMPS,MILC,HACC,QMCPACK,HPCG TWO=miniMD+MILC,miniMD+QMCPACK,QMCPACK+miniMD
REPS=10 PAIR_REPS=5 exec "$here/run.sh" "$out/whole"
