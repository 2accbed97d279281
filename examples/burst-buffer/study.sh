#!/bin/bash
# study.sh - chapter 2 with many placements: steps of cells, each cell's rows appended to results.tsv
#
#   examples/burst-buffer/study.sh [FOLDER [STEP…]]
#
# A step is DIVISOR:PLACEMENTS[:APP…]. The default: a hundredth of the bytes in 20 placements, a tenth in 20, and all of
# them in one. FOLDER (default build/burst-buffer-study) keeps the cells that are done: run it again after an
# interruption, with the same or other steps, and it goes on. PROFILE, WINDOW, HOME_OF_FILES and FRAGMENT change the
# settings: use another folder. The tables are FOLDER/table.DIVISOR.tsv.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
folder=${1:-$here/../../build/burst-buffer-study}
steps=("${@:2}")
[ ${#steps[@]} -gt 0 ] || steps=(100:20 10:1 1:1:lammps 10:20 1:1)
mkdir -p "$folder"
cd "$folder"
# shellcheck source=examples/burst-buffer/cells.sh
. "$here/cells.sh"

make_machines
for step in "${steps[@]}"; do
	IFS=: read -r divisor placements apps <<<"$step"
	batch=$((divisor < 100 ? 1 : divisor < 1000 ? 5 : 20)) # placements that one run of the simulator has
	for ((first = 1; first <= placements; first += batch)); do
		last=$((first + batch - 1 < placements ? first + batch - 1 : placements))
		# shellcheck disable=SC2086
		cells "$divisor" "$first" "$last" ${apps//:/ }
	done
	"$here/observations.sh" "$divisor" <results.tsv >"table.$divisor.tsv"
done
