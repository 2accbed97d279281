#!/bin/bash
# llm.sh [PART…] - training on GPUs: what others measured or simulate beside ours. Parts: busbw
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
parts=" ${*:-busbw} "

# row WHAT OURS REFERENCE BOUND-IN-PERCENT
row() {
	awk -v OFS='\t' -v what="$1" -v ours="$2" -v reference="$3" -v bound="$4" 'BEGIN {
		miss = 100 * (ours / reference - 1)
		print what, ours, reference, sprintf("%+.1f %%", miss), (miss < 0 ? -miss : miss) <= bound ? "within " bound " %" : "MISSES " bound " %" }'
}

# busbw MACHINE GPUS BYTES SETTINGS…: GB/s of an allreduce, as nccl-tests count it: 2 (n - 1) / n of the bytes a second
busbw() {
	jobgen "job:nodes=$2,pattern=allreduce,bytes=$3" | allocate -t "$1" -p simple |
		netsim --quiet -t "$1" -s collectives=nccl -s packet=256KiB -s input-buffer=16MiB -s router-delay=0 "${@:4}" |
		awk -F'\t' -v n="$2" -v b="$3" '/^#/ { next } !c { for (i = 1; i <= NF; i++) if ($i == "comm_time_s") c = i; next }
			{ printf "%.1f\n", b / $c * 2 * (n - 1) / n / 1e9 }'
}

# What users and maintainers reported: NVIDIA/nccl-tests 212, 309; NVIDIA/nccl 1221, 1801; coreweave/nccl-tests 43. The
# rates are the machines': 370 of 450 GB/s of NVLink 4 and 42 of 50 GB/s of a RoCE NIC, from the rings' own rows; 864 of
# 900 GB/s of NVLink 5, from those of NVL72; NICs of GB200 as they are.
if [[ $parts == *' busbw '* ]]; then
	echo 'bus bandwidth, GB/s: ours, reported'
	h100=nvlink-bandwidth=370GB/s,rail-bandwidth=42GB/s,spine-bandwidth=42GB/s
	gb200=nvlink-bandwidth=864GB/s
	row 'H100, 8 GPUs, ring' "$(busbw "rails:domains=1,$h100" 8 1073741824)" 368.76 10
	row 'H100, 8 GPUs, NVLS' "$(busbw "rails:domains=1,$h100" 8 1073741824 -s nvls=yes)" 480 10
	row 'H100, 2 x 8 GPUs, NVLS off' "$(busbw "rails:domains=2,$h100" 16 4294967296)" 330 10
	row 'H100, 2 x 8 GPUs, NVLS on' "$(busbw "rails:domains=2,$h100" 16 4294967296 -s nvls=yes)" 430 10
	row 'H100, 4 x 8 GPUs, NVLS off' "$(busbw "rails:domains=4,$h100" 32 4294967296)" 320 10
	row 'H100, 4 x 8 GPUs, NVLS on' "$(busbw "rails:domains=4,$h100" 32 4294967296 -s nvls=yes)" 320 10
	for size in 536870912:586.06 2147483648:757.78 8589934592:834.57; do
		row "NVL72, ${size%:*} bytes" "$(busbw "rails:domains=1,gpus=72,hosts=18,$gb200" 72 "${size%:*}")" "${size#*:}" 15
	done
	row 'GB200, 3 x 4 GPUs, ring' "$(busbw "rails:domains=3,gpus=4,$gb200" 12 17179869184 -s nccl-algorithm=ring)" 196.72 10
	row 'GB200, 3 x 4 GPUs, tree' "$(busbw "rails:domains=3,gpus=4,$gb200" 12 17179869184 -s nccl-algorithm=tree)" 234.43 10
fi
