# netsim-gpu.bats - replay of MPI + GPU traces: Khetawat 2022, chapter 3
load helper
load gpu

@test "gaps=records: computation ends at every record, and what lies around MPI_Init and MPI_Finalize counts" {
	trace "0 0 . enter . . . . . . . start" "0 1 . leave . . . . . . . start" "0 3 4 init" "0 6 . enter . . . . . . . f" \
		"0 7 . enter . . . . . . . g" "0 9 . leave . . . . . . . g" "0 9.5 . leave . . . . . . . f" "0 12 13 finalize" \
		"0 15 . enter . . . . . . . end" "0 18 . leave . . . . . . . end" >t.tsv
	job 1 'n0' mpitrace:path=t.tsv,gaps=records >job.tsv
	netsim -t line:nodes=2 --ranks ranks.tsv job.tsv -o out.tsv
	# 2 up to MPI_Init, 2 to f, 1 to g, 2.5 to MPI_Finalize, 2 behind it
	[ "$(column runtime_s out.tsv)" = 9.5 ]
	job 1 'n0' mpitrace:path=t.tsv >job.tsv
	netsim -t line:nodes=2 job.tsv -o out.tsv
	[ "$(column runtime_s out.tsv)" = 8 ]
	job 1 'n0' mpitrace:path=t.tsv,gaps=records,compute=.5 >job.tsv
	netsim -t line:nodes=2 job.tsv -o out.tsv
	[ "$(column runtime_s out.tsv)" = 4.75 ]
}

# Two nodes at one switch, 10 GB/s, and nothing but the software's costs: 1.6 ns for 8 bytes.
bare=(-s router-delay=0 -s latency=0 -s bandwidth=10GB/s -s message-gap=0 -s nic-send=0 -s call-enter=0 -s packet-gap=0 -s empty=nothing)

@test "TraceR's costs of messages, receives and trees" {
	topogen fattree:down=4x4,up=1x4 -o m.yaml
	trace "0 0 1 isend 1 8 . 3 1" "0 1 2 wait . . . . 1" "1 0 1 irecv 0 . 8 3 1" "1 1 2 wait . . . . 1" >t.tsv
	job 2 'n[0-1]' mpitrace:path=t.tsv,gaps=records >job.tsv
	netsim -t m.yaml --profile tracer "${bare[@]}" --ranks ranks.tsv job.tsv -o out.tsv
	# the sender: two software delays and the copy, one for the completion
	[ "$(ps 0)" = 600080 ]
	# the receiver waited: .2 + .00008 + .4 + .0016 of the message, .4 + .00008 + .2 of its own
	[ "$(ps 1)" = 1201760 ]
	trace "0 0 1 allreduce . 8 8" "1 0 1 allreduce . 8 8" >t.tsv
	netsim -t m.yaml --profile tracer "${bare[@]}" --ranks ranks.tsv job.tsv -o out.tsv
	# up: .01 + .0016; a software delay between; down: .0016; two after; the root's one child costs it .01008
	[ "$(ps 0)" = 621760 ]
	[ "$(ps 1)" = 613280 ]
}

@test "the gap between packets, the node's turn, a message of nothing as a packet" {
	topogen fattree:down=4x4,up=1x4 -o m.yaml
	trace "0 0 1 isend 1 8192 . 3 1" "0 0 1 isend 1 0 . 3 2" "0 1 2 wait . . . . 1" "0 1 2 wait . . . . 2" \
		"1 0 1 irecv 0 . 8192 3 1" "1 0 1 irecv 0 . 0 3 2" "1 1 2 wait . . . . 1" "1 1 2 wait . . . . 2" >t.tsv
	job 2 'n[0-1]' mpitrace:path=t.tsv >job.tsv
	run_bare() {
		netsim -t m.yaml -s switching=store-and-forward -s router-delay=0 -s latency=0 -s bandwidth=10GB/s -s packet=4096 -s eager=1MiB "$@" --ranks ranks.tsv job.tsv -o out.tsv
	}
	run_bare
	[ "$(ps 1)" = $((3 * 409600)) ]
	run_bare -s packet-gap=1ns
	# the second packet, and behind it the empty message, which takes no bytes
	[ "$(ps 1)" = $((3 * 409600 + 1000)) ]
	run_bare -s message-gap=1us
	[ "$(ps 1)" = 2228800 ]
	run_bare -s empty=packet
	[ "$(ps 1)" = $((4 * 409600)) ]
}

@test "the author's replay of AmgX: times within 10 us, packets and bytes of each NIC" {
	need_shared
	tar xzf "$SHARED/data/otf2/amgx-8ranks-2nodes-gpuattr-scorep4.1.tar.gz"
	traceconv --from otf2:regions=all --to mpitrace traces-8/traces.otf2 >t.tsv
	topogen fattree:down=4x4x4,up=1x4x4 -o m.yaml
	job 8 'n[0-7]' mpitrace:path=t.tsv,gaps=records >1.tsv
	job 4 'n[0-3]' mpitrace:path=t.tsv,gaps=records 2 >2.tsv
	job 4 'n[0-3]' mpitrace:path=t.tsv,gaps=records 4 >4.tsv
	traceconv --from mpitrace --to comm t.tsv -o graph.tsv
	for k in 2 4; do mapref -t m.yaml -g graph.tsv --hosts 'n[0-3]' --ranks-per-node $k -p leaf-round-robin -o map$k.tsv; done
	his=(-s packet=8192 -s bandwidth=11.9GB/s -s terminal-bandwidth=24GB/s -s node-bandwidth=30GB/s -s latency=1.5ns
		-s node-latency=0 -s router-delay=60ns -s rdma-delay=1us -s packet-gap=0)
	within() { awk -v x="$1" -v y="$2" 'BEGIN { exit !(x - y < 10e-6 && y - x < 10e-6) }'; }
	end() { grep -v '^#' ranks.tsv | awk -F'\t' -v rank="$1" '$2 == rank { print $4 }'; }
	netsim -t m.yaml --profile tracer "${his[@]}" --ranks ranks.tsv 1.tsv -o out.tsv
	within "$(column runtime_s out.tsv)" 1.758532
	within "$(end 5)" 1.758041
	[ "$(column packets out.tsv)" = 2444 ]
	awk -v x="$(column hops_mean out.tsv)" 'BEGIN { exit !(x > 3.072 && x < 3.0721) }'
	# at 4 a node, too, he has two ranks on each of a leaf's four nodes
	for k in 2 4; do
		netsim -t m.yaml --profile tracer "${his[@]}" --mapping map$k.tsv --ranks ranks.tsv $k.tsv -o out.tsv
		within "$(column runtime_s out.tsv)" 1.758509
		within "$(end 0)" 1.756683
		[ "$(column packets out.tsv)" = 1934 ]
	done
	for k in 1 2 4; do
		mapping=()
		[ $k = 1 ] || mapping=(--mapping "map$k.tsv")
		netsim -t m.yaml --profile tracer "${his[@]}" -s empty=nothing "${mapping[@]}" --links links.tsv $k.tsv -o out.tsv
		grep -v '^#' links.tsv | awk -F'\t' '$3 ~ /^n/ && $7 > 0 { print substr($3, 2), $6, $7 }' >ours
		awk '!/^#/ && $6 > 0 { print $2, $4, $6 }' "$SHARED/data/reference/tracer/amgx-$((k > 1 ? 2 : 1))-fattree-msg-stats" >his
		diff his ours
		[ "$(awk '{ n += $2 } END { print n }' ours)" = $((k == 1 ? 20172 : 16164)) ]
	done
}

@test "Table 3.1: the profile and the machines have the author's settings" {
	need_shared
	profile() { sed -n "s/^  $1: //p" "$ROOT/share/profiles/tracer.yaml"; }
	local conf n way wide
	for conf in "$SHARED"/data/reference/tracer/fattree-*-lassen-*.conf; do
		his() { sed -n "s/^ *$1=\"\([^\"]*\)\".*/\1/p" "$conf"; }
		[[ $conf =~ fattree-([1246])-lassen-(hc|gd)(-([246])x)?\.conf ]]
		n=${BASH_REMATCH[1]} way=${BASH_REMATCH[2]} wide=${BASH_REMATCH[4]:-1}
		[ "$(his packet_size) $(his chunk_size)" = "$(profile packet) $(profile packet)" ]
		[ "$(his vc_size) $(his cn_vc_size)" = "65536 65536" ] && [ "$(profile input-buffer)" = 64KiB ]
		[ "$(his eager_limit) $(his node_eager_limit)" = "$(profile eager) $(profile copy-eager)" ]
		[ "$(his nic_seq_delay)ns $(his router_delay)ns" = "$(profile message-gap) $(profile router-delay)" ]
		[ "$(his nic_delay)ns $(his nic_delay)ns" = "$(profile send-delay) $(profile receive-wait)" ]
		[ "$(his soft_delay)ns $(his soft_delay)ns" = "$(profile send-setup) $(profile call-exit)" ]
		[ "$(his rdma_delay)ns $(his copy_per_byte)ns" = "$(profile rdma-delay) $(profile copy-per-byte)" ]
		[ "$(his node_copy_queues)" = "$(profile copy-servers)" ]
		grep -q "node: {bandwidth: $(his intra_bandwidth)GB/s}" "$ROOT/share/profiles/tracer.yaml"
		if [ $way = hc ]; then
			[ "$(his gpu_copy_delay) $(his gpu_copy_per_byte)ns" = "20000 $(profile gpu-copy-per-byte)" ] && [ "$(profile gpu-copy-delay)" = 20us ]
		else
			[ "$(his gpudirect_delay)" = 4000 ] && [ "$(profile gpudirect-delay)" = 4us ]
		fi
		# 45 leaves of 18 nodes and 12 cables upwards, a rank for each GPU; links as wide as the name says
		awk -v a="$(his link_bandwidth)" -v b="$(his cn_bandwidth)" -v x=$wide 'BEGIN { exit !(a == 12.5 * x && b == 12.5 * x) }'
		[ "$(his num_injection_queues) $(his num_rails) $(his server)" = "2 2 $((18 * n))" ]
		topogen @lassen-$n >m.yaml
		grep -q 'parameters: {down: 18x15x3, up: 1x12x15}' m.yaml
		grep -q 'injection_queues: 2.*planes: 2' m.yaml
		grep -qx "gpus: {per_node: $n}" m.yaml
		awk -v leaves="$(his switch_count)" -v radix="$(his switch_radix)" -v taper="$(his tapering)" \
			'BEGIN { exit !(leaves == 15 * 3 && radix == 18 + 12 && 18 / 12 == taper) }'
	done
}

@test "one message from GPU to GPU and by the host: the author's simulator within .1 us and .1 %" {
	local bytes direct host ratio=9 saving=0
	while read -r bytes direct host; do
		# the larger the message, the more time it saves, and the less of it
		read -r ratio saving < <(awk -v g="$(one_way "$bytes" --gpu gpudirect)" -v h="$(one_way "$bytes" --gpu hostcopy)" -v direct="$direct" -v host="$host" \
			-v ratio="$ratio" -v saving="$saving" '
			function off(x, y) { return x - y > .1 + .001 * y || y - x > .1 + .001 * y }
			BEGIN { if (off(g, direct) || off(h, host) || h / g >= ratio || h - g <= saving) { print "off", direct, g, host, h; exit }
				print h / g, h - g }')
		[ "$ratio" != off ] || { echo "$bytes bytes: $saving"; return 1; }
	done <<-'END'
		8 5.55 20.95
		1024 5.55 21.20
		4096 6.10 21.90
		16384 7.10 23.90
		32768 8.40 26.50
		65536 11.05 31.65
		262144 26.85 61.20
		1048576 90.05 179.45
		4194304 342.80 652.40
		8388608 679.85 1283.05
	END
	# towards (.07 + .0804) / .0804
	awk -v g="$(one_way 1073741824 --gpu gpudirect)" -v h="$(one_way 1073741824 --gpu hostcopy)" 'BEGIN { exit !(h / g > 1.87 && h / g < 1.872) }'
}

@test "closed forms of GPUDirect and HostCopy on an idle machine, to the picosecond" {
	idle=(-s router-delay=0 -s latency=0 -s bandwidth=10GB/s -s node-bandwidth=16GB/s -s message-gap=0 -s nic-send=0 -s call-enter=0 -s packet-gap=0 -s empty=nothing)
	# soft .2, gpudirect 4, rdma .5, nic .4, two words of 16 bytes at 16 GB/s, the wire twice for one packet, soft .2
	[ "$(one_way 1000 --gpu gpudirect "${idle[@]}")" = 5.502000 ]
	# eager, up to 64 000 bytes: soft .2, copy .01 ns a byte, GPU to host 20 us and .07 ns a byte, nic .4, soft .2
	[ "$(one_way 1000 --gpu hostcopy "${idle[@]}")" = 21.080000 ]
	[ "$(one_way 64000 --gpu hostcopy "${idle[@]}")" = 32.729600 ]
	# rendezvous: no copy in the host, rdma .5
	[ "$(one_way 64001 --gpu hostcopy "${idle[@]}")" = 32.589770 ]
	# a message of nothing is copied, too
	[ "$(one_way 0 --gpu hostcopy "${idle[@]}")" = 20.800000 ]
	# the receiver copies as well
	[ "$(one_way 1000 --gpu hostcopy -s copy=both "${idle[@]}")" = 41.150000 ]
}

@test "senders of one node: injection queues by slot, two planes" {
	local ppn k expected options
	while read -r ppn k expected options; do
		{
			trace
			for ((r = 0; r < k; r++)); do
				for m in 1 2 3 4; do printf '%d\t0\t0\tisend\t%d\t8388608\t.\t%d\t%d\t.\t.\t.\n' $r $((r + ppn)) $m $m; done
				for m in 1 2 3 4; do printf '%d\t0\t0\twait\t.\t.\t.\t.\t%d\t.\t.\t.\n' $r $m; done
			done
			for ((r = 0; r < k; r++)); do
				for m in 1 2 3 4; do printf '%d\t0\t0\tirecv\t%d\t.\t8388608\t%d\t%d\t.\t.\t.\n' $((r + ppn)) $r $m $m; done
				for m in 1 2 3 4; do printf '%d\t0\t0\twait\t.\t.\t.\t.\t%d\t.\t.\t.\n' $((r + ppn)) $m; done
			done
		} | grep -v '^\.' >t.tsv
		job 2 'n[0-1]' mpitrace:path=t.tsv "$ppn" >job.tsv
		# shellcheck disable=SC2086
		netsim -t @lassen --profile tracer --gpu gpudirect $options job.tsv -o out.tsv
		awk -v us="$(column runtime_s out.tsv)" -v expected="$expected" 'BEGIN { x = 1e6 * us / expected; exit !(x > .999 && x < 1.001) }' ||
			{ echo "$k of $ppn: $(column runtime_s out.tsv), not $expected us"; return 1; }
	done <<-'END'
		6 1 2702
		6 2 5399
		6 3 8095
		6 4 8095
		6 5 8095
		6 6 8095
		2 2 2702
		4 4 5399
		6 6 1384 -s bandwidth=75GB/s
	END
}

@test "HostCopy whose copies cost nothing is the plain replay; trace lies between it and GPUDirect" {
	trace "0 0 0 isend 1 500 . 1 1 gpu" "0 0 0 isend 1 500000 . 2 2 host" "0 0 0 isend 1 500000 . 3 3 gpu" \
		"0 0 0 wait . . . . 1" "0 0 0 wait . . . . 2" "0 0 0 wait . . . . 3" "0 0 0 allreduce . 8 8 . . gpu gpu" \
		"1 0 0 irecv 0 . 500 1 1 . gpu" "1 0 0 irecv 0 . 500000 2 2 . host" "1 0 0 irecv 0 . 500000 3 3 . gpu" \
		"1 0 0 wait . . . . 1" "1 0 0 wait . . . . 2" "1 0 0 wait . . . . 3" "1 0 0 allreduce . 8 8 . . gpu gpu" >t.tsv
	job 2 'n[0-1]' mpitrace:path=t.tsv >job.tsv
	for way in hostcopy gpudirect trace none; do
		netsim -t @lassen --profile tracer -s gpu=$way job.tsv -o $way.tsv
	done
	run ! grep -q $'\tgpu\t' none.tsv
	[ "$(column gpu trace.tsv)" = trace ]
	# what the trace has on the host is copied
	[ "$(for way in none gpudirect trace hostcopy; do column runtime_s $way.tsv; done)" = "$(for way in none gpudirect trace hostcopy; do column runtime_s $way.tsv; done | sort -g)" ]
	netsim -t @lassen --profile tracer --gpu trace -s host-buffers=plain job.tsv -o plain.tsv
	awk -v none="$(column runtime_s none.tsv)" -v plain="$(column runtime_s plain.tsv)" -v trace="$(column runtime_s trace.tsv)" 'BEGIN { exit !(none < plain && plain < trace) }'
	netsim -t @lassen --profile tracer --gpu hostcopy -s gpu-copy-delay=0 -s gpu-copy-per-byte=0 --ranks free.tsv job.tsv -o out.tsv
	netsim -t @lassen --profile tracer --ranks plain.tsv job.tsv -o out.tsv
	diff <(grep -v '^##' plain.tsv) <(grep -v '^##' free.tsv | cut -f1-10)
	run -2 --separate-stderr netsim -t @lassen --profile tracer --gpu both job.tsv
	[[ $stderr == *"hostcopy"* ]]
}

@test "receives that name nobody, or no tag or size, are cleared by the request to send" {
	trace "0 0 0 isend 2 200000 . 1 1" "0 0 0 isend 2 200000 . 1 2" "0 0 0 wait . . . . 1" "0 0 0 wait . . . . 2" \
		"1 0 0 isend 2 200000 . 1 1" "1 0 0 wait . . . . 1" "2 0 0 irecv 0 . 200000 1 1" "2 0 0 irecv . . . . 2" \
		"2 0 0 irecv . . . . 3" "2 0 0 wait . . . . 1" "2 0 0 wait . . . . 2" "2 0 0 wait . . . . 3" >u.tsv
	job 3 'n[0-2]' mpitrace:path=u.tsv >job.tsv
	for options in "" "-s rts=on" "--gpu gpudirect" "--gpu gpudirect -s rts=on" "--gpu hostcopy"; do
		# shellcheck disable=SC2086
		netsim -t @lassen --profile tracer $options job.tsv -o out.tsv
	done
	# a receive for more than is sent: what it cleared serves the next message
	trace "0 0 0 isend 1 100 . 1 1" "0 0 0 isend 1 200000 . 1 2" "0 0 0 wait . . . . 1" "0 0 0 wait . . . . 2" \
		"1 0 0 irecv 0 . 200000 1 1" "1 0 0 irecv 0 . 200000 1 2" "1 0 0 wait . . . . 1" "1 0 0 wait . . . . 2" >t.tsv
	job 2 'n[0-1]' mpitrace:path=t.tsv >job.tsv
	netsim -t @lassen --profile tracer job.tsv -o out.tsv
	[ "$(column packets out.tsv)" -ge 50 ]
}

@test "GPU collectives: trees with 4 us a message or 20 us a half, one rank, the same bytes for any -j" {
	for op in bcast reduce allreduce allgather alltoall barrier; do
		rows=()
		for r in 0 1 2 3 4; do rows+=("$r 0 0 $op . 1000 1000"); done
		trace "${rows[@]}" | awk -F'\t' -v OFS='\t' 'NR == 2 { print $0, "root"; next } NR > 2 { print $0, $4 ~ /bcast|^reduce/ ? 0 : "." ; next } { print }' >$op.tsv
	done
	times() {
		job 5 'n[0-4]' "mpitrace:path=$1.tsv" >job.tsv
		netsim -t @lassen --profile tracer -s gpu="$2" job.tsv -o out.tsv
		awk -v t="$(column runtime_s out.tsv)" 'BEGIN { printf "%d\n", 1e6 * t }'
	}
	# three levels of five ranks; each message to a GPU takes 4 us besides
	[ "$(times bcast gpudirect)" = 10 ] && [ "$(times bcast hostcopy)" = 60 ] && [ "$(times bcast none)" = 1 ]
	[ "$(times allreduce gpudirect)" -gt 20 ] && [ "$(times allreduce hostcopy)" -gt 80 ]
	[ "$(times barrier gpudirect)" = "$(times barrier hostcopy)" ]
	[ "$(times alltoall gpudirect)" -gt "$(times alltoall none)" ]
	trace "0 0 1 allreduce . 8 8 . . gpu gpu" >t.tsv
	job 1 'n0' mpitrace:path=t.tsv >job.tsv
	netsim -t @lassen --profile tracer --gpu hostcopy job.tsv -o out.tsv
	job 5 'n[0-4]' mpitrace:path=alltoall.tsv >job.tsv
	netsim -j 1 -t @lassen --profile tracer --gpu gpudirect --ranks 1.tsv job.tsv -o a.tsv
	netsim -j 2 -t @lassen --profile tracer --gpu gpudirect --ranks 2.tsv job.tsv -o b.tsv
	diff <(grep -v '^##command' a.tsv) <(grep -v '^##command' b.tsv)
	diff <(grep -v '^##command' 1.tsv) <(grep -v '^##command' 2.tsv)
}

@test "LULESH's messages: counts, shares and bytes of 8 to 216 ranks" {
	local n expected
	while read -r n expected; do
		jobgen mpi:app=lulesh,ranks="$n",iterations=1 | awk -F'\t' -v expected="$expected" '
			$3 == "isend" { n++; bytes += $5; if ($5 <= 6960) small++; else if ($5 < 6e5) half++; else large++; if ($5 < 32768) below += $5 }
			END { got = sprintf("%d %.1f %.1f %.1f %.2f", n, 100 * small / n, 100 * half / n, 100 * large / n, 100 * below / bytes)
				if (got != expected) { print got; exit 1 } }' || { echo "^ $n, not $expected"; return 1; }
	done <<-'END'
		8 108 44.4 44.4 11.1 0.46
		27 582 53.6 37.1 9.3 0.61
		64 1692 57.4 34.0 8.5 0.69
		125 3708 59.5 32.4 8.1 0.74
		216 6900 60.9 31.3 7.8 0.77
	END
	run -2 --separate-stderr jobgen mpi:app=lulesh,ranks=9
	[[ $stderr == *"cube of ranks"* ]]
}

@test "messages of SW4lite, Minisweep and AmgX: neighbours, sizes and shares that the dissertation reports" {
	local app expected
	# at most four neighbours; % of messages above 500 KB, of 100 to 500, of 1 to 100, below; % of bytes in those below 32 KB
	while read -r app expected; do
		jobgen "mpi:app=$app,ranks=64,iterations=2" | awk -F'\t' -v expected="$expected" '
			$3 == "isend" {
				n++; bytes += $5; if ($5 < 32768) below += $5
				if ($5 > 5e5) huge++; else if ($5 >= 1e5) large++; else if ($5 >= 1e3) small++
				if (!seen[$1, $4]++ && ++neighbours[$1] > most) most = neighbours[$1]
			}
			END { got = sprintf("%d %.0f %.0f %.0f %.0f %.0f", most, 100 * huge / n, 100 * large / n, 100 * small / n, 100 * (n - huge - large - small) / n, 100 * below / bytes)
				if (got != expected) { print got; exit 1 } }' || { echo "^ $app, not $expected"; return 1; }
	done <<-'END'
		sw4lite 4 50 0 50 0 0
		minisweep 4 100 0 0 0 0
		amgx 4 8 17 71 4 4
	END
}

@test "every generated code replays in all ways, and survives OTF2 with its locations" {
	for app in amgx lulesh minisweep pingpong senders sw4lite; do
		jobgen "mpi:app=$app,ranks=8,iterations=2,imbalance=.2,bytes=100kB" -o t.tsv
		jobgen "mpi:app=$app,ranks=8,iterations=2,imbalance=.2,bytes=100kB" -o again.tsv
		cmp <(grep -v '^##command' t.tsv) <(grep -v '^##command' again.tsv)
		grep -qx '##imbalance=0.2' t.tsv
		job 4 'n[0-3]' mpitrace:path=t.tsv,loop=loop 2 >job.tsv
		for way in none hostcopy gpudirect trace; do
			netsim -t @lassen --profile tracer -s gpu=$way --ranks ranks.tsv job.tsv -o out.tsv
		done
		traceconv --from mpitrace --to otf2 t.tsv -o t.otf2
		traceconv --from otf2 --to mpitrace t.otf2/traces.otf2 -o back.tsv
		for name in rank op peer bytes tag send_location recv_location region; do
			diff <(column $name t.tsv) <(column $name back.tsv)
		done
		rm -r t.otf2
	done
	# strong scaling: the problem of 32 ranks on 128
	[ "$(jobgen mpi:app=sw4lite,ranks=128,iterations=1,scaling=strong | awk -F'\t' '$3 == "isend" && $5 > m { m = $5 } END { print m }')" = $((12 << 19)) ]
}

@test "comm-time: the loop less its computation, as TraceR prints it, and a region that is not there" {
	trace "0 0 1 init" "0 2 . enter . . . . . . . loop" "0 5 5 isend 1 8 . 1 1" "0 5 5 wait . . . . 1" "0 6 . leave . . . . . . . loop" \
		"0 9 9 finalize" "1 0 1 init" "1 2 . enter . . . . . . . loop" "1 3 3 irecv 0 . 8 1 1" "1 3 5 wait . . . . 1" \
		"1 6 . leave . . . . . . . loop" "1 9 9 finalize" >t.tsv
	job 2 'n[0-1]' mpitrace:path=t.tsv,loop=loop >job.tsv
	netsim -t line:nodes=2 -s latency=0 -s router-delay=0 -s bandwidth=1GB/s --gpu gpudirect --ranks ranks.tsv job.tsv -o out.tsv
	# rank 1 computes 1 + 1 s of the 4 s that rank 0 computes, and waits for the rest
	evalmetrics -m comm-time ranks.tsv | grep -v '^#' | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ v[NR] = $c["value"] } END { exit !(v[2] < 1e-6 && v[3] > 1.999 && v[3] < 2.001) }'
	evalmetrics -m comm-time:artefact=tracer ranks.tsv | grep -v '^#' | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ v[NR] = $c["value"] } END { exit !(v[2] > 35.99 && v[2] < 36.01 && v[3] > 37.99 && v[3] < 38.01) }'
	evalmetrics -m comm-time --by gpu ranks.tsv | grep -q gpudirect
	job 2 'n[0-1]' mpitrace:path=t.tsv,loop=solve >job.tsv
	run -2 --separate-stderr netsim -t line:nodes=2 job.tsv
	[[ $stderr == *"of the region 'solve'"* ]]
}

@test "copies of a node one after the other; messages to oneself; a receive that is cancelled after it cleared" {
	idle=(-s router-delay=0 -s latency=0 -s bandwidth=10GB/s -s message-gap=0 -s nic-send=0 -s call-enter=0 -s packet-gap=0 -s empty=nothing)
	# two ranks of a node send 50 000 bytes: copies of 3.5 us behind their 20 us, the second after the first
	trace "0 0 0 isend 2 50000 . 1 1" "0 0 0 wait . . . . 1" "1 0 0 isend 2 50000 . 2 1" "1 0 0 wait . . . . 1" \
		"2 0 0 irecv 0 . 50000 1 1" "2 0 0 irecv 1 . 50000 2 2" "2 0 0 wait . . . . 1" "2 0 0 wait . . . . 2" "3 0 0 init" >t.tsv
	job 2 'n[0-1]' mpitrace:path=t.tsv 2 >job.tsv
	took() {
		netsim -t @lassen --profile tracer --gpu hostcopy "${idle[@]}" "$@" --ranks ranks.tsv job.tsv -o out.tsv
		ps 2
	}
	# the receiver ends a software delay behind the second, and two behind both
	[ $(($(took -s copy-serial=yes) - $(took -s copy-serial=no))) = 3300000 ]
	took
	[ "$(grep -v '^#' ranks.tsv | awk -F'\t' '$2 == 0 { print $8 }')" = 2.35e-05 ]
	trace "0 0 0 irecv 0 . 200000 1 1" "0 0 0 isend 0 200000 . 1 2" "0 0 0 call . . . . . . . MPI_Iprobe" "0 0 0 irecv 1 . 200000 9 3" \
		"0 0 0 wait . . . . 1" "0 0 0 wait . . . . 2" "0 0 0 cancel . . . . 3" "0 1 1 irecv 1 . 200000 9 4" "0 1 1 wait . . . . 4" \
		"1 0 0 init" "1 1 1 send 0 200000 . 9" >t.tsv
	job 2 'n[0-1]' mpitrace:path=t.tsv >job.tsv
	for options in "--gpu gpudirect" "--gpu hostcopy" "--gpu trace" "" "--gpu gpudirect -s rts=on"; do
		# shellcheck disable=SC2086
		netsim -t @lassen --profile tracer $options job.tsv -o out.tsv
		awk -v t="$(column runtime_s out.tsv)" 'BEGIN { exit !(t > 1.00001 && t < 1.0001) }'
	done
}

# A receive of a message that is not eager clears it: a control message the other way. What it costs is
# what such messages have more: its NIC's turn, a router each, its arrival; and that the data have left.
@test "a control message takes two events, and one for each router" {
	local routers n
	jobgen mpi:app=pingpong,ranks=2,iterations=100,bytes=4096 -o t.tsv
	events() { netsim -v -t @lassen --profile tracer -s "eager=$1" 1.tsv -o out.tsv 2>&1 | sed -n 's/.* events=\([0-9]*\) .*/\1/p'; }
	for routers in 1 3; do
		job 2 "n[0,$((routers == 1 ? 1 : 20))]" mpitrace:path=t.tsv >1.tsv
		[ "$(column hops_mean < <(netsim -t @lassen --profile tracer 1.tsv))" -eq $((routers + 1)) ]
		n=$(($(events 0) - $(events 64000)))
		# 200 messages; the first receive comes late
		[ $(((n + 100) / 200)) -eq $((2 + routers + 1)) ]
	done
}
