#!/bin/bash
# run.sh - chapter 4 of Khetawat's dissertation: run.sh [FOLDER [ORDERS]]; the table is FOLDER/result.tsv
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
mkdir -p "${1:-out}"
cd "${1:-out}"
orders=${2:-100}
policies='baseline greedy-up elastic elastic-dl best-fit aware online'

"$here/kernels.sh" >kernels.tsv
"$here/kernels.sh" overhead=yes >overhead.tsv
printf 'placetools: devices/1\ndevices:\n  - {name: cpu}\n  - {name: gpu}\n  - {name: fpga}\n' >instant.yaml

# rows APP:SIZE SET COUNTS [KERNELS]: that table of sharing, without its head
rows() {
	cosched --no-provenance -d @diss-node -k "${4:-kernels.tsv}" --share "$1" --on "$2" -S "$3" | sed '/^##/d; /^app/d'
}

# schedule POLICY JOBS [DEVICES [KERNELS [OPTION…]]]
schedule() {
	cosched --quiet -p "$1" -d "${3:-@diss-node}" -k "${4:-kernels.tsv}" "${@:5}" "$2"
}

sharing() {
	printf 'work sharing (§4.5.1)\tdevices\tslices\tours\tpaper\n'
	while read -r kernel set paper; do
		rows "$kernel" "$set" 16:1024:x4 | awk -F'\t' -v OFS='\t' -v paper="$paper" '{ print $1, $3, $4, sprintf("%.3f", $6), paper }'
	done <<-END
		mandelbrot:4096 gpu+fpga 1.308
		mandelbrot:4096 cpu+gpu+fpga 2.26
		gemm:8192 gpu+fpga 1.386
		spmv:29 cpu+gpu 1.236
		xsbench:32M cpu+gpu 1.3
	END
	# With a CPU 80 times slower: worse than the GPU alone until slices are fine.
	rows gemm:4096 cpu+gpu+fpga 16,64,256,1024,1914 | awk -F'\t' -v OFS='\t' '{ print $1, $3, $4, sprintf("%.3f", $6), "." }'
	printf 'cost of slices (Figure 4.5)\tsize\tslices\tours\tpaper\n'
	for size in 4096 8192 16384; do
		rows gemm:$size gpu 1,16,64,256,1024 overhead.tsv | awk -F'\t' -v OFS='\t' '
			NR == 1 { one = $5 }
			{ print $1, $2, $4, sprintf("%.2f %%", 100 * ($5 / one - 1)), $2 == 4096 && $4 == 256 ? "5.6 %" : $4 == 256 ? "~0" : "." }'
	done
}

co_scheduling() {
	printf 'speed-up over baseline (§4.5.2)\tpolicy\tmedian\tp10\tp90\n'
	for w in 1 2 3 4; do
		for policy in $policies; do schedule "$policy" w$w.tsv; done | awk -F'\t' -v workload=$w -f "$here/orders.awk"
	done
	printf 'makespan over the bound\tpolicy\tmedian\tp10\tp90\n'
	for w in 1 2 3 4; do
		for policy in $policies; do
			schedule "$policy" w$w.tsv >placed.tsv
			evalmetrics -m schedule --baseline bound$w.tsv placed.tsv
		done | awk -F'\t' -v workload=$w -f "$here/quantiles.awk"
	done
}

# Makespans against the baseline's, order by order: mean difference in seconds, 95 % interval, Wilcoxon's test.
pairs() {
	printf 'paired with the baseline\tpolicy\tdifference (s)\t95 %% interval\tp\n'
	for w in 1 2 3 4; do
		for policy in $policies; do schedule "$policy" w$w.tsv >"placed-$policy.tsv"; done
		traceconv --to jobs placed-*.tsv | evalmetrics -m schedule --baseline policy=baseline --paired --ci 0.95 | awk -F'\t' -v w=$w '
			/^##/ { next }
			$1 == "policy" { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["metric"] == "makespan_s" {
				p = $at["p_wilcoxon"]
				printf "W%d\t%s\t%.1f\t%.1f to %.1f\t%s\n", w, $at["policy"], $at["value"], $at["ci_low"], $at["ci_high"], p < 0.001 ? "< .001" : sprintf("%.3f", p)
			}'
	done
}

# The best of 1 200 draws of search.sh, on orders that it has not seen.
best_draw() {
	printf 'the same, parameters of the best draw\tpolicy\tmedian\tp10\tp90\n'
	"$here/kernels.sh" mandelbrot=6.48 gemm=9.98 spmv=1.3 xsbench=15.2 grow=3.13 slices=128 init=0.219 fpga=17.3 >best.tsv
	for w in 1 2 3 4; do
		jobgen --seed 2 "cosched:w=$w,runs=$orders" >fresh.tsv
		for policy in $policies; do schedule "$policy" fresh.tsv @diss-node best.tsv; done | awk -F'\t' -v workload=$w -f "$here/orders.awk"
	done
}

# What the text of §4.5.2 says: in how many orders it holds.
sentences() {
	printf 'sentences of §4.5.2\tworkload\tpolicy\torders\tvalue\n'
	for w in 1 2 3; do
		for policy in elastic elastic-dl; do
			{ schedule baseline w$w.tsv && schedule "$policy" w$w.tsv; } | awk -F'\t' -v w=$w -f "$here/favours.awk"
		done
	done
	for policy in greedy-up elastic; do schedule "$policy" w3.tsv @diss-node kernels.tsv --timeline "$policy.tsv" >/dev/null; done
	awk -F'\t' -v what='greedy-up leaves the FPGA idle longer than elastic' -v w=3 -v device=fpga -f "$here/idle.awk" \
		<(evalmetrics -m device-idle greedy-up.tsv) <(evalmetrics -m device-idle elastic.tsv)
	schedule greedy-up w1.tsv @diss-node kernels.tsv --timeline greedy-up.tsv | awk -F'\t' -v w=1 -f "$here/reserved.awk" - greedy-up.tsv
	# Counterfactuals: switching that costs nothing; slices 16 times as coarse, initialisation 10 times as long.
	for policy in elastic elastic-dl; do
		{ schedule baseline w2.tsv instant.yaml && schedule "$policy" w2.tsv instant.yaml; } |
			awk -F'\t' -v w=2 -v what='at no cost of switching' -v paper=. -f "$here/median.awk"
	done
	"$here/kernels.sh" slices=16 >coarse.tsv
	"$here/kernels.sh" init=10 >slow.tsv
	for kernels in kernels coarse slow; do
		{ schedule baseline w4.tsv @diss-node $kernels.tsv && schedule elastic-dl w4.tsv @diss-node $kernels.tsv; } |
			awk -F'\t' -v w=4 -v what="$kernels" -f "$here/median.awk"
	done
}

for w in 1 2 3 4; do
	jobgen "cosched:w=$w,runs=$orders" >w$w.tsv
	schedule baseline w$w.tsv @diss-node kernels.tsv --bound bound$w.tsv >/dev/null
done
{
	sharing
	co_scheduling
	pairs
	best_draw
	sentences
} >result.tsv
"$here/figures.sh" .
cat result.tsv
