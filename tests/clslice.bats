# clslice.bats - OpenCL kernels in slices: what needs no device, what does, and bad input
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	KERNELS=$ROOT/share/kernels
	HALVES=$ROOT/tests/live/halves.yaml
}

# Without an OpenCL device there is nothing to run on; PoCL makes a CPU one.
need_device() {
	clslice -S 1 -o /dev/null "$ROOT/share/examples-data/square.yaml" 2>why || skip "$(head -1 why)"
}

# cells COLUMN…: of the rows of standard input
cells() {
	grep -v '^##' | mlr --itsv --ojson cat | jq -r "map([$1] | map(tostring) | join(\" \")) | join(\", \")"
}

# kernel LINE…: kernel.yaml of one work item for each element of out
kernel() {
	cat >kernel.cl <<-'END'
		__kernel void k(__global int *out) { out[get_global_id(0)] = get_group_id(0); }
	END
	printf '%s\n' 'placetools: kernel/1' 'program: {source: kernel.cl}' 'kernel: k' "$@" >kernel.yaml
}
OUT='arguments: [{name: out, buffer: out, count: 100, merge: rows}]'

@test "plan: slices of whole groups, the first ones longer; no more of them than groups" {
	kernel 'global: [100]' 'local: [4]' "$OUT"
	[ "$(clslice plan -S 4 kernel.yaml | cells .slice,.first,.count)" = "0 0 7, 1 7 6, 2 13 6, 3 19 6" ]
	run -0 --separate-stderr clslice plan -S 99 kernel.yaml
	[ "$(grep -vc '^##' <<<"$output")" -eq 26 ]
	[ "$stderr" = "clslice: kernel.yaml: 25 work groups along dimension 0: as many slices" ]
}

@test "plan: the slowest dimension with most groups, unless the file names one" {
	kernel 'global: [100, 40]' 'local: [10, 4]' 'arguments: [{name: out, buffer: out, count: 4000, merge: difference}]'
	[ "$(clslice plan -S 2 kernel.yaml | cells .first,.count)" = "0 5, 5 5" ]
	kernel 'global: [100, 40]' 'local: [5, 4]' 'arguments: [{name: out, buffer: out, count: 4000, merge: difference}]'
	[ "$(clslice plan -S 2 kernel.yaml | cells .first,.count)" = "0 10, 10 10" ]
	sed -i 's/merge: difference/merge: rows/' kernel.yaml
	[ "$(clslice plan -S 2 kernel.yaml | cells .first,.count)" = "0 5, 5 5" ]
	echo 'dimension: 0' >>kernel.yaml
	run -2 --separate-stderr clslice plan kernel.yaml
	[[ $stderr == "clslice: kernel.yaml:6: out: rows needs slices along the slowest dimension, 1" ]]
}

@test "a kernel's description: what is wrong and where" {
	local line message
	while IFS='|' read -r line message; do
		kernel "$line" 'global: [100]' "$OUT"
		run -2 --separate-stderr clslice plan kernel.yaml
		[[ $stderr == *"$message"* ]] || { echo "$line: $stderr"; return 1; }
	done <<-'END'
		nonsense: 1|kernel.yaml:4: 'nonsense' is not a key of kernel/1
		offset: [1, 2]|kernel.yaml:4: offset: expected as many sizes as dimensions, 1 to 3
		local: [3]|kernel.yaml: dimension 0: 100 work items are not a multiple of groups of 3
		local: [n]|kernel.yaml:4: 'n' is not a formula: 'n' is not a parameter
		local: [4/0]|'4/0' is not a formula: division by 0
		local: [(4]|'(4' is not a formula: expected )
		dimension: 1|kernel.yaml:4: dimension: expected auto or 0 to 0
		parameters: [1]|kernel.yaml:4: expected parameters
	END
	while IFS='|' read -r line message; do
		kernel 'global: [100]' "arguments: [$line]"
		run -2 --separate-stderr clslice plan kernel.yaml
		[[ $stderr == *"kernel.yaml:5: $message"* ]] || { echo "$line: $stderr"; return 1; }
	done <<-'END'
		{name: out, buffer: out, count: 100}|out is written, but merge is missing
		{name: out, buffer: out, count: 100, merge: best}|'best' is not a merge
		{name: out, buffer: out, count: 99, merge: rows}|out: rows: 396 bytes are not whole elements
		{name: out, buffer: inout, value: 0, count: 1, merge: sum}|out: a buffer that is added up begins at 0
		{name: out, buffer: out, count: 100, merge: owner}|out: expected map: an int buffer before it
		{name: out, buffer: out, count: 0, merge: rows}|0 elements; expected 1 to
		{name: out, buffer: out, count: 9223372036854775807*2, merge: rows}|'9223372036854775807*2' is not a formula: a number beyond 64 bits
		{name: in, buffer: in, count: 4, random: 1}|below is missing
		{name: in, buffer: in, count: 4, file: none.bin}|none.bin: No such file
		{name: in, buffer: in, count: 4, file: kernel.cl}|kernel.cl: more than 16 bytes
		{name: in, buffer: up, count: 4}|buffer: expected in, out or inout
		{name: in, type: half, value: 1}|'half' is not a type
		{name: in, size: 1}|'size' is not a key of an argument
		{name: in}|in: expected buffer, value or local
		{name: in, local: 0}|local: expected 1 to 2^30 bytes
	END
	kernel 'global: [0]' "$OUT"
	run -2 --separate-stderr clslice plan kernel.yaml
	[[ $stderr == "clslice: kernel.yaml:4: global: 0 work items; expected 1 to 2^36" ]]
	kernel 'global: [100]' "$OUT"
	run -2 --separate-stderr clslice plan -s n=3 kernel.yaml
	[[ $stderr == "clslice: --set n=3: expected NAME=NUMBER, a parameter of kernel.yaml" ]]
	rm kernel.cl
	run -2 --separate-stderr clslice plan kernel.yaml
	[[ $stderr == "clslice: kernel.cl: No such file or directory" ]]
}

@test "devices: what is wrong and where; simulations read the same file" {
	local line message
	while IFS='|' read -r line message; do
		printf '%s\n' 'placetools: devices/1' 'devices:' "  - {name: a, $line}" >d.yaml
		run -2 --separate-stderr cosched -d d.yaml -k "$ROOT/share/examples-data/kernels.tsv" /dev/null
		[[ $stderr == "cosched: d.yaml:3: $message"* ]] || { echo "$line: $stderr"; return 1; }
	done <<-'END'
		select: 3|expected select:
		select: {index: -1}|expected a whole number from 0
		select: {type: tpu}|expected platform, index, or type: cpu, gpu or accelerator
		partition: equally|expected the compute units of each part, as counts=1+1
		partition: counts=1+0|expected the compute units
		partition: counts=1+1, part: 2|part 2 of 2 parts
		slow: .5|slow: expected 1 to 1000
	END
	sed 's/kind: cpu/open: 2s/; s/name: a/name: G/; s/name: b/name: F/' "$HALVES" >d.yaml
	run -0 cosched -d d.yaml -k "$ROOT/share/examples-data/kernels.tsv" "$ROOT/share/examples-data/sharing.tsv"
}

@test "devices that are not there, and one device twice" {
	need_device
	kernel 'global: [100]' "$OUT"
	printf '%s\n' 'placetools: devices/1' 'devices:' '  - {name: a, select: {platform: No Such}}' >d.yaml
	run -2 --separate-stderr clslice -d d.yaml kernel.yaml
	[[ $stderr == "clslice: a: no such OpenCL device: 0 match platform 'No Such', type any; index is 0" ]]
	printf '%s\n' 'placetools: devices/1' 'devices:' '  - {name: a}' '  - {name: b}' >d.yaml
	run -2 --separate-stderr clslice -d d.yaml kernel.yaml
	[[ $stderr == "clslice: a and b are the same OpenCL device"* ]]
	clslice -d d.yaml --shared --verify -o /dev/null kernel.yaml
	printf '%s\n' 'placetools: devices/1' 'devices:' '  - {name: a, partition: counts=4000}' >d.yaml
	run -2 --separate-stderr clslice -d d.yaml kernel.yaml
	[[ $stderr == "clslice: a: the device can't be cut into such parts: CL_INVALID_DEVICE_PARTITION_COUNT" ]]
	OCL_ICD_VENDORS=$PWD/none run -2 --separate-stderr clslice kernel.yaml
	[[ $stderr == "clslice: there is no OpenCL platform: expected a driver, as Debian's pocl-opencl-icd" ]]
}

@test "a program that can't be built says so in its own lines; a kernel that isn't there" {
	need_device
	kernel 'global: [100]' "$OUT"
	printf '\n\n__kernel void k(__global int *out) { out[0] = missing; }\n' >kernel.cl
	run -2 --separate-stderr clslice kernel.yaml
	[[ $stderr == *"kernel.yaml: the program can't be built: "*":3:"*"use of undeclared identifier 'missing'"* ]]
	echo '__kernel void other(__global int *out) { out[0] = 1; }' >kernel.cl
	run -2 --separate-stderr clslice kernel.yaml
	[[ $stderr == "clslice: device: k: CL_INVALID_KERNEL_NAME" ]]
	echo '__kernel void k(__global int *out, int n) { out[0] = n; }' >kernel.cl
	run -2 --separate-stderr clslice kernel.yaml
	[[ $stderr == "clslice: device: k has 2 arguments; kernel.yaml describes 1" ]]
	echo '__kernel __attribute__((reqd_work_group_size(10, 1, 1))) void k(__global int *out) { out[0] = 1; }' >kernel.cl
	run -2 --separate-stderr clslice kernel.yaml
	[[ $stderr == "clslice: device: k requires groups of 10x1x1: expected local so" ]]
}

@test "a slice that does not end in time" {
	need_device
	kernel 'global: [100]' "$OUT"
	cat >kernel.cl <<-'END'
		__kernel void k(__global volatile int *out) { for (long i = 0; i < 3000000000L && out[0] == 0; i++); out[get_global_id(0)] = 1; }
	END
	run -2 --separate-stderr clslice --timeout 100ms kernel.yaml
	[[ $stderr == "clslice: device: a slice did not end within 0.1 s" ]]
}

@test "buffers that don't fit the device, or this machine" {
	need_device
	kernel 'global: [100]' 'arguments: [{name: out, buffer: out, type: uchar, count: 1500000000, merge: difference}]'
	POCL_MEMORY_LIMIT=1 run -2 --separate-stderr clslice kernel.yaml
	[[ $stderr == "clslice: device: "*"kernel.yaml"*" 1500000000 "* ]]
	kernel 'global: [100]' 'arguments: [{name: a, buffer: in, type: uchar, count: 1024*1024*1024*64, value: 0}, {name: b, buffer: in, type: uchar, count: 1024*1024*1024*64, value: 0}]'
	[ "$(getconf _PHYS_PAGES)" -lt 16000000 ] || skip "a machine of more than 64 GiB"
	run -2 --separate-stderr clslice kernel.yaml
	[[ $stderr == "clslice: kernel.yaml:5: 68719476736 bytes of buffers up to here; this machine has "* ]]
}

@test "a device that leaves units to the host's threads" {
	need_device
	printf '%s\n' 'placetools: devices/1' 'devices:' '  - {name: a, host_units: 1}' >d.yaml
	clslice -d d.yaml -S 5 --verify -o /dev/null "$ROOT/share/examples-data/square.yaml" 2>why || [[ $(<why) == *"can't be cut"* || $(<why) == *"has 1 compute units" ]]
	printf '%s\n' 'placetools: devices/1' 'devices:' '  - {name: a, host_units: 4000}' >d.yaml
	run -2 --separate-stderr clslice -d d.yaml "$ROOT/share/examples-data/square.yaml"
	[[ $stderr == "clslice: a: host_units: the device has "*" compute units" ]]
}

@test "a kernel that takes its slice as an argument, as those of binaries must" {
	need_device
	kernel 'global: [100]' 'arguments: [{name: out, buffer: out, count: 100, merge: rows}, {name: first, type: ulong, value: 0}]'
	sed -i 's/kernel.cl}/kernel.cl, slice_argument: 1}/' kernel.yaml
	echo '__kernel void k(__global int *out, ulong first) { out[get_global_id(0) + first] = get_global_id(0) + first; }' >kernel.cl
	clslice -S 7 -d "$HALVES" --verify -o /dev/null kernel.yaml
	clslice check -S 7 kernel.yaml
}

@test "buffers are saved: the bytes of a host's own computation" {
	need_device
	clslice -S 7 -s n=1234 -d "$HALVES" --save in=in.bin --save out=out.bin -o /dev/null "$ROOT/share/examples-data/square.yaml" ||
		clslice -S 7 -s n=1230 --save in=in.bin --save out=out.bin -o /dev/null "$ROOT/share/examples-data/square.yaml"
	paste <(od -An -v -tf4 -w4 in.bin) <(od -An -v -tf4 -w4 out.bin) |
		awk '{ d = $1 * $1 - $2; if (d > 1e-6 || d < -1e-6) bad++ } END { exit bad > 0 || NR < 1000 }'
	run -2 --separate-stderr clslice --save no=x "$ROOT/share/examples-data/square.yaml"
	[[ $stderr == *"--save no=x: expected BUFFER=FILE"* ]]
}

@test "every slice is done once by a device of the set; the timeline has them" {
	need_device
	clslice -d "$HALVES" -S 40 --timeline t.tsv "$KERNELS/mandelbrot.yaml" >s.tsv || skip "the device can't be cut"
	[ "$(cells .first,.count <s.tsv | tr ',' '\n' | sort -n | awk '$1 != next_first { exit 1 } { next_first = $1 + $2 } END { print next_first }')" = 128 ]
	placecheck s.tsv
	placecheck t.tsv
	[ "$(cells .state <t.tsv | tr -d , | tr ' ' '\n' | sort -u | tr '\n' ' ')" = "copy held open run " ] ||
		[ "$(cells .state <t.tsv | tr -d , | tr ' ' '\n' | sort -u | tr '\n' ' ')" = "copy open run " ]
}

# PoCL 3.1 aborts when a variant of a kernel is compiled while others of it are in use: a wider slice
# that comes late, the one slice without an offset.
@test "what is compiled for a slice serves all devices, in two dimensions and in three" {
	need_device
	export POCL_MAX_PTHREAD_COUNT=4
	printf '%s\n' 'placetools: devices/1' 'devices:' >four.yaml
	for i in 0 1 2 3; do echo "  - {name: d$i, partition: counts=1+1+1+1, part: $i}" >>four.yaml; done
	kernel 'global: [1168]' 'local: [16]' 'arguments: [{name: out, buffer: out, count: 1168, type: uint, merge: rows}]'
	clslice -d four.yaml -o /dev/null kernel.yaml 2>why || skip "the device can't be cut"
	cat >kernel.cl <<-'END'
		__kernel void k(__global uint *out) {
		  size_t at = get_global_linear_id();
		  uint v = at;
		  for (uint i = 0; i < 100000; i++) v = v * 1664525u + 1013904223u;
		  out[at] = v + get_group_id(0) * 3 + get_num_groups(2) * 5 + get_global_offset(2) * 7 + get_global_id(2);
		}
	END
	clslice -d four.yaml -S 9 --deal backward --verify -o /dev/null kernel.yaml
	kernel 'global: [4, 4, 64]' 'local: [4, 4, 1]' 'arguments: [{name: out, buffer: out, count: 1024, type: uint, merge: rows}]'
	cat >kernel.cl <<-'END'
		__kernel void k(__global uint *out) {
		  size_t at = get_global_linear_id();
		  uint v = at;
		  for (uint i = 0; i < 200000; i++) v = v * 1664525u + 1013904223u;
		  out[at] = v + get_group_id(2) * 3 + get_num_groups(2) * 5 + get_global_offset(1) * 7 + get_global_id(2);
		}
	END
	for order in forward backward; do
		clslice -d four.yaml -S 9 --deal $order --verify -o /dev/null kernel.yaml
	done
}

@test "check refuses the stencil, and takes the four applications" {
	need_device
	run -1 --separate-stderr clslice check "$KERNELS/stencil.yaml"
	[[ $stderr == "clslice: "*"stencil.yaml: grid: "*" elements differ from those of the kernel run whole"* ]]
	clslice check -S 5 -s width=96 -s height=64 "$KERNELS/mandelbrot.yaml"
	clslice check -S 5 -s n=61 "$KERNELS/gemm.yaml"
	clslice check -S 5 -s rows=999 "$KERNELS/spmv.yaml"
	clslice check -S 5 -s lookups=999 -s points=50 "$KERNELS/xsbench.yaml"
}

@test "profile: one run for each set of devices" {
	need_device
	clslice profile -d "$HALVES" -S 4 -s width=96 -s height=64 "$KERNELS/mandelbrot.yaml" >s.tsv || skip "the device can't be cut"
	[ "$(cells .run <s.tsv | tr -d , | tr ' ' '\n' | sort | uniq -c | awk '{ printf "%s %s ", $1, $2 }')" = "4 a 4 a+b 4 b " ]
}

@test "switch: what going from set to set takes, by parts" {
	need_halves
	clslice switch -d "$HALVES" -s width=96 -s height=128 "$KERNELS/mandelbrot.yaml" >s.tsv
	[ "$(head -1 s.tsv)" = "from	to	switches	drain_us	copy_out_us	close_us	release_us	open_us	copy_in_us" ]
	[ "$(cut -f 1,2 s.tsv | tr '\t\n' '> ')" = "from>to a>b b>a a>a+b a+b>a b>a+b a+b>b " ]
	# each part of each switch took some time, but drains, of which there is none behind one device's only slice
	awk -F'\t' 'NR > 1 { for (i = 5; i <= NF; i++) if ($i <= 0) exit 1; if ($3 < 5) exit 1 }' s.tsv
	run -2 --separate-stderr clslice switch "$KERNELS/mandelbrot.yaml"
	[[ $stderr == "clslice: expected -d DEVICES: sets of them to switch between" ]]
	run -2 --separate-stderr clslice switch -d "$HALVES" -u a "$KERNELS/mandelbrot.yaml"
	[[ $stderr == "clslice: expected 2 to 4 devices" ]]
}

# A layer of OpenCL in which one call fails once. failing CALL NUMBER: that call, at that time; failing
# "" NUMBER: whichever call has that number
failing() {
	[ -e failing.so ] || cc -shared -fPIC -o failing.so "$ROOT/tests/live/programs/failing.c" 2>why || skip "no OpenCL headers"
	export OPENCL_LAYERS=$PWD/failing.so FAIL_CALL=$1 FAIL_AT=$2 FAIL_NAME=$PWD/failed
	[ -n "$1" ] || unset FAIL_CALL
	rm -f failed
}

# All that a run calls: it is stepped through from the first call to the last.
@test "each call of OpenCL fails once: one line, 2, and nothing is left; a release alone changes nothing" {
	local at=0 file
	need_halves
	sed 's/name: b,/name: b, slow: 1.5,/' "$HALVES" >devices.yaml
	kernel 'global: [64]' 'local: [8]' 'arguments:' \
		'  - {name: out, buffer: out, count: 64, merge: rows}' \
		'  - {name: total, buffer: out, type: float, count: 1, merge: sum}' \
		'  - {name: both, buffer: inout, value: 7, count: 64, merge: difference}' \
		'  - {name: n, type: int, value: 3}'
	cat >kernel.cl <<-'END'
		__kernel void k(__global int *out, __global float *total, __global int *both, int n) {
		  int i = get_global_id(0);
		  out[i] = get_group_id(0) * n;
		  if (get_local_id(0) == 0) total[0] += i;
		  both[i] += i;
		}
	END
	clslice -d devices.yaml -S 3 --save out=out --save total=total --save both=both -o /dev/null kernel.yaml
	mkdir whole
	mv out total both whole
	for (( ; ; )); do
		failing '' $((++at))
		# what is not released is a leak, as it must be
		ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 run --separate-stderr clslice -d devices.yaml -S 3 --save out=out \
			--save total=total --save both=both -o slices.tsv kernel.yaml
		[ -e failed ] || break
		if [[ $(<failed) == clRelease* ]]; then
			[ "$status" -eq 0 ]
			for file in out total both; do cmp $file whole/$file; done
			tail -1 slices.tsv | grep -qx '##end'
			rm out total both slices.tsv
		else
			[ "$status" -eq 2 ] || { echo "$at: $(<failed): $status, $stderr"; return 1; }
			[[ $stderr == "clslice: "*": CL_OUT_OF_RESOURCES" && $stderr != *$'\n'* ]] || { echo "$(<failed): $stderr"; return 1; }
			for file in out total both slices.tsv; do [ ! -e $file ]; done
		fi
	done
	# the last one had nothing left to fail
	[ "$status" -eq 0 ]
	[ "$at" -gt 90 ]
	failing clFinish 1
	run -2 --separate-stderr clslice -d "$HALVES" "$ROOT/share/examples-data/square.yaml"
	[[ $stderr == "clslice: "[ab]": copying in: CL_OUT_OF_RESOURCES" ]]
	[[ $output != *"##end"* ]]
}

# A shared launch is done again on the program's device. What fails behind it is the program's, whose
# buffers have the launch already; either way the devices are free.
@test "run --grade share: a call that fails: the same output, or the program's own error; the devices are free" {
	local at plain
	need_halves
	many
	export XDG_RUNTIME_DIR=$PWD
	clslice reset -d "$HALVES"
	plain=$(./many 2)
	for at in 3 9 20; do
		failing clEnqueueNDRangeKernel $at
		layered shared -d "$HALVES" -u a+b --grade share -S 8 -- ./many 2
		[ "$(<shared)" = "$plain" ]
		[[ $(<shared.told) == "clslice: slice in the place of share ("[ab]": a slice: CL_OUT_OF_RESOURCES)"* ]]
	done
	# slices of the five launches were written back in the 7th to 18th write
	for at in {1..20}; do
		failing clEnqueueWriteBuffer $at
		run --separate-stderr clslice run -d "$HALVES" --grade share -S 2 -- ./many 1
		[ "$status" -eq 0 ] || [[ $status -eq 1 && $stderr == "launch: -5"* ]] || { echo "$at: $status: $stderr"; return 1; }
		[ "$status" -eq 1 ] || [ "$output" = "$(OPENCL_LAYERS='' ./many 1)" ]
		[ "$(OPENCL_LAYERS='' clslice ps | wc -l)" -eq 1 ]
	done
}

@test "a kernel that never ends; a full disk; a limit of files; two users" {
	local how
	need_device
	kernel 'global: [100]' "$OUT"
	echo '__kernel void k(__global volatile int *out) { while (out[1] == 0) ; out[get_global_id(0)] = 1; }' >kernel.cl
	run -2 --separate-stderr timeout 60 clslice --timeout 200ms kernel.yaml
	[[ $stderr == "clslice: device: a slice did not end within 0.2 s" ]]
	for how in '-o /dev/full' '--save out=/dev/full -o /dev/null' '--timeline /dev/full -o /dev/null'; do
		read -ra how <<<"$how"
		run -2 --separate-stderr clslice -S 3 "${how[@]}" "$ROOT/share/examples-data/square.yaml"
		[[ $stderr == "clslice: /dev/full: No space left on device" ]]
	done
	mkdir -m 700 mine
	export XDG_RUNTIME_DIR=$PWD/mine
	run -2 --separate-stderr bash -c 'ulimit -f 10; exec clslice reset -d "$1"' - "$HALVES"
	[[ $stderr == "clslice: $PWD/mine/placetools-clslice: File too large" ]]
	[ -z "$(ls mine)" ]
	[ "$(id -u)" -eq 0 ] || skip "not root: no small disk, no second user"
	mkdir tiny
	if mount -t tmpfs -o size=64k,mode=700 tmpfs tiny 2>why; then
		XDG_RUNTIME_DIR=$PWD/tiny run -2 --separate-stderr clslice reset -d "$HALVES"
		[ -z "$(ls tiny)" ]
		umount tiny
		[[ $stderr == "clslice: $PWD/tiny/placetools-clslice: No space left on device" ]]
	fi
	command -v setpriv >why || skip "no setpriv"
	clslice reset -d "$HALVES"
	local nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	"${nobody[@]}" test -x "$PLACETOOLS_BIN/clslice" || skip "another user can't run this"
	# not in the other's folder, and not the other's state
	run -2 --separate-stderr "${nobody[@]}" "$PLACETOOLS_BIN/clslice" ps
	[[ $stderr == "clslice: $PWD/mine: "* ]]
	unset XDG_RUNTIME_DIR
	run -2 --separate-stderr "${nobody[@]}" "$PLACETOOLS_BIN/clslice" ps
	[[ $stderr == "clslice: /dev/shm/placetools-65534/placetools-clslice: there is no state of this node: "* ]]
	[ "$(stat -c '%a %u' /dev/shm/placetools-65534)" = "700 65534" ]
	rmdir /dev/shm/placetools-65534
}

# A program of the library: NAME, slices, seconds of a slice.
client() {
	cat >client.c <<-'END'
		#include <stdio.h>
		#include <stdlib.h>
		#include <clslice.h>

		int main(int argc, char **argv)
		{
			struct clslice_profile profile = {0};
			struct clslice_message message;
			struct clslice_job *job;
			uint32_t set = 0, next = 0;
			int64_t left;

			profile.name = argv[1];
			profile.slices = left = atoi(argv[2]);
			profile.slice_s[0] = atof(argv[3]);
			if (getPlatformId(&profile, &job, &set, &message) != 0) {
				fprintf(stderr, "%s\n", message.text);
				return 2;
			}
			printf("%s has %u\n", argv[1], set);
			fflush(stdout);
			if (argc > 4) {
				abort();
			}
			while (left > 0)
				if (pollPlatformUpdate(job, --left, &next) == 1 &&
				    postDeviceRelease(job, set, &set, &message) != 0)
					return 2;
			return postJobComplete(job, &message) == 0 ? 0 : 2;
		}
	END
}

@test "the library of four calls: in C and in C++; what was decided; a job that dies" {
	local lib=$PLACETOOLS_BIN/../lib/libclslice.a
	[[ $PLACETOOLS_BIN != */san/* ]] || skip "an archive of sanitized objects"
	mkdir include
	cp "$ROOT/src/run/live/node/platform.h" include/clslice.h
	export XDG_RUNTIME_DIR=$PWD
	client
	cc -std=c99 -Wall -Wextra -Werror -pedantic -Iinclude -o client client.c "$lib" -lm -pthread
	run -2 --separate-stderr ./client early 3 1
	[[ $stderr == *"/placetools-clslice: there is no state of this node: clslice reset -d DEVICES makes one" ]]
	clslice reset -d "$ROOT/share/examples-data/two.yaml" -p greedy-up
	[ "$(./client A 3 1)" = "A has 1" ]
	run -134 ./client B 3 1 dies
	[ "$(./client C 3 1)" = "C has 1" ]
	[ "$(clslice log | cut -f 2- | tr '\t\n' ' ,')" = "event job devices assigned,arrive 0 . G=0,take 0 G .,complete 0 G .,arrive 1 . G=1,take 1 G .,dead 1 G .,arrive 2 . G=2,take 2 G .,complete 2 G .," ]
	[ "$(clslice ps | wc -l)" -eq 1 ]
	run -2 --separate-stderr ./client D 0 1
	[[ $stderr == "the profile: expected a slice of more than 0 s"* ]]
	if command -v g++ >/dev/null; then
		g++ -x c++ -Wall -Werror -Iinclude -o client++ client.c -x none "$lib" -lm -pthread
		[ "$(./client++ E 3 1)" = "E has 1" ]
	fi
}

@test "reset: not under jobs that live, unless it is forced" {
	export XDG_RUNTIME_DIR=$PWD
	run -2 --separate-stderr clslice reset
	[[ $stderr == "clslice: -d, --devices is missing; expected a YAML file of devices" ]]
	run -2 --separate-stderr clslice ps
	[[ $stderr == *"there is no state of this node"* ]]
	clslice reset -d "$ROOT/share/examples-data/two.yaml"
	[ "$(stat -c %a placetools-clslice)" = 600 ]
	run -2 --separate-stderr clslice reset -d "$ROOT/share/examples-data/two.yaml" -p nobody
	[[ $stderr == *"--policy: "*"nobody"* ]]
	chmod 755 .
	clslice ps
	chmod 777 .
	run -2 --separate-stderr clslice ps
	[[ $stderr == *"expected a folder of yours that others can't write to" ]]
}

# PoCL 3.1 can abort in its own cache of compiled kernels when commands end at once, of plain
# programs, too: then once more. layered OUTPUT ARGUMENT…: clslice run --tell ARGUMENT…, its report
# in OUTPUT.told
layered() {
	local try output=$1
	shift
	for try in 1 2 3 4 5; do
		if timeout 300 clslice run --tell "$@" >"$output" 2>"$output.told"; then return 0; fi
		grep -q 'pocl_release_dlhandle_cache: Assertion' "$output.told" || break
	done
	echo "try $try:"
	cat "$output.told"
	if grep -q 'pocl_release_dlhandle_cache: Assertion' "$output.told"; then skip "PoCL aborted in its own cache of kernels"; fi
	return 1
}

# A file of devices that the driver can cut: halves, or skip.
need_halves() {
	need_device
	clslice -d "$HALVES" -S 1 -o /dev/null "$ROOT/share/examples-data/square.yaml" 2>why || skip "the device can't be cut"
}

# without_and_with PROGRAM…: the same output, sliced or not, shared or not, on PoCL and, where it is installed, on Oclgrind
without_and_with() {
	local vendors icd=/usr/lib/oclgrind/liboclgrind-rt-icd.so
	"$@" >plain
	[ -s plain ]
	layered sliced -S 9 -- "$@"
	cmp plain sliced
	if clslice -d "$HALVES" -S 1 -o /dev/null "$ROOT/share/examples-data/square.yaml" 2>why; then
		layered shared -d "$HALVES" -u a+b --grade share -S 9 -- "$@"
		cmp plain shared
	fi
	[ -e "$icd" ] || return 0
	mkdir -p vendors
	echo "$icd" >vendors/oclgrind.icd
	vendors=$PWD/vendors
	OCL_ICD_VENDORS=$vendors "$@" >plain
	OCL_ICD_VENDORS=$vendors clslice run -S 9 -- "$@" >both
	cmp plain both
}

@test "run: a C program with events and an out-of-order queue, unchanged" {
	need_device
	cc -o order "$ROOT/tests/live/programs/order.c" -lOpenCL || skip "no OpenCL headers"
	without_and_with ./order
	[[ $(<plain) == *", a profile, a launch" ]]
	[[ $(<sliced.told) == "clslice: slice: 3 launches in 27 slices, 0 whole"* ]]
	[[ ! -e shared ]] || [[ $(<shared.told) == "clslice: share, on "*": 3 launches in 27 slices, 0 whole; 3 shared, 0 changes of devices" ]]
}

@test "run: an event that is given back while its launch is under way belongs to the next command" {
	need_device
	cc -o early "$ROOT/tests/live/programs/early.c" -lOpenCL || skip "no OpenCL headers"
	./early >plain
	[[ $(<plain) == *", 0 reads are launches, 1 kept" ]]
	layered sliced -S 9 -- ./early
	cmp plain sliced
}

# PoCL 3.1 aborts when a wider slice is compiled while narrower ones of its kernel are in use.
@test "run: slices that all become ready at once; what is compiled for one serves them all" {
	need_device
	cc -o gated "$ROOT/tests/live/programs/gated.c" -lOpenCL || skip "no OpenCL headers"
	./gated >plain || skip "no out-of-order queue"
	run -0 --separate-stderr clslice run --tell -S 9 -- ./gated
	[ "$output" = "$(<plain)" ]
	[[ $stderr == "clslice: slice: 8 launches in 72 slices, 0 whole"* ]]
}

@test "run: a C++ program, unchanged; layers that are set already are kept" {
	need_device
	c++ -o plus "$ROOT/tests/live/programs/plus.cpp" -lOpenCL 2>why || skip "no C++ headers of OpenCL"
	without_and_with ./plus
	[[ $(<sliced.told) == "clslice: slice: 1 launches in 9 slices, 0 whole"* ]]
	[[ ! -e shared ]] || [[ $(<shared.told) == "clslice: share, on "*": 1 launches in 9 slices"* ]]
	[ "$(OPENCL_LAYERS=$PLACETOOLS_BIN/../lib/placetools/libclslice.so clslice run -S 3 -- ./plus)" = "$(<plain)" ]
}

@test "run: pyopencl's sums, with its cache filled with us and without" {
	need_device
	/usr/bin/python3 -c 'import pyopencl' 2>why || skip "no pyopencl"
	cat >sums.py <<-'END'
		import numpy as np, pyopencl as cl, pyopencl.array as ca
		q = cl.CommandQueue(cl.create_some_context(interactive=False))
		print(ca.sum(ca.arange(q, 100001, dtype=np.int64)).get())
		b = ca.to_device(q, np.arange(5000, dtype=np.float32))
		print((2 * b + 1).get().sum(dtype=np.float64), ca.max(b).get())
		b += b
		print(b.get()[4321], ca.sum(b).get() == 2 * 5000 * 4999 / 2)
	END
	export XDG_CACHE_HOME=$PWD/cache
	printf '%s\n' 5000050000 '25000000.0 4999.0' '8642.0 True' >expected
	for how in '' 'clslice run -S 7 --' '' 'clslice run -S 5 --'; do
		$how /usr/bin/python3 sums.py 2>why >got || { cat why; return 1; }
		diff expected got
	done
	rm -r cache
	export PYOPENCL_NO_CACHE=1
	layered got -S 7 -- /usr/bin/python3 sums.py
	diff expected got
	[[ $(<got.told) == *"clslice: slice: "[1-9]*" launches in "* ]]
	clslice -d "$HALVES" -S 1 -o /dev/null "$ROOT/share/examples-data/square.yaml" 2>why || return 0
	layered got -d "$HALVES" -u a+b --grade share -S 7 -- /usr/bin/python3 sums.py
	diff expected got
	[[ $(<got.told) == *"clslice: share, on "*": "[1-9]*" launches in "*" slices, 0 whole; "* ]]
	# a binary of its cache can't be built for another device
	unset PYOPENCL_NO_CACHE
	/usr/bin/python3 sums.py >got
	layered got -d "$HALVES" -u a+b --grade share -S 7 -- /usr/bin/python3 sums.py
	diff expected got
	[[ $(<got.told) == *"clslice: slice in the place of share (a program whose text is not known), on a: "* ]]
}

# many FILE.c's program, in this folder
many() {
	cc -o many "$ROOT/tests/live/programs/many.c" -lOpenCL 2>why || skip "no OpenCL headers"
}

@test "run --grade share: what lowers the grade, and why; the output stays what it was" {
	local extra reason
	need_halves
	many
	while IFS='|' read -r extra reason; do
		read -ra extra <<<"$extra"
		./many 2 "${extra[@]}" >plain || [ $? -eq 77 ]
		[ -s plain ] || continue
		layered shared -d "$HALVES" -u a+b --grade share -S 9 -- ./many 2 "${extra[@]}"
		cmp plain shared
		# a busy machine may leave one of them without a slice
		sed -E 's/, on (a|b|a\+b):/, on some:/' shared.told >told
		[[ $(<told) == "clslice: $reason"* ]] || { cat shared.told; return 1; }
	done <<-'END'
		|share, on some: 10 launches in 78 slices, 0 whole; 10 shared, 0 changes of devices
		atomics|share, on some: 11 launches in 79 slices, 0 whole; 11 shared
		image|slice in the place of share (argument 0 is an image, a pipe or a part of a buffer), on some: 11 launches
		part|slice in the place of share (argument 1 is an image, a pipe or a part of a buffer), on some: 11 launches
		user|slice in the place of share (an event that the program itself must end), on some: 11 launches
		task|slice in the place of share (clEnqueueTask), on some: 10 launches
		svm|slice in the place of share (argument 1 is shared virtual memory), on some: 11 launches
		native|slice in the place of share (a native kernel), on some: 10 launches
		fork|share, on some: 11 launches in 86 slices, 0 whole; 11 shared, 0 changes of devices
	END
	# the child had nothing to report
	[ "$(wc -l <shared.told)" -eq 1 ]
}

@test "run --grade share: three devices, and devices of two platforms" {
	local icd=/usr/lib/oclgrind/liboclgrind-rt-icd.so
	need_halves
	many
	./many 2 >plain
	export POCL_DEVICES="basic pthread"
	if clslice -d "$ROOT/tests/live/three.yaml" -S 1 -o /dev/null "$ROOT/share/examples-data/square.yaml" 2>why; then
		layered shared -d "$ROOT/tests/live/three.yaml" -u a+b+c --grade share -S 30 -- ./many 2
		cmp plain shared
	fi
	unset POCL_DEVICES
	[ -e "$icd" ] || return 0
	mkdir vendors
	echo "$icd" >vendors/oclgrind.icd
	cp /etc/OpenCL/vendors/pocl.icd vendors
	cat >two.yaml <<-'END'
		placetools: devices/1
		devices:
		  - {name: p, select: {platform: Portable}}
		  - {name: o, select: {platform: Oclgrind}}
	END
	OCL_ICD_VENDORS=$PWD/vendors layered shared -d two.yaml -u p+o --grade share -- ./many 1
	OCL_ICD_VENDORS=$PWD/vendors layered alone -d two.yaml -u p --grade choose -- ./many 1
	cmp alone shared
	[[ $(<shared.told) == "clslice: share, on p+o: "* ]]
}

@test "run --grade share: programs expand, contract and migrate in mid-run, beside each other" {
	local i
	need_halves
	many
	export XDG_RUNTIME_DIR=$PWD
	clslice reset -d "$HALVES" -p elastic:contract=arrival
	./many 12 >plain
	./many 3 image >image
	for i in 1 2 3; do
		layered shared$i -d "$HALVES" --grade share -S 16 -- ./many 12 &
	done
	layered shared4 -d "$HALVES" --grade share -S 16 -- ./many 3 image
	wait
	for i in 1 2 3; do
		cmp plain shared$i
		[[ $(<shared$i.told) == "clslice: share, on "*"; 60 shared, "* ]]
	done
	cmp image shared4
	[[ $(<shared4.told) == "clslice: slice in the place of share (argument 0 is an image"* ]]
	# somebody has given a device to another one, and gone on
	clslice log | cut -f 2 | grep -q release
	[ "$(clslice ps | wc -l)" -eq 1 ]
}

@test "run: a program sees the device that it was given; its status is passed on" {
	need_device
	export XDG_RUNTIME_DIR=$PWD
	clslice reset -d "$HALVES"
	run -3 clslice run -d "$HALVES" --grade choose -- sh -c 'clslice ps; exit 3'
	[ "$(tail -1 <<<"$output" | cut -f 3-)" = "running	a	a	0	sh" ]
	run -143 clslice run -- sh -c 'kill -TERM $$'
	[ "$(clslice ps | wc -l)" -eq 1 ]
	run -127 --separate-stderr clslice run -- ./no-such-program
	[[ $stderr == "clslice: ./no-such-program: No such file or directory" ]]
	run -2 --separate-stderr clslice run
	[[ $stderr == "clslice: expected a program: clslice run -- PROGRAM…" ]]
	cc -o order "$ROOT/tests/live/programs/order.c" -lOpenCL || skip "no OpenCL headers"
	layered got -d "$HALVES" -S 4 -- ./order
	[[ $(<got.told) == "clslice: slice, on a: 3 launches in 12 slices"* ]]
	layered got -d "$HALVES" --grade choose -- ./order
	[[ $(<got.told) == "clslice: choose, on a: 0 launches in 0 slices, 3 whole"* ]]
	run -2 --separate-stderr clslice run --grade share -- ./order
	[[ $stderr == "clslice: expected -d DEVICES with --grade share" ]]
	run -2 --separate-stderr clslice run -u a -- ./order
	[[ $stderr == "clslice: expected -d DEVICES with --use" ]]
	clslice reset -d "$ROOT/share/examples-data/two.yaml"
	run -2 --separate-stderr clslice run -d "$HALVES" -- ./order
	[[ $stderr == "clslice: the node's state has other devices than the file" ]]
}

# Processes that sleep a tenth of the model's seconds, beside the simulation of the same jobs: the same decisions.
@test "jobs: live processes get the devices that cosched gives them" {
	local i=0 policy
	cp "$ROOT"/share/examples-data/{two.yaml,kernels.tsv,sharing.tsv} .
	for policy in greedy-up elastic elastic:contract=arrival; do
		clslice jobs -d two.yaml -k kernels.tsv -p "$policy" --scale .1 -o live$i.tsv sharing.tsv &
		i=$((i + 1))
	done
	wait
	i=0
	for policy in greedy-up elastic elastic:contract=arrival; do
		cosched -d two.yaml -k kernels.tsv -p "$policy" sharing.tsv | cells .job,.devices,.switches >expected
		cells .job,.devices,.switches <live$i.tsv | diff expected -
		placecheck live$i.tsv
		evalmetrics -m schedule live$i.tsv >/dev/null
		i=$((i + 1))
	done
}

@test "jobs: however it ends, nothing stays in /dev/shm, and no process" {
	local number self
	cp "$ROOT"/share/examples-data/{two.yaml,kernels.tsv,sharing.tsv} .
	[ -r "/proc/self/task/$$/children" ] || skip "no list of children in /proc"
	for number in INT TERM KILL; do
		env --default-signal=INT clslice jobs -d two.yaml -k kernels.tsv --scale 1 -o live.tsv sharing.tsv &
		self=$!
		timeout 60 bash -c "until compgen -G '/dev/shm/placetools-jobs-$self.*/placetools-clslice'; do :; done"
		timeout 60 bash -c "until grep -q . /proc/$self/task/$self/children; do :; done"
		grep -o '[0-9]*' "/proc/$self/task/$self/children" >children
		kill -$number "$self"
		run -$((128 + $(kill -l $number))) wait "$self"
		timeout 60 bash -c "while compgen -G '/dev/shm/placetools-jobs-$self.*'; do :; done"
		while read -r self; do
			# a zombie that nobody waits for has no program
			timeout 60 bash -c "while readlink /proc/$self/exe; do :; done"
		done <children
	done
}

@test "traceconv makes a kernels table of slices: devices alone, and sets" {
	cat >s.tsv <<-'END'
		##placetools=slices/1
		run	job	device	slice	first	count	start_s	end_s
		a	gemm/512	a	0	0	1	1	3
		a	gemm/512	a	1	1	1	3	5
		b	gemm/512	b	0	0	1	0	4
		b	gemm/512	b	1	1	1	4	9
		a+b	gemm/512	a	0	0	1	0	2
		a+b	gemm/512	b	1	1	1	0	4.5
		.	spmv	a	0	0	1	0	1
	END
	[ "$(traceconv --from slices --to kernels s.tsv | cells .app,.size,.device,.time_s,.slices)" = "gemm 512 a 4 2, gemm 512 b 9 2, spmv any a 1 1, gemm 512 a+b 4.5 ." ]
	traceconv --from slices --to slices s.tsv | grep -v '^##' | diff <(grep -v '^##' s.tsv) -
	traceconv --from slices --to kernels s.tsv >k.tsv
	placecheck k.tsv
	cosched -d <(sed 's/name: G/name: a/; s/name: F/name: b/' "$ROOT/share/examples-data/two.yaml") -k k.tsv --share gemm:512 >/dev/null
}

# Alone: in + 2 slices + out. Both: a from 1 s to 3 s, b, ready at 2 s, to 5 s; 0.5 s out.
@test "profiles have what copying took; T of a set has it, too" {
	cat >s.tsv <<-'END'
		##placetools=slices/1
		run	job	device	slice	first	count	start_s	end_s	copy_in_s	copy_out_s
		a	gemm/512	a	0	0	1	1	3	1	.25
		a	gemm/512	a	1	1	1	3	5	.	.
		b	gemm/512	b	0	0	1	0	3	2	.5
		b	gemm/512	b	1	1	1	3	6	.	.
		a+b	gemm/512	a	0	0	1	0	2	2	.5
		a+b	gemm/512	b	1	1	1	0	4.5	.	.
	END
	traceconv --from slices --to kernels s.tsv >k.tsv
	[ "$(cells .app,.size,.device,.time_s,.slices,.copy_in_s,.copy_out_s <k.tsv)" = "gemm 512 a 4 2 1 0.25, gemm 512 b 6 2 2 0.5, gemm 512 a+b 7 . . ." ]
	grep -v 'a+b' k.tsv >alone.tsv
	sed 's/name: G/name: a/; s/name: F/name: b/' "$ROOT/share/examples-data/two.yaml" >d.yaml
	[ "$(cosched --partial -d d.yaml -k alone.tsv --share gemm:512 | cells .devices,.time_s)" = "a 5.25, b 8.5, a+b 5.5" ]
	[ "$(cosched --partial -d d.yaml -k k.tsv --share gemm:512 --on a+b | cells .time_s)" = 7 ]
	need_device
	for how in '' --cpu-time; do
		clslice profile $how -S 3 "$ROOT/share/examples-data/square.yaml" >p.tsv
		placecheck p.tsv
		[ "$(cells '(.copy_in_s == "." or .copy_in_s > 0),(.copy_out_s == "." or .copy_out_s > 0),(.copy_in_s != ".")' <p.tsv)" = "true true true, true true false, true true false" ]
		traceconv --from slices --to kernels p.tsv | cells '.copy_in_s > 0,.copy_out_s > 0,.slices' | grep -qx 'true true 3'
	done
}

@test "jobs: what is wrong and where" {
	cp "$ROOT"/share/examples-data/{two.yaml,kernels.tsv,sharing.tsv} .
	run -2 --separate-stderr clslice jobs -d two.yaml sharing.tsv
	[[ $stderr == "clslice: expected -d DEVICES and -k KERNELS" ]]
	sed 's/	a	/	z	/' sharing.tsv >z.tsv
	run -2 --separate-stderr clslice jobs -d two.yaml -k kernels.tsv z.tsv
	[[ $stderr == "clslice: z.tsv:"*": there are no kernels of app z, size 4" ]]
	run -2 --separate-stderr clslice jobs -d two.yaml -k kernels.tsv -p none sharing.tsv
	[[ $stderr == "clslice: --policy: "* ]]
}

# histogram OPTIONS LINE…: a kernel that counts in global memory, in these words
histogram() {
	cat >kernel.yaml <<-END
		placetools: kernel/1
		program: {source: kernel.cl, options: "$1"}
		kernel: k
		global: [8192]
		local: [32]
		arguments: [{name: h, buffer: inout, type: uint, count: 64, value: 0, merge: difference}]
	END
	shift
	printf '%s\n' "$@" >kernel.cl
}

@test "atomics are seen however they are spelled; those of a work group's own memory are no obstacle" {
	need_device
	local head='__kernel void k(__global uint *h) { uint i = get_global_id(0);' at='(&h[i * i % 64]' refused=0
	echo '#define BUMP atomic_inc' >bump.h
	while IFS='|' read -r options first call; do
		histogram "$options" "$(printf '%b' "$first")" "$head $(printf '%b' "$call"); }"
		for clang in yes no; do
			if [[ $clang == no ]]; then
				mkdir -p none
				run -2 --separate-stderr env PATH="$PWD/none" "$(command -v clslice)" -S 7 -d "$HALVES" kernel.yaml
			else
				run -2 --separate-stderr clslice -S 7 -d "$HALVES" kernel.yaml
			fi
			[[ $stderr == *"can't be sliced for 2 devices: "* && $output != *'##end'* ]] || { echo "$options|$first|$call: $status $stderr"; false; }
			refused=$((refused + 1))
		done
	done <<-END
		||atomic_inc$at)
		|#define BUMP atomic_inc|BUMP$at)
		-DBUMP=atomic_inc||BUMP$at)
		-I.|#include "bump.h"|BUMP$at)
		-include bump.h||BUMP$at)
		|#define A(x) atomic_##x|A(inc)$at)
		|#define CAT(x, y) x##y|CAT(ato, mic_inc)$at)
		||ato\\\\\\\\\\nmic_inc$at)
		|%:define BUMP atomic_inc|BUMP$at)
		||__sync_fetch_and_add$at, 1u)
		||__atomic_fetch_add((global uint *)$at), 1u, 0)
		-cl-std=CL2.0||atomic_fetch_add_explicit((volatile global atomic_uint *)$at), 1u, memory_order_relaxed, memory_scope_device)
		-cl-std=CL2.0|void bump(uint *p) { __atomic_fetch_add(p, 1, 0); }|bump((uint *)$at))
		|typedef __global uint G; void bump(G *p) { atom_inc(p); }|bump$at)
		||__asm__ volatile ("nop"); h[i] = 1
	END
	((refused == 30))
	histogram '' '__kernel void k(__global uint *h) { __local uint n; if (get_local_id(0) == 0) n = 0;' \
		'barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(&n); barrier(CLK_LOCAL_MEM_FENCE); h[get_group_id(0) % 64] = n; }'
	sed -i 's/global: \[8192\]/global: [2048]/' kernel.yaml
	run -0 --separate-stderr clslice -S 7 -d "$HALVES" kernel.yaml
}
