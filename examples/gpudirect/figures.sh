#!/bin/bash
# figures.sh - Figures 3.4 to 3.8 of Khetawat's dissertation from results.tsv and run.sh's table, by gnuplot
#
#   examples/gpudirect/figures.sh FOLDER [RESULTS]
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
results=$(realpath "${2:-$here/results.tsv}")
mkdir -p "$1"
cd "$1"
# bytes, GPUDirect, author's, HostCopy, author's
awk -F'\t' '$1 ~ /^[0-9]+$/ && NF == 6 { print $1, $2, $3, $4, $5 }' "$here/expected.tsv" >fig3.4.txt
# rows of a code: its sizes; columns: communication's and computation's part, gains with 1, 2, 4, 6 GPUs a node
awk -F'\t' '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["machine"] != "lassen" || $at["map"] != "leaf-round-robin" || $at["imbalance"] != ".3" { next }
	{
		key = $at["app"] SUBSEP $at["ranks"] SUBSEP $at["gpus"] SUBSEP $at["bandwidth"] SUBSEP $at["scaling"] SUBSEP $at["way"]
		comm[key] = $at["comm_s"]; comp[key] = $at["compute_s"]
		if (!(($at["app"], $at["ranks"]) in seen)) { seen[$at["app"], $at["ranks"]] = 1; size[$at["app"], ++n[$at["app"]]] = $at["ranks"] }
	}
	function value(app, ranks, gpus, bandwidth, scaling, way) {
		return (app, ranks, gpus, bandwidth, scaling, way) in comm ? comm[app, ranks, gpus, bandwidth, scaling, way] : "nan"
	}
	function gain(app, ranks, gpus, scaling,   h, g) {
		h = value(app, ranks, gpus, 1, scaling, "hostcopy"); g = value(app, ranks, gpus, 1, scaling, "gpudirect")
		return h == "nan" || g == "nan" ? "nan" : 100 * (h / g - 1)
	}
	END {
		split("sw4lite amgx minisweep lulesh", codes, " ")
		split("1 2 4 6", types, " ")
		for (c = 1; c <= 4; c++) {
			app = codes[c]
			for (s = 1; s <= n[app]; s++) {
				ranks = size[app, s]
				h = value(app, ranks, 1, 1, "weak", "hostcopy")
				m = comp[app, ranks, 1, 1, "weak", "hostcopy"]
				if (h != "nan") print ranks, 100 * m / (m + h), 100 * h / (m + h) >("fig3.5-" app ".txt")
				for (k = 6; k <= 7; k++) {
					line = ranks
					for (g = 1; g <= 4; g++) line = line " " gain(app, ranks, types[g], k == 6 ? "weak" : "strong")
					print line >("fig3." k "-" app ".txt")
				}
			}
		}
		for (s = 1; s <= n["minisweep"]; s++)
			for (g = 1; g <= 4; g++) {
				ranks = size["minisweep", s]
				d = value("minisweep", ranks, types[g], types[g], "weak", "gpudirect")
				if (d != "nan") print "\"" ranks "/" types[g] "\"", comp["minisweep", ranks, types[g], types[g], "weak", "gpudirect"], d >"fig3.8.txt"
			}
	}' "$results"
gnuplot "$here/figures.gp"
