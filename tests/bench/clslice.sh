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
	echo "-- what a slice costs in the runtime: an empty kernel of one group a slice (CPU time of the process)"
	echo '__kernel void k(__global int *out) { out[get_global_id(0)] = 1; }' >empty.cl
	printf '%s\n' 'placetools: kernel/1' 'program: {source: empty.cl}' 'kernel: k' 'global: [16384]' 'local: [1]' \
		'arguments: [{name: out, buffer: out, count: 16384, merge: rows}]' >empty.yaml
	one=$(for _ in 1 2 3 4 5; do cpu clslice --quiet -S 64 empty.yaml; done | median)
	all=$(for _ in 1 2 3 4 5; do cpu clslice --quiet -S 16384 empty.yaml; done | median)
	awk -v one="$one" -v all="$all" 'BEGIN { printf "enqueue, run, wait, times of a slice\t%.1f\tus\n", (all - one) / (16384 - 64) * 1e6 }'

	# The lowest real-time priority, where that is allowed: other work on the machine hardly counts. Else
	# processor time, which slow devices falsify: they spin by the clock, and wait for one another.
	how=() clock=--cpu-time
	if chrt -f 1 true 2>/dev/null; then how=(chrt -f 1) clock=; fi
	echo "-- two halves, one SLOW times slower: T by cosched from profiles of each alone, copies included, and measured"
	echo "   (medians of ${REPEATS:-20}; ${clock:-time at real-time priority}; slices of each, and as many as the rates say)"
	for slow in ${SLOW:-1 1.57}; do
		sed "s/name: b,/name: b, slow: $slow,/" "$root/tests/live/halves.yaml" >slow.yaml
		while read -r kernel size; do
			read -ra size <<<"-s ${size//,/ -s }"
			for ((i = 0; i < ${REPEATS:-20}; i++)); do
				"${how[@]}" clslice profile --quiet $clock -d slow.yaml -S 64 "${size[@]}" "$root/share/kernels/$kernel.yaml" >slices.tsv
				traceconv --quiet --from slices --to kernels slices.tsv >all.tsv
				grep -v '	a+b	' all.tsv >alone.tsv
				name=$(grep -v '^##' alone.tsv | sed -n 2p | cut -f 2)
				computed=$(cosched --quiet --partial -d slow.yaml -k alone.tsv --share "$kernel:$name" --on a+b | grep -v '^##' |
					awk -F'\t' '!n++ { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["time_s"]; exit }')
				echo "$computed" "$(grep '	a+b	' all.tsv | cut -f 4)" "$(awk '$1 == "a+b" && $3 == "a"' slices.tsv | wc -l)" \
					"$(awk '$3 == "a" { a = $4 } $3 == "b" { b = $4 } END { print 64 * b / (a + b) }' alone.tsv)"
			done | awk '{ print $1, $2, 100 * ($2 / $1 - 1), $3, $4 }' | sort -g -k 3 | awk -v k="$kernel" -v slow="$slow" '
				{ c[NR] = $1; m[NR] = $2; d[NR] = $3; n += $4; r += $5 }
				END {
					h = int((NR + 1) / 2)
					printf "%s\tslow %s\tT computed %.3f s, measured %.3f s\t%+.1f %% (%+.1f to %+.1f)", k, slow, c[h], m[h], d[h], d[1], d[NR]
					printf "\ta has %.1f of 64 slices, %.1f by its rate\n", n / NR, r / NR
				}'
		done <<-'END'
			mandelbrot width=1536,height=1536
			gemm n=640
			spmv rows=1500000
			xsbench lookups=400000
		END
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
