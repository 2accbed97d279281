#!/usr/bin/env bats
# rank-order.bats - the example of rank orders under a real mpirun

bats_require_minimum_version 1.5.0
load ../helper

@test "a graph is reordered by its mapping, and a rank file binds ranks" {
	command -v mpicc && command -v mpirun || skip "Open MPI is not installed"
	run -0 "$ROOT/examples/rank-order/run.sh" "$BATS_TEST_TMPDIR/out"
	[[ $output != *"DOES NOT HOLD"* ]]
	grep -q "rank of the reordered graph" "$BATS_TEST_TMPDIR/out/result.tsv"
}
