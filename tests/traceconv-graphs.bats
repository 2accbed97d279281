bats_require_minimum_version 1.5.0
load helper

# refuses FORMAT KIND MESSAGE: bad.txt, which standard input becomes, is refused so
refuses() {
	cat > bad.txt
	run -2 --separate-stderr traceconv --from "$1" --to "$2" bad.txt
	[ "$stderr" = "traceconv: bad.txt:$3" ] || { echo "got $stderr"; false; }
}

# ---- graphs ----

@test "graphs: directed matrices come back exactly, undirected ones when both directions are equal" {
	printf '%s\n' 'src dst bytes' '0 1 10' '0 3 0.5' '1 0 10' '3 0 0.5' '2 2 7' | table comm > dir.tsv
	for f in matrixmarket netloc-matrix; do
		traceconv --to $f dir.tsv | traceconv --from $f --to comm | rows > got
		diff <(rows < dir.tsv | sort) <(sort got)
	done
	printf '%s\n' 'src dst bytes' '0 1 10' '0 3 4' '1 0 10' '1 2 3' '2 1 3' '3 0 4' | table comm > sym.tsv
	for f in matrixmarket netloc-matrix scotch metis; do
		traceconv --to $f sym.tsv | traceconv --from $f --to comm | rows > got
		diff <(rows < sym.tsv) got
	done
}

@test "graphs: what the formats look like, by hand" {
	printf '%s\n' '##ranks=5' 'src dst bytes messages' '0 1 10 2' '1 0 5 1' '0 2 1.5 4' '3 3 9 1' | table comm > c.tsv
	run -0 --separate-stderr traceconv --to scotch c.tsv
	[ "$output" = "$(printf '0\n5\t4\n0\t010\n2\t15\t1\t2\t2\n1\t15\t0\n1\t2\t0\n0\n0')" ]
	[ "$stderr" = "traceconv: 9 bytes that ranks send to themselves are left out" ]
	[ "$(traceconv --quiet --to metis:weight=messages c.tsv)" = "$(printf '5 2 001\n2 3 3 4\n1 3\n1 4\n\n')" ]
	[ "$(traceconv --to matrixmarket c.tsv)" = "%%MatrixMarket matrix coordinate real general
5 5 4
1 2 10
1 3 1.5
2 1 5
4 4 9" ]
	[ "$(traceconv --to netloc-matrix:weight=messages c.tsv)" = "0 2 4 0 0
1 0 0 0 0
0 0 0 0 0
0 0 0 1 0
0 0 0 0 0" ]
	[ "$(traceconv --quiet --to scotch:ranks=7,scale=10 c.tsv | sed -n '2p;4p')" = "$(printf '7\t4\n2\t2\t1\t1\t2')" ]
}

@test "graphs: the last rank may only be sent to" {
	stream comm 'src dst bytes' '0 1 10' >g.tsv
	[ "$(traceconv --quiet --from comm --to metis g.tsv | paste -sd' ')" = '2 1 001 2 10 1 10' ]
	[ "$(traceconv --quiet --from comm --to netloc-matrix g.tsv | paste -sd' ')" = '0 10 0 0' ]
}

@test "graphs: pairs that come again add up; several jobs must be told apart" {
	printf '%s\n' 'job src dst bytes' 'a 0 1 1' 'a 0 1 2' 'b 1 0 5' | table comm > c.tsv
	[ "$(traceconv --to matrixmarket:job=a c.tsv | tail -n 1)" = "1 2 3" ]
	[ "$(traceconv --to matrixmarket:job=b c.tsv | tail -n 1)" = "2 1 5" ]
	run -2 --separate-stderr traceconv --to matrixmarket c.tsv
	[ "$stderr" = "traceconv: c.tsv:5: a second job 'b': name the one that is meant (job=)" ]
	printf '%s\n' 'src dst bytes' '0 1 1' | table comm > c.tsv
	run -2 --separate-stderr traceconv --to metis:weight=messages c.tsv
	[[ $stderr == *"has no column 'messages'"* ]]
}

@test "graphs: the matrix of a real code, through all formats, and Scotch's own check" {
	need_shared
	traceconv --from netloc-matrix --to comm "$SHARED/data/netloc/scotch/app.mat" > c.tsv
	[ "$(words < c.tsv | wc -l)" -eq 480 ]
	[ "$(words < c.tsv | head -n 1)" = "0 1 15522090" ]
	# every number of the file, in its place
	[ "$(traceconv --to netloc-matrix c.tsv)" = "$(sed 's/ *$//' "$SHARED/data/netloc/scotch/app.mat")" ]
	run -0 --separate-stderr traceconv --to scotch c.tsv
	[[ $stderr == *"add up to 8946582840, more than 32-bit builds take; scale=9 would do" ]]
	run -0 --separate-stderr traceconv --to scotch:scale=9 c.tsv
	[ -z "$stderr" ]
	[ -e /usr/include/scotch/scotch.h ] || skip "Scotch is not here"
	echo "$output" > g.grf
	cat > check.c <<-'END'
		#include <stdint.h>
		#include <stdio.h>
		#include <scotch.h>
		int main(void)
		{
			SCOTCH_Graph g;
			SCOTCH_graphInit(&g);
			return SCOTCH_graphLoad(&g, stdin, -1, 0) || SCOTCH_graphCheck(&g) || SCOTCH_graphSave(&g, stdout);
		}
	END
	gcc -o check check.c -I/usr/include/scotch -lscotch -lscotcherr -lz -lm -lpthread || skip "Scotch is not here"
	./check < g.grf > saved.grf
	cmp saved.grf g.grf
}

@test "graphs: Scotch with labels, loads, base 1; METIS with comments, sizes and weights" {
	printf '0\n3 4\n1 111\n3 9 1 4 1\n1 5 2 4 3 6 2\n2 7 1 6 1\n' > g
	[ "$(traceconv --from scotch --to comm g | words)" = "$(printf '2 0 2\n0 2 2\n0 1 3\n1 0 3')" ]
	printf '%% c\n3 2 111 2\n%% d\n9 1 1 2 4\n9 2 2 1 4 3 6\n9 3 3 2 6\n' > g
	[ "$(traceconv --from metis --to comm g | words)" = "$(printf '0 1 2\n1 0 2\n1 2 3\n2 1 3')" ]
	printf '2 1\n2\n1\n' > g
	[ "$(traceconv --from metis --to comm g | words)" = "$(printf '0 1 0.5\n1 0 0.5')" ]
	traceconv --from metis --to comm g | grep -qx '##ranks=2'
}

@test "graphs: Matrix Market's other forms" {
	printf '%%%%MatrixMarket MATRIX Coordinate Pattern Symmetric\n%% c\n\n3 3 2\n2 1\n3 3\n' > m
	[ "$(traceconv --to comm m | words)" = "$(printf '1 0 1\n0 1 1\n2 2 1')" ]
	printf '%%%%MatrixMarket matrix array integer general\n2 2\n0\n5\n7 0\n' > m
	[ "$(traceconv --to comm m | words)" = "$(printf '1 0 5\n0 1 7')" ]
	printf '%%%%MatrixMarket matrix array real symmetric\n2 2\n1 2.5 3\n' > m
	[ "$(traceconv --to comm m | words)" = "$(printf '0 0 1\n1 0 2.5\n0 1 2.5\n1 1 3')" ]
}

@test "graphs: what is wrong is refused with file and line" {
	refuses scotch comm "1: '1': expected version 0 of a Scotch graph" <<< '1'
	refuses scotch comm "4: '2': expected a neighbour" <<< $'0\n2 2\n0 000\n1 2\n1 0'
	refuses scotch comm "5: has 2 arcs, its head says 3" <<< $'0\n2 3\n0 000\n1 1\n1 0'
	refuses scotch comm "4: ends where a vertex's degree was expected" <<< $'0\n2147483647 4\n0 000\n0'
	refuses scotch comm "4: '2147483648': expected a vertex's degree" <<< $'0\n2 4\n0 000\n2147483648'
	refuses metis comm "1: expected a head 'VERTICES EDGES [FMT [WEIGHTS]]'" <<< 'x'
	refuses metis comm "2: '3': expected a neighbour" <<< $'2 1\n3\n1'
	refuses metis comm "2: ends after 1 of 2 vertices" <<< $'2 1\n2'
	refuses metis comm "2: an edge's weight is missing" <<< $'2 1 1\n2\n1'
	refuses metis comm "3: has 1 ends of edges, its head says 1 edges" <<< $'2 1\n2\n'
	refuses matrixmarket comm "1: 'complex': expected real, integer or pattern" <<< '%%MatrixMarket matrix coordinate complex general'
	refuses matrixmarket comm "2: 2 rows and 3 columns: expected a square matrix" <<< $'%%MatrixMarket matrix coordinate real general\n2 3 1'
	refuses matrixmarket comm "3: '-1': expected a value from 0 on" <<< $'%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 -1'
	refuses matrixmarket comm "2: ends where a row was expected" <<< $'%%MatrixMarket matrix coordinate real general\n2 2 9000000000000'
	refuses matrixmarket comm "4: '1' follows the last entry" <<< $'%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1\n1'
	refuses netloc-matrix comm "2: has 1 numbers, expected 2" <<< $'0 1\n2'
	refuses netloc-matrix comm "1: has 1 lines, expected 2" <<< '0 1'
	refuses netloc-matrix comm "3: line 3 of a matrix of 2" <<< $'0 1\n1 0\n1 1'
	refuses netloc-matrix comm "1: 'nan': expected a number of bytes" <<< 'nan'
	run -2 --separate-stderr traceconv --from metis --to comm bad.txt bad.txt
	[ "$stderr" = "traceconv: one file is one graph: bad.txt is a second one" ]
}

# ---- rank maps ----

@test "torchrun: the node rank of each node, by its ranks in a row, and back" {
	printf '%s\n' 'rank node' '5 n3' '0 n2' '1 n2' '2 n1' '3 n1' '4 n3' | table mapping > m.tsv
	[ "$(traceconv --to torchrun m.tsv)" = "$(printf 'n2 0\nn1 1\nn3 2')" ]
	[ "$(traceconv --to dlrover m.tsv)" = "$(traceconv --to torchrun m.tsv)" ]
	# what torchrun makes of it: two ranks on each node in turn
	diff <(traceconv --to slurm-hostfile m.tsv) <(traceconv --to torchrun m.tsv | sort -nk 2 | awk '{ print $1; print $1 }')
	printf '%s\n' 'rank node' '0 n2' '1 n2' '2 n1' | table mapping > uneven.tsv
	run -2 --separate-stderr traceconv --to torchrun uneven.tsv
	[ "$stderr" = "traceconv: 3 ranks on 2 nodes, expected as many on each" ]
	# ranks that come back to a node
	printf '%s\n' 'rank node' '0 n2' '1 n1' '2 n2' '3 n1' | table mapping > back.tsv
	run -2 --separate-stderr traceconv --to torchrun back.tsv
	[[ $stderr == "traceconv: rank 0 is on n2 and rank 1 on n1, expected 2 ranks in a row"* ]]
	# a group of mapref's is such a row
	jobgen comm:pattern=halo2d,ranks=16 | mapref -t torus:dims=4x2,cores=2 -g - --partition block -p greedy -o g.tsv
	[ "$(traceconv --to torchrun g.tsv | wc -l)" -eq 8 ]
}

@test "maps: what the formats look like, by hand, and back" {
	printf '%s\n' 'rank node core' '3 n1 0' '0 n2 0' '1 n1 1' '2 n2 1' | table mapping > m.tsv
	printf '%s\n' 'rank node core' '0 n2 0' '1 n1 1' '2 n2 1' '3 n1 0' | table mapping > sorted.tsv
	[ "$(traceconv --to rankfile m.tsv)" = "$(printf 'rank 0=n2 slot=0\nrank 1=n1 slot=1\nrank 2=n2 slot=1\nrank 3=n1 slot=0')" ]
	[ "$(traceconv --to slurm-hostfile m.tsv)" = "$(printf 'n2\nn1\nn2\nn1')" ]
	[ "$(traceconv --to mpich-rank-order m.tsv)" = "$(printf '3,1\n0,2')" ]
	run -2 --separate-stderr traceconv --to mpich-rank-order:nodes=n2 m.tsv
	[ "$stderr" = "traceconv: nodes: 'n1' of the mapping is not among them" ]
	[ "$(traceconv --to 'mpich-rank-order:nodes=n[2,1]' m.tsv)" = "$(printf '0,2\n3,1')" ]
	run -2 --separate-stderr traceconv --to torchrun m.tsv
	[ "$stderr" = "traceconv: rank 0 is on n2 and rank 1 on n1, expected 2 ranks in a row on each node (mapref --partition block)" ]
	diff <(words < sorted.tsv) <(traceconv --to rankfile m.tsv | traceconv --from rankfile --to mapping | words)
	diff <(words < sorted.tsv | cut -d' ' -f1,2) <(traceconv --to slurm-hostfile m.tsv | traceconv --from slurm-hostfile --to mapping | words)
	diff <(words < sorted.tsv) <(traceconv --to mpich-rank-order m.tsv |
		traceconv --from 'mpich-rank-order:nodes=n[1-2],ranks-per-node=2' --to mapping | words | sort)
}

@test "maps: ranks without cores take the slots of their node in order" {
	printf '%s\n' 'rank node' '0 b' '1 a' '2 b' '3 b' | table mapping > m.tsv
	[ "$(traceconv --to rankfile m.tsv | sed 's/.*slot=//' | tr '\n' ' ')" = "0 0 1 2 " ]
	# one node has more than the format can say
	run -2 --separate-stderr traceconv --to mpich-rank-order m.tsv
	[[ $stderr == *"the nodes have 1 and 3 ranks"* ]]
	[ "$(traceconv --to 'mpich-rank-order:nodes=b\,a' m.tsv)" = "$(printf '0,2,3\n1')" ]
}

@test "maps: Open MPI's rank files as people write them" {
	printf '# comment\nrank 0=aa slot=1:0-2\nrank 1 = +n1   slot=0-3 # x\n\nrank 2=bb slot=5\n' > r.txt
	[ "$(traceconv --from 'rankfile:nodes=n[7-8]' --to mapping r.txt | words)" = "$(printf '0 aa .\n1 n8 0\n2 bb 5')" ]
	run -2 --separate-stderr traceconv --from rankfile --to mapping r.txt
	[ "$stderr" = "traceconv: r.txt:3: '+n1': the job's nodes must be given (rankfile:nodes=HOSTLIST)" ]
}

@test "maps: grid_order's output, host files with counts" {
	printf '# grid_order -R -Z -c 4 -g 4,2\n# Region 3: 0,0 (0..7)\n0,1,4-5\n2,3\n6 7\n' > r.txt
	[ "$(traceconv --from 'mpich-rank-order:nodes=nid[00001-00002],ranks-per-node=4' --to mapping r.txt | words | cut -d' ' -f1,2 | tr '\n' ';')" = \
		"0 nid00001;1 nid00001;4 nid00001;5 nid00001;2 nid00002;3 nid00002;6 nid00002;7 nid00002;" ]
	printf 'n1\nn[2-3]*2\n\nn1\n' > h.txt
	[ "$(traceconv --from slurm-hostfile --to mapping h.txt | words | tr '\n' ';')" = "0 n1;1 n2;2 n2;3 n3;4 n3;5 n1;" ]
}

@test "maps: what is wrong is refused with file and line" {
	refuses rankfile mapping "1: expected 'rank N=HOST slot=SLOT'" <<< 'rank 0 n1'
	refuses rankfile mapping "1: expected 'rank N=HOST slot=SLOT'" <<< 'rank x=n1 slot=1'
	refuses slurm-hostfile mapping "1: '*0' is not a number of tasks" <<< 'n1*0'
	refuses slurm-hostfile mapping "1: a '[' without its ']'" <<< 'n[1'
	refuses mpich-rank-order:nodes=n1,ranks-per-node=2 mapping "1: '5-3' is not a rank or a range of ranks" <<< '5-3'
	refuses mpich-rank-order:nodes=n1,ranks-per-node=2 mapping "1: more ranks than 1 nodes of 2 have slots" <<< '0-99999'
	run -2 --separate-stderr traceconv --from mpich-rank-order --to mapping bad.txt
	[[ $stderr == *"mpich-rank-order needs nodes="* ]]
	printf '%s\n' 'rank node' '0 a' '2 a' | table mapping > m.tsv
	run -2 --separate-stderr traceconv --to rankfile m.tsv
	[ "$stderr" = "traceconv: the mapping lacks rank 1: expected ranks 0, 1, 2, …" ]
	printf '%s\n' 'rank node' '0 a' '0 b' | table mapping > m.tsv
	run -2 --separate-stderr traceconv --to rankfile m.tsv
	[ "$stderr" = "traceconv: the mapping has twice rank 0: expected ranks 0, 1, 2, …" ]
}

@test "maps: nodes whose names would be read as something else are refused" {
	for name in +n1 'n1=2' 'n1 2' 'n1,n2'; do
		printf '##placetools=mapping/1\nrank\tnode\n0\t%s\n' "$name" > m.tsv
		run -2 --separate-stderr traceconv --from mapping --to rankfile m.tsv
		[ "$stderr" = "traceconv: a rank file can't name the node '$name'" ]
	done
	printf '##placetools=mapping/1\nrank\tnode\n0\tn[1]\n' > m.tsv
	run -2 --separate-stderr traceconv --from mapping --to slurm-hostfile m.tsv
	[ "$stderr" = "traceconv: a host file of Slurm can't name the node 'n[1]'" ]
}
