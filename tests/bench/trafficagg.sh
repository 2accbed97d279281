#!/bin/bash
# trafficagg.sh - counters of 12 000 nodes summed per router: trafficagg beside mawk, gawk and Miller
#
# tests/bench/trafficagg.sh [GB]: makes so much LDMS CSV (1 unless given; 8.8 are 120 s at 1 Hz) in
# $TMPDIR, as the four files of a real store: a row of each node every second, 396 counters wide,
# each NIC and tile reported by two nodes. awk and Miller do the core of it: first and last (least and
# greatest) value of each counter that is needed, per router. They get the first seconds of each file, and their time
# is scaled by bytes.
set -eu
export LC_ALL=C
gigabytes=${1:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
machine=dragonfly:groups=32,routers=96,nodes=4,links=2 # 12 288 nodes on 3 072 routers
routers=3072

cat >jobs.tsv <<'EOF'
##placetools=jobs/1
job	nodes	start_s	end_s	nodelist	intensity
1	6000	0	100000	n[0-5999]	1e6
2	4000	0	100000	n[7000-10999]	5e6
EOF
seconds=$(awk -v gb="$gigabytes" 'BEGIN {print int(gb * 1e9 / 73e6 + .5)}')
slice=4 # seconds that awk and Miller read
((seconds > slice)) || seconds=$slice
for node in 0 1 2 3; do
	jobgen -t $machine -o set_$node.csv counters:seconds=$((seconds - 1)),start=1000,slice=$node jobs.tsv
	head -n $((1 + routers * slice)) set_$node.csv >part_$node.csv
done
bytes() { cat "$@" | wc -c; }
all=$(bytes set_?.csv)
part=$(bytes part_?.csv)

# Prints the least CPU seconds, user and system, of some runs of a command.
least=3
cpu() {
	local best=999999 took i TIMEFORMAT='%U %S'
	for ((i = 0; i < least; i++)); do
		took=$({ time "$@" >out 2>err; } 2>&1 | awk '{print $1 + $2}')
		[[ ! -s err ]] || { cat err; exit 1; } >&2
		best=$(awk -v a="$best" -v b="$took" 'BEGIN {print a < b ? a : b}')
	done
	echo "$best"
}

row() { # name, CPU seconds, bytes
	awk -v name="$1" -v s="$2" -v n="$3" -v all="$all" -v base="${base:-0}" 'BEGIN {
		whole = s * all / n
		printf "%-44s %9.2f %9.3f %9s\n", name, whole, all / whole / 1e9, base ? sprintf("%.1f", whole / base) : "1"
	}'
}

few() { (ulimit -v 100000 && trafficagg "$@"); }
# shellcheck disable=SC2002
piped() { cat set_0.csv | trafficagg -; }
printf '%s: %d nodes, %d s, %.2f GB of CSV in 4 files\n' "$machine" $((4 * routers)) "$seconds" \
	"$(awk -v n="$all" 'BEGIN {print n / 1e9}')"
printf '%-44s %9s %9s %9s\n' "" "CPU s" "GB/s" ratio
base=$(cpu few set_?.csv)
row "trafficagg (in 100 MB of memory)" "$base" "$all"
row "trafficagg, one file from a pipe, with cat" "$(cpu piped)" "$(bytes set_0.csv)"
row "trafficagg --per node" "$(cpu few --per node set_?.csv)" "$all"
least=1
gzip -1 -k part_0.csv
row "trafficagg, gzip *" "$(cpu trafficagg part_0.csv.gz)" "$(bytes part_0.csv)"

cat >sum.awk <<'EOF'
FNR == 1 {
	n = 0
	for (i = 1; i <= NF; i++) {
		if ($i == "aries_rtr_id") router = i
		if ($i ~ /^AR_NL_PRF_(REQ|RSP)_(NIC_._TO_PTILES|PTILES_TO_NIC_.)_FLITS$/ ||
		    $i ~ /^AR_RTR_[0-4]_[0-7]_INQ_PRF_ROWBUS_STALL_CNT$/) {
			at[++n] = i
			name[n] = $i
		}
	}
	next
}
{
	for (j = 1; j <= n; j++) {
		key = $router " " name[j]
		if (!(key in first)) first[key] = $at[j]
		last[key] = $at[j]
	}
}
END {
	for (key in last) {
		split(key, part, " ")
		if (part[2] ~ /FLITS$/) flits[part[1]] += last[key] - first[key]
		else stalls[part[1]] += last[key] - first[key]
	}
	for (r in flits) printf "%s %.3f %.3f\n", r, flits[r] / (slice - 1), stalls[r] / (slice - 1)
}
EOF
trafficagg part_?.csv | awk -F'\t' '!/^##/ && $1 != "time_s" {printf "%s %.3f %.3f\n", $3, $4, $5}' | sort >ours
for awk in mawk gawk; do
	row "$awk *" "$(cpu $awk -F, -v slice=$slice -f sum.awk part_?.csv)" "$part"
	sort out | cmp - ours || { cat err; echo "$awk and trafficagg differ"; exit 1; }
done
fields() { head -1 "part_$1.csv" | tr , '\n' | grep -E 'NIC_.*_FLITS$|^AR_RTR.*_ROWBUS_STALL_CNT$' | paste -sd, -; }
miller() {
	local i
	for i in 0 1 2 3; do
		mlr --icsv --ojson stats1 -a min,max -f "$(fields $i)" -g aries_rtr_id part_$i.csv
	done
}
row "mlr stats1 -a min,max *" "$(cpu miller)" "$part"
awk -v slice=$slice -F'[": ,]+' '
	$2 == "aries_rtr_id" {router = $3}
	/_(min|max)"/ {
		name = substr($2, 1, length($2) - 4)
		if ($2 ~ /_min$/) low = $3
		else if (!((router, name) in seen)) {
			seen[router, name]
			if (name ~ /FLITS$/) flits[router] += $3 - low
			else stalls[router] += $3 - low
		}
	}
	END {for (r in flits) printf "%s %.3f %.3f\n", r, flits[r] / (slice - 1), stalls[r] / (slice - 1)}' out |
	sort | cmp - ours || { echo "Miller and trafficagg differ"; exit 1; }
printf '* on %.2f GB, scaled by bytes; all gave the same sums\n' "$(awk -v n="$part" 'BEGIN {print n / 1e9}')"
