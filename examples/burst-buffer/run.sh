#!/bin/bash
# run.sh - chapter 2 of Khetawat's dissertation: where to put burst buffers, and what jobs do to each other's I/O
#
#   examples/burst-buffer/run.sh [FOLDER [DIVISOR [PLACEMENTS]]]
#
# Bytes and planned times are divided by DIVISOR (8000, small enough for a test; the statements need 1000 or less);
# each case has PLACEMENTS random placements (1). Cells that are already in FOLDER are not simulated again. The table
# is FOLDER/result.tsv.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
mkdir -p "${1:-out}"
cd "${1:-out}"
divisor=${2:-8000}
nplacements=${3:-1}
# shellcheck source=examples/burst-buffer/cells.sh
. "$here/cells.sh"

make_machines
cells "$divisor" 1 "$nplacements"
make_traces "$divisor"
{
	"$here/tables.sh"
	"$here/observations.sh" "$divisor" <results.tsv
	"$here/extras.sh" "$divisor"
} >result.tsv
cat result.tsv
