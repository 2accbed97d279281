#!/bin/bash
# tables.sh - tables 2.1 to 2.5 of Khetawat's dissertation beside ours, in the current folder
set -euo pipefail

value() { # METRIC: of a metrics stream
	grep -v '^##' | awk -F'\t' -v m="$1" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["metric"] == m { print $c["value"] }'
}
column() { # NAME FILE
	grep -v '^##' "$2" | awk -F'\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }'
}

printf 'table 2.1\tmachine\tdiameter\tpaper\tnodes\n'
while read -r name spec paper; do
	topogen --to summary "$spec" >summary.tsv
	printf '2.1\t%s\t%s\t%s\t%s\n' "$name" "$(value diameter <summary.tsv)" "$paper" "$(value nodes <summary.tsv)"
done <<-END
	fat-tree @summit-bb 4
	torus torus:dims=8x8x8 high
	dragonfly @edison-bb 3
	slimfly slimfly:q=13 2
END

printf 'table 2.3\tworkload\tnodes\tof 5760\tof 4860\tpaper\n'
while read -r name ranks nodes low high; do
	total=0
	for n in ${ranks//+/ }; do total=$((total + (n + 5) / 6)); done
	awk -v OFS='\t' -v name="$name" -v n="$total" -v paper="$nodes, $low to $high %" 'BEGIN {
		print "2.3", name, n, sprintf("%.2f %%", n / 57.6), sprintf("%.2f %%", n / 48.6), paper }'
done <<-END
	GTC 7680 1280 23 27
	GTC,IOR 7680+768 1408 25 30
	GTC,S3D 7680+6000 2280 40 47
	GTC,S3D,HACC 7680+6000+8192 3646 64 75
	HACC 8192 1366 25 29
	HACC,IOR 8192+768 1494 27 32
	LAMMPS 21600 3600 63 74
	LAMMPS,IOR 21600+768 3728 65 77
	S3D 6000 1000 17 21
	S3D,IOR 6000+768 1128 20 23
	S3D,LAMMPS 6000+21600 4600 80 95
END

printf 'table 2.4\twrite time, s\tMiB/s\tpaper\n'
topogen @summit-bb --io per:count=18,name=ssd,kind=coupled,storage=@ior-node >ior.yaml
jobgen io:app=ior,ranks=96,bytes=1GiB -o ior96.io
printf '##placetools=jobs/1\njob\tnodes\tnodelist\nior\t16\tn[0-15]\n' |
	netsim --quiet -t ior.yaml -p iotrace:path=ior96.io --ranks-per-node 6 -o ior96.tsv
awk -v s="$(column io_phase_s ior96.tsv)" 'BEGIN { printf "2.4\t%.4f\t%.0f\t2.92 s, 33616.48 MB/s\n", s, 96 * 1024 / s }'

printf 'table 2.5\tstorage\tcapex, $\tpower, W\topex, $\tpaper\n'
printf '##placetools=storage/1\ndevice\tnode\tbytes_read\tbytes_written\nbb\tn0\t0\t0\n' >row.tsv
printf 'placetools: storage/1\ndevice: {write: 1GB/s, read: 1GB/s, count: 16}\n' >server.yaml
topogen complete:nodes=4608 --io per:kind=coupled,storage=@summit-node >node-local.yaml
topogen complete:nodes=302 --io per:kind=separate,storage=server.yaml >distributed.yaml
for storage in node-local distributed; do
	evalmetrics -t $storage.yaml -m capex -m opex row.tsv >costs.tsv
	paper='4608000 $, 115 kW, 1.0 M$'
	[ $storage = distributed ] && paper='11415600 $, 302 kW, 2.6 M$'
	printf '2.5\t%s\t%s\t%s\t%s\t%s\n' $storage "$(value capex <costs.tsv)" "$(value storage-power <costs.tsv)" "$(value opex <costs.tsv)" "$paper"
done
printf '2.5\tacceleration of all I/O\t%s\t.\t.\t2.5\n' "$(evalmetrics -m io-acceleration row.tsv | value io-acceleration)"
printf '2.5\tacceleration of seven tenths\t%s\t.\t.\t1.8\n' "$(evalmetrics -m io-acceleration:share=.7 row.tsv | value io-acceleration)"
