bats_require_minimum_version 1.5.0
load helper

# Each examples/NAME/run.sh is run, small as it is by default, with a folder to write to. It ends with
# status 0, says nothing on standard error, and its result.tsv is examples/NAME/expected.tsv.

try() {
	[[ -x $ROOT/examples/$1/run.sh ]]
	# Bats shows neither output nor standard error of a run -0 that fails
	run --separate-stderr "$ROOT/examples/$1/run.sh" "$PWD/out"
	if [[ $status != 0 || -n $stderr ]]; then
		echo "run.sh ended with status $status"
		tail -n 20 <<<"$output"
		echo "$stderr"
		return 1
	fi
	if [[ -n ${UPDATE:-} ]]; then
		cp out/result.tsv "$ROOT/examples/$1/expected.tsv"
	fi
	diff -u "$ROOT/examples/$1/expected.tsv" out/result.tsv
	run ! grep -q 'DOES NOT HOLD' <<< "$output"
}

@test "burst-buffer" {
	try burst-buffer
	command -v gnuplot >/dev/null || return 0
	"$ROOT/examples/burst-buffer/figures.sh" out 8000
	for figure in 3 4 5 6 7-gtc 7-hacc 7-lammps 7-s3d 8; do grep -qx '</svg>' out/fig2.$figure.svg; done
}

@test "cosched" {
	try cosched
}

@test "clslice" {
	clslice -S 1 -d "$ROOT/tests/live/halves.yaml" -o /dev/null "$ROOT/share/kernels/mandelbrot.yaml" 2>why || skip "$(head -1 why)"
	try clslice
}

@test "constraints" {
	try constraints
}

@test "constraints-tradeoff" {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	export LOGS=lublin SNAPSHOTS=2
	try constraints-tradeoff
}

@test "constraints-tradeoff reports what failed" {
	mkdir failing
	printf '#!/bin/sh\nexit 1\n' >failing/placecheck
	chmod +x failing/placecheck
	for tool in allocate evalmetrics; do
		mv failing/* "failing/$tool"
		PATH=$PWD/failing:$PATH CONSTRAINTS=none QUEUES=easy LOGS=lublin JOBS=3 run -1 --separate-stderr \
			"$ROOT/examples/constraints-tradeoff/run.sh" "$PWD/$tool.out"
		[[ $stderr == *"run.sh:"*": status 1: $tool "* ]]
	done
}

@test "measured" {
	try measured
	# a fit repeats, and looks at nothing but rows of role fit
	"$ROOT/examples/measured/fit.sh" "$ROOT/examples/measured/data/csd3-ib.tsv" "$ROOT/examples/measured/csd3-ib.yaml" \
		"$ROOT/share/profiles/ib100.yaml" 3 7 >once.yaml
	awk -F'\t' -v OFS='\t' '$NF == "predict" { $7 = 1 } { print }' "$ROOT/examples/measured/data/csd3-ib.tsv" >other.tsv
	"$ROOT/examples/measured/fit.sh" other.tsv "$ROOT/examples/measured/csd3-ib.yaml" "$ROOT/share/profiles/ib100.yaml" 3 7 >again.yaml
	cmp once.yaml again.yaml
	netsim -t "$ROOT/examples/measured/csd3-ib.yaml" --profile file:path=once.yaml -p osu-latency --bytes 8 \
		<<<$'##placetools=jobs/1\njob\tnodes\tnodelist\n1\t2\tn[0-1]' >/dev/null
}

@test "finalists" {
	try finalists
}

@test "gpudirect" {
	try gpudirect
}

@test "demo" {
	try demo
}

@test "nedd" {
	try nedd
}

@test "ptram" {
	try ptram
}

@test "level-spread" {
	try level-spread
}

@test "place-and-map" {
	try place-and-map
}

@test "rank-order" {
	command -v mpicc && command -v mpirun || skip "Open MPI is not installed"
	[ "$(nproc)" -ge 2 ] || skip "one processor: mpirun can't bind two ranks"
	try rank-order
}

@test "nightly" {
	try nightly
}

@test "slurm-site" {
	try slurm-site
}

@test "slurm-site submits nothing to the site's own sbatch, however its folder is named" {
	mkdir -p poisoned
	printf '#!/bin/sh\necho "$0 $*" >>%q\necho 1\n' "$PWD/called" >poisoned/sbatch
	for command in sinfo squeue scontrol; do cp poisoned/sbatch poisoned/$command; done
	chmod +x poisoned/*
	for folder in out ./out2 deep/er/out "$PWD/out3"; do
		PATH=$PWD/poisoned:$PATH run -0 --separate-stderr "$ROOT/examples/slurm-site/run.sh" "$folder"
		[ -z "$stderr" ]
		diff -u "$ROOT/examples/slurm-site/expected.tsv" "$folder/result.tsv"
	done
	[ ! -e called ]
}

@test "each example says what it is, and what is expected of it" {
	for folder in "$ROOT"/examples/*/; do
		[ -s "$folder/README.md" ]
		[ -s "$folder/expected.tsv" ]
		[ -x "$folder/run.sh" ]
		grep -qx "	try $(basename "$folder")" "$BATS_TEST_FILENAME"
	done
}
