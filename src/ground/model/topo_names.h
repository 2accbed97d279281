/* topo_names.h - generated names: a pattern with one %d or %0Nd, counted up from 0 */
#ifndef MODEL_TOPO_NAMES_H
#define MODEL_TOPO_NAMES_H

#include "model/topo.h"

/* Refuses anything but exactly one %d or %0Nd (N from 1 to 9) among what names may hold. */
int name_pattern_check(const char *pattern, struct err *err);
/* Whether a text can be a name at all: not empty, not too long, without blank # , [ ] and control
 * characters. */
bool name_is_good(const char *name, size_t n);
/* Bytes of the character at name, if names may have it; else 0. */
int name_char(const char *name, size_t n);

size_t name_pattern_print(const char *pattern, int number, char text[TOPO_NAME]);
/* The number below n whose name this is, or -1. */
int name_pattern_find(const char *pattern, int n, const char *name, size_t length);

/* Finds out how far the names of a machine with node_names count up: counts_to. */
void topo_names_count(struct topo *topo);

/* One name after the other, much faster than printing each. */
struct name_counter {
	const char *pattern;
	int number;
	size_t first, end;    /* the digits */
	size_t n;             /* length of text */
	char text[TOPO_NAME]; /* with eight bytes and more behind the name */
};
void name_counter_start(struct name_counter *counter, const char *pattern);
void name_counter_next(struct name_counter *counter);

#endif
