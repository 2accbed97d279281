#!/bin/bash
# run.sh - chapter 3 of Khetawat's dissertation, GPUDirect or HostCopy: run.sh [FOLDER]; the table is FOLDER/result.tsv
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
# shellcheck source=examples/gpudirect/common.sh
. "$here/common.sh"
mkdir -p "${1:-out}"
cd "${1:-out}"

parameters() {
	printf 'parameter (Table 3.1)\tvalue\n'
	sed -n 's/^  \([a-z-]*\): \([^{]*\)$/\1\t\2/p' "$here/../../share/profiles/tracer.yaml"
}

# one_way BYTES WAY: microseconds from a send to the end of its receive, which was posted before
one_way() {
	printf '##placetools=mpitrace/1\nrank\ttime_s\tend_s\top\tpeer\tbytes\trecv_bytes\ttag\trequest\n' >t.tsv
	printf '%s\n' "0 0 0 init . . . . ." "0 0.00001 0.00001 isend 1 $1 . 3 1" "0 0.00002 0.00003 wait . . . . 1" \
		"1 0 0 irecv 0 . $1 3 1" "1 0 0.00005 wait . . . . 1" | tr ' ' '\t' >>t.tsv
	printf '##placetools=jobs/1\njob\tnodes\tpattern\titerations\tnodelist\n1\t2\tmpitrace:path=t.tsv,gaps=records\t1\tn[0-1]\n' >job.tsv
	netsim --quiet -t @lassen --profile tracer -s receive-wait=0 --gpu "$2" --ranks ranks.tsv job.tsv -o out.tsv
	awk -F'\t' '$1 == 1 && $2 == 1 { printf "%.2f\n", 1e6 * $4 - 10 }' ranks.tsv
}

messages() {
	printf 'bytes (Figure 3.4)\tgpudirect, us\tauthor\thostcopy, us\tauthor\tratio\n'
	while read -r bytes direct host; do
		awk -v OFS='\t' -v bytes="$bytes" -v g="$(one_way "$bytes" gpudirect)" -v a="$direct" -v h="$(one_way "$bytes" hostcopy)" -v b="$host" \
			'BEGIN { print bytes, g, a, h, b, sprintf("%.2f", h / g) }'
	done <<-END
		8 5.55 20.95
		1024 5.55 21.20
		4096 6.10 21.90
		16384 7.10 23.90
		32768 8.40 26.50
		65536 11.05 31.65
		262144 26.85 61.20
		1048576 90.05 179.45
		4194304 342.80 652.40
		8388608 679.85 1283.05
	END
	# an empty message takes a whole packet in CODES, and its copy 20 us
	printf 'an empty message: gpudirect, us\thostcopy, us\n%s\t%s\n' "$(one_way 0 gpudirect)" "$(one_way 0 hostcopy)"
}

lulesh() {
	printf 'ranks (LULESH)\tmessages an iteration\tto 6960 B, %%\t.5 MB, %%\t1 MB, %%\n'
	for ranks in 8 27 64; do
		jobgen mpi:app=lulesh,ranks=$ranks,iterations=1 | awk -F'\t' -v OFS='\t' -v ranks=$ranks '
			$3 == "isend" { n++; if ($5 <= 6960) small++; else if ($5 < 6e5) half++; else large++ }
			END { print ranks, n, sprintf("%.1f", 100 * small / n), sprintf("%.1f", 100 * half / n), sprintf("%.1f", 100 * large / n) }'
	done
}

gains() {
	printf 'gain of GPUDirect, %% (Figure 3.6)\timbalance\tours\tstudy\n'
	while read -r app ranks study; do
		for imbalance in 0 .3; do
			host=$(comm_time "$app" "$ranks" 1 lassen leaf-round-robin 1 weak $imbalance hostcopy)
			direct=$(comm_time "$app" "$ranks" 1 lassen leaf-round-robin 1 weak $imbalance gpudirect)
			printf '%s, %d ranks\t%s\t%s\t%s\n' "$app" "$ranks" $imbalance "$(percent "$host" "$direct")" "$study"
		done
	done <<-END
		sw4lite 32 15.8-74.4
		amgx 32 16.2-17.6
		minisweep 32 0.1-7.9
		lulesh 27 0-3
	END
}

# sw4lite GPUS MAP BANDWIDTH WAY: its communication on 64 ranks
sw4lite() {
	comm_time sw4lite 64 "$1" lassen "$2" "$3" weak 0 "$4"
}

# increase GPUS MAP BANDWIDTH WAY: what it takes more than at one GPU a node, %
increase() {
	percent "$(sw4lite "$1" "$2" "$3" "$4")" "$(sw4lite 1 "$2" 1 "$4")"
}

nodes_of_gpus() {
	printf 'more communication than at 1 GPU a node, %% (observation 4)\tmap\thostcopy\tgpudirect\n'
	for map in in-order leaf-round-robin; do
		for gpus in 2 4 6; do
			printf 'sw4lite, 64 ranks, %d a node\t%s\t%s\t%s\n' $gpus $map "$(increase $gpus $map 1 hostcopy)" "$(increase $gpus $map 1 gpudirect)"
		done
	done
	printf 'with as much more bandwidth (Figure 3.8)\tmap\thostcopy\tgpudirect\n'
	for gpus in 2 4 6; do
		printf 'sw4lite, 64 ranks, %d a node\tleaf-round-robin\t%s\t%s\n' $gpus \
			"$(increase $gpus leaf-round-robin $gpus hostcopy)" "$(increase $gpus leaf-round-robin $gpus gpudirect)"
	done
}

# What must hold between printed numbers: speedup(6) = speedup(1) (1 + HC) / (1 + GD), with the increases of O4; and
# the increase of the execution over that of communication is the share of communication.
identities() {
	printf 'identity\tfrom the others\tprinted\n'
	awk -v OFS='\t' 'BEGIN {
		print "sw4lite, speed-up at 6 a node", sprintf("%.3f", 1.744 * 2.18 / 3.27), 1.158
		print "amgx, the same", sprintf("%.3f", 1.176 * 1.062 / 1.074), 1.162
		print "sw4lite, execution over communication, %", sprintf("%.1f", 9.1 / 23.9 * 100) ", " sprintf("%.1f", 50.4 / 118 * 100), "34.3-42.5 (Figure 3.5)"
		print "minisweep, the same, %", sprintf("%.1f", 36.9 / 47.6 * 100) ", " sprintf("%.1f", 169.7 / 222 * 100), "76.0-81.7"
	}'
	# the same of a simulated pair, exactly
	awk -v OFS='\t' -v a="$(sw4lite 1 leaf-round-robin 1 hostcopy)" -v b="$(sw4lite 6 leaf-round-robin 1 hostcopy)" \
		-v c="$(sw4lite 1 leaf-round-robin 1 gpudirect)" -v d="$(sw4lite 6 leaf-round-robin 1 gpudirect)" \
		'BEGIN { print "sw4lite, simulated", sprintf("%.9f", a / c * (b / a) / (d / c)), sprintf("%.9f", b / d) }'
}

claims() {
	awk -F'\t' '
		$1 ~ /^[0-9]+$/ && NF == 6 { ratio[++n] = $6; saving[n] = $4 - $2 }
		END {
			for (i = 3; i <= n; i++) { if (ratio[i] > ratio[i - 1]) up = 1; if (saving[i] < saving[i - 1]) down = 1 }
			print "O3: larger messages save more time:" (down ? " DOES NOT HOLD" : " holds"); print "O3: and less in proportion:" (up ? " DOES NOT HOLD" : " holds")
		}' result.tsv
}

{
	parameters
	messages
	lulesh
	gains
	nodes_of_gpus
	identities
} >result.tsv
claims
