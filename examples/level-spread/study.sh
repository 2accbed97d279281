#!/bin/bash
# study.sh - the Level-Spread study with the paper's repetitions, workloads, bandwidths and machines
#
#   examples/level-spread/study.sh [FOLDER]
#
# FOLDER (default build/level-spread-study) keeps every unit that is done: run it again after an interruption
# and it goes on. JOBS at a time (default: all processors); SSHLOGIN=host1,host2,: spreads them over hosts by
# GNU parallel. Some 75 000 simulations of 1 KB messages, and a sample of the same with 100 KB (variants.sh).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/../../build/level-spread-study}
mkdir -p "$out"
export REPS=${REPS:-10} WORKLOADS=${WORKLOADS:-1000} RATIOS=${RATIOS:-0.25 1 4} ORDERS='small large'
export MACHINES=${MACHINES:-level-spread-272 level-spread-528 level-spread-544 level-spread-1056} PATTERNS=all
export SIZES=${SIZES:-1KiB:1KiB 1KiB:10KiB 10KiB:1KiB}
WHOLE=yes FIGURES=${FIGURES:-2 4 5-6 7 8 9-11 12-13} "$here/run.sh" "$out"
