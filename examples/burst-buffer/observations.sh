#!/bin/bash
# observations.sh - the statements of section 2.7 on the cells of a divisor: of each the share of placements in which it
# holds, and median and quartiles of the ratio that decides it
#
#   examples/burst-buffer/observations.sh DIVISOR <results.tsv
set -euo pipefail
awk -F'\t' -v OFS='\t' -v divisor="$1" -f "$(dirname "${BASH_SOURCE[0]}")/observations.awk"
