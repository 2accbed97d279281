/* registry.h - what a user picks by name: entries, their parameters, and the picks themselves */
#ifndef BASE_REGISTRY_H
#define BASE_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/name_hint.h"

struct registry;

enum param_type {
	PARAM_INT,       /* a whole number within min … max */
	PARAM_REAL,      /* a number within min … max */
	PARAM_BOOL,      /* yes or no; the key alone means yes */
	PARAM_WORD,      /* one of .choices ("best|first") */
	PARAM_TEXT,      /* any text */
	PARAM_FILE,      /* a file's name */
	PARAM_SIZES,     /* 8x8x8: whole numbers within min … max */
	PARAM_BANDWIDTH, /* 8Gbit/s, 1GB/s: bytes per second */
	PARAM_DURATION,  /* 100ns, 2s: seconds */
	PARAM_BYTES,     /* 4KiB: bytes */
	PARAM_PICK, /* a pick from .registry; its own parameters are dotted: default.machine= */
	PARAM_REST, /* every key that no other parameter has: pick->rest; .key is for the manual */
};

/* One parameter of an entry. An array of them ends in one whose key is NULL. */
struct param {
	const char *key;
	enum param_type type;
	double min, max;     /* PARAM_INT, _REAL, _SIZES: the range; max 0 with min 0 is none */
	const char *def;     /* as it would be written; NULL: must be given (unless .optional) */
	bool optional;       /* may be absent without a default: see pick_has() */
	const char *choices; /* PARAM_WORD */
	const char *unit;    /* for the manual: "s", "nodes" */
	const char *meaning; /* for the manual: one line, no full stop */
	const struct registry *registry; /* PARAM_PICK */
	const char *with; /* it acts only where another parameter has a value, "KEY=VALUE", or has
			     another than its default, "KEY"; NULL: always */
};

/* Every registered thing begins with one of these. */
struct entry {
	const char *name;
	const char *aliases; /* "random" or "random,rnd"; NULL: none */
	const char *summary; /* one line, no full stop */
	const char *paper;   /* where it comes from: "Zhang et al., NeDD, §III-A"; NULL: ours */
	const char *example; /* a whole pick that works on a small machine; tests run it */
	const char *feed;    /* the command of a live system whose output it reads; NULL: none */
	const struct param *params; /* ends in key NULL; NULL: none */
};

/* Made from its .def by the preprocessor: registry_entries.h. */
struct registry {
	const char *name; /* plural: "policies", as --list=policies */
	const char *noun; /* "allocation policy" */
	size_t size;      /* bytes of what begins with each entry; 0: there is nothing else */
	const struct entry *const *entries;
	int n;
};

/* By name or alias; NULL when there is none. */
const struct entry *registry_find(const struct registry *registry, const char *name);
/* Tries all its names and aliases. */
void registry_near(const struct registry *registry, struct near_name *near);
/* The name of the format in which a file "x.svg" or "x.json.gz" is written: its ending, if an entry
 * has that name; else otherwise. path NULL: standard output. */
const char *registry_of_file(const struct registry *registry, const char *path,
			     const char *otherwise);

struct value {
	bool is_set; /* given, or by default */
	bool is_given;
	int64_t number; /* _INT, _BOOL */
	double real;    /* _REAL, _BANDWIDTH, _DURATION, _BYTES (and _INT) */
	char *text;     /* as written; owned by the pick */
	int64_t *sizes; /* _SIZES, [nsizes] */
	int nsizes;
	struct pick *pick; /* _PICK */
};

/* A key=value of PARAM_REST; owned by the pick. */
struct pick_rest {
	char *key, *text;
};

/* A chosen entry with the values of its parameters, in the order of entry->params. */
struct pick {
	const struct entry *entry;
	struct value *values;
	struct pick_rest *rest; /* [nrest], in the order given */
	int nrest;
};

/* NAME[:key=value,…]; see pick(7). Returns -1 with a message that names what was expected. */
int pick_parse(struct pick *pick, const struct registry *registry, const char *text,
	       struct err *err);
/* The same from parallel lists, as a YAML mapping gives them. keys, texts [n] */
int pick_make(struct pick *pick, const struct registry *registry, const char *name,
	      const char *const *keys, const char *const *texts, int n, struct err *err);
/* The entry with its defaults. */
int pick_entry(struct pick *pick, const struct entry *entry, struct err *err);
void pick_free(struct pick *pick);
/* The pick as text with what was given, in canonical order; to be freed. */
char *pick_text(const struct pick *pick);

/* The value of a parameter that the entry has (anything else is a bug and aborts). */
const struct value *pick_value(const struct pick *pick, const char *key);
bool pick_has(const struct pick *pick, const char *key);
int64_t pick_int(const struct pick *pick, const char *key);
double pick_real(const struct pick *pick, const char *key);
bool pick_bool(const struct pick *pick, const char *key);
const char *pick_word(const struct pick *pick, const char *key); /* NULL when not set */
bool pick_is(const struct pick *pick, const char *key, const char *word);
const struct pick *pick_pick(const struct pick *pick, const char *key);
/* Which of a PARAM_WORD's choices it is; -1: none. */
int param_choice(const struct param *param, const char *text);

#endif
