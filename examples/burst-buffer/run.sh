#!/bin/bash
# run.sh - chapter 2 of Khetawat's dissertation: where to put burst buffers, and what jobs do to each other's I/O
#
#   examples/burst-buffer/run.sh [FOLDER [DIVISOR [PLACEMENTS]]]
#
# Bytes and planned times are divided by DIVISOR (8000, small enough for a test; the statements need 1000 or less);
# each case has so many random placements (1). Cases that
# are in FOLDER already are not simulated again. The table is FOLDER/result.tsv.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
mkdir -p "${1:-out}"
cd "${1:-out}"
divisor=${2:-8000}
nplacements=${3:-1}
networks='ft tft df'

# ---- machines: NETWORK.PLACEMENT.yaml; with 45 us for each request NETWORK.PLACEMENT.slow.yaml ----

declare -A machine=([ft]=summit-bb [tft]=summit-bb-tapered [df]=edison-bb) per_router=([ft]=18 [tft]=18 [df]=4)
declare -A buffer=([ft]=summit-bb [tft]=summit-bb [df]=edison-bb) every=([ft]=1 [tft]=1 [df]=2) whole=([ft]=15 [tft]=15 [df]=180)
make_machines() {
	for net in $networks; do
		topogen @"${machine[$net]}" --io per:count="${per_router[$net]}",name=bb,kind=coupled,storage=@summit-node >"$net".local.yaml
		topogen @"${machine[$net]}" --io per:every="${every[$net]}",name=bb,storage=@"${buffer[$net]}" >"$net".grouped.yaml
		topogen @"${machine[$net]}" --io whole:count="${whole[$net]}",name=bb,storage=@"${buffer[$net]}" >"$net".global.yaml
		for where in local grouped global; do
			sed 's/device: {/device: {overhead: 20us, seek: 25us, /' "$net".$where.yaml >"$net".$where.slow.yaml
		done
	done
}

# ---- traces, with all bytes divided ----

declare -A nodes=([gtc]=1280 [hacc]=1366 [lammps]=3600 [s3d]=1000 [ior]=128)
declare -A mib=([gtc]=669.41 [hacc]=386.39 [lammps]=19.78 [s3d]=154.49 [ior]=1024)
# how often IOR writes while the other application runs
declare -A periods=([gtc]=13 [hacc]=5 [lammps]=1 [s3d]=13)
make_traces() {
	for app in gtc hacc lammps s3d; do
		jobgen io:app=$app,bytes="$(bytes $app)" -o $app.io
		jobgen io:app=ior,bytes="$(bytes ior)",count="${periods[$app]}" -o ior-$app.io
	done
}
bytes() { awk -v m="${mib[$1]}" -v d="$divisor" 'BEGIN { printf "%.0f\n", m * 1048576 / d }'; }

# row RUN APP TRACE: a job
row() {
	printf '%s\t%s\t%s\t6\tiotrace:path=%s.io,idle,time=%s\n' "$1" "$2" "${nodes[$2]}" "$3" \
		"$(awk -v d="$divisor" 'BEGIN { print 1 / d }')"
}

# simulate NETWORK PLACEMENT[.slow] APP [OTHER]: CASE.tsv has a row for each job and placement of the ranks
simulate() {
	local case=$1.$2.$3${4:+.$4} other=${4:-}
	[ -s "$case.tsv" ] && return
	{
		printf '##placetools=jobs/1\nrun\tjob\tnodes\tranks_per_node\tpattern\n'
		for run in $(seq "$nplacements"); do
			row "$run" "$3" "$3"
			[ -z "$other" ] || row "$run" "$other" "$([ "$other" = ior ] && echo "ior-$3" || echo "$other")"
		done
	} >"$case.jobs"
	allocate -t "$1.$2.yaml" -p fragment:mean=64 "$case.jobs" 2>"$case.log" |
		netsim --quiet -t "$1.$2.yaml" --profile bb --io "$case.ops" -o "$case.new"
	evalmetrics -m io-phase:gap="$(awk -v d="$divisor" 'BEGIN { print 5 / d }')s" --by run,job "$case.ops" -o "$case.phases" || true
	rm "$case.ops"
	mv "$case.new" "$case.tsv"
}

make_machines
make_traces
for net in $networks; do
	for where in local grouped global; do
		for app in gtc hacc lammps s3d; do simulate "$net" $where $app; done
		for app in gtc lammps s3d; do simulate "$net" $where.slow $app; done
	done
	for where in grouped global; do
		simulate "$net" $where.slow hacc
		for app in gtc hacc lammps s3d; do simulate "$net" $where.slow $app ior; done
		simulate "$net" $where.slow s3d gtc
		simulate "$net" $where.slow lammps s3d
	done
done

{
	"$here/tables.sh"
	"$here/observations.sh"
	"$here/extras.sh" "$divisor"
} >result.tsv
cat result.tsv
