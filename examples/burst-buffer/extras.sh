#!/bin/bash
# extras.sh DIVISOR - what the text conjectures or leaves out: I/O schedules, draining, a halo beside a checkpoint
set -euo pipefail
divisor=$1

column() { # NAME FILE
	grep -v '^##' "$2" | awk -F'\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }'
}
sum() { column "$1" "$2" | awk '{ s += $1 } END { printf "%.0f\n", s }'; }

printf 'I/O schedule (§2.7.3)\tGTC on df global: phase, s\tmean time in I/O, s\n'
window=$(awk -v d="$divisor" 'BEGIN { print 10 / d }')
for schedule in none token:writers=400 token:writers=2000 stagger:window="${window}s"; do
	sed -n '1,3p' df.global.gtc.jobs | allocate --quiet -t df.global.yaml -p fragment:mean=64 |
		netsim --quiet -t df.global.yaml --profile bb --io-schedule "$schedule" -o scheduled.tsv
	printf 'schedule\t%s\t%.6f\t%.6f\n' "${schedule%:window=*}" "$(column io_phase_s scheduled.tsv)" "$(column io_time_s scheduled.tsv)"
done

# A file system on 16 nodes behind the grouped buffers of the fat tree; 512 nodes exchange halos meanwhile.
printf 'placetools: storage/1\ndevice: {write: 10GB/s, read: 10GB/s}\nstripe: {count: 4, width: 1MiB, home: hash}\n' >fs.yaml
{
	cat "$(dirname "$0")/../../share/storage/summit-bb.yaml"
	echo 'drain: {to: fs}'
} >drained.yaml
topogen @summit-bb-tapered --io per:name=bb,storage=drained.yaml --io 'nodes:list=n[0-15],name=fs,storage=fs.yaml' >drain.yaml
sed 's/, drain: {[^}]*}//' drain.yaml >stay.yaml
printf 'drain (§2.2)\tbytes written to buffers\tbytes drained\thalo beside LAMMPS, s\n'
for machine in stay drain; do
	{
		printf '##placetools=jobs/1\njob\tnodes\tranks_per_node\tpattern\tbytes\titerations\n'
		printf 'lammps\t3600\t6\tiotrace:path=lammps.io\t.\t1\nhalo\t512\t1\thalo2d\t65536\t40\n'
	} | allocate --quiet -t $machine.yaml -p fragment:mean=8 |
		netsim --quiet -t $machine.yaml --profile bb --storage devices.tsv -o halo.tsv
	grep -v '^fs' devices.tsv >buffers.tsv
	printf 'drain\t%s\t%s\t%s\n' "$(sum bytes_written buffers.tsv)" "$(sum bytes_drained buffers.tsv)" "$(column comm_time_s halo.tsv | tail -1)"
done
