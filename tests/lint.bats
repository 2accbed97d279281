# lint.bats - each check of tests/lint finds what it is there for, and leaves sound files alone
load helper

setup() {
	export LINT_ROOT=$BATS_TEST_TMPDIR/tree PLACETOOLS_BUILD=$BATS_TEST_TMPDIR/tree/build
	mkdir -p "$LINT_ROOT"/{src/{ground/{base,room/{a,b}},tools},man,tests/lint,build/man,build/ground/room/a}
	cd "$LINT_ROOT"
	git init -q .
	printf 'base\nroom/b\nroom/a\ntools\n' >tests/lint/rooms
	printf '/* x.h - good */\n#ifndef BASE_X_H\n#define BASE_X_H\nint x(void);\n#endif\n' >src/ground/base/x.h
	printf '/* x.c - good */\n#include "base/x.h"\n\nint x(void)\n{\n\treturn 1; /* strcpy(a, b) */\n}\n' >src/ground/base/x.c
	printf '/* b.h - good */\n#ifndef ROOM_B_B_H\n#define ROOM_B_B_H\n#endif\n' >src/ground/room/b/b.h
	printf '/* a.c - good */\n#include "room/b/b.h"\n#include "base/x.h"\n' >src/ground/room/a/a.c
	printf '/* t.c - good */\n#include "room/b/b.h"\n' >src/tools/t.c
	cp "$ROOT/.clang-format" .
	git add -A
}

# finds CHECK TEXT: with what the test has put into the tree the check says so
finds() {
	git add -A
	run "$ROOT/tests/lint/$1"
	[[ $output == *"$2"* ]] || { echo "no '$2' in: $output"; return 1; }
}

@test "lint: a sound tree is left alone" {
	for check in order context basenames banned headers format cppcheck names shell sizes words; do
		run "$ROOT/tests/lint/$check"
		[ "$output" = "" ] || { echo "$check: $output"; return 1; }
	done
}

@test "lint: order" {
	echo '#include "room/b/b.h"' >>src/ground/base/x.c
	finds order 'src/ground/base/x.c:8: base comes before room/b'
	printf '/* b.c */\n#include "room/a/a.h"\n#include "x.h"\n#include "base/y.h"\n' >src/ground/room/b/b.c
	touch src/ground/room/a/a.h
	finds order 'src/ground/room/b/b.c:2: room/b comes before room/a'
	finds order 'src/ground/room/b/b.c:3: "x.h" does not begin with a room'
	finds order 'src/ground/room/b/b.c:4: "base/y.h" is not in src'
	printf '#include "tools/two.h"\n' >src/tools/one.c
	touch src/tools/two.h
	finds order 'src/tools/one.c:1: a tool includes a tool'
	printf 'room/c\n' >>tests/lint/rooms
	finds order 'tests/lint/rooms: src/room/c holds no code'
	mkdir src/ground/room/d
	touch src/ground/room/d/d.h
	printf '#include "base/x.h"\n' >src/ground/room/d/d.c
	finds order 'src/ground/room/d/d.c:1: room/d is not a folder of tests/lint/rooms'
}

@test "lint: context" {
	printf '#include "base/cli.h"\n' >>src/ground/room/a/a.c
	finds context 'src/ground/room/a/a.c:4: below the tools nothing knows the command line'
	cat >src/ground/room/b/b.c <<-'EOT'
		static int nothing;
		static const char *const names[] = {"a", "b"};
		static const char *last = "a";
		const char *b(int i)
		{
			static int ncalls;
			return ncalls++ + nothing++ > 0 ? (last = names[i]) : last;
		}
	EOT
	mkdir -p build/ground/room/b
	gcc -c -o build/ground/room/b/b.o src/ground/room/b/b.c
	finds context 'src/ground/room/b/b.c: nothing is global and changes'
	finds context 'src/ground/room/b/b.c: last is global and changes'
	finds context 'src/ground/room/b/b.c: ncalls is global and changes'
	[[ $output != *names* ]]
	printf -- '- `room/b/b.c`: it counts.\n' >STYLE.md
	run "$ROOT/tests/lint/context"
	[[ $output != *b.c* ]]
}

@test "lint: names" {
	printf 'int f(const struct pick *pick)\n{\n\treturn str_eq(pick->entry->name,\n\t\t      "dor");\n}\n' >src/ground/room/a/f.c
	finds names 'src/ground/room/a/f.c:3: the name of an entry is compared with a literal'
	printf '{\n\tconst char *kind = topo->type->entry.name, *name = type->entry.name;\n\n\tg();\n\tif (!str_eq(name, "minimal"))\n\t\tg();\n}\n' >src/ground/room/a/f.c
	finds names 'src/ground/room/a/f.c:5: the name of an entry is compared with a literal'
	printf '{\n\tname = type->entry.name;\n}\n{\n\tif (!str_eq(name, "minimal"))\n\t\tg();\n}\n' >src/ground/room/a/f.c
	run -0 "$ROOT/tests/lint/names"
	[ "$output" = "" ]
	printf '{\n\tif (routing_open(&open, topo, "minimal", err) != 0)\n\t\tg();\n}\n' >src/ground/room/a/f.c
	finds names 'src/ground/room/a/f.c:2: an entry is opened by its name'
	printf '{\n\tconst struct grid *grid = topo->shape;\n}\n' >src/ground/room/a/f.c
	finds names "src/ground/room/a/f.c:2: the shape is the kind's own"
}

@test "lint: basenames" {
	printf 'X(x)\n' >src/ground/room/a/things.def
	cp src/ground/base/x.c src/ground/room/a/x.c
	run -0 "$ROOT/tests/lint/basenames"
	[ "$output" = "" ]
	cp src/ground/base/x.c src/ground/room/b/x.c
	finds basenames 'src/ground/room/b/x.c: src/ground/base/x.c has the same name'
	cp src/ground/base/x.h src/ground/room/a/x.h
	finds basenames 'src/ground/room/a/x.h: src/ground/base/x.h has the same name'
}

@test "lint: registries" {
	cat >src/ground/room/a/things.c <<-'EOF'
		#define REGISTRY "room/a/things.def"
		#define REGISTRY_TYPE int
		#define REGISTRY_PREFIX thing_
		const int thing_one = 1;
		const int thing_two = 2;
	EOF
	printf 'X(one)\nX(two)\n' >src/ground/room/a/things.def
	gcc -Isrc/ground -c -o build/ground/room/a/things.o src/ground/room/a/things.c
	run -0 "$ROOT/tests/lint/registries"
	[ "$output" = "" ]
	printf 'X(two)\nX(one)\n' >src/ground/room/a/things.def
	finds registries 'src/ground/room/a/things.def: the lines are not sorted'
	printf 'X(one)\nX(three)\n' >src/ground/room/a/things.def
	finds registries 'src/ground/room/a/things.def: nothing in src/ground/room/a defines thing_three'
	finds registries 'src/ground/room/a/things.def: lacks two'
	printf 'Y(one)\n' >src/ground/room/a/things.def
	finds registries 'src/ground/room/a/things.def: a line is not X(name)'
}

@test "lint: banned" {
	printf 'void f(char *a)\n{\n\t/* two\n\tlines */ strcpy(a, "");\n\texit(1);\n\tscanf("%%s", a);\n\tstrtod(a, 0);\n\trand();\n}\ntypedef struct a b;\n' >src/ground/base/f.c
	finds banned 'src/ground/base/f.c:4: a function without limits'
	finds banned 'src/ground/base/f.c:5: the library returns -1'
	finds banned 'src/ground/base/f.c:6: scanf without a width'
	finds banned 'src/ground/base/f.c:7: text becomes numbers'
	finds banned 'src/ground/base/f.c:8: chance is base/rng.h'
	finds banned 'src/ground/base/f.c:10: no alloca'
}

@test "lint: headers" {
	printf '#ifndef BASE_Y_H\n#define BASE_Y_H\nsize_t y(void);\n#endif\n' >src/ground/base/y.h
	finds headers "unknown type name"
	printf '#ifndef Y_H\n#define Y_H\n#endif\n' >src/ground/base/y.h
	finds headers 'src/ground/base/y.h: its guard is not BASE_Y_H'
}

@test "lint: format" {
	printf '/* y.c - y */\nint y( void );\n' >src/ground/base/y.c
	finds format 'src/ground/base/y.c:2'
	printf 'int y(void);\n' >src/ground/base/y.c
	finds format 'src/ground/base/y.c:1: does not open with'
	printf '.Dd x \n' >man/x.1.in
	finds format 'man/x.1.in:1: blanks at the end'
}

@test "lint: cppcheck" {
	printf '/* y.c - y */\nint y(void)\n{\n\tint a[2] = {0, 1};\n\treturn a[2];\n}\n' >src/ground/base/y.c
	finds cppcheck 'src/ground/base/y.c:5: arrayIndexOutOfBounds'
}

@test "lint: manuals" {
	printf '.Dd January 1, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd x\n.Bl -tag\n.El\n' >build/man/x.1
	finds manuals 'x.1:7'
	printf '.TH x 1\n' >man/x.1.in
	finds manuals 'is man(7)'
}

@test "lint: shell" {
	# shellcheck disable=SC2016 # that is for the file
	printf '#!/bin/sh\necho $1\n' >run
	finds shell 'run:2'
	printf '@test "x" {\n\t! true\n}\n' >x.bats
	finds shell 'x.bats:2: a bare ! never fails'
	printf '@test "x" {\n\trefuses x || true\n\twait 1 || true\n}\n' >x.bats
	finds shell 'x.bats:2: "|| true" hides what the assertion finds'
	[[ $output != *x.bats:3* ]]
}

@test "lint: sizes" {
	{
		printf 'int f(void)\n{\n'
		yes '	f();' | head -100
		printf '}\n'
	} >src/ground/base/y.c
	finds sizes 'src/ground/base/y.c:2: a function of 102 lines'
	yes '/* */' | head -601 >src/ground/base/z.c
	finds sizes 'src/ground/base/z.c:601: 601 lines'
	yes '/* */' | head -151 >src/tools/t.c
	finds sizes 'src/tools/t.c:151: 151 lines'
}

@test "lint: glossary" {
	printf '/* y.c - y */\nstatic const char *y = "a name was wanted";\n' >src/ground/base/y.c
	finds glossary 'src/ground/base/y.c:2: "wanted": write "expected"'
	printf '.Dd x\nwhat was wanted\n' >man/x.1.in
	finds glossary 'man/x.1.in:2: a word that the glossary'
}

@test "lint: widths" {
	printf '%s\n' '.Dd x' '.Dt X 1' '.Os' '.Sh NAME' '.Nm x' '.Nd y' '.Sh EXAMPLES' '.Bd -literal' \
		"$(printf '%075d' 0)" "$(printf '\\[u00A7]%.0s' {1..75})" '.Ed' >build/man/x.1
	run "$ROOT/tests/lint/widths"
	[ "$output" = "" ]
	sed -i 's/^0/00/' build/man/x.1
	finds widths 'x.1: 81 columns in groff: '
	finds widths 'x.1: 81 columns in mandoc: '
}

@test "lint: words" {
	printf '/* FIX%s this */\n/* a st%s */\n/* /wo%s/x */\n' ME ub rk >src/ground/base/y.c
	finds words 'src/ground/base/y.c:1'
	finds words 'src/ground/base/y.c:2'
	finds words 'src/ground/base/y.c:3'
}

@test "lint: sentences" {
	page() {
		printf '%s\n' '.Dd x' '.Dt X 1' '.Os' '.Sh NAME' '.Nm x' '.Nd y' '.Sh DESCRIPTION' "$@" >build/man/x.1
	}
	words() {
		printf 'word %.0s' $(seq "$1")
	}
	page "$(words 40)end;" "$(words 39)end." '.Nm' "$(words 38)end." '.Bd -literal' "$(words 60)" '.Ed' \
		"$(words 30)end. Then $(words 30)end."
	run "$ROOT/tests/lint/sentences"
	[[ $output == *'a sentence of 41 words'* && $output != *$'\n'* ]]
	page "$(words 30)" '.Cm keyword' "$(words 9)end."
	finds sentences 'x.1: a sentence of 41 words, expected at most 40: '
}

# object NAME TEXT: a source and its object
object() {
	mkdir -p "src/${1%/*}" "build/${1%/*}"
	echo "$2" >"src/$1.c"
	gcc -c -o "build/$1.o" "src/$1.c"
}

@test "lint: circles" {
	finds circles "build has no ground/base/x.o: build first (make)"
	[ "${#lines[@]}" -eq 1 ]
	rm -r src/ground/base/x.c src/ground/room
	object ground/base/a 'int b(void); int a(void); int a(void) { return b(); }'
	object ground/base/b 'int a(void); int b(void); int b(void) { return a(); }'
	object ground/base/c 'int a(void); int c(void); int c(void) { return a(); }'
	finds circles 'src/ground/base/a.c: needs src/ground/base/b.c (b), which needs it'
	[ "${#lines[@]}" -eq 2 ] # c needs a, but none needs c
	object ground/base/b 'int b(void); int b(void) { return 1; }'
	run "$ROOT/tests/lint/circles"
	[ "$output" = "" ]
	# these two may need each other, and nothing else may need them that they need
	object plan/place/policy/nedd 'int d(void); int e(void); int d(void) { return e(); }'
	object plan/place/policy/policies 'int d(void); int e(void); int e(void) { return d(); }'
	run "$ROOT/tests/lint/circles"
	[ "$output" = "" ]
	object ground/base/b 'int d(void); int b(void); int b(void) { return d(); }'
	object plan/place/policy/policies 'int b(void); int e(void); int e(void) { return b(); }'
	finds circles 'src/ground/base/b.c: needs src/plan/place/policy/nedd.c (d), which needs it'
}

@test "lint: contributing" {
	printf 'X(a)\n' >src/ground/room/a/as.def
	printf '    src/ground/  these\n      base/   this\n      room/   that\n    src/tools/  these\n`room/a/a.c` does it.\n%s\n' \
		'| as | room/a/as.def | room/b/b.h | a.c | nothing |' >CONTRIBUTING.md
	run "$ROOT/tests/lint/contributing"
	[ "$output" = "" ]
	mkdir src/cellar
	finds contributing 'the list of folders lacks src/cellar/'
	rmdir src/cellar
	touch src/ground/room/b/bs.def
	finds contributing '0 rows for room/b/bs.def, expected one'
	rm src/ground/room/b/bs.def
	sed -i 's|`room/a/a.c`|`room/a/z.c`|; s|room/b/b.h|room/b/c.h|; s/| a.c |/| d.c |/' CONTRIBUTING.md
	finds contributing 'there is no room/a/z.c'
	finds contributing 'there is no src/room/b/c.h'
	finds contributing 'there is no src/room/a/d.c'
}
