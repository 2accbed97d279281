#!/bin/bash
# figures.sh - figures 2.3 to 2.8 of Khetawat's dissertation, as SVG, from the cells of a divisor
#
#   examples/burst-buffer/figures.sh FOLDER DIVISOR
#
# FOLDER is that of run.sh or study.sh. Figure 2.7 takes the first placement's operations, which are simulated again.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
cd "$1"
divisor=$2
# shellcheck source=examples/burst-buffer/cells.sh
. "$here/cells.sh"
command -v gnuplot >/dev/null || { echo "figures.sh: gnuplot is not installed" >&2; exit 2; }

rows() { grep -v '^##' "$@" | sed 1d; }
column() { # NAME FILE
	grep -v '^##' "$2" | awk -F'\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }'
}

# 2.3: which nodes of each leaf hold a burst buffer
: >fig2.3.txt
panel=0
for where in local grouped global; do
	list=$(sed -n 's/.*name: bb, nodes: "\([^"]*\)".*/\1/p' ft.$where.yaml)
	awk -v panel=$panel -v list="$list" 'BEGIN {
		gsub(/n\[?|\]/, "", list); n = split(list, run, ",")
		for (i = 1; i <= n; i++) { split(run[i], e, "-"); if (e[2] == "") e[2] = e[1]; for (k = e[1] + 0; k <= e[2] + 0; k++) has[k] = 1 }
		for (k = 0; k < 4860; k++) print panel, int(k / 18), k % 18, k in has }' >>fig2.3.txt
	panel=$((panel + 1))
done

# 2.4: who writes when, in the time of the text
make_traces "$divisor"
: >fig2.4.txt
panel=0
for app in gtc hacc lammps s3d; do
	rows "by$divisor/$app.io" | awk -F'\t' -v panel=$panel '$2 == "write" && NR % 7 == 0 { print panel, $3, $1 }' >>fig2.4.txt
	panel=$((panel + 1))
done

# 2.5: Konrad: IOR on 64 nodes of a dragonfly and four drives; beside it what the drives can do
: >fig2.5.txt
topogen dragonfly:groups=1,routers=16x2,nodes=4,bandwidth=8GB/s --io nodes:list='n[32,64,96,127]',name=bb,storage=@konrad >konrad.yaml
for ranks in 6 12 24 48 96 192; do
	jobgen io:app=ior,ranks=$ranks,bytes=16MiB -o konrad.io
	n=$(((ranks + 5) / 6))
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\nior\t%d\tn[0-%d]\n' $n $((n - 1)) |
		netsim --quiet -t konrad.yaml --profile "$profile" -p iotrace:path=konrad.io --ranks-per-node 6 -o konrad.tsv
	awk -v n=$ranks -v s="$(column io_phase_s konrad.tsv)" 'BEGIN { print n, n * 16 / s, 4 * .125 / (.125 / 1900 + 15e-6) }' >>fig2.5.txt
done

# 2.6 and 2.8: medians of placements
median() { sort -g | awk '{ x[NR] = $1 } END { print (NR ? x[int((NR + 1) / 2)] : "nan") }'; }
of_cells() { # NETWORK PLACE OVERHEAD APP OTHER COLUMN
	awk -F'\t' -v key="$divisor $1 $2 $3 $4 $5 $4" -v name="$6" '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$1 " " $2 " " $3 " " $4 " " $5 " " $6 " " $8 == key && $c[name] != "." { print $c[name] }' results.tsv | median
}
printf 'case gtc hacc lammps s3d\n' >fig2.6.txt
printf 'case %s\n' 'gtc gtc+ior hacc hacc+ior lammps lammps+ior s3d s3d+ior s3d+gtc' >fig2.8.txt
for net in $networks; do
	for where in grouped global; do
		printf '%s-%s' "$net" $where
		for app in gtc hacc lammps s3d; do printf ' %s' "$(of_cells "$net" $where no $app - io_hops)"; done
		echo
	done
done >>fig2.6.txt
for net in $networks; do
	for where in grouped global; do
		printf '%s-%s' "$net" $where
		for pair in 'gtc -' 'gtc ior' 'hacc -' 'hacc ior' 'lammps -' 'lammps ior' 's3d -' 's3d ior' 's3d gtc'; do
			# shellcheck disable=SC2086
			printf ' %s' "$(of_cells "$net" $where slow $pair io_phase_s)"
		done
		echo
	done
done >>fig2.8.txt

# 2.7: rank against time, one operation a line
for app in gtc hacc lammps s3d; do
	: >fig2.7-$app.txt
	panel=0
	for net in $networks; do
		for where in local grouped global; do
			echo 1 | simulate "$divisor" "$net" $where no $app -
			awk -F'\t' -v panel=$panel '
				/^##/ { next }
				!("rank" in c) { for (i = 1; i <= NF; i++) c[$i] = i; next }
				$c["rank"] % 16 == 1 { print panel, $c["start_s"], $c["rank"], $c["end_s"] - $c["start_s"] }' cell.ops >>fig2.7-$app.txt
			panel=$((panel + 1))
		done
	done
done
gnuplot -e "divisor=$divisor" "$here/figures.gp"
