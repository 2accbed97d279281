# netsim-nccl.bats - NCCL's collectives: rings that use all NICs, trees, switches that add up, rails
load helper

MACHINE=rails:domains=4,gpus=8,units=2,spines=4,cables=2,nvlink-bandwidth=370GB/s,rail-bandwidth=42GB/s,spine-bandwidth=42GB/s
LARGE=(-s packet=256KiB -s input-buffer=16MiB -s router-delay=0 -s collectives=nccl)

# busbw OPERATION GPUS BYTES SETTINGS…: 2 (n - 1) / n of the bytes a second, in GB/s, as nccl-tests count it; of one
# half of that where the operation moves it once. The operation may be a pick of a pattern
busbw() {
	local n=$2 bytes=$3 times=1
	[[ $1 != allreduce* ]] || times=2
	stream jobs 'job nodes nodelist pattern bytes iterations' "1 $n h[0-$((n / 8 - 1))]g[0-7] $1 $bytes 1" |
		netsim -t "$MACHINE" "${LARGE[@]}" "${@:4}" | rows | awk -F'\t' -v n="$n" -v b="$bytes" -v t=$times '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "comm_time_s") c = i; next }
		{ printf "%.1f\n", b / $c * t * (n - 1) / n / 1e9 }'
}

# close A B: within 3 %
close() {
	awk -v a="$1" -v b="$2" 'BEGIN { print a, b; exit !(a > b * .97 && a < b * 1.03) }'
}

@test "rings: one in a host; eight on several, each out by another NIC, or one as slow as its NIC" {
	close "$(busbw allreduce 8 1073741824)" 370
	close "$(busbw allreduce 16 1073741824 -s nccl-algorithm=ring)" $((8 * 42))
	close "$(busbw allreduce 32 8589934592 -s nccl-algorithm=ring)" $((8 * 42))
	close "$(busbw allreduce 16 1073741824 -s nccl-algorithm=ring -s nccl-channels=1)" 42
	close "$(busbw allreduce 16 1073741824 -s nccl-algorithm=ring -s nccl-channels=4)" $((4 * 42))
	# a vector of 1 GiB each, a block of 64 MiB of each
	close "$(busbw collective:op=reduce_scatter 16 1073741824)" $((8 * 42))
}

@test "switches that add up: the vector once through a port; on four hosts the NICs bound both" {
	close "$(busbw allreduce 8 1073741824 -s nvls=yes)" "$(awk 'BEGIN { print 370 * 1.75 / (1.2 / .85) }')"
	close "$(busbw allreduce 16 4294967296 -s nvls=yes)" "$(awk 'BEGIN { print 370 * 1.875 / (1.2 / .85 / .9) }')"
	close "$(busbw allreduce 32 4294967296 -s nvls=yes)" "$(busbw allreduce 32 4294967296)"
	# without such switches NCCL would not take it, but may be told to
	close "$(busbw allreduce 8 1073741824 -s nccl-algorithm=nvls)" "$(busbw allreduce 8 1073741824 -s nvls=yes)"
}

@test "small messages: a flag with each word, and what kernels take per step" {
	# 14 steps of .6 us, less than two links, and the base of 6.6 us
	close "$(seconds 8 8)" 0.0000206
	# Simple: a base of 8.4 us, and 3.4 us a step
	close "$(seconds 8 8 -s nccl-protocol=simple)" 0.000056
	awk -v ll="$(seconds 32 8)" -v simple="$(seconds 32 8 -s nccl-protocol=simple)" 'BEGIN { exit !(ll < simple) }'
}

seconds() {
	stream jobs 'job nodes nodelist pattern bytes iterations' "1 $1 h[0-$(($1 / 8 - 1))]g[0-7] allreduce $2 1" |
		netsim -t "$MACHINE" "${LARGE[@]}" "${@:3}" | rows | awk -F'\t' '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "comm_time_s") c = i; next } { printf "%.9f\n", $c }'
}

@test "an all-to-all by way of the own host's GPUs passes no spine within a unit" {
	stream jobs 'job nodes nodelist pattern bytes iterations' "1 16 h[0-1]g[0-7] collective:op=alltoall 1MiB 1" >job.tsv
	spines() {
		netsim -t "$MACHINE" -s input-buffer=1MiB -s collectives=$1 --links links.tsv job.tsv >out.tsv
		rows links.tsv | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["to"] ~ /spine/ { sum += $at["bytes"] } END { print sum + 0 }'
	}
	[ "$(spines nccl)" = 0 ]
	[ "$(spines mpich)" != 0 ]
}

@test "ranks in any order on the GPUs, unevenly, and all operations: it ends, alike with threads" {
	for op in allreduce allgather reduce_scatter bcast reduce alltoall gather scatter barrier scan; do
		for nodes in '32 h[0-3]g[0-7]' '15 h[0-2]g[0-4]' '11 h0g[0-7],h2g[1-3]' '5 h3g7,h0g2,h0g0,h1g5,h1g3'; do
			stream jobs 'job nodes nodelist pattern bytes iterations' "1 $nodes collective:op=$op 100KiB 2" >job.tsv
			netsim -t "$MACHINE" -s collectives=nccl -s input-buffer=1MiB job.tsv >one.tsv
			netsim -t "$MACHINE" -s collectives=nccl -s input-buffer=1MiB -j 2 job.tsv >two.tsv
			cmp <(grep -v '^##command' one.tsv) <(grep -v '^##command' two.tsv)
			[ "$(rows one.tsv | wc -l)" = 2 ]
		done
	done
}

@test "settings of NCCL need NCCL; unknown ones are refused" {
	stream jobs 'job nodes nodelist pattern bytes iterations' "1 8 h0g[0-7] allreduce 1KiB 1" >job.tsv
	for setting in nccl-algorithm=tree nccl-protocol=ll nccl-channels=2 nvls=yes; do
		run -0 --separate-stderr netsim -t "$MACHINE" -s input-buffer=1MiB -s $setting job.tsv
		[[ $stderr == *"${setting%=*}"*"changed nothing"*collectives=nccl* ]]
	done
	run -2 --separate-stderr netsim -t "$MACHINE" -s collectives=nccl -s nccl-algorithm=trees job.tsv
	[ -z "$output" ]
	[[ ${#stderr_lines[@]} = 1 && $stderr == *trees*auto* ]]
}
