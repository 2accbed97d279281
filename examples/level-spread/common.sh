# common.sh - what the figures of the Level-Spread study share
# shellcheck shell=bash disable=SC2034 # what is set here is read by the figures
#
# A figure runs units (machine, bandwidth of the global links, jobs, policy) that are kept in
# $out/runs/NAME.tsv.gz: what is there already is not done again, so a study that was interrupted goes on
# where it was. JOBS of them run at a time (default: all processors). With SSHLOGIN=host1,host2,: they are
# spread over hosts by GNU parallel, which need the tools in PATH and the folder at the same place.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
policies='level-spread simple slurm rdg rdr rrr rdn rrn'
out=${1:-$(mktemp -d "${TMPDIR:-/tmp}/level-spread.XXXXXX")}
mkdir -p "$out/runs"
out=$(cd "$out" && pwd)
units=$(mktemp "$out/units.XXXXXX")
trap 'rm -f "$units"' EXIT

# unit NAME MACHINE GLOBAL POLICY SPEC: one command line, unless its result is there
unit() {
	[[ -s $out/runs/$1.tsv.gz ]] && return
	printf "jobgen -t '%s' '%s' | allocate -t '%s' -p %s | netsim -t '%s' --profile %s %s -s global-bandwidth=%sbit/s -o '%s'\n" \
		"$2" "$5" "$2" "$4" "$2" "${PROFILE:-sst}" "${ROUTING:+-r $ROUTING}" "$3" "$out/runs/$1.tsv.gz" >>"$units"
}
# All that were noted: in parallel.
run_units() {
	local n
	n=$(wc -l <"$units")
	if [[ $n -gt 0 && -n ${SSHLOGIN:-} ]]; then
		parallel --sshlogin "$SSHLOGIN" <"$units"
	elif [[ $n -gt 0 ]]; then
		tr '\n' '\0' <"$units" | xargs -0 -P "${JOBS:-$(nproc)}" -n 1 bash -o pipefail -c
	fi
	: >"$units"
}

# rows NAME…: columns that figures need of the jobs of units, one line a job:
# unit workload rep policy pattern size time
rows() {
	local name
	for name; do
		gzip -dc "$out/runs/$name.tsv.gz" | awk -F'\t' -v OFS='\t' -v name="$name" '
			/^##/ { next }
			!n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ print name, $at["workload"], $at["rep"], $at["policy"], $at["pattern"], $at["size"], $at["comm_time_s"] }'
	done
}
# means COLUMNS: reads rows; ratio of means over jobs and repetitions, key columns first
means() {
	awk -F'\t' -v OFS='\t' -v OFMT=%.12g -v columns="$1" '
		{ key = ""; n = split(columns, c, ","); for (i = 1; i <= n; i++) key = key (i > 1 ? OFS : "") $c[i]
			count[key]++; sum[key] += $7 }
		END { for (key in count) print key, sum[key] / count[key] }' | LC_ALL=C sort
}

# claim FIGURE TEXT PAPER OURS AGREES: one row of the table
claim() {
	printf '%s\t%s\t%s\t%s\t%s\n' "$@" >>"$out/claims.tsv"
}
