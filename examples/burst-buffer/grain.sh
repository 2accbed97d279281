#!/bin/bash
# grain.sh - what the size of a packet does: GTC with 1 MiB for each rank, all at once, and a halo of 512 nodes beside it
#
#   examples/burst-buffer/grain.sh [FOLDER [BYTES]]
#
# On each network, with packets of 4 KiB (the finest), 16 KiB (the profile bb) and 128 KiB (a stripe): GTC's phase alone
# and the links on its packets' path, and how much longer the halo takes beside it. The table is FOLDER/grain.tsv.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
mkdir -p "${1:-out}"
cd "${1:-out}"
# shellcheck source=examples/burst-buffer/cells.sh
. "$here/cells.sh"

of() { # JOB COLUMN
	grep -v '^##' grain.jobs | awk -F'\t' -v job="$1" -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["job"] == job { print $c[name] }'
}
# run CASE PACKET BUFFER <JOBS
run() { netsim --quiet -t "$1.yaml" --profile "$profile" -s packet="$2" -s input-buffer="$3" -o grain.jobs; }
# place CASE TRACE ITERATIONS: both jobs, on the same nodes whatever they do; a halo of no iterations is not there
place() {
	{
		printf '##placetools=jobs/1\njob\tnodes\tranks_per_node\tpattern\tbytes\titerations\n'
		printf 'gtc\t1280\t6\tiotrace:path=%s,idle\t.\t1\nhalo\t512\t1\thalo2d\t65536\t%s\n' "$2" "$3"
	} | allocate --quiet -t "$1.yaml" -p fragment:mean="$mean"
}

make_machines
jobgen io:app=gtc,bytes="${2:-1MiB}",at=0,jitter=0 -o gtc.io
printf '##placetools=iotrace/1\n##ranks=7680\nrank\top\tstart_s\tbytes\tfile\n' >nothing.io
{
	printf 'network\tbuffers\tpacket\tinput buffer\tphase, s\tby 4 KiB\tlinks\thalo, slowdown\n'
	for net in $networks; do
		for where in grouped global; do
			case="$net.$where" iterations=''
			while read -r packet buffer; do
				place "$case" gtc.io 1 | grep -v '^halo' | run "$case" "$packet" "$buffer"
				phase=$(of gtc io_phase_s) hops=$(of gtc io_hops_mean)
				if [ -z "$iterations" ]; then # as many as the phase has time for
					finest=$phase
					place "$case" nothing.io 4 | run "$case" "$packet" "$buffer"
					iterations=$(awk -v a="$phase" -v b="$(of halo comm_time_s)" 'BEGIN { n = int(4 * a / b); print (n < 4 ? 4 : n) }')
				fi
				place "$case" nothing.io "$iterations" | run "$case" "$packet" "$buffer"
				alone=$(of halo comm_time_s)
				place "$case" gtc.io "$iterations" | run "$case" "$packet" "$buffer"
				awk -v OFS='\t' -v net="$net" -v where=$where -v packet="$packet" -v buffer="$buffer" -v phase="$phase" -v finest="$finest" -v hops="$hops" \
					-v alone="$alone" -v both="$(of halo comm_time_s)" 'BEGIN {
					print net, where, packet, buffer, sprintf("%.6f", phase), sprintf("%.3f", phase / finest), sprintf("%.2f", hops), sprintf("%.3f", both / alone) }'
			done <<-END
				4KiB 64KiB
				16KiB 128KiB
				128KiB 512KiB
			END
		done
	done
} >grain.tsv
cat grain.tsv
