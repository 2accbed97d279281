#!/bin/bash
# readers.sh - how fast traceconv reads job logs and counter samples: MB/s of one core, at least 250
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

awk 'BEGIN { for (i = 1; i <= 700000; i++)
	print i, 1545400200 + i, i % 977, 3600 + i % 50, 64, -1, -1, 64, 7200, -1, 1, i % 300, 1, i % 50, 1, 1, -1, -1 }' >"$work/swf"
awk 'BEGIN {
	print "JobID|User|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|NNodes|NTasks|NodeList|JobName"
	for (i = 1; i <= 300000; i++) {
		t = 1545400200 + i
		printf "%d|user%d|batch|%d|%d|%d|3600|120|COMPLETED|4||nid[%05d-%05d]|job%d\n", i, i % 300, t, t + 100, t + 3700, i % 9000, i % 9000 + 3, i % 50
		printf "%d.0||||%d|%d|3600||COMPLETED|4|64|nid[%05d-%05d]|a.out\n", i, t + 100, t + 3700, i % 9000, i % 9000 + 3
	} }' >"$work/sacct"
# the same with local times, of which sacct prints no zone
awk -F'|' -v OFS='|' 'NR > 1 {
	for (i = 4; i <= 6; i++)
		if ($i != "")
			$i = strftime("%Y-%m-%dT%H:%M:%S", $i, 1)
} { print }' "$work/sacct" >"$work/sacct-local"
awk 'BEGIN {
	line = "#Time,Time_usec,ProducerName,component_id,job_id,app_id"; row = ""
	for (i = 0; i < 80; i++) {
		line = line ",AR_RTR_" int(i / 16) "_" int(i / 2) % 8 "_INQ_PRF_INCOMING_FLIT_VC" i % 2
		row = row "," 1234567890 + i * 7654321
	}
	print line
	for (t = 0; t < 25; t++)
		for (n = 0; n < 2000; n++)
			printf "%d.000250,250,nid%05d,%d,0,0%s\n", 1545400200 + t, n, n, row
	}' >"$work/ldms-csv"

slow=0
for format in swf sacct sacct-local ldms-csv; do
	kind='jobs'
	[[ $format == ldms-csv ]] && kind=counters
	zone=()
	[[ $format == sacct-local ]] && zone=(--zone Europe/Berlin)
	bytes=$(stat -c %s "$work/$format")
	best=$(for _ in 1 2 3 4 5; do
		TIMEFORMAT='%U %S'
		{ time traceconv --from "${format%-local}" "${zone[@]}" --to "$kind" "$work/$format" >/dev/null; } 2>&1
	done | awk '{ s = $1 + $2; if (NR == 1 || s < best) best = s } END { print best }')
	awk -v format="$format" -v bytes="$bytes" -v s="$best" 'BEGIN {
		printf "traceconv --from %-11s %4.0f MB, %4.0f MB/s\n", format, bytes / 1e6, bytes / 1e6 / s
		exit bytes / 1e6 / s < 250 }' || slow=1
done
exit $slow
