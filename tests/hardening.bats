# hardening.bats - programs are built so that an overrun ends them (make HARDEN= builds without)
bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	[[ $PLACETOOLS_BIN != */san/* ]] || skip "sanitizers have checks of their own"
	set -o pipefail
}
# what is loaded with a program
libraries() { find "$PLACETOOLS_BIN/../lib/placetools" -name '*.so'; }

@test "tools: position-independent, relocations read-only from the start, no stack that can be executed" {
	local n=0
	for tool in $(all_tools); do
		readelf -hldW "$PLACETOOLS_BIN/$tool" >elf
		grep -q 'Type: .*DYN' elf
		grep -q GNU_RELRO elf
		grep -q BIND_NOW elf
		grep -qE 'GNU_STACK .* RW ' elf
		run ! grep -q ' RWE ' elf
		n=$((n + 1))
	done
	[ "$n" -ge 13 ]
}

@test "tools: the stack is guarded, calls of the C library know the sizes of their buffers" {
	for tool in $(all_tools); do
		readelf --dyn-syms -W "$PLACETOOLS_BIN/$tool" >symbols
		grep -q __stack_chk_fail symbols
		grep -qE '__(sn|vsn|f)printf_chk|__memcpy_chk' symbols
	done
}

@test "beside the tools lie no libraries, and those have no stack that can be executed" {
	[ -z "$(find "$PLACETOOLS_BIN" -name "*.so" -o -name "*.a")" ]
	for library in $(libraries); do
		readelf -lW "$library" >elf
		run ! grep -q ' RWE ' elf
	done
}
