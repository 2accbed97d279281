#!/bin/bash
# clslice.sh - what slices cost on the first OpenCL device; what the library costs; live jobs beside their simulation
set -eu -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${PLACETOOLS_BUILD:-$root/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

echo "-- the machinery (CPU time)"
"$build/tests/tools/live_bench"

# cpu COMMAND…: its processor time, in seconds
cpu() {
	/usr/bin/time -o time -f '%U %S' "$@" >/dev/null
	awk '{ printf "%.2f\n", $1 + $2 }' time
}
median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

if clslice -S 1 -o /dev/null "$root/share/examples-data/square.yaml" 2>/dev/null; then
	echo "-- GEMM on the first device: CPU time of the process, its start and the compiler included, by the number of slices"
	echo "   (Khetawat, Figure 4.5: +5.6 % at 256 slices for 4096, nothing for larger ones)"
	for n in 128 256 512; do
		for slices in 1 16 256 1024; do
			s=$(for _ in 1 2 3 4 5; do cpu clslice --quiet --deal forward -S $slices -s n=$n "$root/share/kernels/gemm.yaml"; done | median)
			printf 'gemm %d\t%d slices\t%s s\n' $n $slices "$s"
		done
	done
	echo "-- two halves, one 1.57 times slower: T by cosched from single runs, and measured (median of 20; a quiet machine only)"
	sed 's/name: b,/name: b, slow: 1.57,/' "$root/tests/live/halves.yaml" >slow.yaml
	for kernel in mandelbrot gemm spmv xsbench; do
		for _ in {1..20}; do
			clslice profile -d slow.yaml -S 64 "$root/share/kernels/$kernel.yaml" 2>/dev/null >s.tsv || continue
			traceconv --from slices --to kernels s.tsv >k.tsv
			measured=$(grep -v '^##' k.tsv | awk -F'\t' '$3 == "a+b" { print $4 }')
			grep -v '	a+b	' k.tsv >alone.tsv
			size=$(grep -v '^##' k.tsv | awk -F'\t' 'NR == 2 { print $2 }')
			computed=$(cosched --no-provenance -d slow.yaml -k alone.tsv --share "$kernel:$size" --on a+b | grep -v '^##' |
				awk -F'\t' '!n++ { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["time_s"]; exit }')
			awk -v m="$measured" -v c="$computed" 'BEGIN { print m / c }'
		done | median | sed "s/^/$kernel measured over computed\t/"
	done
fi

echo "-- W1 to W4 of the dissertation, live at 1/50, over cosched's makespan"
"$root/examples/cosched/kernels.sh" >kernels.tsv
# makespan of a jobs stream
makespan() { grep -v '^##' | awk -F'\t' '!n++ { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["end_s"] > last { last = $at["end_s"] } END { print last }'; }
for w in 1 2 3 4; do
	jobgen cosched:w=$w,runs=1 >w.tsv
	for policy in greedy-up elastic elastic-dl; do
		live=$(clslice --quiet jobs -d @diss-node -k kernels.tsv -p $policy --scale .02 w.tsv | makespan)
		model=$(cosched --quiet -d @diss-node -k kernels.tsv -p $policy w.tsv | makespan)
		awk -v w=$w -v policy=$policy -v live="$live" -v model="$model" \
			'BEGIN { printf "w%d\t%s\tlive %.2f s\tcosched %.2f s\t%+.1f %%\n", w, policy, live, model, 100 * (live / model - 1) }'
	done
done
