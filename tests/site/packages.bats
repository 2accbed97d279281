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
	[ "$(dpkg-deb -c placetools-mpi_0.1.0_*.deb | grep -c '\.so$')" -eq 2 ]
}

@test "packages: lintian finds no error and warns of nothing" {
	command -v lintian >/dev/null || skip "lintian is not here"
	run -0 lintian --allow-root --fail-on error,warning placetools_0.1.0_*.changes
	echo "$output"
}

@test "packages: installed in an empty root, used there, and removed without a trace" {
	mkdir -p root/var/lib/dpkg/{updates,info,triggers}
	touch root/var/lib/dpkg/status
	# an empty root has no shell: the script that makes the user is looked at, not run
	dpkg-deb -I placetools_0.1.0_*.deb postinst | grep -q 'systemd-sysusers.*placetools'
	for package in placetools placetools-mpi; do
		dpkg-deb -R "$package"_0.1.0_*.deb unpacked
		rm -f unpacked/DEBIAN/{preinst,postinst,prerm,postrm}
		dpkg-deb --root-owner-group -b unpacked "bare-$package.deb" >/dev/null
		rm -r unpacked
	done
	dpkg --root=root --force-not-root --force-depends --log=/dev/null -i bare-placetools.deb bare-placetools-mpi.deb >/dev/null
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

# Not Spack itself: its words stand for what they are, so that the recipe's own lines run.
spack_flags() {
	python3 - "$ROOT/packaging/spack/placetools/package.py" "$@" <<-'END'
		import sys, types
		package = types.ModuleType("spack.package")
		variants = {}
		package.variant = lambda name, **how: variants.update({name: how["default"]})
		for word in ("version", "depends_on", "license"):
		    setattr(package, word, lambda *args, **how: None)
		package.MakefilePackage = object
		sys.modules["spack"] = types.ModuleType("spack")
		sys.modules["spack.package"] = package
		names = {}
		exec(open(sys.argv[1]).read(), names)
		recipe = names["Placetools"]()
		chosen = set(sys.argv[2:])
		assert chosen <= set(variants), variants
		class Dependency:
		    prefix = "/opt"
		class Spec:
		    def satisfies(self, word): return word[1:] in chosen
		    def __getitem__(self, name): return Dependency()
		recipe.spec, recipe.prefix = Spec(), "/tmp/prefix"
		print(*recipe.flags(), *sorted(variants), sep="\n")
	END
}

@test "Spack's recipe: the variants are the Makefile's optional libraries, and its flags are known there" {
	command -v python3 >/dev/null || skip "python3 is not here"
	spack_flags >flags
	[ "$(grep -c '=no$' flags)" -eq 6 ]
	for name in $(sed -n 's/=no$//p' flags); do
		grep -q "call optional,${name,,}," "$ROOT/Makefile"
	done
	spack_flags otf2 scotch metis lpsolve mpi opencl >flags
	[ "$(sed -n 's/=.*//p' flags | paste -sd ' ')" = 'PREFIX OTF2_DIR SCOTCH_DIR METIS_DIR LPSOLVE_DIR' ]
	for name in $(sed -n 's/_DIR=.*//p' flags); do grep -q "call optional,${name,,}," "$ROOT/Makefile"; done
}

@test "the modulefile puts the tools and their manual pages into the paths, and asks for nothing else" {
	command -v tclsh >/dev/null || skip "tclsh is not here"
	dpkg-deb -x placetools_0.1.0_*.deb unpacked
	module=$(find unpacked -path '*modulefiles/placetools*' -type f)
	{
		printf 'proc module-whatis {text} {}\nproc conflict {name} { puts "conflict $name" }\n'
		printf 'proc prepend-path {name folder} { puts "$name $folder" }\n'
		cat "$module"
	} >module.tcl
	tclsh module.tcl | diff - <(printf '%s\n' 'conflict placetools' 'PATH /usr/bin' 'MANPATH /usr/share/man')
	[ -x unpacked/usr/bin/topogen ]
	[ -e unpacked/usr/share/man/man1/topogen.1.gz ]
}
