/* progress.c - work that takes long: asked how far it is, and asked to stop */
#include "base/progress.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t must_stop, must_tell;

static void note_signal(int number)
{
	if (number == SIGUSR1)
		must_tell = 1;
	else
		must_stop = 1;
}

void progress_watch(void)
{
	struct sigaction often = {.sa_handler = note_signal, .sa_flags = SA_RESTART};

	sigaction(SIGUSR1, &often, NULL);
}

static struct sigaction on_interrupt, on_termination; /* when nothing is being done */

void progress_begin(void)
{
	struct sigaction once = {.sa_handler = note_signal, .sa_flags = (int)SA_RESETHAND};

	sigaction(SIGINT, &once, &on_interrupt);
	sigaction(SIGTERM, &once, &on_termination);
}

void progress_end(void)
{
	sigaction(SIGINT, &on_interrupt, NULL);
	sigaction(SIGTERM, &on_termination, NULL);
}

bool progress_must_stop(void)
{
	return must_stop != 0;
}

bool progress_must_tell(void)
{
	if (must_tell == 0)
		return false;
	must_tell = 0;
	return true;
}
