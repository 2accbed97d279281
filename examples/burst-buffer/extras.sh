#!/bin/bash
# extras.sh DIVISOR - what the text conjectures or leaves out: I/O schedules, other devices, halos beside checkpoints,
# stage-in and draining; after run.sh, in its folder
set -euo pipefail
divisor=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=examples/burst-buffer/cells.sh
. "$here/cells.sh"

column() { # NAME FILE
	grep -v '^##' "$2" | awk -F'\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }'
}
sum() { column "$1" "$2" | awk '{ s += $1 } END { printf "%.0f\n", s }'; }
# of JOB COLUMN FILE
of() {
	grep -v '^##' "$3" | awk -F'\t' -v job="$1" -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["job"] == job { print $c[name] }'
}
# run MACHINE [OPTION…] <JOBS: into jobs.tsv
run() {
	allocate --quiet -t "$1.yaml" -p fragment:mean="$mean" | netsim --quiet -t "$1.yaml" --profile "$profile" "${@:2}" -o jobs.tsv
}
head_of_jobs() { printf '##placetools=jobs/1\njob\tnodes\tranks_per_node\tpattern\tbytes\titerations\n'; }
app() { printf '%s\t%s\t6\tiotrace:path=by%s/%s.io,idle,time=%s\t.\t1\n' "$1" "${nodes[$1]}" "$divisor" "$1" "${2:-0}"; }
halo() { printf 'halo\t%s\t1\thalo2d\t65536\t%s\n' "${1:-512}" "${2:-40}"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.4f", a / b }'; }

printf 'I/O schedule (§2.7.3)\tGTC on df global: phase, s\tmean time in I/O, s\n'
window=$(awk -v d="$divisor" 'BEGIN { print 10 / d }')
scale=$(awk -v d="$divisor" 'BEGIN { print 1 / d }')
for schedule in none token:writers=400 token:writers=2000 stagger:window="${window}s"; do
	{ head_of_jobs; app gtc "$scale"; } | run df.global --io-schedule "$schedule"
	printf 'schedule\t%s\t%.6f\t%.6f\n' "${schedule%:window=*}" "$(of gtc io_phase_s jobs.tsv)" "$(of gtc io_time_s jobs.tsv)"
done

printf 'device (§2.7.3)\tGTC on drives of the nodes: phase, s\tmean time in I/O, s\n'
for device in summit-node pcm xpoint; do
	topogen @summit-bb --io per:count=18,name=bb,kind=coupled,storage=@$device >device.yaml
	{ head_of_jobs; app gtc; } | run device
	printf 'device\t%s\t%.6f\t%.6f\n' $device "$(of gtc io_phase_s jobs.tsv)" "$(of gtc io_time_s jobs.tsv)"
done

# Each alone, on the same nodes, then both together: the halo exchange lasts about as long as GTC writes.
printf 'halo beside a checkpoint (§2.2)\tGTC phase, slowdown\thalo time, slowdown\n'
for case in ft.grouped ft.global tft.grouped tft.global df.grouped df.global; do
	{ head_of_jobs; app gtc; } | run "$case"
	gtc=$(of gtc io_phase_s jobs.tsv)
	# as many exchanges as fit into GTC's phase
	{ head_of_jobs; app gtc; halo 512 4; } | run "$case"
	iterations=$(awk -v a="$gtc" -v b="$(of halo comm_time_s jobs.tsv)" 'BEGIN { n = int(4 * a / b); print (n < 4 ? 4 : n) }')
	{ head_of_jobs; app gtc; halo 512 "$iterations"; } | run "$case"
	both=$(of gtc io_phase_s jobs.tsv) halo_both=$(of halo comm_time_s jobs.tsv)
	{ head_of_jobs; sed 's/iotrace:.*\t/iotrace:path=nothing.io,idle\t/' <(app gtc) | cut -f 1-4 | sed 's/$/\t.\t1/'; halo 512 "$iterations"; } >alone.jobs
	printf '##placetools=iotrace/1\n##ranks=7680\nrank\top\tstart_s\tbytes\tfile\n' >nothing.io
	run "$case" <alone.jobs
	printf 'halo\t%s\t%s\t%s\n' $case "$(ratio "$both" "$gtc")" "$(ratio "$halo_both" "$(of halo comm_time_s jobs.tsv)")"
done

# A file system on 16 nodes behind the grouped buffers of the fat tree; 512 nodes exchange halos meanwhile.
printf 'placetools: storage/1\ndevice: {write: 10GB/s, read: 10GB/s}\nstripe: {count: 4, width: 1MiB, home: hash}\n' >fs.yaml
{
	cat "$here/../../share/storage/summit-bb.yaml"
	echo 'drain: {to: fs}'
} >drained.yaml
topogen @summit-bb-tapered --io per:name=bb,storage=drained.yaml --io 'nodes:list=n[0-15],name=fs,storage=fs.yaml' >drain.yaml
sed 's/, drain: {[^}]*}//' drain.yaml >stay.yaml
printf 'drain (§2.2)\tbytes written to buffers\tbytes drained\thalo beside LAMMPS, s\n'
for name in stay drain; do
	{ head_of_jobs; app lammps 1; halo; } | allocate --quiet -t $name.yaml -p fragment:mean=8 |
		netsim --quiet -t $name.yaml --profile "$profile" --storage devices.tsv -o jobs.tsv
	grep -v '^fs' devices.tsv >buffers.tsv
	printf 'drain\t%s\t%s\t%s\n' "$(sum bytes_written buffers.tsv)" "$(sum bytes_drained buffers.tsv)" "$(of halo comm_time_s jobs.tsv)"
done

# Stage-in (§2.2): S3D's ranks bring their input from the file system into the buffers, and the job reads it there.
bytes=$(bytes s3d "$divisor")
trace() { # STAGES: 1: through the buffers
	printf '##placetools=iotrace/1\n##ranks=6000\nrank\top\tstart_s\tbytes\tfile\toffset\ttarget\n'
	awk -v OFS='\t' -v b="$bytes" -v stages="$1" 'BEGIN {
		for (r = 0; r < 6000; r++) {
			print r, "read", 0, b, "input." r, 0, "fs"
			if (!stages) continue
			print r, "write", 0, b, "input." r, 0, "bb"
			print r, "barrier", 0, 0, ".", ".", "."
			print r, "read", 0, b, "input." r, 0, "bb"
		}
	}'
}
printf 'stage-in (§2.2)\tbytes from the file system\tbytes into the buffers\tstage-in, s\tthe job reads, s\tstraight from the file system, s\n'
for stages in 0 1; do
	trace $stages >input.io
	{ head_of_jobs; printf 's3d\t1000\t6\tiotrace:path=input.io\t.\t1\n'; } | run stay --storage devices.tsv --io ops.tsv
	[ $stages = 1 ] || direct=$(of s3d io_phase_s jobs.tsv)
done
staged=$(grep -v '^##' ops.tsv | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["op"] == "write" && $c["end_s"] > m { m = $c["end_s"] } END { print m }')
grep '^##\|^device\|^fs' devices.tsv >fs.tsv
grep -v '^fs' devices.tsv >buffers.tsv
printf 'stage-in\t%s\t%s\t%.6f\t%.6f\t%.6f\n' "$(sum bytes_read fs.tsv)" "$(sum bytes_written buffers.tsv)" "$staged" \
	"$(awk -v a="$(of s3d io_phase_s jobs.tsv)" -v b="$staged" 'BEGIN { print a - b }')" "$direct"
