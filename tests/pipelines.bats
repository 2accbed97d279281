# pipelines.bats - streams through Miller, awk, gnuplot and gzip and back into a tool, as placetools(7) does
load helper

setup() {
	set -o pipefail
	cd "$BATS_TEST_TMPDIR"
	cp "$DATA"/* .
	allocate -t machine.yaml -p simple jobs.tsv -o placed2.tsv
}

@test "Miller selects: the selected rows, the others gone, the table whole" {
	mlr --tsv --pass-comments filter '$nodes >= 3' placed2.tsv >large.tsv
	placecheck large.tsv
	[ "$(rows large.tsv | cut -f1)" = "$(printf 'job\n1\n3')" ]
	[ "$(grep -c '^##end$' large.tsv)" -eq 1 ]
	[ "$(grep -c '^##command=allocate' large.tsv)" -eq 1 ]
	evalmetrics -t machine.yaml -m spread large.tsv >metrics.tsv
	[ "$(mlr --itsv --onidx --pass-comments filter '$scope == "job" && $metric == "routers"' then cut -f id metrics.tsv | rows)" = "$(printf '1\n3')" ]
}

@test "Miller selects nothing: an empty table, which every tool takes" {
	mlr --tsv --pass-comments filter false placed2.tsv >none.tsv
	for command in "placecheck" "allocate -t machine.yaml" "evalmetrics -t machine.yaml -m spread" "classify -d profiles.tsv"; do
		run -0 --separate-stderr $command none.tsv
		[ "$stderr" = "" ]
	done
}

@test "Miller sorts: what was passed on early does no harm" {
	mlr --tsv --pass-comments sort -nr nodes then sort -f app placed2.tsv >sorted.tsv
	placecheck sorted.tsv
	[ "$(rows sorted.tsv | wc -l)" -eq 5 ]
	evalmetrics -t machine.yaml -m spread sorted.tsv | rows | sort >a
	evalmetrics -t machine.yaml -m spread placed2.tsv | rows | sort >b
	cmp a b
}

@test "Miller joins: a column of one's own goes through every tool" {
	printf '%s\t%s\n' app project miniMD physics LAMMPS chemistry QMCPACK physics inhouse . >projects
	mlr --tsv --pass-comments join -j app -f projects jobs.tsv | classify -d profiles.tsv |
		allocate -t machine.yaml -p simple >out.tsv
	placecheck out.tsv
	[ "$(mlr --itsv --onidx --ofs ' ' --pass-comments sort -f job then cut -o -f job,project,class out.tsv | rows)" = "1 physics network-sensitive
2 physics network-insensitive
3 chemistry network-sensitive
4 . unprofiled" ]
	# and the nodes are those that the jobs get in the order in which Miller gave them
	[ "$(rows out.tsv | awk -F'\t' 'NR > 1 { n += $0 ~ /n\[/ } END { print n }')" -eq 4 ]
}

@test "JSON and back: nothing is lost" {
	mlr --itsv --ojson --skip-comments cat jobs.tsv >jobs.json
	mlr --ijson --otsv cat jobs.json >back
	cmp back <(rows jobs.tsv)
	(echo '##placetools=jobs/1'; cat back) | allocate -t machine.yaml -p simple | rows >a
	rows placed2.tsv | cmp - a
}

@test "awk, mawk and gawk change a column by its name" {
	for awk in mawk gawk; do
		$awk -F'\t' -v OFS='\t' '/^##/ { print; next }
			!n++ { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
			{ $at["nodes"] *= 2; print }' jobs.tsv | allocate -t machine.yaml -p simple >out.tsv
		placecheck out.tsv
		[ "$(rows out.tsv | cut -f3 | paste -sd' ')" = "nodes 8 4 6 4" ]
	done
}

@test "gnuplot reads a table as it is" {
	gnuplot -e 'set terminal svg; set output "traffic.svg"; set datafile separator tab; set key off' \
		-e 'plot "traffic.tsv" using 0:(column("traffic_flits_per_s")):xtic(stringcolumn("router")) with boxes'
	for router in r0 r1 r2 r3 r4 r5; do
		grep -q ">$router<\|> *$router *<" traffic.svg
	done
	gnuplot -e 'set datafile separator tab; stats "traffic.tsv" using (column("traffic_flits_per_s")) name "T" nooutput; print T_max, T_records' 2>said
	[ "$(<said)" = "8000000.0 6.0" ] || [ "$(<said)" = "8000000.0 6" ]
}

@test "two tables one after the other are one stream" {
	allocate -t machine.yaml -p rdn jobs.tsv >random.tsv
	cat placed2.tsv random.tsv | placecheck
	cat placed2.tsv random.tsv | evalmetrics -t machine.yaml -m spread --by policy >a.tsv
	evalmetrics -t machine.yaml -m spread --by policy placed2.tsv random.tsv >b.tsv
	cmp <(rows a.tsv) <(rows b.tsv)
	[ "$(mlr --itsv --onidx --pass-comments uniq -g policy then cut -f policy a.tsv | rows | paste -sd' ')" = "simple rdn" ]
}

@test "a whole pipe says how its end was made" {
	classify -d profiles.tsv jobs.tsv | allocate -t machine.yaml -p simple | evalmetrics -t machine.yaml -m spread >m.tsv
	[ "$(grep '^##command=' m.tsv)" = "##command=classify -d profiles.tsv jobs.tsv
##command=allocate -t machine.yaml -p simple
##command=evalmetrics -t machine.yaml -m spread" ]
}

@test "README: its pipeline prints what it says, and its picture is what topogen draws" {
	mkdir readme
	cd readme
	# the block that begins with topogen, and the one behind it
	awk '/^    topogen/ { n = 1 } n && !/^    / { if (n == 2) exit; n = n ? n + 1 : 0; next }
		n { print substr($0, 5) >("block" n) }' "$ROOT/README.md"
	bash block1 >got
	diff block2 got
	mlr --tsv --pass-comments filter '$policy == "level-spread"' placed.tsv >last.tsv
	topogen --to svg --jobs last.tsv m.yaml | cmp - "$ROOT/examples/demo/placement.svg"
}
