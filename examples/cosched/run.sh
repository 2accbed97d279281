#!/bin/bash
# run.sh - chapter 4 of Khetawat's dissertation: run.sh [FOLDER [ORDERS]]; the table is FOLDER/result.tsv
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
mkdir -p "${1:-out}"
cd "${1:-out}"
orders=${2:-100}

"$here/kernels.sh" >kernels.tsv
{
	# Work sharing (§4.5.1): one job alone on these devices, without opening and initialisation.
	printf 'work sharing\tdevices\tslices\tours\tpaper\n'
	while read -r app size devices best paper; do
		for slices in 16 64 256 1024; do
			"$here/kernels.sh" init=0 slices=$slices >k.tsv
			seconds() { # seconds DEVICE+DEVICE: of that job
				{
					printf 'placetools: devices/1\ndevices:\n'
					for device in ${1//+/ }; do printf '  - {name: %s}\n' "$device"; done
				} >d.yaml
				awk -F'\t' -v set="+$1+" -v app="$app" -v size="$size" '
					/^##/ || $1 == "app" || ($1 == app && $2 == size && index(set, "+" $3 "+"))' k.tsv >some.tsv
				printf '##placetools=jobs/1\njob\tnodes\tapp\tsize\na\t1\t%s\t%s\n' "$app" "$size" |
					cosched --quiet -d d.yaml -k some.tsv -p elastic:gain=0 | awk -F'\t' '
						/^##/ { next }
						$1 == "job" { for (i = 1; i <= NF; i++) at[$i] = i; next }
						{ print $at["end_s"] }'
			}
			printf '%s\t%s\t%s\t%s\t%s\n' "$app" "$devices" "$slices" \
				"$(awk -v a="$(seconds "$best")" -v b="$(seconds "$devices")" 'BEGIN { printf "%.3f", a / b }')" "$paper"
		done
	done <<-END
		mandelbrot 4096 gpu+fpga cpu 1.308
		mandelbrot 4096 cpu+gpu+fpga cpu 2.26
		gemm 8192 gpu+fpga gpu 1.386
		spmv 29 cpu+gpu cpu 1.236
		xsbench 32M cpu+gpu gpu 1.3
	END
	# Co-scheduling (§4.5.2): the makespan under the baseline over that under each policy, over random orders.
	printf 'workload\tpolicy\tmedian\tp10\tp90\n'
	for w in 1 2 3 4; do
		jobgen "cosched:w=$w,runs=$orders" >w$w.tsv
		for policy in baseline greedy-up elastic elastic-dl; do
			cosched --quiet -d @diss-node -k kernels.tsv -p $policy w$w.tsv
		done | awk -F'\t' -v workload=$w -f "$here/orders.awk"
	done
} >result.tsv
cat result.tsv
