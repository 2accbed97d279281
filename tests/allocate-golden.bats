#!/usr/bin/env bats
# allocate-golden.bats - policies against the program that the Level-Spread paper's authors published

load helper

@test "policies give the nodes that the authors' program gives" {
	need_shared
	gzip -dc "$SHARED/data/reference/sst/alloc_golden.csv.gz" | "$PLACETOOLS_BUILD/tests/tools/alloc_golden"
}
