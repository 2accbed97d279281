#!/bin/bash
# compare.sh - the claims of the first placement with two divisors of the bytes, and how many agree
#
#   examples/burst-buffer/compare.sh DIVISOR DIVISOR <results.tsv
#
# A row for each claim whose ratio is known with both; below, without LAMMPS and of LAMMPS: how many there are, whose
# ratios differ by at most 5 and 10 %, and whose verdicts are the same.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rows=$(awk -F'\t' 'NR == 1 || $7 == 1')
awk -F'\t' -v OFS='\t' '
	FNR == 1 { file++; if (file == 1) print "claim", "what is divided by what", "verdict", "then", "ratio", "then"; next }
	file == 1 { verdict[$1, $2] = $3; ratio[$1, $2] = $5; next }
	$5 !~ /[0-9]/ || ratio[$1, $2] !~ /[0-9]/ || ratio[$1, $2] == 0 { next }
	{
		is = tolower($2) ~ /lammps/
		off = $5 / ratio[$1, $2] - 1
		off = off < 0 ? -off : off
		n[is]++; near[is] += off <= .05; nearer[is] += off <= .1; same[is] += $3 == verdict[$1, $2]
		print $1, $2, verdict[$1, $2], $3, ratio[$1, $2], $5
	}
	END {
		for (is = 0; is < 2; is++)
			printf "# %s LAMMPS: %d, within 5 %% %d, within 10 %% %d, same verdict %d\n", is ? "of" : "without", n[is], near[is], nearer[is], same[is]
	}' <("$here/observations.sh" "$1" <<<"$rows") <("$here/observations.sh" "$2" <<<"$rows")
