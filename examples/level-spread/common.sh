# common.sh - what the figures of the Level-Spread study share
# shellcheck shell=bash disable=SC2034 # what is set here is read by the figures
#
# A figure runs units (machine, bandwidth of the global links, jobs, policy) that are kept in
# $out/runs/NAME.tsv.gz: what is there already is not done again, so a study that was interrupted goes on
# where it was. JOBS of them run at a time (default: all processors). With SSHLOGIN=host1,host2,: they are
# spread over hosts by GNU parallel, which need the tools in PATH and the folder at the same place.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v jobgen >/dev/null || PATH=$(cd "$here/../../bin" && pwd):$PATH
policies='level-spread simple slurm rdg rdr rrr rdn rrn'
out=${1:-$(mktemp -d "${TMPDIR:-/tmp}/level-spread.XXXXXX")}
mkdir -p "$out/runs"
out=$(cd "$out" && pwd)
units=$(mktemp "$out/units.XXXXXX")
trap 'rm -f "$units"' EXIT

# A variant's TAG as a part of a file's name: +70_% of "70 %".
suffix=${TAG:++${TAG//[ ,]/_}}
label=${TAG:+ ($TAG)}

# unit NAME MACHINE GLOBAL POLICY SPEC: one command line, unless its result is there
unit() {
	[[ -s $out/runs/$1.tsv.gz ]] && return
	printf "jobgen -t '%s' '%s' | allocate -t '%s' -p %s | netsim -t '%s' --profile %s %s %s -s global-bandwidth=%sbit/s -o '%s'\n" \
		"$2" "$5" "$2" "$4" "$2" "${PROFILE:-sst}" "${ROUTING:+-r $ROUTING}" "${SETTING:+-s $SETTING}" "$3" "$out/runs/$1.tsv.gz" >>"$units"
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

# order_kept A B: two tables of "size ratio pattern policy time relative". Of the pairs of policies more than 5 %
# apart in A, how many are in B in the same order or within 5 %: KEPT of PAIRS. What only one of them has is left
# out, and so is the size when A and B have one each (jobs of 64 nodes beside jobs of a quarter).
order_kept() {
	awk -F'\t' '
		FNR == 1 { file++ }
		{ time[file, $1, $2, $3, $4] = $5; sizes[file, $1]; if (!((file, $1) in seen)) { seen[file, $1]; n[file]++; one[file] = $1 }
			group[file, $1 SUBSEP $2 SUBSEP $3]; if (file == 1) groups[$1 SUBSEP $2 SUBSEP $3]; policy[$4] }
		END { for (g in groups) { h = g
				if (n[1] == 1 && n[2] == 1) h = one[2] substr(g, index(g, SUBSEP))
				if (!((2, h) in group)) continue
				for (p in policy) for (q in policy) {
					if (!((1, g, p) in time && (1, g, q) in time && (2, h, p) in time && (2, h, q) in time)) continue
					if (time[1, g, p] * 1.05 >= time[1, g, q]) continue
					pairs++
					if (time[2, h, p] < time[2, h, q] * 1.05) kept++
				} }
			printf "%d of %d\n", kept, pairs }' "$1" "$2"
}
# claim_order FIGURE TEXT A B: that the policies keep their order, 98 of 100 pairs at least
claim_order() {
	local kept
	kept=$(order_kept "$3" "$4")
	claim "$1" "$2: pairs of policies more than 5 % apart that keep their order" 'the same' "$kept" \
		"$(verdict 'b > 0 && a >= .98 * b' 'b > 0 && a >= .8 * b' "$kept")" '98 %; trend: 80 %'
}

# verdict SAME TREND NUMBERS…: what comes out beside what the paper says. SAME and TREND are conditions of the numbers a,
# b, c, d (% and what else surrounds them is cut): same, trend (the paper's direction, not its size), or differs.
verdict() {
	printf '%s\n' "${*:3}" | tr -c '0-9.e\n-' ' ' | awk "{ a = \$1; b = \$2; c = \$3; d = \$4; print (($1) ? \"same\" : ($2) ? \"trend\" : \"differs\") }"
}
# claim FIGURE TEXT PAPER OURS VERDICT BOUND: one row of the table; BOUND: what counts as the same
claim() {
	local on=${machine:-@level-spread-272}
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "${on#@}" "${@:2}" >>"$out/claims.tsv"
}
