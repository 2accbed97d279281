#!/usr/bin/env bats
# traceconv-chakra.bats - Chakra execution traces become graphs
load helper

ET=$ROOT/tests/formats/chakra

# message BYTES…: hexadecimal bytes with their number (below 128) before them
message() {
	printf '%b' "$(printf '\\x%02x' $#)$(printf '\\x%s' "$@")"
}

@test "a file of ASTRA-sim: zeros are left out, and the size is that of all blocks" {
	run -0 --separate-stderr traceconv --from chakra --to pretty:columns=[program,id,op,bytes,name] "$ET/all_gather.0.et"
	[[ ${lines[1]} =~ ^rank0\ +0\ +allgather\ +1048576\ +all_gather_4npus_1MB$ ]]
	printf '{"1": [0, 3]}' >g.json
	# without a name of a group all ranks are meant, of which the groups name four
	run -0 --separate-stderr traceconv --from chakra:groups=g.json,size=input,element=2 --to graph "$ET/all_gather.0.et"
	[[ $output == *$'\n##ranks=4\n##group=1:0,3\n##program=rank0:0\n##program=idle:1-3\n'* ]]
	[[ $output == *$'allgather\t.\t.\t.\t.\t.\t8388608\t'* ]]
}

@test "dependencies packed or not, and on nodes that are not there" {
	# metadata; a computation 7 of 3 us; node 9 after 7 (twice: packed and not) and after 5, which is not there
	(message 0a 01 31; message 08 07 18 04 38 03; message 08 09 18 04 20 07 2a 02 05 07 38 02) >x.et
	run -0 --separate-stderr traceconv --from chakra --to graph x.et
	[[ $stderr == "traceconv: 1 dependencies on nodes that are not in the trace count as met" ]]
	[[ $output == *$'\nrank0\t7\tcompute\t.\t.\t3e-06\t'*$'\nrank0\t9\tcompute\t7,7\t.\t2e-06\t'* ]]
}

@test "the ring of an MSCCL program takes the time of our own" {
	need_shared
	topogen 'fattree:down=8,up=1,bandwidth=50GB/s,latency=500ns' -o switch.yaml
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\nj\t8\tn[0-7]\n' >x.jobs
	traceconv --from chakra --to graph "$SHARED"/data/llm/chakra/ring8/*.gz | sed 's/7e-06/0/' >msccl.graph
	printf '##%s\n' placetools=graph/1 ranks=8 program=all:0-7 >own.graph
	printf '%s\t%s\t%s\t%s\t%s\n' program id op bytes algorithm all 0 allreduce 1048576 ring >>own.graph
	for graph in msccl own; do
		netsim -t switch.yaml -p graph:path=$graph.graph -s packet=4096 -s input-buffer=4MiB -s eager=1GiB x.jobs | grep -v '^##' | cut -f 4 | tail -1
	done >times
	[[ $(sort -u times | wc -l) -eq 1 && $(wc -l <times) -eq 2 ]]
}

@test "a training step of the symbolic tensor graph is replayed, a PyTorch trace read" {
	need_shared
	topogen 'fattree:down=8,up=1,bandwidth=50GB/s,latency=500ns' -o switch.yaml
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\nj\t8\tn[0-7]\n' >x.jobs
	traceconv --from "chakra:groups=$SHARED/data/llm/chakra/stg/w.json,size=input,element=2" --to graph "$SHARED"/data/llm/chakra/stg/*.gz >x.graph
	netsim -t switch.yaml -p graph:path=x.graph -s packet=256KiB -s input-buffer=4MiB -s eager=1GiB -s gpu-flops=1e14 x.jobs | tail -1 | grep -qx '##end'
	run -0 --separate-stderr traceconv --from chakra --to graph "$SHARED/data/llm/chakra/kineto-resnet-like.0.et.gz"
	[[ $stderr == "traceconv: 1277 dependencies on nodes that are not in the trace count as met" ]]
	[[ $output == *$'\tcompute\t'*$'\tcpu\t'* && $output == *$'\tbcast\t'* ]]
}

# refused MESSAGE: of x.et; one line, status 2
refused() {
	run -2 --separate-stderr traceconv --from chakra --to graph x.et
	[[ $stderr == "traceconv: $1" ]] || { echo "$stderr" && false; }
	[[ $output != *'##end'* ]]
}

@test "what is no trace is refused" {
	(message 0a 01 31; message 08 07 18 04; message 08 07 18 04) >x.et
	refused 'x.et: node 7: it was there before'
	(message 0a 01 31; printf '\x30\x08') >x.et
	refused 'x.et: truncated, or not a Chakra trace'
	(message 0a 01 31; message 08 07 2a 05 01) >x.et
	refused 'x.et: node 7 is broken'
	(message 0a 01 31; message 08 07 18 09) >x.et
	refused 'x.et: node 7: type: expected 1 … 7'
	(message 0a 01 31; message 08 07 18 07) >x.et
	refused 'x.et: node 7: expected comm_size'
	(message 0a 01 31; message 08 07 18 05) >x.et
	refused 'x.et: node 7: comm_dst is not one of the ranks: ranks= says how many'
	cp "$ET/all_gather.0.et" a.0.et
	cp a.0.et b.0.et
	run -2 --separate-stderr traceconv --from chakra --to graph a.0.et b.0.et
	[[ $stderr == "traceconv: b.0.et: rank 0 is that of a.0.et, too" ]]
	echo '{"1": [0, "x"]}' >g.json
	run -2 --separate-stderr traceconv --from chakra:groups=g.json --to graph a.0.et
	[[ $stderr == "traceconv: g.json:1: group 1: expected a rank from 0 to "* ]]
}
