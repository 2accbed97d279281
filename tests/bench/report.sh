#!/bin/bash
# report.sh - the page of a night of 100 000 jobs on 10 000 nodes: seconds of CPU and bytes
#
#   tests/bench/report.sh [JOBS]
#
# First of the night alone, then with traffic and classes, then of the night as five policies would have
# placed it, with the replays.
# shellcheck disable=SC2016 # mlr's and awk's variables
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH=$PWD/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
njobs=${1:-100000}

topogen --no-provenance dragonfly:groups=25,routers=40,nodes=10 -o m.yaml # 10 000 nodes at 1 000 routers
jobgen -t m.yaml "lublin:jobs=$njobs" -o in.tsv
allocate -t m.yaml -q easy -p slurm in.tsv |
	mlr --tsv --pass-comments put '$class = NR % 10 == 0 ? "network-sensitive" : "network-insensitive"' >night.tsv
end=$(mlr --itsv --onidx --skip-comments stats1 -a max -f end_s night.tsv)
awk -v end="$end" 'BEGIN {
	print "##placetools=traffic/1"; print "time_s\twindow_s\trouter\ttraffic_flits_per_s"
	for (w = 1; w <= 144; w++) for (r = 0; r < 1000; r++)
		print int(w * end / 144) "\t" 600 "\tr" r "\t" (r * 37 + w * 11) % 97 * 1e4
}' >traffic.tsv
TIMEFORMAT="placereport, $njobs jobs on 10 000 nodes: %U s of CPU"
time placereport -t m.yaml -o plain.html night.tsv
TIMEFORMAT="with traffic and $((njobs / 10)) sensitive jobs: %U s of CPU"
time placereport -t m.yaml -o traffic.html night.tsv traffic.tsv
TIMEFORMAT="five policies replayed: %U s of CPU"
time {
	mlr --tsv --pass-comments cut -x -f policy,scheduler night.tsv >five.tsv
	for policy in slurm level-spread simple rdg fewer-router; do
		allocate --quiet -t m.yaml --replay=$policy five.tsv -o next.tsv
		mv next.tsv five.tsv
	done
}
TIMEFORMAT="the page of the night and the five policies: %U s of CPU"
time placereport -t m.yaml -o five.html five.tsv
echo "pages of $(wc -c <plain.html), $(wc -c <traffic.html) and $(wc -c <five.html) bytes"
