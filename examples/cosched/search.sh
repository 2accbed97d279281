#!/bin/bash
# search.sh - what twenty free parameters explain: search.sh DRAWS ORDERS FOLDER
#
# Draws kernels at random, simulates workloads 1 to 4, and prints each draw's RMS log error over the dissertation's twelve
# speed-ups (medians over the orders), its patterns, and its parameters; the best one last. A constant of 1.10 scores 0.071.
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$3"
cd "$3"
for w in 1 2 3 4; do jobgen "cosched:w=$w,runs=$2" >w$w.tsv; done
for ((draw = 1; draw <= $1; draw++)); do
	parameters=$(awk -v seed="$draw" 'BEGIN {
		srand(seed); rand()
		split("mandelbrot gemm spmv xsbench", app, " ")
		for (i = 1; i <= 4; i++) printf "%s=%.3g ", app[i], exp(log(1) + rand() * log(20))
		printf "grow=%.3g slices=%d init=%.3g fpga=%.3g\n", 1.5 + 2.5 * rand(), 2 ^ int(5 + 6 * rand()), exp((rand() - 0.5) * 4), 10 + 30 * rand()
	}')
	# shellcheck disable=SC2086 # words
	"$here/kernels.sh" $parameters >k.tsv
	for w in 1 2 3 4; do
		for policy in baseline greedy-up elastic elastic-dl; do
			cosched --quiet -d @diss-node -k k.tsv -p $policy w$w.tsv
		done | awk -F'\t' -v workload=$w -f "$here/orders.awk"
	done | awk -F'\t' -v parameters="$parameters" '
		BEGIN {
			split("1.225 1.091 1.051 1.085 1.08 1.023 1.066 1.198 1.167 0.986 1.142 1.249", target, " ")
			OFS = "\t"
		}
		$2 == "pattern" { patterns = patterns OFS $3; next }
		$3 ~ /^[0-9.]+$/ && $2 !~ /^ties/ { error += (log($3) - log(target[++n])) ^ 2 }
		END { printf "%.4f%s\t%s\n", sqrt(error / n), patterns, parameters }'
done | sort -rg
