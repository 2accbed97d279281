/* colours.c - the colours of jobs in drawings */
#include "machine/draw/colours.h"

const char *colour_of(int job)
{
	static const char *const colours[COLOURS] = {
		"#0072b2", "#e69f00", "#009e73", "#cc79a7",
		"#56b4e9", "#d55e00", "#f0e442", "#332288",
	};

	return colours[job % COLOURS];
}

int colour_mark(int job)
{
	return job / COLOURS % COLOUR_MARKS;
}
