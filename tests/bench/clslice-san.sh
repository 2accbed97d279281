#!/bin/bash
# clslice-san.sh - the programs on OpenCL devices with src/run/live under AddressSanitizer and UBSan, then under ThreadSanitizer
#
# What the driver leaks is not ours (live/san.supp), and threads are judged by what our own code
# reads and writes. Takes the library of the build for all other folders.
set -eu -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${PLACETOOLS_BUILD:-$root/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
if ! clslice -S 1 -o /dev/null share/examples-data/square.yaml 2>"$work/why"; then
	cat "$work/why"
	exit 0
fi
export LSAN_OPTIONS=suppressions=$root/tests/live/san.supp:print_suppressions=0
export TSAN_OPTIONS=ignore_noninstrumented_modules=1:exitcode=66
export PLACETOOLS_SHARE=$root/share TMPDIR=$work

# compile ARGUMENT…: with the sanitizers of $how
compile() {
	${CC:-gcc} -std=gnu11 -g -O1 -ffp-contract=off -D_GNU_SOURCE -DHAVE_OPENCL -DPLACETOOLS_VERSION='"0"' -iquote src/ground -iquote src/plan -iquote src/run -iquote src/streams -Isrc -Itests/unit \
		"-fsanitize=$how" -fno-omit-frame-pointer "$@"
}

for how in address,undefined thread; do
	mkdir "$work/$how"
	for file in src/run/live/*.c src/run/live/{kernel,merge,node,runtime,slice}/*.c; do
		compile -c -o "$work/$how/$(basename "${file%.c}").o" "$file"
	done
	for unit in live_apps live_corpus live_elastic; do
		compile -o "$work/$unit" "tests/unit/$unit.c" "$work/$how"/*.o "$build/libplacetools.a" -lOpenCL -lyaml -lz -lm -pthread -ldl
		status=0
		"$work/$unit" >"$work/out" 2>&1 || status=$?
		printf '%s\t-fsanitize=%s\tstatus %d\t%d reports\n' $unit $how $status \
			"$(grep -c -E '^==.*ERROR|WARNING: ThreadSanitizer|runtime error:' "$work/out" || true)"
		if [ $status -ne 0 ]; then
			head -60 "$work/out"
			exit 1
		fi
	done
done
