#!/bin/bash
# storage.sh - checkpoints to burst buffers on three networks: processor time, requests and events per second
#
#   tests/bench/storage.sh [DIVISOR [APP…]]   # of the bytes (100); gtc, hacc, lammps, s3d (gtc)
set -eu -o pipefail
divisor=${1:-100}
apps=("${@:2}")
[ ${#apps[@]} -gt 0 ] || apps=(gtc)
declare -A mib=([gtc]=669.41 [hacc]=386.39 [lammps]=19.78 [s3d]=154.49) nodes=([gtc]=1280 [hacc]=1366 [lammps]=3600 [s3d]=1000)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for app in "${apps[@]}"; do
	jobgen io:app="$app",at=0,jitter=0,bytes="$(awk -v m="${mib[$app]}" -v d="$divisor" 'BEGIN { printf "%.0f", m * 1048576 / d }')" -o "$app.io"
done
echo "== bytes / $divisor, packets of 128 KiB (expected: 0.5 M requests and 3 M events per second everywhere)"
printf '%-8s %-8s %-8s %10s %10s %12s %12s\n' app network buffers 'CPU s' MiB 'requests/s' 'events/s'
measure() {
	jobgen job:nodes="${nodes[$app]}" | allocate -t $where.yaml -p fragment -o placed.tsv
	/usr/bin/time -o time -f '%U %S %M' netsim -v -t $where.yaml --profile bb -s packet=128KiB -s input-buffer=256KiB \
		--ranks-per-node 6 -p iotrace:path="$app.io",idle --storage storage.tsv -o out.tsv placed.tsv 2>say
	read -r user system memory <./time
	ops=$(grep -v '^##' storage.tsv | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { s += $c["ops"] } END { print s }')
	events=$(sed -n 's/.*events=\([0-9]*\).*/\1/p' say)
	awk -v app="$app" -v name="$name" -v where=$where -v s="$user" -v t="$system" -v m="$memory" -v ops="$ops" -v events="$events" 'BEGIN {
		cpu = s + t > 0 ? s + t : .01 # one step of the clock
		printf "%-8s %-8s %-8s %10.2f %10.0f %12.3g %12.3g\n", app, name, where, cpu, m / 1024, ops / cpu, events / cpu }'
}
while read -r name machine per buffer whole; do
	topogen @"$machine" --io per:count="$per",name=bb,kind=coupled,storage=@summit-node >local.yaml
	topogen @"$machine" --io per:every="${whole#*/}",name=bb,storage=@"$buffer" >grouped.yaml
	topogen @"$machine" --io whole:count="${whole%/*}",name=bb,storage=@"$buffer" >global.yaml
	for app in "${apps[@]}"; do
		for where in local grouped global; do measure; done
	done
done <<-END
	ft summit-bb 18 summit-bb 15/1
	tft summit-bb-tapered 18 summit-bb 15/1
	df edison-bb 4 edison-bb 180/2
END
