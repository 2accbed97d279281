# jobgen-llm.bats - steps of training: sizes, order of passes, memory, what does not divide
load helper

# table FILE PROGRAM: op, group, bytes, time_s, tag, name of each row
table() {
	awk -F'\t' -v OFS='\t' -v program="$2" '/^#/ { next } !seen { for (i = 1; i <= NF; i++) at[$i] = i; seen = 1; next }
		$at["program"] == program { print $at["op"], $at["group"], $at["bytes"], $at["time_s"], $at["tag"], $at["name"] }' "$1"
}
# sum FILE PROGRAM OP GROUP: bytes and number of rows
sum() {
	table "$1" "$2" | awk -F'\t' -v op="$3" -v group="$4" '$1 == op && $2 == group { n++; sum += $3 } END { printf "%d %.0f\n", n, sum }'
}

@test "tensor parallel: two allreduces of b s h x a layer and pass; sequence parallelism halves them, and gathers inputs again" {
	model=layers=8,hidden=256,heads=8,ffn=1024,seq=512,vocab=1024,tp=4,pp=2,dp=2,batch=8,micro=2
	A=$((2 * 512 * 256 * 2)) m=2
	jobgen "llm:$model" -o step.graph
	# 4 layers of a stage, 2 forward and 2 backward; the input of tp is gathered where a stage takes it
	[ "$(sum step.graph stage0 allreduce tp)" = "$((m * 4 * 4)) $((m * 4 * 4 * A))" ]
	[ "$(sum step.graph stage0 allgather tp)" = "$m $((m * A))" ]
	[ "$(sum step.graph stage1 allreduce tp)" = "$((m * (4 * 4 + 3))) $((m * (4 * 4 * A + 3 * 4 * 2 * 512)))" ]
	[ "$(sum step.graph stage0 send pp)" = "$m $((m * A / 4))" ]
	jobgen "llm:$model,sequence-parallel=yes" -o step.graph
	[ "$(sum step.graph stage0 allreduce tp)" = '0 0' ]
	[ "$(sum step.graph stage0 allgather tp)" = "$((m * 4 * 6)) $((m * 4 * 6 * A))" ]
	[ "$(sum step.graph stage0 reduce_scatter tp)" = "$((m * 4 * 4)) $((m * 4 * 4 * A))" ]
	jobgen "llm:$model,recompute=full" -o step.graph
	[ "$(sum step.graph stage0 allreduce tp)" = "$((m * 4 * 6)) $((m * 4 * 6 * A))" ]
}

@test "data parallel: weights of a stage once, in shards twice, of layers in each pass; buckets add up to the same" {
	model=layers=8,hidden=256,heads=8,seq=512,vocab=1024,tp=2,pp=2,dp=4,batch=16
	layer=$((12 * 256 * 256 / 2)) embedding=$((1024 * 256 / 2)) m=4
	P=$((4 * layer + embedding))
	jobgen "llm:$model" -o step.graph
	[ "$(sum step.graph stage0 allreduce dp)" = "1 $((P * 4))" ]
	[ "$(sum step.graph stage1 allreduce dp)" = "1 $((P * 4))" ]
	[ "$(sum step.graph stage0 allreduce embed)" = "1 $((embedding * 4))" ]
	[ "$(sum step.graph stage0 allreduce .)" = '1 8' ]
	for overlap in no yes; do
		n=$([ $overlap = no ] && echo 1 || echo 4)
		jobgen "llm:$model,overlap=$overlap" -o step.graph
		[ "$(sum step.graph stage0 allreduce dp)" = "$n $((P * 4))" ]
		jobgen "llm:$model,overlap=$overlap,shard=optimizer" -o step.graph
		[ "$(sum step.graph stage0 reduce_scatter dp)" = "$n $((P * 4))" ]
		[ "$(sum step.graph stage0 allgather dp)" = "$n $((P * 2))" ]
		jobgen "llm:$model,overlap=$overlap,shard=gradients" -o step.graph
		[ "$(sum step.graph stage0 reduce_scatter dp)" = "$m $((m * 4 * layer * 4))" ]
	done
	jobgen "llm:$model,shard=parameters" -o step.graph
	[ "$(sum step.graph stage0 allgather dp)" = "$((2 * 4 * m)) $((2 * 4 * m * layer * 2))" ]
	[ "$(sum step.graph stage0 reduce_scatter dp)" = "$((4 * m)) $((4 * m * layer * 4))" ]
}

@test "experts: dispatch and combine, four times a layer; skew makes them larger; the dense part is shared by more" {
	model=layers=4,hidden=256,heads=8,ffn=512,seq=512,vocab=1024,experts=8,topk=2,gated=yes,ep=4,dp=8,batch=8
	jobgen "llm:$model" -o step.graph
	[ "$(sum step.graph stage0 alltoall ep)" = "16 $((16 * 512 * 256 * 2 * 2))" ]
	[ "$(sum step.graph stage0 allreduce edp)" = "1 $((4 * 2 * 3 * 256 * 512 * 4))" ]
	[ "$(sum step.graph stage0 allreduce dp)" = "1 $(((4 * (4 * 256 * 256 + 256 * 8) + 1024 * 256) * 4))" ]
	grep -q '^##group=ep:0-3|4-7$' step.graph
	grep -q '^##group=edp:0,4|1,5|2,6|3,7$' step.graph
	jobgen "llm:$model,skew=0.5" -o step.graph
	[ "$(sum step.graph stage0 alltoall ep)" = "16 $((16 * 512 * 256 * 2 * 3))" ]
}

@test "context parallel: keys and values are gathered, or go round" {
	model=layers=2,hidden=256,heads=8,kv-heads=2,seq=512,vocab=1024,cp=4,batch=1
	kv=$((2 * 128 * 256 * 2 / 4))
	jobgen "llm:$model" -o step.graph
	[ "$(sum step.graph stage0 allgather cp)" = "2 $((2 * 4 * kv))" ]
	[ "$(sum step.graph stage0 reduce_scatter cp)" = "2 $((2 * 4 * kv))" ]
	jobgen "llm:$model,cp-type=ring" -o step.graph
	[ "$(sum step.graph stage0 send cp)" = "12 $((2 * 3 * (kv + 2 * kv)))" ]
	[ "$(sum step.graph stage0 recv cp | cut -d' ' -f1)" = 12 ]
}

@test "computation: Narayanan's formula for a step, with and without what is computed again" {
	total() { # seconds of all GPUs
		table step.graph stage0 | awk -F'\t' -v gpus="$1" '$1 == "compute" { sum += $4 } END { printf "%.9g\n", sum * gpus * 6e14 }'
	}
	formula() { # TIMES: b s l h^2 (1 + s / 6h + V / 12lh), for 72 and 96
		awk -v times="$1" 'BEGIN { l = 4; h = 512; s = 256; V = 2048; B = 8
			f = times * B * s * l * h * h * (1 + s / (6 * h))
			printf "%.9g\n", f + 6 * B * s * h * V }'
	}
	model=layers=4,hidden=512,heads=8,seq=256,vocab=2048,tp=2,dp=2,batch=8
	jobgen "llm:$model" -o step.graph
	[ "$(total 4)" = "$(formula 72)" ]
	[ "$(awk -v f="$(sed -n 's/^##flops=//p' step.graph)" 'BEGIN { printf "%.4g", f }')" = "$(awk -v f="$(formula 72)" 'BEGIN { printf "%.4g", f }')" ]
	jobgen "llm:$model,recompute=full" -o step.graph
	[ "$(total 4)" = "$(formula 96)" ]
}

# order STAGE FILE: passes as F0 B0 …, by the tags of what a stage of several takes and hands on
order() {
	table "$2" "$1" | awk -F'\t' '$1 == "send" { printf "%s%d ", $5 % 2 ? "B" : "F", int($5 / 2) }'
}

@test "1F1B and interleaved: the order of passes" {
	model=layers=8,hidden=64,heads=4,seq=64,vocab=128
	jobgen "llm:$model,pp=4,batch=6" -o step.graph
	[ "$(order stage0 step.graph)" = 'F0 F1 F2 F3 F4 F5 ' ]
	[ "$(order stage1 step.graph)" = 'F0 F1 F2 B0 F3 B1 F4 B2 F5 B3 B4 B5 ' ]
	[ "$(order stage3 step.graph)" = 'B0 B1 B2 B3 B4 B5 ' ]
	# 2 chunks: tags have the chunk that takes them: 2 micro + chunk
	jobgen "llm:$model,pp=2,virtual=2,batch=4" -o step.graph
	[ "$(order stage0 step.graph)" = 'F0 F2 F1 F3 F4 B0 F6 B2 F5 F7 B4 B6 ' ]
	# what one sends the next one takes
	for pair in 'stage0 stage1' 'stage1 stage0'; do
		cmp <(table step.graph "${pair% *}" | awk -F'\t' '$1 == "send" { print $5 }' | sort) \
			<(table step.graph "${pair#* }" | awk -F'\t' '$1 == "recv" { print $5 }' | sort)
	done
}

@test "ranks: each order is a partition; tp stands side by side unless it is told otherwise" {
	model=layers=4,hidden=64,heads=4,seq=64,vocab=128,tp=2,pp=2,dp=2,batch=2
	jobgen "llm:$model" -o step.graph
	grep -q '^##group=tp:0-1|2-3|4-5|6-7$' step.graph
	grep -q '^##program=stage1:4-7$' step.graph
	jobgen "llm:$model,order=dp-tp-pp-cp" -o step.graph
	grep -q '^##group=tp:0,2|1,3|4,6|5,7$' step.graph
	grep -q '^##group=dp:0-1|2-3|4-5|6-7$' step.graph
	jobgen "llm:$model,order=pp-tp-cp-ep-dp" -o step.graph
	grep -q '^##group=pp:0-1|2-3|4-5|6-7$' step.graph
	grep -q '^##program=stage1:1,3,5,7$' step.graph
}

@test "what is generated can be replayed: no stage waits for ever, and one of p stages idles (p - 1) / m" {
	seconds() {
		jobgen "$1" -o step.graph
		stream jobs 'job nodes nodelist pattern iterations' "1 $2 h[0-$(($2 / 4 - 1))]g[0-3] graph:path=step.graph 1" |
			netsim --quiet -t rails:domains=4,gpus=4 -s packet=64KiB -s input-buffer=4MiB -s eager=1GiB -s collectives=nccl | rows |
			awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "comm_time_s") c = i; next } { print $c }'
	}
	model=hidden=256,heads=8,seq=512,vocab=1024
	for split in layers=8,tp=2,cp=2,pp=2,dp=2,batch=16,virtual=2,shard=optimizer,overlap=yes,sequence-parallel=yes \
		layers=8,tp=2,cp=4,pp=2,batch=4,cp-type=ring,shard=parameters layers=4,experts=8,ep=4,dp=8,pp=2,batch=32,shard=gradients,overlap=yes \
		layers=6,pp=4,batch=8,dp=4,recompute=full,order=pp-dp-tp-cp; do
		[[ $(seconds "llm:$model,$split" 16) =~ ^[0-9.e-]+$ ]]
	done
	# large layers, so that messages take nothing; no vocabulary
	model=hidden=8192,heads=64,seq=2048,vocab=1,tied=no,layers=8,pp=4
	one=$(jobgen "llm:$model,batch=1" | awk -F'\t' '$1 == "stage1" { sum += $6 } END { print sum }')
	for m in 4 8; do
		for v in 1 2; do
			awk -v got="$(seconds "llm:$model,batch=$m,virtual=$v" 4)" -v one="$one" -v m=$m -v v=$v 'BEGIN {
				right = one * (m + 3 / v); print got, right; exit !(got > right * .99 && got < right * 1.06) }'
		done
	done
}

@test "memory: what does not fit a GPU is reported" {
	run -0 --separate-stderr jobgen llm:model=gpt-175b,tp=8,pp=8,dp=16,batch=1536,recompute=full -o step.graph
	[ -z "$stderr" ]
	run -0 --separate-stderr jobgen llm:model=gpt-175b,tp=8,pp=2,dp=16,batch=1536,recompute=full -o step.graph
	[[ $stderr == *'stage 0 needs '*' GB of a GPU, which has 80.0' ]]
	run -0 --separate-stderr jobgen llm:model=gpt-175b,tp=8,pp=2,dp=16,batch=1536,recompute=full,memory=500GB -o step.graph
	[ -z "$stderr" ]
	# x + g + 12 bytes a weight: no activations of any size
	jobgen llm:layers=2,hidden=1024,heads=8,seq=1,vocab=1024,tied=no -o step.graph
	awk -v bytes="$(sed -n 's/^##gpu-memory=//p' step.graph)" 'BEGIN { w = 2 * 12 * 1024 ^ 2 + 2 * 1024 * 1024; exit !(bytes / w > 18 && bytes / w < 18.01) }'
}

@test "what does not divide is refused, with both numbers" {
	refused() {
		run -2 --separate-stderr jobgen "llm:layers=8,hidden=64,heads=4,$1"
		[[ -z $output && ${#stderr_lines[@]} = 1 && $stderr == *"$2"* ]]
	}
	refused tp=3 '4 cannot be divided by 3'
	refused pp=3,batch=3 '8 cannot be divided by 3'
	refused pp=10,batch=10 '8 cannot be divided by 10'
	refused cp=3 '2048 cannot be divided by 3'
	refused dp=4,batch=6 '6 cannot be divided by 4'
	refused experts=8,ep=3,dp=2,batch=2 '2 cannot be divided by 3'
	refused experts=6,ep=4,dp=4,batch=4 '6 cannot be divided by 4'
	refused pp=2,virtual=2,batch=3 '3 cannot be divided by 2'
	refused virtual=2 pp=2
	refused ep=2,dp=2,batch=2 experts=
	refused order=tp-dp tp-cp-ep-dp-pp
	refused order=tp-tp-dp-pp tp-cp-ep-dp-pp
	refused experts=2,topk=3 '3 of 2'
	run -2 --separate-stderr jobgen llm:layers=8,hidden=64,heads=5
	[[ $stderr == *'64 cannot be divided by 5'* ]]
	run -2 --separate-stderr jobgen llm:layers=8
	[[ $stderr == *hidden=* ]]
	run -2 --separate-stderr jobgen llm:model=gpt-175
	[[ $stderr == *"'gpt-175'"*gpt-175b* ]]
}
