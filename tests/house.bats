# house.bats - the runner counts what it should, and installing leaves nothing behind when it is undone
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	unset BATS_TEST_FILTER
}

# tap NAME TEXT: a test program that prints it
tap() {
	printf '#!/bin/bash\n%s\n' "$2" >"$1.tap"
	chmod +x "$1.tap"
}

@test "runner: what passed, failed and was skipped, in one last line" {
	tap good 'echo 1..2; echo ok 1 one; echo "ok 2 two # skip not here"'
	run -0 "$ROOT/tests/run" "$PWD/good.tap"
	[ "${lines[-1]}" = "1 passed, 0 failed, 1 skipped" ]
	[[ $output == *"two # skip not here"* ]]
	tap bad 'echo 1..2; echo ok 1 one; echo not ok 2 two; echo "# because"; exit 1'
	run -1 "$ROOT/tests/run" "$PWD/good.tap" "$PWD/bad.tap"
	[ "${lines[-1]}" = "2 passed, 1 failed, 1 skipped" ]
	[[ $output == *"not ok 2 two"*"# because"* ]]
}

@test "runner: a program that ends early, without a plan or at once has failed" {
	tap early 'echo 1..3; echo ok 1 one; exit 0'
	run -1 "$ROOT/tests/run" "$PWD/early.tap"
	[ "${lines[-1]}" = "1 passed, 2 failed, 0 skipped" ]
	tap planless 'echo ok 1 one'
	run -1 "$ROOT/tests/run" "$PWD/planless.tap"
	[ "${lines[-1]}" = "1 passed, 1 failed, 0 skipped" ]
	tap dead 'echo 1..1; echo ok 1 one; kill -9 $$'
	run -1 "$ROOT/tests/run" "$PWD/dead.tap"
	[ "${lines[-1]}" = "1 passed, 1 failed, 0 skipped" ]
	run -1 "$ROOT/tests/run" "$PWD/absent.tap"
	[ "${lines[-1]}" = "0 passed, 1 failed, 0 skipped" ]
	mkfifo never
	tap slow "echo 1..1; read -r _ <>$PWD/never; echo ok 1 one"
	TEST_SECONDS=1 run -1 "$ROOT/tests/run" "$PWD/slow.tap"
	[ "${lines[-1]}" = "0 passed, 1 failed, 0 skipped" ]
}

@test "runner: Bats files count by their tests, broken ones too" {
	printf '@test "a" {\n\ttrue\n}\n@test "b" {\n\tfalse\n}\n@test "c" {\n\tskip\n}\n' >some.bats
	run -1 "$ROOT/tests/run" "$PWD/some.bats"
	[ "${lines[-1]}" = "1 passed, 1 failed, 1 skipped" ]
	printf '@test "a" {\n\ttrue\n' >broken.bats
	run -1 "$ROOT/tests/run" "$PWD/broken.bats"
	[[ ${lines[-1]} =~ ^0\ passed,\ [1-9] ]]
}

@test "examples of the manual are tried: a wrong output and a failing command are found" {
	mkdir e
	# shellcheck disable=SC2016
	printf '.Bd -literal\n$ echo a \\e\n  b\na b\n$ cat |\n  wc -l\n.Ed\n.Bd -literal\nno example\n.Ed\n' >page
	[ "$(awk -v to=e -f "$ROOT/tests/examples.awk" page)" -eq 2 ]
	[ "$(<e/1.wanted)" = "a b" ]
	[ "$(bash e/1.command)" = "a b" ]
	[ "$(wc -l <e/2.command)" -eq 2 ]
	[ ! -e e/2.wanted ]
}

@test "make install puts everything in its place, and uninstall leaves nothing" {
	[[ $PLACETOOLS_BUILD == "$ROOT/build" ]] || skip "one build is enough"
	make -s -C "$ROOT" install DESTDIR="$PWD/root" PREFIX=/usr SHARE="$(<"$PLACETOOLS_BUILD/prefix")" >/dev/null
	for tool in $(all_tools); do
		[ -x "root/usr/bin/$tool" ]
		[ -f "root/usr/share/man/man1/$tool.1" ]
		bash -n "root/usr/share/bash-completion/completions/$tool"
		zsh -n "root/usr/share/zsh/site-functions/_$tool"
	done
	[ -f root/usr/share/man/man7/placetools.7 ]
	# the user of the nightly page, and the unit that runs as it what is installed
	unit=root/usr/lib/systemd/system/placetools-nightly.service
	[ "$(sed -n 's/^User=//p' $unit)" = "$(awk '$1 == "u" { print $2 }' root/usr/lib/sysusers.d/placetools-nightly.conf)" ]
	[ -x "root$(sed -n 's/^ExecStart=\([^ ]*\) .*/\1/p' $unit)" ]
	[ -f "${unit%service}timer" ]
	# the machines are found beside the installed tool, wherever it lies
	cp -r root elsewhere
	rm -r root/usr/share/placetools
	elsewhere/usr/bin/topogen --to summary @avakas >found
	[ -s found ]
	PLACETOOLS_SHARE=$PWD run -2 --separate-stderr elsewhere/usr/bin/topogen @avakas
	make -s -C "$ROOT" uninstall DESTDIR="$PWD/elsewhere" PREFIX=/usr
	run -0 find elsewhere -type f
	[ "$output" = "" ] || { echo "left: $output"; return 1; }
}

# library NAME ARGUMENT…: prints what .ci/library finds, flags and libraries on a line each
library() {
	(cd "$BATS_TEST_TMPDIR" && CC=${CC:-gcc} "$ROOT/.ci/library" "with/$1" "${@:2}") || return
	echo "$(<"with/$1.cflags")|$(<"with/$1.libs")"
}

@test "optional libraries: by folder, wrapper, pkg-config or where the compiler looks; else none" {
	set -o pipefail
	unset CPATH LIBRARY_PATH
	export PKG_CONFIG_PATH=$PWD
	run -0 library absent absent.h absent -labsent
	[ "$output" = "|" ]
	mkdir -p prefix/include/odd prefix/lib64 prefix/bin
	echo 'int odd(void);' | tee prefix/include/odd/odd.h prefix/include/even.h >/dev/null
	echo 'int odd(void) { return 1; }' | ${CC:-gcc} -x c - -shared -fPIC -o prefix/lib64/libodd.so
	# a folder; what it lacks is an error, not a library less
	USE=$PWD/prefix run -0 library odd odd.h odd -lodd
	[ "$output" = "-DHAVE_ODD -isystem $PWD/prefix/include/odd|-L$PWD/prefix/lib64 -Wl,-rpath,$PWD/prefix/lib64 -lodd" ]
	USE=$PWD/prefix run -1 library other other.h other -lother
	[ "$output" = "OTHER=$PWD/prefix: include/other.h is not there" ]
	USE=yes run -1 library other other.h other -lother
	[ "$output" = "OTHER=yes: neither pkg-config nor the compiler finds it" ]
	# the compiler's own places, the header in a folder of its name
	CPATH=$PWD/prefix/include LIBRARY_PATH=$PWD/prefix/lib64 run -0 library odd odd.h odd -lodd
	[ "$output" = "-DHAVE_ODD -isystem $PWD/prefix/include/odd|-lodd" ]
	# pkg-config, the first module that is there; one that is too old is not taken from elsewhere
	printf 'Name: odd\nDescription: o\nVersion: 2.0\nCflags: -I%s -DODD=1\nLibs: -L%s -lodd\n' "/opt/i" "/opt/l" >odd.pc
	run -0 library odd odd.h 'never,odd >= 2.0' -lodd
	[[ $output == "-DHAVE_ODD "*"-isystem /opt/i"*"|-L/opt/l -lodd" && $output == *-DODD=1* ]]
	CPATH=$PWD/prefix/include LIBRARY_PATH=$PWD/prefix/lib64 run -0 library odd odd.h 'odd >= 3.0' -lodd
	[ "$output" = "|" ]
	USE=no run -0 library odd odd.h odd -lodd
	[ "$output" = "|" ]
}

@test "optional libraries: the wrappers of Open MPI, MPICH and Cray are asked for what they add" {
	mkdir -p prefix/bin
	# shellcheck disable=SC2016 # the wrappers' own $1
	printf '#!/bin/sh\n[ "$1" = -show ] && echo "gcc -I/m/include -L/m/lib -Wl,-rpath -Wl,/m/lib -lmpi"\n' >prefix/bin/mpicc
	chmod +x prefix/bin/mpicc
	PATH=$PWD/prefix/bin:$PATH run -0 library mpi mpi.h none -lmpi mpicc
	[ "$output" = "-DHAVE_MPI -isystem /m/include|-L/m/lib -Wl,-rpath -Wl,/m/lib -lmpi" ]
	USE=$PWD/prefix run -0 library mpi mpi.h none -lmpi mpicc
	[ "$output" = "-DHAVE_MPI -isystem /m/include|-L/m/lib -Wl,-rpath -Wl,/m/lib -lmpi" ]
	printf '#!/bin/sh\n[ "$1" = --cray-print-opts=all ] && echo "-I/c/include -L/c/lib -lmpi_cray"\n' >prefix/bin/cc
	chmod +x prefix/bin/cc
	USE=$PWD/prefix run -0 library mpi mpi.h none -lmpi cc
	[ "$output" = "-DHAVE_MPI -isystem /c/include|-L/c/lib -lmpi_cray" ]
}

@test "optional libraries: what did not change is not written again" {
	library odd absent.h absent -labsent
	touch -d @0 with/odd.cflags with/odd.libs
	library odd absent.h absent -labsent
	[ "$(stat -c %Y with/odd.cflags with/odd.libs | sort -u)" = 0 ]
}
