#!/bin/bash
# figures.sh - Figures 4.5 and 4.7 to 4.13 of Khetawat's dissertation, of the first order, in the folder of run.sh's result
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
cd "$1"

awk -F'\t' '/^cost of slices/ { on = 1; next } /^speed-up/ { exit } on { print $2, $3, $4 + 0 }' result.tsv >fig4.5.txt
# Figure 4.7: time by sets, over the GPU's
for kernel in mandelbrot:2048 mandelbrot:16384 gemm:4096 gemm:22400 spmv:28 spmv:31 xsbench:16M xsbench:64M; do
	cosched --no-provenance -d @diss-node -k kernels.tsv --share $kernel | sed '/^##/d; /^app/d'
done | awk -F'\t' '
	{ key = $1 " " $2; if (!(key in seen)) { seen[key] = 1; keys[++n] = key } time[key, $3] = $5; sets[$3] = 1 }
	END {
		nsets = split("cpu gpu fpga cpu+gpu cpu+fpga gpu+fpga cpu+gpu+fpga", set, " ")
		printf "kernel"
		for (s = 1; s <= nsets; s++) printf " %s", set[s]
		print ""
		for (k = 1; k <= n; k++) {
			printf "\"%s\"", keys[k]
			for (s = 1; s <= nsets; s++) {
				ratio = (keys[k], set[s]) in time ? time[keys[k], set[s]] / time[keys[k], "gpu"] : -1
				printf " %s", (ratio < 0 || ratio > 4 ? "nan" : ratio)
			}
			print ""
		}
	}' >fig4.7.txt
: >fig4.13.txt
for w in 1 2 3 4; do
	: >timeline$w.txt
	panel=0
	for policy in baseline greedy-up elastic elastic-dl; do
		awk -F'\t' '/^##/ || $1 == "run" || $1 == 1' w$w.tsv |
			cosched --quiet -d @diss-node -k kernels.tsv -p $policy --timeline t.tsv >jobs.tsv
		# "PANEL DEVICE START END APP(1-4) STATE": what a device did
		awk -F'\t' -v panel=$panel '
			/^##/ { next }
			$1 == "run" { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
			FNR == NR { app[$at["job"]] = $at["app"]; next }
			{
				d = index("cpu gpu fpga", $at["device"]) == 1 ? 1 : $at["device"] == "gpu" ? 2 : 3
				a = index("mgsx", substr(app[$at["job"]], 1, 1))
				print panel, d, $at["start_s"], $at["end_s"], a, $at["state"]
			}' jobs.tsv t.tsv >>timeline$w.txt
		awk -F'\t' -v policy=$policy '
			/^##/ { next }
			$1 == "run" { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ print policy, $at["job"], $at["end_s"] - $at["submit_s"] }' jobs.tsv
		awk -F'\t' -v w=$w -v policy=$policy '
			/^##/ { next }
			$1 == "run" { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["end_s"] + 0 > end { end = $at["end_s"] + 0 }
			END { print "W" w, policy, end }' jobs.tsv >>fig4.13.txt
		panel=$((panel + 1))
	done >turnaround$w.txt
done
gnuplot "$here/figures.gp"
