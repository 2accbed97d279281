load helper

SAMPLES=$ROOT/tests/formats/domains

# padded TABLE [SIZES]: the blocks of a table of hosts
padded() { topogen --from hosts --to "slurm-padded${2:+:sizes=$2}" "$1"; }

@test "blocks with placeholders are those of topograph to the byte" {
	while read -r case sizes; do
		padded "$SAMPLES/$case.tsv" "$sizes" | cmp - "$SAMPLES/$case.conf"
		# the same by way of a topology file
		topogen --from hosts "$SAMPLES/$case.tsv" -o m.yaml
		topogen --to "slurm-padded${sizes:+:sizes=$sizes}" m.yaml | cmp - "$SAMPLES/$case.conf"
	done <<-EOT
		inferred-one-level
		inferred-two-levels
		mixed-levels 8x32
		sub-uneven 18x72x288
		split-odd 2x4
		seven-of-eight 4x16x32
	EOT
}

@test "all cases of blocks" {
	need_shared
	for case in "$SHARED"/data/cases/domains/blocks-*; do
		sizes=$(sed -n 's/.*placeholders, sizes \([0-9,]*\);.*/\1/p' "$case/README" | tr , x)
		padded "$case/hosts.tsv" "$sizes" | cmp - "$case/expected.conf"
	done
}

@test "what is written can be read again, placeholders keep their places" {
	padded "$SAMPLES/inferred-two-levels.tsv" >topology.conf
	topogen --from slurm-conf --to slurm-conf topology.conf >again
	[ "$(cat again)" = "$(grep -v '^#' topology.conf)" ]
}

@test "a table of hosts that cannot be a machine is refused with its line" {
	refused() {
		printf "$1" >h.tsv
		run -2 --separate-stderr topogen --from hosts h.tsv
		[[ $stderr == "topogen: h.tsv$2"* ]]
	}
	refused 'domain\thosts\na\tn1\n' ':1: expected the columns'
	refused 'domain\tnodes\n.\tn1\n' ':2: expected a domain'
	refused 'domain\tnodes\na\n' ':2: a row of 1 cells'
	refused 'domain\tnodes\na\tn1\nb\tn1\n' ':3: '
	refused 'domain\tsubdomain\tnodes\na\tr1\tn1\nb\tr1\tn2\n' ":3: 'r1' is in the domains 'a' and 'b'"
	refused 'domain\tnodes\n' ': has no host'
	printf 'domain\tnodes\na\tn1\n' >h.tsv
	run -2 --separate-stderr topogen --from hosts --to slurm-padded:sizes=4x12 h.tsv
	[[ $stderr == *'sizes=: 12 is not the next power of two'* ]]
}
