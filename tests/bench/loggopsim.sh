#!/bin/bash
# loggopsim.sh - schedules in LogGOPSim and in netsim: picoseconds, each within 1 ns
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# L = 1 us, G = 1/(50 GB/s), o = g = 0: -L 50000 -o 0 -g 0 -G 1 -O 0 -S 100000000 in ticks of 20 ps
topogen 'fattree:down=16,up=1,bandwidth=50GB/s,latency=500ns' -o switch.yaml

# schedule NAME RANKS BYTES: as GOAL
schedule() {
	awk -v name="$1" -v p="$2" -v bytes="$3" '
		function put(op, size, word, peer, tag, after) {
			n++
			printf "l%d: %s %db %s %d tag %d\n", n, op, size, word, peer, tag
			if (after) printf "l%d requires l%d\n", n, after
		}
		BEGIN {
			printf "num_ranks %d\n", p
			for (r = 0; r < p; r++) {
				printf "rank %d {\n", r
				n = last = 0
				if (name == "incast" && r > 0) put("send", bytes, "to", 0, 0, 0)
				if (name == "incast" && r == 0) for (q = 1; q < p; q++) put("recv", bytes, "from", q, 0, 0)
				steps = name == "ring" ? 2 * (p - 1) : name == "pair" ? p - 1 : 0
				for (s = 1; s <= steps; s++) {
					far = name == "ring" ? 1 : s
					size = name == "ring" ? bytes / p : bytes
					put("send", size, "to", (r + far) % p, s, last)
					put("recv", size, "from", (r - far + p) % p, s, last)
					last = n
				}
				print "}"
			}
		}'
}

# replay RANKS <GOAL: picoseconds
replay() {
	traceconv --from goal:tick=20ps,calc=begun --to graph >x.graph
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\nj\t%d\tn[0-%d]\n' "$1" $(($1 - 1)) |
		netsim -t switch.yaml -p graph:path=x.graph -s packet=4096 -s header=0 -s input-buffer=4MiB -s eager=1GiB -s router-delay=0 |
		awk -F '\t' '/^##/ { next } !at { for (i = 1; i <= NF; i++) if ($i == "comm_time_s") at = i; next } { printf "%.0f\n", $at * 1e12 }'
}

echo 'schedule, ranks, bytes: ours, LogGOPSim (spcl/LogGOPSim @ 76451de1), ps'
while read -r name ranks bytes ticks; do
	if [[ $name == overlap ]]; then
		ours=$(replay "$ranks" <"$here/../formats/goal/overlap$ranks.goal")
	else
		ours=$(schedule "$name" "$ranks" "$bytes" | replay "$ranks")
	fi
	miss=$((ours - ticks * 20))
	[[ ${miss#-} -le 1000 ]] && verdict='within 1 ns' || verdict='MISSES 1 ns'
	printf '%s\t%d\t%d\t%d\t%d\t%s\n' "$name" "$ranks" "$bytes" "$ours" $((ticks * 20)) "$verdict"
done <<-END
	ring 2 65536 165534
	ring 4 65536 398298
	ring 8 65536 814674
	ring 8 8388608 15380050
	ring 16 262144 1991490
	ring 16 16777216 32957250
	pair 8 65536 808745
	incast 8 1000000 7049993
	overlap 2 1000 350000
	overlap 4 100000 350000
END
