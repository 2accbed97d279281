# packages.bats - the Debian packages: built, without findings of lintian, installed in an empty root and used there
bats_require_minimum_version 1.5.0
load ../helper

setup_file() {
	command -v dpkg-buildpackage dh >/dev/null || skip "debhelper is not here"
	cd "$BATS_FILE_TMPDIR"
	mkdir placetools-0.1.0
	(cd "$ROOT" && git ls-files -z | xargs -0 tar -c) | tar -x -C placetools-0.1.0
	cd placetools-0.1.0
	DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -us -uc -b >../build.log 2>&1 || { tail -40 ../build.log; return 1; }
}

setup() {
	cd "$BATS_FILE_TMPDIR"
}

@test "packages: three, and MPI only in one of them" {
	[ "$(printf '%s\n' placetools*_0.1.0_*.deb | grep -v dbgsym | sed 's/_.*//' | paste -sd' ')" = "placetools-dev placetools-mpi placetools" ]
	run ! grep -q mpi <(dpkg-deb -f placetools_0.1.0_*.deb Depends)
	dpkg-deb -f placetools-mpi_0.1.0_*.deb Depends | grep -q 'libopenmpi.*placetools (= 0.1.0)\|placetools (= 0.1.0).*libopenmpi'
	[ "$(dpkg-deb -c placetools-mpi_0.1.0_*.deb | grep -c '\.so$')" -eq 1 ]
}

@test "packages: lintian finds no error and warns of nothing" {
	command -v lintian >/dev/null || skip "lintian is not here"
	run -0 lintian --allow-root --fail-on error,warning placetools_0.1.0_*.changes
	echo "$output"
}

@test "packages: installed in an empty root, used there, and removed without a trace" {
	mkdir -p root/var/lib/dpkg/{updates,info,triggers}
	touch root/var/lib/dpkg/status
	dpkg --root=root --force-not-root --force-depends --log=/dev/null -i placetools_0.1.0_*.deb placetools-mpi_0.1.0_*.deb >/dev/null
	PATH=$PWD/root/usr/bin:$PATH
	hash -r
	[ "$(command -v topogen)" = "$PWD/root/usr/bin/topogen" ]
	topogen --list=machines | grep -q '^  @cori$'
	[ "$(topogen --to summary @gpc | awk '$3 == "nodes" { print $4 }')" -gt 3000 ]
	root/usr/share/placetools/examples/nightly/run.sh "$PWD/out" >log || { cat log; false; }
	[ -s out/pages/index.html ]
	man --warnings -E UTF-8 -l root/usr/share/man/man1/placereport.1.gz 2>/dev/null | grep -q PLACEREPORT || mandoc root/usr/share/man/man1/placereport.1.gz | grep -q PLACEREPORT
	dpkg --root=root --force-not-root --log=/dev/null -P placetools-mpi placetools >/dev/null
	[ -z "$(find root/usr -type f)" ]
}
