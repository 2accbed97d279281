# helper.bash - what every .bats file loads: the tools in PATH, samples, golden files
# shellcheck shell=bash
bats_require_minimum_version 1.5.0

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PLACETOOLS_BUILD=${PLACETOOLS_BUILD:-$ROOT/build}
if [[ -z ${PLACETOOLS_BIN:-} ]]; then
	PLACETOOLS_BIN=$PLACETOOLS_BUILD/bin
	[[ $PLACETOOLS_BUILD == "$ROOT/build" ]] && PLACETOOLS_BIN=$ROOT/bin
fi
# Manual pages, in the layout of the build (NAME.S) or of an installation (manS/NAME.S).
PLACETOOLS_MAN=${PLACETOOLS_MAN:-$PLACETOOLS_BUILD/man}
PATH=$PLACETOOLS_BIN:$PATH
export ROOT PLACETOOLS_BUILD PLACETOOLS_BIN PLACETOOLS_MAN PATH
export LC_ALL=C TZ=UTC
unset PLACETOOLS_TOPOLOGY PLACETOOLS_SHARE POSIXLY_CORRECT CDPATH

# Real samples that are too large for the repository lie beside a developer's tree; "" when absent.
SHARED=${PLACETOOLS_SHARED:-$ROOT/../shared}
[[ -d $SHARED/data ]] && SHARED=$(cd "$SHARED" && pwd) || SHARED=
export SHARED

need_shared() {
	[[ -n $SHARED ]] || skip "the large samples are not here"
}

# A small machine and streams for it: groups of 2 routers of 4 nodes, n0 … n23 on r0 … r5.
DATA=$ROOT/share/examples-data
# shellcheck disable=SC2034
MACHINE=$DATA/machine.yaml

# Every test has an empty folder; a file whose tests need more there has a setup that takes this one's place.
setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# ---- tables: blanks in the arguments and on standard input become tabs ----

# stream KIND COLUMNS ROW…: a stream of that kind
stream() {
	echo "##placetools=$1/1"
	shift
	printf '%s\n' "$@" | tr ' ' '\t'
}
# table KIND [LINE…]: the same of standard input, with further ## lines
table() {
	echo "##placetools=$1/1"
	shift
	[[ $# == 0 ]] || printf '##%s\n' "$@"
	tr ' ' '\t'
}
# job NODES NODELIST PATTERN [BYTES ITERATIONS RANKS_PER_NODE]: a stream of one job for netsim
job() {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\tbytes\titerations\tranks_per_node\n1\t%s\t%s\t%s\t%s\t%s\t%s\n' \
		"$1" "$2" "$3" "${4:-1024}" "${5:-2}" "${6:-1}"
}

# rows [FILE…]: a table without its ## lines; body: without the columns' names, too; words: with blanks for tabs
rows() { grep -v '^##' "$@"; }
body() { rows "$@" | tail -n +2; }
words() { body "$@" | tr '\t' ' '; }
# column NAME [FILE]: the values of one column
column() {
	rows "${2:--}" | awk -F'\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }'
}

# The names of all tools, one a line.
all_tools() {
	(cd "$PLACETOOLS_BIN" && printf '%s\n' *) | grep -Fx -f <(cd "$ROOT/src/tools" && printf '%s\n' *.c | sed 's/\.c$//')
}

# The path of a built or installed manual page: man_page placetools.7
man_page() {
	if [[ -f $PLACETOOLS_MAN/$1 ]]; then
		echo "$PLACETOOLS_MAN/$1"
	else
		echo "$PLACETOOLS_MAN/man${1##*.}/$1"
	fi
}

# examples_of TOOL REGISTRY: the example of each entry; names_of: their names.
examples_of() {
	"$1" --list="$2" | sed -n 's/^      example: //p'
}
names_of() {
	"$1" --list="$2" | sed -n 's/^  \([^ ].*\)$/\1/p'
}

# golden NAME FILE: the file is what tests/golden/NAME says; UPDATE=1 makes it so.
golden() {
	if [[ -n ${UPDATE:-} ]]; then
		mkdir -p "$(dirname "$ROOT/tests/golden/$1")"
		cp "$2" "$ROOT/tests/golden/$1"
	fi
	diff -u "$ROOT/tests/golden/$1" "$2"
}

# bounded_memory KIB: for the rest of the subshell; under the sanitizer, which takes terabytes of addresses, none.
bounded_memory() {
	[[ $PLACETOOLS_BIN == */san/* ]] || ulimit -v "$1"
}
