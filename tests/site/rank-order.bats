#!/usr/bin/env bats
# rank-order.bats - the rank-order library under real launchers: Open MPI's and MPICH's, in C and Fortran

bats_require_minimum_version 1.5.0
load ../helper

# 6 ranks on two nodes, in an order of cores that is not the ranks'; names of any case, and short or long
setup() {
	cd "$BATS_TEST_TMPDIR" || return
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
	printf '##placetools=mapping/1 end=yes\nnode\trank\tcore\nn2\t0\t0\nn1\t1\t2\nn2\t2\t1\nn1\t3\t0\nn1\t4\t1\nn2\t5\t5\n##end\n' >m.tsv
	printf '%s\n' n1 n2.example.org N1.example.org n2 n1 n2 >hosts.txt
	moved="1 4 3 0 2 5" stayed="0 1 2 3 4 5"
}

# one MPI: build KIND compiles library and programs with its compilers
build() {
	command -v "mpicc.$1" >/dev/null && command -v "mpirun.$1" >/dev/null || skip "$1 is not installed"
	"mpicc.$1" -shared -fPIC -o library.so "$ROOT"/share/rank-order/*.c
	"mpicc.$1" -w -o c "$ROOT/tests/site/rank-order/graphs.c"
	programs="c"
	command -v "mpifort.$1" >/dev/null || return 0
	"mpifort.$1" -w -cpp -DMODULE=mpi -o mpi "$ROOT/tests/site/rank-order/graphs.f90"
	"mpifort.$1" -w -cpp -DMODULE=mpi_f08 -DF08 -o mpi_f08 "$ROOT/tests/site/rank-order/graphs.f90"
	programs="c mpi mpi_f08"
}

# as KIND LIBRARY PROGRAM [NAME=VALUE…]: six processes
as() {
	"mpirun.$1" -n 6 env LD_PRELOAD="$PWD/$2" "${@:4}" "./$3" 2>stderr
}

# both KIND: every graph of the program has its neighbours, with a mapping and without
both() {
	build "$1"
	for program in $programs; do
		run -0 as "$1" library.so "$program"
		[ "$output" = "$(printf 'process of each rank: %s\nprocess of each rank of the grid: %s' "$stayed" "$stayed")" ]
		[ ! -s stderr ]
		run -0 as "$1" library.so "$program" RANK_ORDER_HOSTS=hosts.txt RANK_ORDER_MAPPING=m.tsv RANK_ORDER_GRAPH="$program.tsv"
		[ "$output" = "$(printf 'process of each rank: %s\nprocess of each rank of the grid: %s' "$moved" "$moved")" ]
		grep -q "^rank-order: 5 processes have another rank, in [0-9.]* ms$" stderr
		# the graph of the program's own ranks, with its weights; no edge from a rank to itself
		[ "$(body "$program.tsv" | wc -l)" -eq 12 ]
		grep -qx "$(printf '0\t2\t1002')" "$program.tsv"
		grep -qx "$(printf '5\t3\t2038')" "$program.tsv"
		cmp c.tsv "$program.tsv"
	done
	[ "$(grep -c "m.tsv has 6 ranks: a graph of . vertices stays as it is" stderr)" -le 1 ]
}

@test "Open MPI: C, mpi and mpi_f08 keep lists, weights and order of neighbours" {
	both openmpi
	[ "$programs" = "c mpi mpi_f08" ]
}

@test "MPICH: C, mpi and mpi_f08 keep lists, weights and order of neighbours" {
	both mpich
}

@test "a library of another MPI is refused in one line, and harms nothing else" {
	for kind in openmpi mpich; do command -v "mpicc.$kind" && command -v "mpirun.$kind" || skip "$kind is not installed"; done
	build mpich
	run -0 as mpich library.so c
	built=$PLACETOOLS_BIN/../lib/placetools/librank-order.so
	cp "$built" built.so
	for program in $programs; do
		run ! as mpich built.so "$program"
		[ "$(grep -c "^rank-order: the library is not built for this program's MPI (MPICH" stderr)" -eq 1 ]
		run ! grep -q Segmentation stderr
	done
	# the shell that a launcher starts is no program of MPI
	[ "$(LD_PRELOAD=$PWD/built.so bash -c 'echo alive' 2>&1)" = alive ]
	build openmpi
	for program in $programs; do run -0 as openmpi built.so "$program"; done
}

@test "what is wrong with a mapping is said with its line" {
	build openmpi
	refused() { # refused TEXT PATTERN
		printf "$1" >bad.tsv
		run ! as openmpi library.so c RANK_ORDER_HOSTS=hosts.txt RANK_ORDER_MAPPING=bad.tsv
		[ "$(grep -c "^rank-order: " stderr)" -eq 1 ]
		grep -q "^rank-order: $2" stderr
	}
	refused '##placetools=comm/1\nsrc\tdst\n' 'bad.tsv:1: expected a mapping'
	refused 'rank\thost\n' 'bad.tsv:1: expected the columns of a mapping'
	refused 'rank\tnode\n0\tn1\nx\tn1\n' 'bad.tsv:3: expected a rank'
	refused 'rank\tnode\n0\tn1\n0\tn1\n' 'bad.tsv: expected one mapping: each rank'
	refused '##placetools=mapping/1 end=yes\nrank\tnode\n0\tn1\n' 'bad.tsv: truncated'
	refused '' 'bad.tsv: expected a mapping; it has no ranks'
	sed 's/n2/n3/' m.tsv >other.tsv
	refused "$(sed 's/$/\\n/' other.tsv | tr -d '\n')" 'bad.tsv: has 3 ranks on n3, where 0 processes run'
	sed '3s/n2/n1.a/; s/n1\t/n1.b\t/; ' m.tsv >other.tsv
	refused "$(sed 's/$/\\n/' other.tsv | tr -d '\n')" 'n1: is the short name of more than one'
	run ! as openmpi library.so c RANK_ORDER_MAPPING=absent.tsv
	grep -q '^rank-order: absent.tsv: No such file' stderr
}

@test "a graph is reordered by its mapping, and a rank file binds ranks" {
	command -v mpicc && command -v mpirun || skip "Open MPI is not installed"
	run -0 "$ROOT/examples/rank-order/run.sh" "$BATS_TEST_TMPDIR/out"
	[[ $output != *"DOES NOT HOLD"* ]]
	grep -q "rank of the reordered graph" "$BATS_TEST_TMPDIR/out/result.tsv"
}
