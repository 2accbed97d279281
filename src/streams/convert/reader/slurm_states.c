/* slurm_states.c - the states of jobs and nodes as Slurm's commands print them */
#include "convert/reader/slurm_states.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/str.h"

/* Up to n letters, made small. */
static const char *small_letters(const char *text, size_t n, char word[32])
{
	if (n > 31)
		n = 31;
	for (size_t i = 0; i < n; i++)
		word[i] = (char)tolower((unsigned char)text[i]);
	word[n] = '\0';
	return word;
}

struct name_pair {
	const char *from, *to;
};

/* NULL: the word is none of them. */
static const char *translate(const struct name_pair *pairs, const char *word)
{
	for (; pairs->from != NULL; pairs++)
		if (str_eq(pairs->from, word))
			return pairs->to;
	return NULL;
}

static const char *translate_or_keep(const struct name_pair *pairs, const char *word)
{
	const char *other = translate(pairs, word);

	return other != NULL ? other : word;
}

static bool is_meant(const struct name_pair *pairs, const char *word)
{
	for (; pairs->from != NULL; pairs++)
		if (str_eq(pairs->to, word))
			return true;
	return false;
}

const char *slurm_job_state(struct flow *flow, const char *text, char word[32])
{
	/* squeue %t; the long names are squeue's %T and sacct's */
	static const struct name_pair codes[] = {{"bf", "boot_fail"},
						 {"ca", "cancelled"},
						 {"cd", "completed"},
						 {"cf", "configuring"},
						 {"cg", "completing"},
						 {"dl", "deadline"},
						 {"f", "failed"},
						 {"nf", "node_fail"},
						 {"oom", "out_of_memory"},
						 {"pd", "pending"},
						 {"pr", "preempted"},
						 {"r", "running"},
						 {"rd", "resv_del_hold"},
						 {"rf", "requeue_fed"},
						 {"rh", "requeue_hold"},
						 {"rq", "requeued"},
						 {"rs", "resizing"},
						 {"rv", "revoked"},
						 {"s", "suspended"},
						 {"se", "special_exit"},
						 {"si", "signaling"},
						 {"so", "stage_out"},
						 {"st", "stopped"},
						 {"to", "timeout"},
						 {NULL, NULL}};

	const char *state;

	small_letters(text, strcspn(text, " +"), word);
	state = strlen(word) <= 3 ? translate_or_keep(codes, word) : word;
	if (flow != NULL && !is_meant(codes, state))
		flow_unknown(flow, "states of jobs", state);
	return state;
}

/* What a flag behind an idle base makes of the node, in the order of what counts most. */
static const char *idle_with(struct flow *flow, const char *flag)
{
	static const struct name_pair flags[] = {{"drain", "drained"},
						 {"drained", "drained"},
						 {"not_responding", "not-responding"},
						 {"fail", "fail"},
						 {"maintenance", "maintenance"},
						 {"maint", "maintenance"},
						 {"reserved", "reserved"},
						 {"planned", "planned"},
						 {"powered_down", "powered-down"},
						 {"power_down", "powering-down"},
						 {"powering_down", "powering-down"},
						 {"powering_up", "powering-up"},
						 {"power_up", "powering-up"},
						 {"reboot_requested", "reboot"},
						 {"reboot_issued", "reboot"},
						 {"reboot", "reboot"},
						 {"completing", "completing"},
						 {"blocked", "blocked"},
						 {"invalid_reg", "invalid"},
						 /* these say nothing of jobs */
						 {"cloud", "idle"},
						 {"dynamic", "idle"},
						 {"dynamic_norm", "idle"},
						 {"dynamic_future", "idle"},
						 {"external", "idle"},
						 {"undrain", "idle"},
						 {"resume", "idle"},
						 {"net", "idle"},
						 {"perfctrs", "idle"},
						 {"res", "reserved"},
						 {"no_respond", "not-responding"},
						 {"idle", "idle"},
						 {"allocated", "allocated"},
						 {"mixed", "mixed"},
						 {"reboot_canceled", "idle"},
						 {"powered_up", "idle"},
						 {"power_drain", "drained"},
						 {"parent", "idle"},
						 {NULL, NULL}};
	const char *state = translate(flags, flag);

	if (state == NULL && flow != NULL)
		flow_unknown(flow, "flags of nodes", flag);
	return state != NULL ? state : "idle";
}

/* slurm.conf(5), sinfo(1): the signs behind a state. */
static const char *idle_with_sign(char sign)
{
	switch (sign) {
	case '*':
		return "not-responding";
	case '~':
		return "powered-down";
	case '#':
		return "powering-up";
	case '!':
	case '%':
		return "powering-down";
	case '$':
		return "maintenance";
	case '@':
	case '^':
		return "reboot";
	case '-':
		return "planned";
	default:
		return "idle";
	}
}

static void check_base(struct flow *flow, const struct name_pair *names, const char *base)
{
	static const struct name_pair others[] = {
		{"", "idle"},           {"", "down"},    {"", "error"},        {"", "fail"},
		{"", "perfctrs"},       {"", "blocked"}, {"", "powered-down"}, {"", "net"},
		{"", "not-responding"}, {NULL, NULL}};

	if (flow != NULL && !is_meant(names, base) && !is_meant(others, base))
		flow_unknown(flow, "states of nodes", base);
}

const char *slurm_node_state(struct flow *flow, const char *text, char word[32])
{
	static const struct name_pair names[] = {{"alloc", "allocated"},
						 {"mix", "mixed"},
						 {"drain", "drained"},
						 {"drng", "draining"},
						 {"comp", "completing"},
						 {"failg", "failing"},
						 {"futr", "future"},
						 {"maint", "maintenance"},
						 {"npc", "unknown"},
						 {"unk", "unknown"},
						 {"plnd", "planned"},
						 {"pow_dn", "powering-down"},
						 {"pow_up", "powering-up"},
						 {"resv", "reserved"},
						 {"inval", "invalid"},
						 {"boot", "reboot"},
						 {NULL, NULL}};
	size_t n = strcspn(text, "+*~#!%$@^");
	const char *base, *flags;
	char flag[32];

	/* "idle-" is planned; "power-down" is not a sign */
	if (n > 1 && text[n] == '\0' && text[n - 1] == '-') {
		n--;
		base = small_letters(text, n, word);
		return str_eq(base, "idle") ? "planned" : translate_or_keep(names, base);
	}
	base = translate_or_keep(names, small_letters(text, n, word));
	check_base(flow, names, base);
	for (flags = text + n; *flags != '\0'; flags += strcspn(flags, "+")) {
		const char *state;

		if (*flags != '+') {
			state = idle_with_sign(*flags);
			flags++;
		} else {
			flags++;
			state = idle_with(flow,
					  small_letters(flags, strcspn(flags, "+*~#!%$@^"), flag));
		}
		if (str_eq(state, "drained") &&
		    (str_eq(base, "allocated") || str_eq(base, "mixed") ||
		     str_eq(base, "completing")))
			base = "draining";
		else if (str_eq(base, "drained") && str_eq(state, "completing"))
			base = "draining";
		else if (str_eq(base, "idle"))
			base = state;
	}
	return base;
}
