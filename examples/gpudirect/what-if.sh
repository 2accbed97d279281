#!/bin/bash
# what-if.sh - the questions of README's "Your own code", asked of one trace
#
#   examples/gpudirect/what-if.sh ARCHIVE GPUS [LOOP [FOLDER]]
#
# ARCHIVE is an OTF2 archive or an mpitrace stream, GPUS the GPUs of a node (1, 2, 4 or 6), LOOP the user region that is
# measured. Ranks go to nodes in blocks, and as mapref puts them by what they send.
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
usage="what-if.sh: expected ARCHIVE GPUS [LOOP [FOLDER]], as in: what-if.sh scorep-run/traces.otf2 6 solve"
[[ $# -ge 2 && $# -le 4 && $2 =~ ^[1246]$ ]] || { echo "$usage; GPUS is 1, 2, 4 or 6" >&2 && exit 2; }
[[ -r $1 ]] || { echo "what-if.sh: $1 cannot be read; expected traces.otf2 of an archive, or an mpitrace stream" >&2 && exit 2; }
archive=$(realpath "$1") gpus=$2 loop=${3:-}
mkdir -p "${4:-what-if}"
cd "${4:-what-if}"

if [[ $archive == *.otf2 ]]; then
	traceconv --quiet --from otf2:regions=all --to mpitrace "$archive" -o code.tsv
else
	traceconv --quiet --from mpitrace --to mpitrace "$archive" -o code.tsv
fi
# how many ranks and which regions there are, and where buffers are
ranks=$(awk -F'\t' -v loop="$loop" '
	/^##/ { next }
	!found++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["rank"] > last { last = $at["rank"] }
	$at["op"] == "enter" { if (!regions[$at["region"]]++) list = list " " $at["region"]; next }
	$at["bytes"] != "." || $at["recv_bytes"] != "." {
		n[$at["send_location"] == "gpu" || $at["recv_location"] == "gpu" ? "gpu" : $at["send_location"] == "host" || $at["recv_location"] == "host" ? "host" : "unknown"]++
	}
	END {
		printf "what-if.sh: buffers of %d calls are on GPUs, of %d on the host, of %d not known\n", n["gpu"], n["host"], n["unknown"] >"/dev/stderr"
		print last + 1
		if (loop == "" || loop in regions) exit 0
		printf "what-if.sh: the trace has no region %s; expected one of:%s\n", loop, list >"/dev/stderr"
		exit 2
	}' code.tsv)
traceconv --quiet --from mpitrace --to comm code.tsv -o graph.tsv
nodes=$(((ranks + gpus - 1) / gpus))
printf '##placetools=jobs/1\njob\tnodes\tranks_per_node\tpattern\titerations\tnodelist\n1\t%d\t%d\tmpitrace:path=code.tsv,gaps=records%s\t1\tn[0-%d]\n' \
	$nodes "$gpus" "${loop:+,loop=$loop}" $((nodes - 1)) >job.tsv
for map in in-order ptram; do
	mapref --quiet -t "@lassen-$gpus" -g graph.tsv -p $map --hosts "n[0-$((nodes - 1))]" --ranks-per-node "$gpus" -o $map.map
	for way in hostcopy gpudirect trace; do
		netsim --quiet -t "@lassen-$gpus" --profile tracer --gpu $way --mapping $map.map --ranks $map.$way.ranks job.tsv -o $map.$way.jobs
	done
done
printf 'map\tway\tcommunication, s\tspeed-up of it\tspeed-up of all\troofline, s\tof it\tbinds\n'
for map in in-order ptram; do
	for way in hostcopy gpudirect trace; do
		evalmetrics -m comm-time --by gpu $map.$way.ranks >time.tsv
		cat time.tsv >values.tsv
		evalmetrics -m roofline $map.$way.ranks >>values.tsv
		[[ $way == hostcopy ]] || evalmetrics -m gpu-speedup $map.hostcopy.ranks $map.$way.ranks >>values.tsv
		awk -F'\t' -v OFS='\t' -v map=$map -v way=$way '
			/^##/ { next }
			{ for (i = 1; i < NF; i++) if ($i == "metric") { for (k = 1; k <= NF; k++) at[$k] = k; next } }
			{ value[$at["metric"]] = $at["value"]; if ($at["metric"] == "roofline") binds = $at["note"] }
			END {
				print map, way, sprintf("%.6f", value["comm-time"]), way == "hostcopy" ? "." : sprintf("%.3f", value["gpu-speedup"]), \
					way == "hostcopy" ? "." : sprintf("%.3f", value["gpu-speedup-run"]), sprintf("%.6f", value["roofline"]), \
					sprintf("%.3f", value["roofline-fraction"]), binds
			}' values.tsv
	done
done
