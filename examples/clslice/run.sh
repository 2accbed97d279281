#!/bin/bash
# run.sh - chapter 4 of Khetawat's dissertation on an OpenCL device: run.sh [FOLDER]; the table is FOLDER/result.tsv
#
# The applications of share/kernels are checked, run in slices in both manners and in three orders on two halves of a
# CPU, and compared with the kernel run whole. No times: tests/bench/clslice.sh has them. Without PoCL's devices: status 77.
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
kernels=$here/../../share/kernels
mkdir -p "${1:-out}"
cd "${1:-out}"

cat >halves.yaml <<'END'
placetools: devices/1
name: a CPU in two parts
devices:
  - {name: left, kind: cpu, select: {type: cpu}, partition: counts=1+1, part: 0}
  - {name: right, kind: cpu, select: {type: cpu}, partition: counts=1+1, part: 1}
END
clslice -S 1 -d halves.yaml -o /dev/null "$kernels/mandelbrot.yaml" -s width=8 -s height=8 2>why || { cat why >&2; exit 77; }

small() {
	case $1 in
	mandelbrot) echo -s width=61 -s height=97 ;;
	gemm) echo -s n=53 ;;
	spmv) echo -s rows=1531 ;;
	xsbench) echo -s lookups=1021 -s points=61 ;;
	esac
}

# yes_no COMMAND…: as, or unlike, the whole
yes_no() {
	if "$@" >/dev/null 2>why; then echo same; else echo different; fi
}

{
	printf 'kernel\tcheck\tslices\toffset\tdealt\tbeside the whole\n'
	for kernel in mandelbrot gemm spmv xsbench; do
		read -ra size < <(small $kernel)
		check=$(yes_no clslice check -S 7 "${size[@]}" "$kernels/$kernel.yaml")
		for how in '1 global forward' '7 global backward' '64 parameter shuffled'; do
			read -r slices offset deal <<<"$how"
			printf '%s\t%s\t%s\t%s\t%s\t%s\n' $kernel "$check" "$slices" "$offset" "$deal" \
				"$(yes_no clslice -d halves.yaml --verify -S "$slices" --offset "$offset" --deal "$deal" "${size[@]}" "$kernels/$kernel.yaml")"
		done
	done
	printf 'stencil\t%s\t.\t.\t.\t.\n' "$(yes_no clslice check -S 7 "$kernels/stencil.yaml")"
} >result.tsv
cat result.tsv
