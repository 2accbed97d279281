# placetools - one Makefile, no recursion
VERSION = 0.1.0
PREFIX ?= /usr/local
CC = gcc
CFLAGS ?= -O2 -g
WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wundef -Wvla
BUILD = build

ifdef SAN
BUILD := $(BUILD)/san
SANFLAGS = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif

CPPFLAGS += -D_GNU_SOURCE -Isrc -DPLACETOOLS_VERSION='"$(VERSION)"' -DPLACETOOLS_SHARE='"$(PREFIX)/share/placetools"'
ALL_CFLAGS = -std=gnu11 -ffp-contract=off $(WARN) $(CFLAGS) $(SANFLAGS)
LDLIBS += -lyaml -lz -lm -pthread

SOURCES := $(sort $(wildcard src/*/*.c src/*/*/*.c))
TOOL_SOURCES := $(filter src/tools/%,$(SOURCES))
LIB_SOURCES := $(filter-out src/tools/%,$(SOURCES))
LIB_OBJECTS := $(LIB_SOURCES:src/%.c=$(BUILD)/%.o)
TOOLS := $(TOOL_SOURCES:src/tools/%.c=%)
BIN = $(if $(SAN),$(BUILD)/bin,bin)

.PHONY: all
all: $(TOOLS:%=$(BIN)/%)

$(BUILD)/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/libplacetools.a: $(LIB_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

$(BIN)/%: $(BUILD)/tools/%.o $(BUILD)/libplacetools.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

-include $(SOURCES:src/%.c=$(BUILD)/%.d)
