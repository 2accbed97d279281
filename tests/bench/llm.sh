#!/bin/bash
# llm.sh [PART…] - training on GPUs: what others measured or simulate beside ours. Parts: busbw megatron
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
parts=" ${*:-busbw megatron} "

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

# megatron MODEL TP PP DP BATCH: seconds of a step, from the graph's rows: the busiest stage's, with the pipeline's idle
# share, and what is sent once; activations are computed again, gradients have two bytes
megatron() {
	jobgen "llm:model=$1,tp=$2,pp=$3,dp=$4,batch=$5,recompute=full,grad=2,flops=168.6e12" 2>/dev/null |
		awk -F'\t' -v t="$2" -v p="$3" -v d="$4" -v inside=235e9 -v nic=22e9 '
			/^##microbatches=/ { m = substr($0, 16) } /^#/ { next }
			!seen { seen = 1; for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ op = $at["op"]; group = $at["group"]; bytes = $at["bytes"]; stage = $at["program"] }
			op == "compute" { busy[stage] += $at["time_s"] }
			group == "tp" { busy[stage] += bytes * (op == "allreduce" ? 2 : 1) * (t - 1) / t / inside }
			group == "dp" { once[stage] += 2 * bytes * (d - 1) / d / nic }
			group == "embed" { once[stage] += bytes / nic }
			END { for (s in busy) { step = busy[s] * (m + p - 1) / m + once[s]; if (step > most) most = step }; printf "%.2f\n", most }'
}

# Narayanan et al. 2021, table 1: A100, 235 GB/s in a DGX and 22 GB/s a NIC; 168.6 TFLOP/s of kernels from the row of 18.4B
if [[ $parts == *' megatron '* ]]; then
	echo 'step of Megatron-LM, s: ours, published'
	for model in '1.7b 1 1 32 512 3.53' '3.6b 2 1 32 512 3.70' '7.5b 4 1 32 512 3.70' '18.4b 8 1 32 1024 9.40' \
		'39.1b 8 2 32 1536 14.45' '145.6b 8 8 24 2304 24.82'; do
		read -r name tp pp dp batch published <<<"$model"
		row "GPT $name, $((tp * pp * dp)) GPUs" "$(megatron "gpt-$name" "$tp" "$pp" "$dp" "$batch")" "$published" 10
	done
fi
