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
	echo "-- two halves, one SLOW=${SLOW:-1} times slower: T by cosched from single runs, and measured (medians of ${REPEATS:-20})"
	echo "   in CPU time, so that other work on the machine does not count: two busy devices take 2 T;"
	echo "   without what the process does else: a run of few work items, and the filling of buffers (plan)"
	echo "   (SLOW=1.57 spins by the device's clock, which runs on when a busy machine takes the CPU away: quiet machines only)"
	sed "s/name: b,/name: b, slow: ${SLOW:-1},/" "$root/tests/live/halves.yaml" >slow.yaml
	# cpu_of SET SIZE…: CPU time of the slices on a set
	cpu_of() {
		local set=$1
		shift
		for ((i = 0; i < ${REPEATS:-20}; i++)); do
			echo "$(cpu clslice --quiet -d slow.yaml -u "$set" -S 64 "$@" "$root/share/kernels/$kernel.yaml")" \
				"$(cpu clslice --quiet -d slow.yaml -u "$set" -S 64 "${few[@]}" "$root/share/kernels/$kernel.yaml")" \
				"$(cpu clslice plan "$@" "$root/share/kernels/$kernel.yaml")" \
				"$(cpu clslice plan "${few[@]}" "$root/share/kernels/$kernel.yaml")"
		done | awk '{ print $1 - $2 - $3 + $4 }' | median
	}
	while read -r kernel much little; do
		read -ra much <<<"${much//,/ -s }"
		read -ra few <<<"${little//,/ -s }"
		much=(-s "${much[@]}") few=(-s "${few[@]}")
		a=$(cpu_of a "${much[@]}") b=$(cpu_of b "${much[@]}") both=$(cpu_of a+b "${much[@]}")
		{
			printf '##placetools=kernels/1\napp\tsize\tdevice\ttime_s\tslices\n'
			printf '%s\t1\ta\t%s\t64\n%s\t1\tb\t%s\t64\n' "$kernel" "$a" "$kernel" "$b"
		} >alone.tsv
		computed=$(cosched --quiet --partial -d slow.yaml -k alone.tsv --share "$kernel:1" --on a+b | grep -v '^##' |
			awk -F'\t' '!n++ { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["time_s"]; exit }')
		awk -v k="$kernel" -v a="$a" -v b="$b" -v both="$both" -v c="$computed" \
			'BEGIN { printf "%s\ta %.2f s, b %.2f s\tT computed %.3f s, measured %.3f s\t%+.1f %%\n", k, a, b, c, both / 2, 100 * (both / 2 / c - 1) }'
	done <<-'END'
		mandelbrot width=1536,height=1536 width=16,height=64
		gemm n=640 n=64
		spmv rows=1500000 rows=640
		xsbench lookups=400000 lookups=640
	END
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
