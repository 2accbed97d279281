# placetools - one Makefile, no recursion
#
#   make                    the tools in bin/, manual pages and completions in build/
#   make demo               everything at work on a real machine's data
#   make check              build, lint and all tests; the last line counts them
#   make check-WING         the tests of one wing of src: ground plan run streams
#   make check-site         tests that need a real server (Slurm, opensm, mpirun)
#   make install            into $(DESTDIR)$(PREFIX); uninstall takes it away again
#   make installcheck       the tests on what was installed
#   make lint fuzz bench study dist clean
#
# SAN=1 builds everything with AddressSanitizer and UBSan beneath build/san.
# demo, check and check-site first install what Debian packages are missing (make deps).

VERSION = 0.1.0
DATE = November 21, 2026
PREFIX ?= /usr/local
SHARE = $(PREFIX)/share/placetools
ifeq ($(origin CC),default)
CC = gcc
endif
CFLAGS ?= -O2 -g
INSTALL = install
FUZZ_SECONDS ?= 30
WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wundef -Wvla \
	-Wno-missing-field-initializers

BUILD = build
BIN = bin
comma = ,
ifdef SAN
BUILD = build/san
BIN = build/san/bin
SHARE = $(CURDIR)/share
SANFLAGS = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
# a file of tests takes ten times as long
export TEST_SECONDS ?= 9000
endif

# Overruns end the program: what the compiler has for that; make HARDEN= is without (tests/hardening.bats).
ifndef SAN
HARDEN := $(shell for f in -fPIE -fstack-protector-strong -fstack-clash-protection -fcf-protection; do \
	$(CC) -Werror $$f -x c -c -o /dev/null /dev/null 2>/dev/null && echo $$f; done) \
	$(if $(filter -O1 -O2 -O3 -Os -Og,$(CFLAGS)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
HARDEN_LINK = -pie -Wl,-z,relro,-z,now
endif

# What the build needs, and what the demo and the tests need besides; one Debian package each.
DEPS_BUILD = gcc libc6-dev make pkg-config libmetis-dev libotf2-trace-dev libscotch-dev libyaml-dev \
	ocl-icd-opencl-dev opencl-headers zlib1g-dev
DEPS_DEMO = gnuplot-nox gzip miller
DEPS_TEST = $(DEPS_DEMO) bats clang clang-format cppcheck gawk groff-base jq libclang-rt-14-dev liblpsolve55-dev \
	libxml2-utils mandoc mawk pocl-opencl-icd shellcheck zsh
# What make check-site needs besides: real servers, started on loopback by the tests.
DEPS_SITE = debhelper ibsim-utils infiniband-diags libmpich-dev libopenmpi-dev lintian mpich munge openmpi-bin opensm slurm-client slurmctld slurmd

# The wings of src, from the ground upwards; an include begins with a room. A wing is compiled with the
# folders of those wings that it may use (below); the tools and the tests with all.
WINGS = ground plan run streams
INCLUDES = $(WINGS:%=-iquote src/%) -iquote src
ALL_CPPFLAGS = -D_GNU_SOURCE $(INCLUDES) -DPLACETOOLS_VERSION='"$(VERSION)"' $(OWN_CPPFLAGS) $(CPPFLAGS)
ALL_CFLAGS = -std=gnu11 -ffp-contract=off $(WARN) $(HARDEN) $(CFLAGS) $(SANFLAGS)
ALL_LDFLAGS = $(CFLAGS) $(SANFLAGS) $(HARDEN_LINK) $(LDFLAGS)
ALL_LDLIBS = -lyaml -lz -lm -pthread -ldl $(LINKED:%=@$(WITH)/%.libs) $(LDLIBS)

SOURCES := $(sort $(wildcard src/*/*.c src/*/*/*.c src/*/*/*/*.c))
TOOL_SOURCES := $(filter src/tools/%,$(SOURCES))
# what programs load lies where it is installed beside them
LIBRARIES := $(BIN:%bin=%lib)
PLUGIN_SOURCES := $(filter src/plugins/%,$(SOURCES))
RANK_ORDER_SOURCES := $(sort $(wildcard share/rank-order/*))
LIB_SOURCES := $(filter-out src/tools/% src/plugins/%,$(SOURCES))
LIB_OBJECTS := $(LIB_SOURCES:src/%.c=$(BUILD)/%.o)
LIB := $(BUILD)/libplacetools.a
TOOL_NAMES := $(TOOL_SOURCES:src/tools/%.c=%)
TOOLS := $(TOOL_NAMES:%=$(BIN)/%)
PLUGINS := $(PLUGIN_SOURCES:src/plugins/%.c=$(LIBRARIES)/placetools/%.so)
UNITS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/unit/*.c tests/tools/*.c)))
RENAMED := $(TOOL_NAMES:%=$(BUILD)/renamed/%)
MAN_IN := $(sort $(wildcard man/*.in))
MAN := $(MAN_IN:man/%.in=$(BUILD)/man/%)
LIBCLSLICE := $(LIBRARIES)/libclslice.a
LAYER := $(LIBRARIES)/placetools/libclslice.so
RANK_ORDER := $(LIBRARIES)/placetools/librank-order.so
COMPLETIONS := $(TOOL_NAMES:%=$(BUILD)/completions/%.bash) $(TOOL_NAMES:%=$(BUILD)/completions/_%)

# All processors, unless -j says otherwise.
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc)
endif

.DELETE_ON_ERROR:
.SECONDARY:

.PHONY: all
all: $(TOOLS) $(PLUGINS) $(LIBCLSLICE) $(LAYER) $(RANK_ORDER) $(MAN) $(COMPLETIONS)

# ---- dependencies ----

.PHONY: deps
deps:
	@.ci/deps $(DEPS_BUILD) $(if $(filter-out demo,$(MAKECMDGOALS)),$(DEPS_TEST),$(DEPS_DEMO)) \
		$(if $(filter check-site,$(MAKECMDGOALS)),$(DEPS_SITE))

# These goals work on a machine that has nothing but make and git: nothing is built before deps.
ifneq ($(filter demo check check-site installcheck bench study fuzz,$(MAKECMDGOALS)),)
FIRST = deps
endif

# ---- the library and the tools ----

$(foreach o,$(BUILD) build/fuzz $(BUILD)/layer,$(o)/ground/%.o): INCLUDES = -iquote src/ground
$(foreach o,$(BUILD) build/fuzz $(BUILD)/layer,$(o)/plan/%.o): INCLUDES = -iquote src/plan -iquote src/ground
$(foreach o,$(BUILD) build/fuzz $(BUILD)/layer,$(o)/run/%.o): INCLUDES = -iquote src/run -iquote src/ground -iquote src/plan
$(foreach o,$(BUILD) build/fuzz $(BUILD)/layer,$(o)/streams/%.o): INCLUDES = -iquote src/streams -iquote src/ground -iquote src/plan

$(BUILD)/%.o: src/%.c | $(FIRST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# One file knows where the data will be installed; it follows a change of PREFIX.
$(BUILD)/ground/base/share.o: private OWN_CPPFLAGS += -DPLACETOOLS_SHARE='"$(SHARE)"'
$(BUILD)/ground/base/share.o: $(BUILD)/prefix
.PHONY: force
$(BUILD)/prefix: force
	@mkdir -p $(@D)
	@echo '$(SHARE)' | cmp -s - $@ || echo '$(SHARE)' >$@

# ---- optional libraries ----
# $(call optional,name,header,pkg-config modules,libraries,sources,wrapper): the sources are compiled
# with -DHAVE_NAME where the library is found (.ci/library says where it looks), and once more when
# that changes. NAME=no: without it; NAME_DIR=PREFIX or NAME=PREFIX: the one installed there. What
# a tool then lacks it names when it is asked for it. Tools are linked with the libraries in LINKED.

WITH = build/with
LINKED = otf2 scotch metis lpsolve
upper = $(shell echo $(1) | tr a-z- A-Z_)
define optional
$(WITH)/$(1).cflags: force | $(FIRST)
	@CC='$(CC)' USE='$(or $($(call upper,$(1))_DIR),$($(call upper,$(1))))' .ci/library $(WITH)/$(1) '$(2)' '$(3)' '$(4)' $(6)
$(foreach o,$(BUILD) build/fuzz,$(patsubst %.c,$(o)/%.o,$(5))): private OWN_CPPFLAGS += @$(WITH)/$(1).cflags
$(foreach o,$(BUILD) build/fuzz,$(patsubst %.c,$(o)/%.o,$(5))): $(WITH)/$(1).cflags
endef

$(eval $(call optional,otf2,otf2/otf2.h,otf2 >= 3.0,-lotf2,$(patsubst src/%,%,$(wildcard src/streams/traces/otf2/*.c))))
$(eval $(call optional,scotch,scotch.h,scotch,-lscotch -lscotcherr,\
	plan/map/partition/libscotch.c plan/map/partition/scotch.c plan/map/mapper/scotch.c \
	plan/map/mapper/scotch_grid.c))
$(eval $(call optional,metis,metis.h,metis,-lmetis,plan/map/partition/metis.c))
$(eval $(call optional,lpsolve,lp_lib.h,,-llpsolve55 -lcolamd -lm -ldl,run/cosched/bound.c))

# clslice alone is linked with OpenCL's loader.
$(eval $(call optional,opencl,CL/cl.h,OpenCL,-lOpenCL,$(patsubst src/%,%,$(wildcard src/run/live/runtime/opencl*.c src/run/live/layer/*.c))))
$(BIN)/clslice $(BUILD)/renamed/clslice: private LDLIBS += @$(WITH)/opencl.libs

# Plug-ins are loaded when they are needed: a tool runs where their library is not installed. The
# plug-in src/plugins/NAME.c goes with the optional library of its name; without that there is none.
MPICC = $(if $(CRAYPE_VERSION),cc,mpicc)
$(eval $(call optional,mpi,mpi.h,ompi-c$(comma)mpich,-lmpi,,$(MPICC)))

$(LIBRARIES)/placetools/%.so: src/plugins/%.c $(WITH)/%.cflags
	@mkdir -p $(@D) $(BUILD)/plugins
	@rm -f $@
	$(if $(file <$(WITH)/$*.libs),$(CC) $(ALL_CPPFLAGS) @$(WITH)/$*.cflags $(ALL_CFLAGS) -fPIC -shared -MMD -MP \
		-MF $(BUILD)/plugins/$*.d $(LDFLAGS) -o $@ $< @$(WITH)/$*.libs,@:)

-include $(PLUGIN_SOURCES:src/%.c=$(BUILD)/%.d)

# What a program of MPI is started with (placetools-rank-order(7)). It is linked with no MPI: one of
# another kind would come into the program with it.
$(RANK_ORDER): $(RANK_ORDER_SOURCES) $(WITH)/mpi.cflags
	@mkdir -p $(@D)
	@rm -f $@
	$(if $(file <$(WITH)/mpi.libs),$(CC) @$(WITH)/mpi.cflags -std=gnu11 $(WARN) $(CFLAGS) -fPIC -shared $(LDFLAGS) -Wl$(comma)-z$(comma)lazy \
		-o $@ $(filter %.c,$^),@:)

$(LIB): $(LIB_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

$(BIN)/%: $(BUILD)/tools/%.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LDLIBS)

# The layer of clslice run: a loader of OpenCL loads it into any program.
# Only what it uses of these stays in it, so it needs no other library.
LAYER_SOURCES = $(filter-out %_absent.c,$(wildcard $(patsubst %,src/%.c,run/live/layer/* run/live/slice/* run/live/merge/* \
	run/live/kernel/work* run/live/runtime/opencl* run/live/runtime/worker run/live/runtime/dealing run/live/node/* run/cosched/state/* run/cosched/policy/* \
	ground/model/devices ground/base/mem ground/base/str ground/base/num ground/base/err ground/base/die ground/base/letter ground/base/pick ground/base/registry ground/base/threads)))
LAYER_OBJECTS = $(LAYER_SOURCES:src/%.c=$(BUILD)/layer/%.o)
$(BUILD)/layer/%.o: src/%.c $(WITH)/opencl.cflags | $(FIRST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) @$(WITH)/opencl.cflags -std=gnu11 $(WARN) $(CFLAGS) -fPIC -fvisibility=hidden -ffunction-sections \
		-fdata-sections -MMD -MP -c -o $@ $<
$(LAYER): $(LAYER_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(if $(file <$(WITH)/opencl.libs),$(CC) $(CFLAGS) -shared -Wl$(comma)--gc-sections -Wl$(comma)-z$(comma)defs $(LDFLAGS) \
		-o $@ $^ @$(WITH)/opencl.libs -lm -pthread,@:)
-include $(LAYER_OBJECTS:.o=.d)

# The library of four calls (src/run/live/node/platform.h), which has no other name in it.
CLSLICE_CALLS = getPlatformId pollPlatformUpdate postDeviceRelease postJobComplete
$(LIBCLSLICE): $(LIB)
	@mkdir -p $(@D)
	@rm -f $@
	$(LD) -r -o $(BUILD)/libclslice.o $(CLSLICE_CALLS:%=-u %) $(LIB)
	objcopy $(CLSLICE_CALLS:%=-G %) $(BUILD)/libclslice.o
	$(AR) rcs $@ $(BUILD)/libclslice.o

-include $(SOURCES:src/%.c=$(BUILD)/%.d)

# ---- manual pages and completions, made from what the tools say of themselves ----

$(BUILD)/man/columns: man/columns.c $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP $(LDFLAGS) -o $@ $< $(LIB) $(ALL_LDLIBS)

$(BUILD)/man/%.1: man/%.1.in $(BIN)/% Makefile
	@mkdir -p $(@D)
	$(BIN)/$* --mdoc >$@.mdoc
	awk '/^\.Sh/ { n++ } { print >(n > 1 ? "$@.registries" : "$@.options") }' $@.mdoc
	@touch $@.registries
	sed -e '/^@OPTIONS@$$/{r $@.options' -e 'd;}' -e '/^@REGISTRIES@$$/{r $@.registries' -e 'd;}' \
		-e 's/@VERSION@/$(VERSION)/; s/@DATE@/$(DATE)/' $< >$@

$(BUILD)/man/%.5: man/%.5.in $(BUILD)/man/columns Makefile
	@mkdir -p $(@D)
	$(BUILD)/man/columns <$< >$@.columns
	sed -e 's/@VERSION@/$(VERSION)/; s/@DATE@/$(DATE)/' $@.columns >$@

$(BUILD)/man/%.7: man/%.7.in Makefile
	@mkdir -p $(@D)
	sed -e 's/@VERSION@/$(VERSION)/; s/@DATE@/$(DATE)/' $< >$@

$(BUILD)/completions/%.bash: $(BIN)/%
	@mkdir -p $(@D)
	$< --completion=bash >$@

$(BUILD)/completions/_%: $(BIN)/%
	@mkdir -p $(@D)
	$< --completion=zsh >$@

# All pages as a small site (needs mandoc): build/html/index.html
.PHONY: html
html: all
	@PATH="$(CURDIR)/$(BIN):$$PATH" packaging/html.sh $(BUILD)/html $(MAN)

# ---- demo and tests ----

# Alone it does not show how it builds.
ifeq ($(MAKECMDGOALS),demo)
.SILENT:
$(info Building the tools, a minute or two …)
endif

.PHONY: demo
demo: $(TOOLS) | $(FIRST)
	@test -x examples/demo/run.sh || { echo 'demo: examples/demo/run.sh is not there' >&2; exit 1; }
	@PATH="$(CURDIR)/$(BIN):$$PATH" examples/demo/run.sh $(BUILD)/demo

.PHONY: units
units: $(UNITS) $(RENAMED)

$(BUILD)/tests/%: tests/%.c $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) -Itests/unit $(ALL_CFLAGS) -MMD -MP $(LDFLAGS) -o $@ $< $(LIB) $(ALL_LDLIBS)

# These open OpenCL devices.
$(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/live_*.c)): private LDLIBS += @$(WITH)/opencl.libs

# What libscotch makes of the architectures that topogen writes.
$(BUILD)/tests/tools/archdist: private OWN_CPPFLAGS += @$(WITH)/scotch.cflags

# The tools once more, in which every entry of a registry has another name: for tests/renamed.tap.
$(BUILD)/renamed/%: $(BUILD)/tools/%.o tests/renamed/registry.c $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_LDFLAGS) -Wl,--wrap=registry_find -o $@ $^ $(ALL_LDLIBS)

-include $(UNITS:%=%.d)

# The tests find what they try in these places; installcheck gives others.
TEST_ENV = CC='$(CC)' PLACETOOLS_BUILD='$(CURDIR)/$(BUILD)' UPDATE='$(UPDATE)'

.PHONY: check
check: all units fuzzers
	@$(TEST_ENV) tests/run

# A wing's own tests: its unit programs, its fuzz targets over their kept inputs, the Bats files of its
# tools. make check has these and what concerns several wings.
.PHONY: $(WINGS:%=check-%)
$(WINGS:%=check-%): check-%: all
	@$(MAKE) --no-print-directory $$(tests/of $* programs $(BUILD))
	@$(TEST_ENV) UNITS="$$(tests/of $* units)" FUZZ="$$(tests/of $* fuzz)" tests/run $$(tests/of $* files)

.PHONY: check-site
check-site: all units
	@$(TEST_ENV) tests/run tests/site

.PHONY: installcheck
installcheck: units fuzzers
	@test -x '$(DESTDIR)$(PREFIX)/bin/topogen' || \
		{ echo 'installcheck: nothing is installed in $(DESTDIR)$(PREFIX): make install' >&2; exit 1; }
	@$(TEST_ENV) PLACETOOLS_BIN='$(DESTDIR)$(PREFIX)/bin' PLACETOOLS_MAN='$(DESTDIR)$(PREFIX)/share/man' tests/run

.PHONY: lint
lint: all
	@$(TEST_ENV) tests/run tests/lint.tap

.PHONY: bench
bench: all units
	@set -e; for script in $(sort $(wildcard tests/bench/*.sh)); do \
		echo "== $$script"; PATH="$(CURDIR)/$(BIN):$$PATH" PLACETOOLS_BUILD='$(CURDIR)/$(BUILD)' $$script; done

# Each keeps what is done in build/study/NAME: interrupted, it goes on there. STUDIES names some of them.
STUDIES = $(sort $(patsubst examples/%/study.sh,%,$(wildcard examples/*/study.sh)))

.PHONY: study
study: all
	@set -e; for name in $(STUDIES); do echo "== examples/$$name/study.sh"; mkdir -p $(BUILD)/study/$$name; \
		PATH="$(CURDIR)/$(BIN):$$PATH" examples/$$name/study.sh $(CURDIR)/$(BUILD)/study/$$name; done

# ---- fuzzing: tests/fuzz/NAME_fuzz.c and its kept inputs, tests/fuzz/corpus/NAME/ ----
# With clang and its runtime the whole library is built for libFuzzer and AddressSanitizer; without
# them a plain main feeds the kept inputs to the same functions.

FUZZ_SOURCES := $(sort $(wildcard tests/fuzz/*_fuzz.c))
FUZZERS := $(FUZZ_SOURCES:tests/fuzz/%.c=build/fuzz/%)
FUZZ_LIB = build/fuzz/libplacetools.a
ifneq ($(wildcard /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a),)
FUZZ_CC = clang
FUZZ_FLAGS = -std=gnu11 -O1 -g -ffp-contract=off -fno-omit-frame-pointer \
	-fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_COMPILE = -fsanitize=fuzzer-no-link
FUZZ_LINK = -fsanitize=fuzzer
else
FUZZ_CC = $(CC)
FUZZ_FLAGS = -std=gnu11 -O1 -g -ffp-contract=off
FUZZ_LINK = tests/fuzz/replay.c
endif

build/fuzz/%.o: src/%.c | $(FIRST)
	@mkdir -p $(@D)
	$(FUZZ_CC) $(ALL_CPPFLAGS) -DPLACETOOLS_SHARE='"share"' $(FUZZ_FLAGS) $(FUZZ_COMPILE) -MMD -MP -c -o $@ $<

$(FUZZ_LIB): $(LIB_SOURCES:src/%.c=build/fuzz/%.o)
	@rm -f $@
	$(AR) rcs $@ $^

build/fuzz/%_fuzz: tests/fuzz/%_fuzz.c tests/fuzz/fuzz.h $(wildcard tests/fuzz/replay.c) $(FUZZ_LIB)
	$(FUZZ_CC) $(ALL_CPPFLAGS) $(FUZZ_FLAGS) -o $@ $< $(FUZZ_LINK) $(FUZZ_LIB) $(ALL_LDLIBS)

# These include a tool as it is.
TOOL_FUZZERS := $(filter $(TOOL_NAMES:%=build/fuzz/%_fuzz),$(FUZZERS))
$(TOOL_FUZZERS): build/fuzz/%_fuzz: src/tools/%.c tests/fuzz/tool.h
build/fuzz/cli_fuzz: src/ground/base/cli.c src/ground/base/cli_outputs.c

-include $(LIB_SOURCES:src/%.c=build/fuzz/%.d)

.PHONY: fuzzers
fuzzers: $(FUZZERS)

# Random states of machines, judged by brute force; the unit program does a few of them.
FUZZ_STATES = 1000000

.PHONY: fuzz
fuzz: $(FUZZERS) $(BUILD)/tests/unit/states $(BUILD)/tests/unit/shares
	@$(BUILD)/tests/unit/states $(FUZZ_STATES)
	@$(BUILD)/tests/unit/shares $(FUZZ_STATES)
	@tests/fuzz/run $(FUZZ_SECONDS) $(FUZZERS)

# The K-th call of malloc, write, fsync, … fails, for all K: status 2, one line, no ##end.
.PHONY: faults
faults: all
	@mkdir -p $(BUILD)/tests/faults
	$(CC) -shared -fPIC -O1 -o $(BUILD)/tests/faults/faults.so tests/faults/faults.c -ldl
	@tests/faults/run $(BUILD)/tests/faults/faults.so $(FAULTS)

# ---- install ----

bindir = $(DESTDIR)$(PREFIX)/bin
libdir = $(DESTDIR)$(PREFIX)/lib/placetools
mandir = $(DESTDIR)$(PREFIX)/share/man
sharedir = $(DESTDIR)$(PREFIX)/share/placetools
docdir = $(DESTDIR)$(PREFIX)/share/doc/placetools
bashdir = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zshdir = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
# the user of nightly.sh, and its units; they do nothing until there is a configuration
sysusersdir = $(DESTDIR)$(PREFIX)/lib/sysusers.d
unitdir = $(DESTDIR)$(PREFIX)/lib/systemd/system
UNIT_FILES = placetools-nightly.service placetools-nightly.timer
SHARED := $(sort $(shell find share -type f 2>/dev/null))
EXAMPLES := $(sort $(shell find examples -type f 2>/dev/null))

.PHONY: install
install: all
	@mkdir -p $(bindir) $(mandir)/man1 $(mandir)/man5 $(mandir)/man7 $(docdir) $(bashdir) $(zshdir)
	$(INSTALL) -m 755 $(TOOLS) $(bindir)
	@for f in $(PLUGINS) $(LAYER) $(RANK_ORDER); do [ ! -e $$f ] || $(INSTALL) -D -m 644 $$f $(libdir)/$${f##*/} || exit 1; done
	$(INSTALL) -D -m 644 $(LIBCLSLICE) $(DESTDIR)$(PREFIX)/lib/libclslice.a
	$(INSTALL) -D -m 644 src/run/live/node/platform.h $(DESTDIR)$(PREFIX)/include/clslice.h
	$(INSTALL) -m 644 $(filter %.1,$(MAN)) $(mandir)/man1
	$(INSTALL) -m 644 $(filter %.5,$(MAN)) $(mandir)/man5
	$(INSTALL) -m 644 $(filter %.7,$(MAN)) $(mandir)/man7
	$(INSTALL) -m 644 README.md NEWS.md LICENSE $(docdir)
	@if [ -e $(BUILD)/html/index.html ]; then mkdir -p $(docdir)/html && \
		$(INSTALL) -m 644 $(BUILD)/html/* $(docdir)/html; fi
	@for f in $(TOOL_NAMES); do \
		$(INSTALL) -m 644 $(BUILD)/completions/$$f.bash $(bashdir)/$$f && \
		$(INSTALL) -m 644 $(BUILD)/completions/_$$f $(zshdir)/_$$f || exit 1; done
	@for f in $(SHARED:share/%=%); do $(INSTALL) -D -m 644 share/$$f $(sharedir)/$$f || exit 1; done
	@for f in $(EXAMPLES); do mode=644; [ ! -x $$f ] || mode=755; \
		$(INSTALL) -D -m $$mode $$f $(sharedir)/$$f || exit 1; done
	@mkdir -p $(sharedir)/modulefiles
	@sed 's|@PREFIX@|$(PREFIX)|; s|@SHARE@|$(SHARE)|; s|@VERSION@|$(VERSION)|' packaging/modulefile.in \
		>$(sharedir)/modulefiles/placetools
	$(INSTALL) -D -m 644 examples/nightly/placetools-nightly.sysusers $(sysusersdir)/placetools-nightly.conf
	@mkdir -p $(unitdir)
	@for f in $(UNIT_FILES); do sed 's|/usr/share|$(PREFIX)/share|' examples/nightly/$$f >$(unitdir)/$$f || exit 1; done

.PHONY: uninstall
uninstall:
	rm -f $(TOOL_NAMES:%=$(bindir)/%) $(TOOL_NAMES:%=$(bashdir)/%) $(TOOL_NAMES:%=$(zshdir)/_%)
	rm -f $(foreach s,1 5 7,$(patsubst $(BUILD)/man/%,$(mandir)/man$(s)/%,$(filter %.$(s),$(MAN))))
	rm -f $(DESTDIR)$(PREFIX)/lib/libclslice.a $(DESTDIR)$(PREFIX)/include/clslice.h
	rm -f $(sysusersdir)/placetools-nightly.conf $(UNIT_FILES:%=$(unitdir)/%)
	rm -rf $(libdir) $(sharedir) $(docdir)

.PHONY: dist
dist:
	@mkdir -p build
	git archive --format=tar --prefix=placetools-$(VERSION)/ HEAD | gzip -9n >build/placetools-$(VERSION).tar.gz
	@echo build/placetools-$(VERSION).tar.gz

.PHONY: clean
clean:
	rm -rf bin lib build
